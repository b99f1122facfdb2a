// In which polylines do two surfaces meet? Each pair of triangles that meet gives a segment, with exact ends
// (segments.ts). Segments that share an end are chained here.

import type { Body } from '../../bodies/body.ts';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { atSnapshotInSteps } from '../../bodies/snapshot/snapshot-body.ts';
import { checkOptions, limitRules } from '../../core/arguments.ts';
import { type Limits, limitsOfPart } from '../../core/limits.ts';
import { inSlices, shareOf, toEnd } from '../../core/waiting.ts';
import { type BareScene, coreOf } from '../../questions/bare-scene.ts';
import { checkTwo } from '../../questions/checks.ts';
import type { Question } from '../../questions/question.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import { askTriangles } from '../ask.ts';
import { interfere } from '../driver.ts';
import { askAndDecide, decideInSteps } from '../exact.ts';
import { cpuPairs } from '../hierarchy/cpu/driver.ts';
import { type RawAnswer, thePair } from '../request.ts';
import { type Meetings, meetingsOf, type Segment, step } from './segments.ts';

/** A polyline in which two surfaces meet. */
export interface Curve {
  /**
   * x, y, z per point, world coordinates, in order along the curve. A single point if the surfaces only touch there.
   */
  readonly points: Float64Array;
  /** Whether the last point is joined to the first, which is not repeated. */
  readonly closed: boolean;
  /**
   * Per segment, the pair (triangle of a, triangle of b) that meets in it. For a single point, the pair that touches
   * there.
   */
  readonly trianglePairs: Uint32Array;
}

/** See `Scene.curves`. */
export async function curves(scene: BareScene, a: Body, b: Body, limits: Limits = {}): Promise<Curve[]> {
  checkTwo('curves', a, b);
  checkOptions(limits, limitRules, 'curves', 'limits');
  const core = coreOf(scene);
  const question = core.questionAbout(a, b);
  const search = limitsOfPart(limits, 0, 0.5);
  const rest = limitsOfPart(limits, 0.5, 1);
  return askTriangles(
    core,
    question,
    'curves',
    limits,
    engine => {
      const ask = (limits: Limits) => interfere(engine, question.seenBy(engine), { ...limits, ...thePair });
      return askAndDecide(ask, search, question.readableAt);
    },
    raw => inSlices(answer(core, raw, question), rest, core.cpu.checkOpen),
    () => question.seen.shapeStates,
  );
}

/** The synchronous form of `curves`, for the CPU backend. */
export function curvesSync(scene: BareScene<'cpu'>, a: Body, b: Body): Curve[] {
  checkTwo('curvesSync', a, b);
  const core = coreOf(scene);
  core.checkSync('curvesSync');
  const question = core.questionAbout(a, b);
  return toEnd(answer(core, cpuPairs(core.cpu).interfereSync(question.seen, thePair), question));
}

/** Yields the share done. */
function* answer({ cpu }: SceneCore, raw: RawAnswer, { readableAt }: Question): Generator<number, Curve[]> {
  const { triangles } = yield* shareOf(decideInSteps(raw, readableAt, cpu), 0, 0.2);
  const chained = atSnapshotInSteps(cpu, readableAt(0), readableAt(1), (a, b) => curvesOf(a, b, triangles));
  return yield* shareOf(chained, 0.2, 1);
}

/**
 * The curves in which two bodies' surfaces meet, given every pair of triangles that meet. Points are exact
 * intersections, correctly rounded. Points that round to the same doubles are merged, so that no segment has length 0.
 * A curve ends where the intersection ends or branches. Coplanar triangles that overlap contribute the outline of the
 * overlap. The order of the curves, and where each begins, follow from the order of the triangle pairs. Yields the share done.
 */
export function* curvesOf(a: Placed, b: Placed, triangles: Uint32Array): Generator<number, Curve[]> {
  const meetings = yield* shareOf(meetingsOf(a, b, triangles), 0, 0.8);
  const { points, segments, touches } = yield* asRounded(meetings);
  const at = new Map<number, number[]>();
  segments.forEach((segment, i) => {
    for (const end of [segment.from, segment.to]) {
      const list = at.get(end);
      if (list) list.push(i);
      else at.set(end, [i]);
    }
  });
  const used = new Uint8Array(segments.length);
  const curves: Curve[] = [];

  const follow = (start: number, first: number): void => {
    const numbers = [start];
    const chain: Segment[] = [];
    for (let next: number | undefined = first; next !== undefined; ) {
      used[next] = 1;
      const segment: Segment = segments[next];
      chain.push(segment);
      const end: number = segment.from === numbers[numbers.length - 1] ? segment.to : segment.from;
      numbers.push(end);
      const here: number[] = at.get(end)!;
      next = end !== start && here.length === 2 ? here.find(i => used[i] === 0) : undefined;
    }
    const closed = numbers.length > 2 && numbers[numbers.length - 1] === start;
    if (closed) numbers.pop();
    curves.push(
      curveOf(
        numbers.map(number => points.coordinates(number)),
        closed,
        chain,
      ),
    );
  };

  // First the curves that start at open ends and branch points. What is left are closed curves without any.
  for (const [number, here] of at) {
    if (here.length === 2) continue;
    for (const i of here) if (used[i] === 0) follow(number, i);
    yield 1;
  }
  for (const [i, segment] of segments.entries()) {
    if (used[i] === 0) follow(segment.from, i);
    if (i % step === 0) yield 1;
  }
  for (const touch of touches) curves.push(curveOf([points.coordinates(touch.from)], false, [touch]));
  return curves;
}

/**
 * Merges points that have the same rounded coordinates. Segments that then have length 0 become points. Yields the share done of
 * making curves.
 */
function* asRounded({ points, segments, touches }: Meetings): Generator<number, Meetings> {
  const first = new Map<string, number>();
  const known = new Map<number, number>();
  const numberOf = (number: number): number => {
    let same = known.get(number);
    if (same === undefined) {
      const place = points.coordinates(number).join();
      same = first.get(place) ?? number;
      first.set(place, same);
      known.set(number, same);
    }
    return same;
  };
  const merged: Segment[] = [];
  for (const { from, to, a, b } of [...segments, ...touches]) {
    if (merged.length % step === 0) yield 0.8 + (0.2 * merged.length) / (segments.length + touches.length);
    merged.push({ from: numberOf(from), to: numberOf(to), a, b });
  }
  const left = merged.filter(({ from, to }) => from !== to);
  const held = new Set(left.flatMap(({ from, to }) => [from, to]));
  const single = new Map<number, Segment>();
  for (const point of merged) {
    if (point.from === point.to && !held.has(point.from) && !single.has(point.from)) {
      single.set(point.from, point);
    }
  }
  return { points, segments: left, touches: [...single.values()] };
}

function curveOf(points: readonly Float64Array[], closed: boolean, chain: readonly Segment[]): Curve {
  return {
    points: Float64Array.from(points.flatMap(point => [...point])),
    closed,
    trianglePairs: Uint32Array.from(chain.flatMap(({ a, b }) => [a, b])),
  };
}

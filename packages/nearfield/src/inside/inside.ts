// Which of many points lie inside a solid body? Decided exactly (winding.ts).

import type { Body } from '../bodies/body.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { atSnapshotInSteps } from '../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { pointsOf } from '../core/arguments.ts';
import { toEnd } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { answerEach, Given } from '../cpu/threads/shared-items.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkSolid } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import { pointsInside } from './winding.ts';

/** See `Scene.inside`. */
export async function inside(
  scene: BareScene,
  body: Body,
  points: Float32Array | Float64Array,
): Promise<Uint8Array> {
  const core = coreOf(scene);
  const question = core.questionAbout(body);
  const doubles = pointsOf(points);
  return core.withPositions(question, {}, async () => {
    const points: SomePoints = { body: solidOf(question), points: doubles };
    const given = new Given('inside', () => points);
    const count = Math.ceil(doubles.length / (3 * pointsAtOnce));
    const item = (i: number) => somePlaces(core.cpu, points, i);
    return joined(doubles, await answerEach(core.cpu, { given, count, item }, {}));
  });
}

/** The synchronous form of `inside`, for the CPU backend. */
export function insideSync(
  scene: BareScene<'cpu'>,
  body: Body,
  points: Float32Array | Float64Array,
): Uint8Array {
  const core = coreOf(scene);
  core.checkSync('insideSync');
  const asked: SomePoints = { body: solidOf(core.questionAbout(body)), points: pointsOf(points) };
  const parts: Uint8Array[] = [];
  for (let i = 0; 3 * pointsAtOnce * i < asked.points.length; i++)
    parts.push(toEnd(somePlaces(core.cpu, asked, i)));
  return joined(asked.points, parts);
}

/** The body as the question saw it. Throws if it is not solid. */
function solidOf({ bodies, readableAt }: Question): SnapshotBody {
  const body = readableAt(0);
  checkSolid(bodies[0], body.mesh);
  return body;
}

/** Points that are decided in one step. */
const pointsAtOnce = 64;

/** A solid, and points that may lie in it. */
export interface SomePoints {
  readonly body: SnapshotBody;
  readonly points: Float64Array;
}

/** Where the points of the i-th step are. */
export function* somePlaces(
  engine: CpuEngine,
  { body, points }: SomePoints,
  i: number,
): Generator<number, Uint8Array> {
  const some = points.subarray(3 * pointsAtOnce * i, 3 * pointsAtOnce * (i + 1));
  return yield* atSnapshotInSteps(engine, body, body, function* (then) {
    yield 0;
    return pointsInside(finderOf(engine), then, some);
  });
}

function joined(points: Float64Array, parts: readonly Uint8Array[]): Uint8Array {
  const places = new Uint8Array(points.length / 3);
  parts.forEach((part, i) => {
    places.set(part, pointsAtOnce * i);
  });
  return places;
}

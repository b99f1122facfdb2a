// Where do two surfaces touch only in points and lines or, if one of them is open, cross? These contacts have no area
// and no depth. Lines and points that lie in a contact with area (the rim of a box that stands on another) are part of
// it and are left out; a line that continues beyond it is a contact of its own.

import { toEnd } from '../../core/waiting.ts';
import type { PointNumbers } from '../../interferences/curves/point-numbers.ts';
import { meetingsOf, type Segment } from '../../interferences/curves/segments.ts';
import { at, length, plus, times, type Vector } from '../../math/vector.ts';
import { DisjointSets } from '../../mesh/facts.ts';
import { nearestOnLines } from '../overlap/nearest.ts';
import type { RawPatch } from '../patch.ts';
import type { Surface } from '../surface.ts';
import { middleOfLines } from './middle-of-lines.ts';
import { touchNormal } from './touch-normal.ts';

/** The points that lie in contacts with area. */
export interface Taken {
  /** The numbers of points at which a line in such a contact may end. */
  readonly corners: ReadonlySet<number>;
  /** Tells whether one of them contains a point, up to rounding, in which triangle a of A and triangle b of B touch. */
  holds(point: Vector, a: number, b: number): boolean;
  /**
   * Tells whether a stretch of line, or a point, of two triangles lies on parts of them that bound the solids. Without
   * it all do.
   */
  counts?(stretch: Segment): boolean;
}

/** The contacts of the given pairs of triangles that meet, without those in `taken`. */
export function touchesOf(
  surfaces: readonly [Surface, Surface],
  pairs: Uint32Array,
  numbers: PointNumbers,
  taken: Taken,
): RawPatch[] {
  if (pairs.length === 0) return [];
  const [a, b] = [surfaces[0].placed, surfaces[1].placed];
  // A pair that counts only in part may hide what another has: then each is examined alone.
  const alone = (i: number): Uint32Array => pairs.subarray(2 * i, 2 * i + 2);
  const meetings = taken.counts
    ? Array.from({ length: pairs.length / 2 }, (_, i) => toEnd(meetingsOf(a, b, alone(i), numbers)))
    : [toEnd(meetingsOf(a, b, pairs, numbers))];
  const segments = meetings.flatMap(found => found.segments);
  const touches = meetings.flatMap(found => found.touches);
  const { scale } = surfaces[0];
  const place = (number: number): Vector => times(at(numbers.coordinates(number), 0), scale);
  const stops = new Set(taken.corners);
  for (const { from, to } of [...segments, ...touches]) stops.add(from).add(to);
  // If only parts of triangles count, the pairs whose parts do, by stretch.
  const counted = new Map<string, number[]>();
  const counts = (stretch: Segment): boolean => {
    if (!taken.counts) return true;
    if (!taken.counts(stretch)) return false;
    const key = keyOf(stretch);
    counted.set(key, [...(counted.get(key) ?? []), stretch.a, stretch.b]);
    return true;
  };
  const free = splitAt(segments, stops, numbers, counts).filter(
    ({ from, to, a, b }) => !taken.holds(middle(place(from), place(to)), a, b),
  );
  const ends = new Map(free.flatMap(({ from, to, a, b }) => [from, to].map(end => [end, [a, b] as const])));
  const isTaken = new Map([...ends].map(([end, [a, b]]) => [end, taken.holds(place(end), a, b)]));
  const points = new Map<number, Segment>();
  for (const touch of touches) {
    const { from, a, b } = touch;
    if (ends.has(from) || !counts(touch) || points.has(from)) continue;
    if (!taken.holds(place(from), a, b)) points.set(from, touch);
  }
  const groups: Segment[][] = [...points.values()].map(point => [point]);
  // A line that ends at a contact with area continues there, not beyond it.
  const sets = new DisjointSets(free.length);
  const first = new Map<number, number>();
  free.forEach(({ from, to }, i) => {
    for (const end of [from, to]) {
      if (isTaken.get(end)) continue;
      const other = first.get(end);
      if (other === undefined) first.set(end, i);
      else sets.join(other, i);
    }
  });
  const lines = new Map<number, Segment[]>();
  free.forEach((segment, i) => {
    const group = lines.get(sets.find(i));
    if (group) group.push(segment);
    else lines.set(sets.find(i), [segment]);
  });
  return [...groups, ...lines.values()].map(group => {
    const numbersOf = [...new Set(group.flatMap(({ from, to }) => [from, to]))];
    const stretches = group.map(({ from, to }) => [place(from), place(to)] as const);
    const own = taken.counts
      ? Uint32Array.from(group.flatMap(stretch => counted.get(keyOf(stretch)) ?? []))
      : pairs;
    return touchOf(surfaces, own, numbersOf.map(place), stretches);
  });
}

const keyOf = ({ from, to }: Segment): string => `${from},${to}`;

const middle = (p: Vector, q: Vector): Vector => plus(p, plus(q, p, -1), 0.5);

/** The segments, each cut at those of the points that lie on it, and none twice: only stretches that count. */
function splitAt(
  segments: readonly Segment[],
  stops: ReadonlySet<number>,
  numbers: PointNumbers,
  counts: (stretch: Segment) => boolean,
): Segment[] {
  const sorted = [...stops].sort((m, n) => numbers.compare(m, n));
  const found = new Map<string, Segment>();
  for (const segment of segments) {
    const forward = numbers.compare(segment.from, segment.to) < 0;
    const [low, high] = forward ? [segment.from, segment.to] : [segment.to, segment.from];
    let last = low;
    for (let i = lowerBound(sorted, low, numbers); i < sorted.length; i++) {
      const stop = sorted[i];
      if (numbers.compare(stop, high) > 0) break;
      if (stop === low || (stop !== high && !numbers.isBetween(stop, low, high))) continue;
      const stretch = { ...segment, from: last, to: stop };
      if (counts(stretch)) found.set(keyOf(stretch), stretch);
      last = stop;
    }
  }
  return [...found.values()];
}

/** The index of the first of ascending points that is not before another. */
function lowerBound(sorted: readonly number[], number: number, numbers: PointNumbers): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers.compare(sorted[middle], number) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function touchOf(
  surfaces: readonly [Surface, Surface],
  pairs: Uint32Array,
  ends: readonly Vector[],
  lines: readonly (readonly [Vector, Vector])[],
): RawPatch {
  const triangles = [new Set<number>(), new Set<number>()] as const;
  // Triangles that contain a stretch of a line say more than those that contain its end.
  const middles = lines
    .filter(([p, q]) => length(plus(q, p, -1)) > 0)
    .map(([p, q]) => plus(p, plus(q, p, -1), 0.5));
  const within = middles.length > 0 ? middles : ends;
  const size = Math.max(...ends.flatMap(end => end.map(Math.abs)));
  for (let i = 0; i < pairs.length; i += 2) {
    const boxes = [0, 1].map(side => boxOf(surfaces[side], pairs[i + side]));
    if (!within.some(point => boxes.every(box => holds(box, point, 2 ** -50 * size)))) continue;
    triangles[0].add(pairs[i]);
    triangles[1].add(pairs[i + 1]);
  }
  const normal = touchNormal(surfaces, triangles);
  const point = nearestOnLines(lines, middleOfLines(lines)).point;
  const sorted = triangles.map(set => [...set].sort((t, u) => t - u)) as [number[], number[]];
  const positions = ends.length === 1 ? ends : farthestOf(ends, point);
  const points = positions.map(position => ({ position, depth: 0, area: 0 }));
  return { point, normal, depth: 0, area: 0, points, triangles: sorted };
}

/** The point farthest from the middle, and the one farthest from that. */
function farthestOf(ends: readonly Vector[], middle: Vector): Vector[] {
  const farthestFrom = (from: Vector): Vector => {
    let [best, distance] = [ends[0], -1];
    for (const end of ends) {
      const there = length(plus(end, from, -1));
      if (there > distance) [best, distance] = [end, there];
    }
    return best;
  };
  const first = farthestFrom(middle);
  return [first, farthestFrom(first)];
}

const p = new Float64Array(9);

function boxOf(surface: Surface, t: number): Vector[] {
  surface.scaledCorners(t, p, 0);
  const corners = [at(p, 0), at(p, 3), at(p, 6)];
  const pick = (of: (...numbers: number[]) => number): Vector =>
    [0, 1, 2].map(axis => of(...corners.map(corner => corner[axis]))) as unknown as Vector;
  return [pick(Math.min), pick(Math.max)];
}

/** Ends of contacts are rounded once, their middles three times. */
const holds = ([low, high]: readonly Vector[], point: Vector, slack: number): boolean =>
  point.every((x, axis) => x >= low[axis] - slack && x <= high[axis] + slack);

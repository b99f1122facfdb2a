// Do two bodies certainly share a point, although their positions are only known to within a slack? Yes, if
//
// - an edge of one passes through a triangle of the other, and still does wherever the five points are within the slack:
//   the five orientations that say so are larger than the slack can change them; or
// - both are solids and a point lies inside both, farther from both surfaces than the slack. If every point of a surface moves by
//   no more than the slack, it does not pass that point, whose winding number stays the same.
//
// Either shows a contact of the true positions, not only of the doubles. Bodies that only touch have no certificate: there is
// always a position within the slack where they do not.

import type { SnapshotBody } from '../../../bodies/snapshot/snapshot-body.ts';
import { snapshotOf } from '../../../bodies/snapshot/snapshot-of.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import { TooManyPairs } from '../../../core/errors.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { cpuDistances } from '../../../distance/cpu/driver.ts';
import { pointsInside } from '../../../inside/winding.ts';
import { decidePairs } from '../../../interferences/exact.ts';
import { cpuPairs } from '../../../interferences/hierarchy/cpu/driver.ts';
import { commonPoint } from '../../../interferences/points/common-point.ts';
import { mayShareInterior } from '../../../interferences/relation/containment.ts';
import type { RawAnswer } from '../../../interferences/request.ts';
import type { Placing } from '../placing.ts';

/** Where two bodies certainly meet. Triangles are −1 if one solid lies within the other. */
export interface Certificate {
  readonly triangleA: number;
  readonly triangleB: number;
  readonly point: Float64Array;
  /** How much farther off than the slack every position may be. */
  readonly margin: number;
}

const theTwo = new Uint32Array([0, 1]);
/** Longer lists of triangles are not examined: the bodies are then deep in each other, and an earlier time is tried. */
const mostListed = 2 ** 20;
const corners = new Float64Array(18);
/** Where an edge of one triangle crosses the other. */
const crossing = new Float64Array(3);

/** A proof that the bodies meet if no position is off by more than `slack`; undefined if there is none or it was not found. */
export function certificateOf(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  slack: number,
): Certificate | undefined {
  const raw = meetingsOf(engine, a, b);
  return raw && (crossingEdge(a, b, raw, slack) ?? pointInBoth(engine, a, b, raw, slack));
}

/**
 * How much farther off than `slack` every position may be while the two still meet: a lower bound, −1 if there is no proof for
 * the slack itself.
 */
export function contactMargin(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody, slack: number): number {
  const raw = meetingsOf(engine, a, b);
  if (!raw) return -1;
  const inside = pointInBoth(engine, a, b, raw, slack)?.margin ?? -1;
  // Slacks grow from pair to pair: most pairs are tried once.
  let allowed = Math.max(slack + Math.max(inside, 0), Number.MIN_VALUE);
  let margin = inside;
  for (const records of [raw.certain, raw.unsure]) {
    for (let r = 0; r < records.length; r += 3) {
      placeCorners(a, records[r + 1], corners, 0);
      placeCorners(b, records[r + 2], corners, 9);
      const more = crossingSlack(corners, allowed);
      if (more === 0) continue;
      allowed = more;
      margin = allowed - slack;
    }
  }
  return margin;
}

/** A slack from `least` on, up to a factor of 1.5 the largest, with which two triangles certainly cross; 0 if there is none. */
function crossingSlack(p: Float64Array, least: number): number {
  if (!findCrossing(p, least, crossing)) return 0;
  let allowed = least;
  while (findCrossing(p, 1.5 * allowed, crossing)) allowed *= 1.5;
  return allowed;
}

/**
 * A proof from single pairs of triangles, as a placing has them at a time: the lowest pair that crosses. Its margin is the largest that
 * any of them allows.
 */
export function closeCertificate(placing: Placing, t: number, pairs: Uint32Array): Certificate | undefined {
  let best: Certificate | undefined;
  let allowed = Math.max(placing.slack, Number.MIN_VALUE);
  for (let i = 0; i < pairs.length; i += 2) {
    const [triangleA, triangleB] = [pairs[i], pairs[i + 1]];
    placing.place(t, triangleA, triangleB, corners);
    if (!findCrossing(corners, placing.slack, crossing)) continue;
    const isFirst =
      best === undefined ||
      triangleA < best.triangleA ||
      (triangleA === best.triangleA && triangleB < best.triangleB);
    const origin = placing.originAt(t);
    const point = isFirst ? crossing.map((x, k) => x + origin[k]) : best!.point;
    allowed = Math.max(allowed, crossingSlack(corners, allowed));
    const margin = allowed - placing.slack;
    best = isFirst ? { triangleA, triangleB, point, margin } : { ...best!, margin };
  }
  return best;
}

/** The triangles that meet or may meet; undefined if there are too many. */
export function meetingsOf(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody): RawAnswer | undefined {
  try {
    return cpuPairs(engine).interfereSync([a, b], { detail: 'list', candidates: theTwo, most: mostListed });
  } catch (error) {
    if (error instanceof TooManyPairs) return undefined;
    throw error;
  }
}

/** The lowest pair of triangles of which an edge passes through the other with room to spare. */
function crossingEdge(
  a: SnapshotBody,
  b: SnapshotBody,
  raw: RawAnswer,
  slack: number,
): Certificate | undefined {
  let best: Certificate | undefined;
  for (const records of [raw.certain, raw.unsure]) {
    for (let r = 0; r < records.length; r += 3) {
      const [triangleA, triangleB] = [records[r + 1], records[r + 2]];
      if (
        best &&
        (triangleA > best.triangleA || (triangleA === best.triangleA && triangleB > best.triangleB))
      )
        continue;
      placeCorners(a, triangleA, corners, 0);
      placeCorners(b, triangleB, corners, 9);
      if (!findCrossing(corners, slack, crossing)) continue;
      best = { triangleA, triangleB, point: crossing.slice(), margin: 0 };
    }
  }
  return best;
}

/**
 * Whether an edge of one of two triangles, at p[0] and p[9], passes through the other wherever the corners are within the slack.
 * Writes the point in which it does.
 */
function findCrossing(p: Float64Array, slack: number, point: Float64Array): boolean {
  for (let edge = 0; edge < 3; edge++) {
    const next = (edge + 1) % 3;
    if (edgeCrosses(p, 3 * edge, 3 * next, 9, slack, point)) return true;
    if (edgeCrosses(p, 9 + 3 * edge, 9 + 3 * next, 0, slack, point)) return true;
  }
  return false;
}

function edgeCrosses(
  p: Float64Array,
  from: number,
  to: number,
  t: number,
  slack: number,
  point: Float64Array,
): boolean {
  const start = robustDeterminant(p, t, t + 3, t + 6, from, slack);
  if (start === 0) return false;
  const end = robustDeterminant(p, t, t + 3, t + 6, to, slack);
  if (Math.sign(end) !== -Math.sign(start)) return false;
  const share = start / (start - end);
  const side = robustSign(p, from, to, t, t + 3, slack);
  if (side === 0 || robustSign(p, from, to, t + 3, t + 6, slack) !== side) return false;
  if (robustSign(p, from, to, t + 6, t, slack) !== side) return false;
  for (let axis = 0; axis < 3; axis++) point[axis] = p[from + axis] + share * (p[to + axis] - p[from + axis]);
  return true;
}

/** Products of three lengths of up to 2^202, of which parts vanish below 2^-1074, are off by less. */
export const underflow = 2 ** -850;

/** The sign of det(b − a, c − a, d − a) if it is the same wherever the four points are within the slack, else 0. */
export const robustSign = (
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  slack: number,
): number => Math.sign(robustDeterminant(p, a, b, c, d, slack));

/**
 * det(b − a, c − a, d − a) if its sign is the same wherever the four points are within the slack s, else 0. The three
 * differences change by at most 2s each, and the determinant is linear in each of them: it changes by less than the product of
 * (length + 2s) less the product of the lengths. 2^-48 of the product of the lengths covers all rounding: the differences have one
 * each, the products and sums five. Coordinates are at most 2^200 (pair.ts), so what products lose to underflow is below
 * `underflow`.
 */
function robustDeterminant(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  slack: number,
): number {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const wx = p[d] - p[a];
  const wy = p[d + 1] - p[a + 1];
  const wz = p[d + 2] - p[a + 2];
  const value = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
  const u = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const v = Math.sqrt(vx * vx + vy * vy + vz * vz);
  const w = Math.sqrt(wx * wx + wy * wy + wz * wz);
  const s = 2 * slack;
  const change = s * (u * v + v * w + w * u) + s * s * (u + v + w) + s * s * s;
  const bound = change * (1 + 2 ** -40) + 2 ** -48 * u * v * w + underflow;
  return Math.abs(value) > bound ? value : 0;
}

/** A point inside both solids, farther from both surfaces than the slack. */
function pointInBoth(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  raw: RawAnswer,
  slack: number,
): Certificate | undefined {
  if (!a.mesh.solid || !b.mesh.solid) return undefined;
  const { triangles } = decidePairs(raw, i => (i === 0 ? a : b), engine);
  // If the surfaces do not meet, one solid is within the other or they are apart, which boxes mostly show.
  if (triangles.length === 0 && !mayShareInterior(snapshotOf([a, b]), 0, 1, 0)) return undefined;
  const finder = finderOf(engine);
  const point = new Float64Array(3);
  for (const tried of triedPoints(a, b, triangles)) {
    point.set(tried);
    if (inside(point)) return found(point);
  }
  commonPoint(finder, a, b, triangles, point, 0);
  return Number.isFinite(point[0]) && inside(point) ? found(point) : undefined;

  function inside(z: Float64Array): boolean {
    return [a, b].every(body => pointsInside(finder, body, z)[0] === 1 && depthOf(body, z) > 0);
  }
  function depthOf(body: SnapshotBody, z: Float64Array): number {
    const { distances } = cpuDistances(engine).closestPointsSync(body, z, Infinity, {});
    return distances[0] * (1 - 2 ** -40) - slack * (1 + 2 ** -40);
  }
  function found(z: Float64Array): Certificate {
    const margin = Math.min(depthOf(a, z), depthOf(b, z));
    const [triangleA, triangleB] = triangles.length > 0 ? triangles : [-1, -1];
    return { triangleA, triangleB, point: z, margin };
  }
}

/** The middle of the box around all places where triangles meet: for flush faces, it lies between them. */
function triedPoints(a: SnapshotBody, b: SnapshotBody, triangles: Uint32Array): number[][] {
  if (triangles.length === 0) return [];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < triangles.length; i += 2) {
    placeCorners(a, triangles[i], corners, 0);
    placeCorners(b, triangles[i + 1], corners, 9);
    for (let axis = 0; axis < 3; axis++) {
      const least = Math.max(
        Math.min(corners[axis], corners[axis + 3], corners[axis + 6]),
        Math.min(corners[axis + 9], corners[axis + 12], corners[axis + 15]),
      );
      const most = Math.min(
        Math.max(corners[axis], corners[axis + 3], corners[axis + 6]),
        Math.max(corners[axis + 9], corners[axis + 12], corners[axis + 15]),
      );
      low[axis] = Math.min(low[axis], least);
      high[axis] = Math.max(high[axis], most);
    }
  }
  return [low.map((value, i) => 0.5 * value + 0.5 * high[i])];
}

// Which triangles of a solid's surface cover a given one, wholly or in part: lie in its plane and face the other way? There
// it bounds nothing: the winding number is the same on both sides, as on a sheet folded flat upon itself, or where boxes
// of one mesh abut. Decided exactly. Other triangles may cross it, but not take away that the winding numbers on its two
// sides differ.

import type { Placed, Shape } from '../../bodies/snapshot/snapshot.ts';
import { cornersBox, placeCorners, projectionAxis } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { orient2dAt, orient3dAt } from '../../math/exact/orient.ts';
import { rescaledPair } from '../../math/exact/rescaled-pair.ts';
import type { Pose } from '../../math/pose.ts';

interface Known {
  readonly pose: Pose;
  readonly revision: number;
  /** Per triangle that was asked about. */
  readonly covers: Map<number, readonly Float64Array[]>;
}

const knownShapes = new WeakMap<Shape, Known>();
const pair = new Float64Array(18);

/** The corners in the world of the triangles that cover one: nine numbers each, mostly none. Cached. */
export function coversOf(finder: TriangleFinder, body: Placed, triangle: number): readonly Float64Array[] {
  const { shape, pose } = body;
  let known = knownShapes.get(shape);
  // World positions round: what lies in one plane depends on the pose.
  if (known?.revision !== shape.revision || known.pose.some((x, i) => x !== pose[i])) {
    known = { pose: pose.slice(), revision: shape.revision, covers: new Map() };
    knownShapes.set(shape, known);
  }
  let covers = known.covers.get(triangle);
  if (covers === undefined) known.covers.set(triangle, (covers = find(finder, body, triangle)));
  return covers;
}

function find(finder: TriangleFinder, body: Placed, triangle: number): Float64Array[] {
  placeCorners(body, triangle, pair, 0);
  const found: Float64Array[] = [];
  for (const other of finder.trianglesInBox(body, cornersBox(pair, 0))) {
    if (other === triangle) continue;
    placeCorners(body, other, pair, 9);
    if (overlapInPlane(rescaledPair(pair))) found.push(pair.slice(9));
  }
  return found;
}

/**
 * Whether two triangles lie in one plane, face opposite ways and share more than an edge: no line along a side separates
 * them.
 */
function overlapInPlane(p: Float64Array): boolean {
  const axis = projectionAxis(p, 0);
  if (axis < 0) return false;
  for (let k = 9; k < 18; k += 3) if (orient3dAt(p, 0, 3, 6, k) !== 0) return false;
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const turns = [orient2dAt(p, 0, 3, 6, u, v), orient2dAt(p, 9, 12, 15, u, v)];
  if (turns[1] !== -turns[0]) return false;
  for (const first of [0, 9]) {
    const turn = turns[first / 9];
    for (let k = 0; k < 9; k += 3) {
      const [from, to] = [first + k, first + ((k + 3) % 9)];
      if ([0, 3, 6].every(j => orient2dAt(p, from, to, 9 - first + j, u, v) !== turn)) return false;
    }
  }
  return true;
}

/**
 * The part of a triangle, or of any convex polygon, that lies on the far side of one side of each covering triangle, and
 * on the same side as a point; undefined if a covering triangle holds the point, or nothing is left.
 */
export function uncovered(
  polygon: Float64Array,
  covers: readonly Float64Array[],
  point: ArrayLike<number>,
): Float64Array | undefined {
  let left: Float64Array | undefined = polygon;
  for (const cover of covers) {
    const side = sideBeyond(cover, point);
    left = side && left && cut(left, side);
    if (left === undefined) return undefined;
  }
  return left;
}

/** A plane n·x ≥ h through a side of a triangle, perpendicular to it: a point lies beyond it, the triangle does not. */
interface Side {
  readonly n: readonly [number, number, number];
  readonly h: number;
}

function sideBeyond(t: Float64Array, p: ArrayLike<number>): Side | undefined {
  let best: Side | undefined;
  let most = 0;
  for (let k = 0; k < 9; k += 3) {
    const [next, last] = [(k + 3) % 9, (k + 6) % 9];
    const e = [t[next] - t[k], t[next + 1] - t[k + 1], t[next + 2] - t[k + 2]];
    const w = [t[last] - t[k], t[last + 1] - t[k + 1], t[last + 2] - t[k + 2]];
    // Away from the opposite corner, perpendicular to the side.
    const along = (w[0] * e[0] + w[1] * e[1] + w[2] * e[2]) / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    const out = [0, 1, 2].map(i => along * e[i] - w[i]);
    const length = Math.hypot(out[0], out[1], out[2]);
    const n = [out[0] / length, out[1] / length, out[2] / length] as const;
    // A little farther out than the side: rounding must not leave a covered strip.
    const h = Math.max(...[0, 3, 6].map(j => n[0] * t[j] + n[1] * t[j + 1] + n[2] * t[j + 2]));
    const reach = Math.abs(t[k]) + Math.abs(t[k + 1]) + Math.abs(t[k + 2]) + length;
    const beyond = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - (h + 2 ** -48 * reach);
    if (beyond > most) [best, most] = [{ n, h: h + 2 ** -48 * reach }, beyond];
  }
  return best;
}

/** The part of a polygon beyond a plane; undefined if it is less than a triangle. */
function cut(polygon: Float64Array, { n, h }: Side): Float64Array | undefined {
  const kept: number[] = [];
  const over = (k: number): number => n[0] * polygon[k] + n[1] * polygon[k + 1] + n[2] * polygon[k + 2] - h;
  for (let k = 0; k < polygon.length; k += 3) {
    const next = (k + 3) % polygon.length;
    const [p, q] = [over(k), over(next)];
    if (p >= 0) kept.push(polygon[k], polygon[k + 1], polygon[k + 2]);
    if (p * q < 0) {
      const s = p / (p - q);
      for (let i = 0; i < 3; i++) kept.push(polygon[k + i] + s * (polygon[next + i] - polygon[k + i]));
    }
  }
  return kept.length < 9 ? undefined : Float64Array.from(kept);
}

// A point that two bodies have in common, found so cheaply that it can be computed for every pair of a large answer. If triangles
// meet, choose the pair of them that is nearest to the centre of the box around all: the point is the middle of the intersection
// of these two (triangle-point.ts). If one solid lies within the other without contact, the point lies inside the inner one.
//
// The bound: the point lies within 2^-40 of the size of the two triangles that gave it, plus 2^-50 of its own largest coordinate, of both
// bodies. A middle in doubles is only used after it was measured against both triangles; else the exact one is rounded, which
// is nearer. A point inside the inner solid lies in both exactly.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners, worldBox } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { pointsInside } from '../../inside/winding.ts';
import { applyPose } from '../../math/pose.ts';
import { exactMiddleOf, isNearBoth, middleOf } from './triangle-point.ts';

/** The triangle of A at 0, that of B at 9. */
const corners = new Float64Array(18);
/** The triangles of B whose boxes are kept; their number is a power of two. */
const keptOfB = new Int32Array(64);
/** Four times the box of A's triangle, then those of B's that are kept. */
const boxes = new Float64Array(6 + 6 * keptOfB.length);
/** Sixteen times the middles of the common boxes of triangle pairs, three numbers each. */
let middles = new Float64Array(3 * 256);

/**
 * Writes a common point of two bodies to out[at…], given every pair of triangles that meets. NaN if they share no point, as
 * pairs of a method that samples may.
 */
export function commonPoint(
  engine: TriangleFinder,
  a: Placed,
  b: Placed,
  triangles: Uint32Array,
  out: Float64Array,
  at: number,
): void {
  if (triangles.length > 0) middleOfPairs(a, b, triangles, out, at);
  else pointWithin(engine, a, b, out, at);
}

/**
 * The intersection of two triangles lies in the intersection of their boxes. Its middle says which pair is nearest to the
 * middle of them all; only that pair is then cut.
 *
 * Twice the smaller of x and y is x + y − |x − y|, twice the larger x + y + |x − y|. Comparing them instead would take twice
 * the time, because a processor cannot predict the results. Rounding and overflow matter only to the choice of a pair: a
 * point of any pair is common to both bodies.
 */
function middleOfPairs(a: Placed, b: Placed, triangles: Uint32Array, out: Float64Array, at: number): void {
  const count = triangles.length / 2;
  if (middles.length < 3 * count) middles = new Float64Array(6 * count);
  // A local constant, which the loops need not load again and again.
  const into = middles;
  keptOfB.fill(-1);
  // The bounds are plain variables, because this loop takes most of the time of an answer's points.
  let [leastX, leastY, leastZ] = [Infinity, Infinity, Infinity];
  let [mostX, mostY, mostZ] = [-Infinity, -Infinity, -Infinity];
  let last = -1;
  for (let i = 0, m = 0; i < count; i++, m += 3) {
    // Pairs come in order of A's triangles.
    if (triangles[2 * i] !== last) {
      last = triangles[2 * i];
      writeBox(a, last, 0);
    }
    // The same triangles of B come again and again.
    const own = triangles[2 * i + 1];
    const place = own & (keptOfB.length - 1);
    const box = 6 + 6 * place;
    if (keptOfB[place] !== own) {
      keptOfB[place] = own;
      writeBox(b, own, box);
    }
    const lowX = boxes[0] + boxes[box] + Math.abs(boxes[0] - boxes[box]);
    const lowY = boxes[1] + boxes[box + 1] + Math.abs(boxes[1] - boxes[box + 1]);
    const lowZ = boxes[2] + boxes[box + 2] + Math.abs(boxes[2] - boxes[box + 2]);
    const highX = boxes[3] + boxes[box + 3] - Math.abs(boxes[3] - boxes[box + 3]);
    const highY = boxes[4] + boxes[box + 4] - Math.abs(boxes[4] - boxes[box + 4]);
    const highZ = boxes[5] + boxes[box + 5] - Math.abs(boxes[5] - boxes[box + 5]);
    into[m] = lowX + highX;
    into[m + 1] = lowY + highY;
    into[m + 2] = lowZ + highZ;
    if (lowX < leastX) leastX = lowX;
    if (lowY < leastY) leastY = lowY;
    if (lowZ < leastZ) leastZ = lowZ;
    if (highX > mostX) mostX = highX;
    if (highY > mostY) mostY = highY;
    if (highZ > mostZ) mostZ = highZ;
  }
  const [x, y, z] = [leastX + mostX, leastY + mostY, leastZ + mostZ];
  let nearest = 0;
  let least = Infinity;
  for (let i = 0, m = 0; i < count; i++, m += 3) {
    const squared = (into[m] - x) ** 2 + (into[m + 1] - y) ** 2 + (into[m + 2] - z) ** 2;
    if (squared < least) {
      nearest = i;
      least = squared;
    }
  }
  placeCorners(a, triangles[2 * nearest], corners, 0);
  placeCorners(b, triangles[2 * nearest + 1], corners, 9);
  if (!middleOf(corners, out, at) || !isNearBoth(corners, out, at)) exactMiddleOf(corners, out, at);
}

/** Writes four times the world box of a triangle to boxes[to…]. */
function writeBox({ shape, pose }: Placed, t: number, to: number): void {
  const { positions, mesh } = shape;
  const { indices } = mesh;
  const p = 3 * indices[3 * t];
  const q = 3 * indices[3 * t + 1];
  const r = 3 * indices[3 * t + 2];
  const [px, py, pz] = [positions[p], positions[p + 1], positions[p + 2]];
  const [qx, qy, qz] = [positions[q], positions[q + 1], positions[q + 2]];
  const [rx, ry, rz] = [positions[r], positions[r + 1], positions[r + 2]];
  for (let axis = 0; axis < 3; axis++) {
    const m = pose[axis];
    const n = pose[axis + 4];
    const o = pose[axis + 8];
    const along = pose[axis + 12];
    const x = m * px + n * py + o * pz + along;
    const y = m * qx + n * qy + o * qz + along;
    const z = m * rx + n * ry + o * rz + along;
    const sum = x + y;
    const gap = Math.abs(x - y);
    const low = sum - gap;
    const high = sum + gap;
    const twice = z + z;
    boxes[to + axis] = low + twice - Math.abs(low - twice);
    boxes[to + 3 + axis] = high + twice + Math.abs(high - twice);
  }
}

/** Rays that are cast from the inner solid's triangles to find a point inside it. */
const mostRays = 8;

/** A point of a solid that lies within the other. */
function pointWithin(engine: TriangleFinder, a: Placed, b: Placed, out: Float64Array, at: number): void {
  out.fill(Number.NaN, at, at + 3);
  if (!a.shape.mesh.solid || !b.shape.mesh.solid) return;
  const isInBoth = (point: Float64Array): boolean =>
    pointsInside(engine, a, point)[0] !== 0 && pointsInside(engine, b, point)[0] !== 0;
  const point = new Float64Array(3);
  const [boxA, boxB] = [worldBox(a), worldBox(b)];
  for (let axis = 0; axis < 3; axis++) {
    const [low, high] = [Math.max(boxA[axis], boxB[axis]), Math.min(boxA[axis + 3], boxB[axis + 3])];
    point[axis] = low / 2 + high / 2;
  }
  // The inner solid's box is the common one, and for many shapes its middle is inside.
  if (isInBoth(point)) {
    out.set(point, at);
    return;
  }
  for (const [outer, inner] of [
    [a, b],
    [b, a],
  ]) {
    const { positions, mesh } = inner.shape;
    const { componentVertices, componentOf } = mesh.adjacency;
    for (let part = 0; part < componentVertices.length; part++) {
      const v = 3 * componentVertices[part];
      applyPose(inner.pose, positions[v], positions[v + 1], positions[v + 2], point, 0);
      if (pointsInside(engine, outer, point)[0] === 0) continue;
      out.set(point, at);
      let rays = 0;
      for (let t = 0; t < componentOf.length && rays < mostRays; t++) {
        if (componentOf[t] !== part) continue;
        rays++;
        if (!middleOfChord(engine, inner, t, point) || !isInBoth(point)) continue;
        out.set(point, at);
        return;
      }
      return;
    }
  }
}

/**
 * Writes the middle between a triangle's own middle and where the line from there along the normal first leaves the body's
 * surface on the inner side. Returns false if there is none. Computed in doubles, and to be checked.
 */
function middleOfChord(engine: TriangleFinder, body: Placed, t: number, point: Float64Array): boolean {
  placeCorners(body, t, corners, 0);
  const normal = cross(fromTo(corners, 0, corners, 3), fromTo(corners, 0, corners, 6));
  const size = Math.hypot(...normal);
  const start = [0, 1, 2].map(axis => (corners[axis] + corners[axis + 3] + corners[axis + 6]) / 3);
  for (const sign of [-1, 1]) {
    const ray = normal.map(x => (sign * x) / size);
    let least = Infinity;
    for (const other of engine.trianglesOnRay(body, start, ray, 0)) {
      if (other === t) continue;
      placeCorners(body, other, corners, 9);
      const along = rayLength(start, ray);
      if (along > 0 && along < least) least = along;
    }
    if (least === Infinity) continue;
    for (let axis = 0; axis < 3; axis++) point[axis] = start[axis] + (least / 2) * ray[axis];
    if (pointsInside(engine, body, point)[0] === 1) return true;
  }
  return false;
}

/** How far along a ray the triangle at corners[9…] is, in lengths of its direction; NaN if it misses it. */
function rayLength(start: Vector, ray: Vector): number {
  const u = fromTo(corners, 9, corners, 12);
  const v = fromTo(corners, 9, corners, 15);
  const w = fromTo(corners, 9, start, 0);
  // Möller and Trumbore 1997.
  const q = cross(ray, v);
  const determinant = dot(u, q);
  const s = dot(w, q) / determinant;
  const r = cross(w, u);
  const t = dot(ray, r) / determinant;
  return s >= 0 && t >= 0 && s + t <= 1 ? dot(v, r) / determinant : Number.NaN;
}

type Vector = readonly number[];

const fromTo = (p: ArrayLike<number>, at: number, q: ArrayLike<number>, to: number): Vector =>
  [0, 1, 2].map(axis => q[to + axis] - p[at + axis]);

const cross = ([a, b, c]: Vector, [d, e, f]: Vector): Vector => [b * f - c * e, c * d - a * f, a * e - b * d];

const dot = ([a, b, c]: Vector, [d, e, f]: Vector): number => a * d + b * e + c * f;

// Which parts of a body's surface need no test, because a region that ends at them also ends elsewhere?
//
// Let Q be a part of a body B that winds around nothing in the wrong direction, so that all of Q's inside is in B. Another part is
// said to lie within Q if its corners lie below all of Q's planes or on them, where Q winds around every point, or if it has the
// same triangles as Q, all of them either as they are or turned round.
//   - A part P of another body A that lies within Q adds nothing to what is in A alone. Outside B, P's winding number is 0, so
//     with P left out of A, the points in A alone stay the same. Where a line enters that region through a triangle of P, either
//     B ends there, at a triangle of B, or neither side is in B, and then another part of A ends there too.
//     Q may also be made of parts of B that lie flush against one another.
//   - A part P of B itself that lies within Q ends B only where Q does: a triangle of Q is there too.
//   - Two triangles of a body with the same corners cover the same points: one of them is enough.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { cornersBox, placeCorners, projectionAxis } from '../../../../bodies/snapshot/world.ts';
import { orient3dAt, samePosition } from '../../../../math/exact/orient.ts';
import type { Parts } from './parts.ts';

/** If there are more pairs of parts than this, none is tested. */
const mostPairs = 2 ** 16;

/** A part's triangles in world doubles, nine numbers each, and a box around it. */
interface Shape {
  readonly part: number;
  readonly corners: Float64Array;
  readonly box: Float64Array;
}

/** For each triangle of a body, 1 if it lies in a part within a part of the other body, which has a direction. */
export function withinOther(body: Placed, parts: Parts, other: Placed, otherParts: Parts): Uint8Array {
  const direction = otherParts.bodyDirection;
  const within = new Uint8Array(body.shape.mesh.triangleCount);
  if (direction === 0) return within;
  const [shapes, others] = [shapesOf(body, parts), shapesOf(other, otherParts)];
  if (shapes.length * others.length > mostPairs) return within;
  const around = withJoined(others, direction);
  const covered = new Set<number>();
  for (const shape of shapes) {
    if (around.some(one => isWithin(shape, one, direction) || isSame(shape, one))) covered.add(shape.part);
  }
  return within.map((_, t) => (covered.has(parts.partOf[t]) ? 1 : 0));
}

/**
 * Per triangle of a body, 1 if another triangle covers the same points, at least where the body ends. That other
 * triangle lies in a part within the other body if and only if this one does, so that both criteria can be combined.
 */
export function repeated(body: Placed, parts: Parts, within: Uint8Array): Uint8Array {
  const { triangleCount, indices, welds } = body.shape.mesh;
  const repeats = new Uint8Array(triangleCount);
  const seen = new Set<string>();
  for (let t = 0; t < triangleCount; t++) {
    const key = [0, 1, 2].map(k => welds.vertexOf[indices[3 * t + k]]).sort((a, b) => a - b);
    const size = seen.size;
    if (seen.add(`${key.join()} ${within[t]}`).size === size) repeats[t] = 1;
  }
  const direction = parts.bodyDirection;
  if (direction === 0) return repeats;
  const shapes = shapesOf(body, parts);
  if (shapes.length ** 2 > mostPairs) return repeats;
  // A part within a part that lies within the other body lies within the other body too.
  const covered = new Set<number>();
  for (const shape of shapes) {
    // If two parts lie within each other, the first one tested is left out. It then no longer covers the other.
    const isCovered = shapes.some(
      around =>
        around !== shape &&
        !covered.has(around.part) &&
        (isWithin(shape, around, direction) || isSame(shape, around)),
    );
    if (isCovered) covered.add(shape.part);
  }
  // Parts are kept or left out as a whole. If two triangles in kept parts have the same corners, the second may be
  // left out.
  for (let t = 0; t < triangleCount; t++) repeats[t] = covered.has(parts.partOf[t]) ? 1 : 0;
  return repeats;
}

function shapesOf(body: Placed, { partOf }: Parts): Shape[] {
  const triangles = new Map<number, number[]>();
  partOf.forEach((part, t) => {
    const own = triangles.get(part);
    if (own) own.push(t);
    else triangles.set(part, [t]);
  });
  return [...triangles].map(([part, own]) => {
    const corners = new Float64Array(9 * own.length);
    const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    own.forEach((t, i) => {
      placeCorners(body, t, corners, 9 * i);
      const one = cornersBox(corners, 9 * i);
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis], one[axis]);
        box[axis + 3] = Math.max(box[axis + 3], one[axis + 3]);
      }
    });
    return { part, corners, box };
  });
}

/**
 * The shapes, and convex shapes composed of them. Two shapes that lie flush against each other share a triangle, with
 * opposite orientations. Without it they form one closed surface, which winds around what either of them winds around.
 */
function withJoined(shapes: readonly Shape[], direction: number): Shape[] {
  const all = [...shapes];
  const ownersOf = new Map<string, Shape[]>();
  const largest = 2 * shapes.length;
  for (let next = 0; next < all.length; next++) {
    const shape = all[next];
    for (let i = 0; i < shape.corners.length && all.length < largest; i += 9) {
      for (const other of ownersOf.get(keyOf(shape.corners, i, true)) ?? []) {
        const joined = joinedAt(shape, other);
        if (joined === undefined || !isWithin(joined, joined, direction)) continue;
        all.push(joined);
        break;
      }
    }
    for (let i = 0; i < shape.corners.length; i += 9) {
      const key = keyOf(shape.corners, i, false);
      const owners = ownersOf.get(key);
      if (owners) owners.push(shape);
      else ownersOf.set(key, [shape]);
    }
  }
  return all;
}

/** A triangle's corners, starting with the smallest, in their own order or in the opposite order. */
function keyOf(corners: Float64Array, at: number, isTurned: boolean): string {
  const [a, b, c] = [0, 3, 6].map(k =>
    corners
      .subarray(at + k, at + k + 3)
      .map(x => x + 0)
      .join(),
  );
  const order = isTurned ? [a, c, b] : [a, b, c];
  const first = order.indexOf([a, b, c].reduce((least, one) => (one < least ? one : least)));
  return [0, 1, 2].map(k => order[(first + k) % 3]).join();
}

/**
 * Two shapes joined, without the triangles that they share with opposite orientations. Undefined if one has a triangle
 * twice.
 */
function joinedAt(one: Shape, other: Shape): Shape | undefined {
  const keysOf = ({ corners }: Shape, isTurned: boolean): Map<string, number> =>
    new Map(Array.from({ length: corners.length / 9 }, (_, i) => [keyOf(corners, 9 * i, isTurned), i]));
  const [ours, theirs] = [keysOf(one, false), keysOf(other, true)];
  if (9 * ours.size < one.corners.length || 9 * theirs.size < other.corners.length) return undefined;
  const left = [
    ...[...ours].filter(([key]) => !theirs.has(key)).map(([, i]) => one.corners.subarray(9 * i, 9 * i + 9)),
    ...[...theirs].filter(([key]) => !ours.has(key)).map(([, i]) => other.corners.subarray(9 * i, 9 * i + 9)),
  ];
  if (left.length < 4) return undefined;
  const corners = new Float64Array(9 * left.length);
  left.forEach((triangle, i) => {
    corners.set(triangle, 9 * i);
  });
  const box = one.box.map((x, i) => (i < 3 ? Math.min(x, other.box[i]) : Math.max(x, other.box[i])));
  return { part: -1, corners, box };
}

const p = new Float64Array(12);

/** Whether all corners of a part lie within a convex part with this direction, or on its surface. */
function isWithin(inner: Shape, { corners, box }: Shape, direction: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (inner.box[axis] < box[axis] || inner.box[axis + 3] > box[axis + 3]) return false;
  }
  for (let i = 0; i < corners.length; i += 9) {
    if (projectionAxis(corners, i) < 0) continue;
    for (let k = 0; k < 9; k++) p[k] = corners[i + k];
    for (let j = 0; j < inner.corners.length; j += 3) {
      for (let axis = 0; axis < 3; axis++) p[9 + axis] = inner.corners[j + axis];
      if (orient3dAt(p, 0, 3, 6, 9) === -direction) return false;
    }
  }
  return true;
}

/** Parts of more triangles are not compared. */
const mostTriangles = 200;

/** Whether two parts have the same triangles, all in the same directions or all in opposite ones. */
function isSame(one: Shape, other: Shape): boolean {
  if (one.corners.length !== other.corners.length || one.corners.length > 9 * mostTriangles) return false;
  for (let i = 0; i < 6; i++) if (one.box[i] !== other.box[i]) return false;
  return [1, -1].some(way => {
    const left = Array.from({ length: other.corners.length / 9 }, (_, i) => 9 * i);
    for (let at = 0; at < one.corners.length; at += 9) {
      const found = left.findIndex(place => isSameTriangle(one.corners, at, other.corners, place, way));
      if (found < 0) return false;
      left.splice(found, 1);
    }
    return true;
  });
}

/** Whether two triangles have the same corners, which run around in the same way (1) or the opposite one (−1). */
function isSameTriangle(p: Float64Array, at: number, q: Float64Array, place: number, way: number): boolean {
  for (let first = 0; first < 3; first++) {
    let k = 0;
    while (k < 3 && samePosition(p, at + 3 * k, place + 3 * ((first + way * k + 3) % 3), q)) k++;
    if (k === 3) return true;
  }
  return false;
}

// A triangle finder for tests, without trees. Within the freedom that the interface allows, it returns as few or as
// many triangles as possible.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { cornersBox, placeCorners } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { boxesMeet } from '../../math/box.ts';
import { trianglesMeet } from '../../math/triangles/triangle-triangle.ts';
import { mesh } from '../../mesh/mesh.ts';
import { relationOf } from '../relation/relation.ts';

const p = new Float64Array(18);

export class BruteEngine implements TriangleFinder {
  /** If selective, trianglesInBox returns only triangles whose own boxes meet the box; otherwise all triangles. */
  constructor(readonly selective = true) {}

  trianglesOnRay(body: Placed): Uint32Array {
    const all = new Uint32Array(body.shape.mesh.triangleCount);
    for (let t = 0; t < all.length; t++) all[t] = t;
    return all;
  }
  trianglesInBox(body: Placed, box: ArrayLike<number>): Uint32Array {
    const all = this.trianglesOnRay(body);
    if (!this.selective) return all;
    return all.filter(t => {
      placeCorners(body, t, p, 0);
      return meetAlong(0, box) && meetAlong(1, box) && meetAlong(2, box);
    });
  }
}

/** Whether the triangle at the start of `p` and a closed box overlap along an axis. */
const meetAlong = (axis: number, box: ArrayLike<number>): boolean =>
  Math.min(p[axis], p[axis + 3], p[axis + 6]) <= box[axis + 3] &&
  box[axis] <= Math.max(p[axis], p[axis + 3], p[axis + 6]);

export const identityPose = (): Float64Array =>
  new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

/** A body made of triangles given as nine numbers each. */
export function placedSoup(triangles: readonly (readonly number[])[], pose = identityPose()): Placed {
  const soup = mesh(new Float64Array(triangles.flat()));
  return { shape: { mesh: soup, positions: soup.positions, revision: 0 }, pose, poseRevision: 0 };
}

/** (i, j) of all triangles that meet. */
export function meetingTriangles(a: Placed, b: Placed): Uint32Array {
  const pairs: number[] = [];
  const boxes = Array.from({ length: b.shape.mesh.triangleCount }, (_, j) => {
    placeCorners(b, j, p, 9);
    return cornersBox(p, 9);
  });
  for (let i = 0; i < a.shape.mesh.triangleCount; i++) {
    placeCorners(a, i, p, 0);
    const box = cornersBox(p, 0);
    for (let j = 0; j < boxes.length; j++) {
      if (!boxesMeet(box, boxes[j])) continue;
      placeCorners(b, j, p, 9);
      if (trianglesMeet(p)) pairs.push(i, j);
    }
  }
  return Uint32Array.from(pairs);
}

export const bruteRelation = (a: Placed, b: Placed): string =>
  relationOf(new BruteEngine(), a, b, meetingTriangles(a, b));

/** Seeded random integers below n, by hashing a counter, so that neighbouring seeds are unrelated. */
export function randomIntegers(seed: number): (n: number) => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return n => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

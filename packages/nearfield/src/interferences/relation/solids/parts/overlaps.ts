// Which triangles of two bodies overlap in one plane? Coplanar triangles of either body whose interiors share points
// belong to one stack, and so do triangles that are connected through others. Triangles of different stacks share no
// area.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { cornersBox, placeCorners, projectionAxis } from '../../../../bodies/snapshot/world.ts';
import { orient2dAt } from '../../../../math/exact/orient.ts';
import { DisjointSets } from '../../../../mesh/facts.ts';
import type { PlaneSigns } from '../../../curves/plane-signs.ts';

/** Overlapping coplanar triangles. Those of body B are numbered after those of A. */
export type Stack = readonly number[];

/**
 * World corners of the triangles of both bodies, nine numbers each, and the axis along which each is projected, −1 if
 * degenerate.
 */
export interface AllCorners {
  readonly corners: Float64Array;
  readonly axes: Int8Array;
}

export function cornersOfAll([a, b]: readonly [Placed, Placed]): AllCorners {
  const [countA, countB] = [a.shape.mesh.triangleCount, b.shape.mesh.triangleCount];
  const corners = new Float64Array(9 * (countA + countB));
  const axes = new Int8Array(countA + countB);
  for (let n = 0; n < axes.length; n++) {
    if (n < countA) placeCorners(a, n, corners, 9 * n);
    else placeCorners(b, n - countA, corners, 9 * n);
    axes[n] = projectionAxis(corners, 9 * n);
  }
  return { corners, axes };
}

/** All stacks of triangles that are not degenerate. Most stacks have one triangle. */
export function stacksOf({ corners, axes }: AllCorners, planes: PlaneSigns): Stack[] {
  const sets = new DisjointSets(axes.length);
  const boxes = new Float64Array(6 * axes.length);
  const order: number[] = [];
  for (let n = 0; n < axes.length; n++) {
    if (axes[n] < 0) continue;
    order.push(n);
    boxes.set(cornersBox(corners, 9 * n), 6 * n);
  }
  // Sorted by their least x: once a triangle begins beyond a box's end, all later ones do too.
  order.sort((m, n) => boxes[6 * m] - boxes[6 * n]);
  for (let i = 0; i < order.length; i++) {
    const n = order[i];
    const end = boxes[6 * n + 3];
    for (let j = i + 1; j < order.length && boxes[6 * order[j]] <= end; j++) {
      const other = order[j];
      if (boxes[6 * other + 1] > boxes[6 * n + 4] || boxes[6 * n + 1] > boxes[6 * other + 4]) continue;
      if (boxes[6 * other + 2] > boxes[6 * n + 5] || boxes[6 * n + 2] > boxes[6 * other + 5]) continue;
      if (overlap(corners, n, other, axes[n], planes)) sets.join(n, other);
    }
  }
  const stacks = new Map<number, number[]>();
  for (let n = 0; n < axes.length; n++) {
    if (axes[n] < 0) continue;
    const root = sets.find(n);
    const stack = stacks.get(root);
    if (stack) stack.push(n);
    else stacks.set(root, [n]);
  }
  return [...stacks.values()];
}

/** Whether two triangles are coplanar and their interiors share points: no side of either separates them. */
function overlap(p: Float64Array, n: number, m: number, axis: number, planes: PlaneSigns): boolean {
  const [one, other] = [9 * n, 9 * m];
  for (let k = 0; k < 3; k++) if (planes.sign(p, n, one, m, k, other + 3 * k) !== 0) return false;
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return !isApart(p, one, other, u, v) && !isApart(p, other, one, u, v);
}

/** Whether some side of the first triangle has the second outside it or on it. */
function isApart(p: Float64Array, one: number, other: number, u: number, v: number): boolean {
  const turn = orient2dAt(p, one, one + 3, one + 6, u, v);
  for (let i = 0; i < 9; i += 3) {
    const [from, to] = [one + i, one + ((i + 3) % 9)];
    let isOuter = true;
    for (let k = 0; k < 9 && isOuter; k += 3) isOuter = orient2dAt(p, from, to, other + k, u, v) !== turn;
    if (isOuter) return true;
  }
  return false;
}

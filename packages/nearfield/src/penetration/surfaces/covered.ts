// Is a triangle of a solid's surface covered, wholly or in part, by another one in the same plane? Then it may bound
// nothing: a sheet folded flat upon itself has the same winding number on both sides. Decided exactly. Other triangles
// may cross it, but not take away that the winding numbers on its two sides differ.

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
  readonly covered: Map<number, boolean>;
}

const knownShapes = new WeakMap<Shape, Known>();
const pair = new Float64Array(18);

export function isCovered(finder: TriangleFinder, body: Placed, triangle: number): boolean {
  const { shape, pose } = body;
  let known = knownShapes.get(shape);
  // World positions round: what lies in one plane depends on the pose.
  if (known?.revision !== shape.revision || known.pose.some((x, i) => x !== pose[i])) {
    known = { pose: pose.slice(), revision: shape.revision, covered: new Map() };
    knownShapes.set(shape, known);
  }
  let covered = known.covered.get(triangle);
  if (covered === undefined) known.covered.set(triangle, (covered = find(finder, body, triangle)));
  return covered;
}

function find(finder: TriangleFinder, body: Placed, triangle: number): boolean {
  placeCorners(body, triangle, pair, 0);
  // A triangle without area bounds nothing.
  if (projectionAxis(pair, 0) < 0) return true;
  for (const other of finder.trianglesInBox(body, cornersBox(pair, 0))) {
    if (other === triangle) continue;
    placeCorners(body, other, pair, 9);
    if (overlapInPlane(rescaledPair(pair))) return true;
  }
  return false;
}

/** Whether two triangles lie in one plane and share more than an edge: no line along a side separates them. */
function overlapInPlane(p: Float64Array): boolean {
  for (let k = 9; k < 18; k += 3) if (orient3dAt(p, 0, 3, 6, k) !== 0) return false;
  const axis = projectionAxis(p, 0);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  for (const [first, second] of [
    [0, 9],
    [9, 0],
  ]) {
    const turn = orient2dAt(p, first, first + 3, first + 6, u, v);
    if (turn === 0) return false;
    for (let k = 0; k < 9; k += 3) {
      const [from, to] = [first + k, first + ((k + 3) % 9)];
      const beyond = [0, 3, 6].every(j => orient2dAt(p, from, to, second + j, u, v) !== turn);
      if (beyond) return false;
    }
  }
  return true;
}

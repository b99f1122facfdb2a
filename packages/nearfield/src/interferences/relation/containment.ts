// Does one solid contain a part of another, if their surfaces do not meet? Each connected part of one lies wholly
// inside or wholly outside the other's solid, so one vertex per part decides. A part that bounds no volume
// (relation.ts) does not count.

import { factOf } from '../../bodies/snapshot/facts.ts';
import type { Placed, ShapeState, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { windingNumber } from '../../inside/winding.ts';
import type { Box } from '../../math/box.ts';
import { applyPose } from '../../math/pose.ts';
import { boundsOf } from '../../mesh/facts.ts';
import type { Positions } from '../../mesh/mesh.ts';
import { firstOutside, secondOutside } from '../request.ts';
import { haveCommonInterior } from './solids/solids.ts';

/** A point; then the corners of a triangle, as seen from it. */
const point = new Float64Array(12);

/**
 * Whether, judged by boxes, the solid of one body may contain a part of another. This takes a few operations and
 * allocates nothing, since it runs for every candidate whose surfaces do not meet.
 */
export function mayHoldPartOf({ shapeStates, poses }: Snapshot, body: number, other: number): boolean {
  const state = shapeStates[body];
  const { mesh, positions } = shapeStates[other];
  const { indices, onePiece } = mesh;
  if (!state.mesh.solid || !mesh.solid) return false;
  const box = boxOf(state);
  const vertices = mesh.adjacency.componentVertices;
  const at = 16 * other;
  // One piece is outside if any vertex is, so several are tried, from anywhere in it.
  for (let i = onePiece ? 32 : vertices.length; i-- > 0; ) {
    const v = 3 * (onePiece ? indices[((i * indices.length) / 32) | 0] : vertices[i]);
    const x = placeOf(poses, at, positions, v);
    const y = placeOf(poses, at + 1, positions, v);
    const z = placeOf(poses, at + 2, positions, v);
    if (boxMayHold(poses, 16 * body, box, x, y, z) !== onePiece) return !onePiece;
  }
  return onePiece;
}

/** A world coordinate of the vertex whose numbers begin at v, by the row of a pose that begins at m[row]. */
export function placeOf(m: Float64Array, row: number, positions: Positions, v: number): number {
  return m[row] * positions[v] + m[row + 4] * positions[v + 1] + m[row + 8] * positions[v + 2] + m[row + 12];
}

/**
 * The same for either body in the other, given what `RawAnswer.outside` says of them. If a body is in one piece and a corner
 * of it is outside, all of it is. If positions are on the GPU alone, the answer is true.
 */
export function mayShareInterior(bodies: Snapshot, i: number, j: number, outside: number): boolean {
  const [first, second] = [bodies.shapeStates[i], bodies.shapeStates[j]];
  if (first.onGpu !== undefined || second.onGpu !== undefined) return true;
  return (
    (!((outside & secondOutside) !== 0 && isOnePiece(second)) && mayHoldPartOf(bodies, i, j)) ||
    (!((outside & firstOutside) !== 0 && isOnePiece(first)) && mayHoldPartOf(bodies, j, i))
  );
}

export const isOnePiece = ({ mesh, onGpu }: ShapeState): boolean => onGpu === undefined && mesh.onePiece;

function boxOf(state: ShapeState): Box {
  const { mesh, positions } = state;
  return positions === mesh.positions ? mesh.bounds : factOf(state, findBox);
}

const findBox = ({ mesh, positions }: ShapeState): Box => boundsOf(positions, mesh.indices);

/**
 * Whether a world point may lie in a local box of the body whose pose is at m[at]. Let L be the linear part and t the
 * translation. Then adj L·(p − t) = det L·x gives the local point x. If x is outside the box on any axis, the box does
 * not contain it.
 *
 * Entry j of a row of adj L is a difference of two products. Let A_j be the sum of their magnitudes, and |t_j| + R_j
 * the size of world coordinates of the box, with R = |L|·reach. World positions of the body are off by at most
 * 5·2^-53·(|t| + R). What is computed here is off by some 20·2^-53 of Σ A_j·(|p_j| + |t_j| + R_j), which also bounds
 * reach·det L. 10^-12 of that sum is far more than both. Underflow is at most 2^-1073·10^80 in all, under 10^-200.
 * Outside these ranges nothing is decided.
 */
function boxMayHold(m: Float64Array, at: number, box: Box, px: number, py: number, pz: number): boolean {
  const ax = m[at];
  const ay = m[at + 1];
  const az = m[at + 2];
  const bx = m[at + 4];
  const by = m[at + 5];
  const bz = m[at + 6];
  const cx = m[at + 8];
  const cy = m[at + 9];
  const cz = m[at + 10];
  const reachX = Math.max(-box[0], box[3]);
  const reachY = Math.max(-box[1], box[4]);
  const reachZ = Math.max(-box[2], box[5]);
  const x = px - m[at + 12];
  const y = py - m[at + 13];
  const z = pz - m[at + 14];
  const sizeX = sizeAlong(ax, bx, cx, reachX, reachY, reachZ) + Math.abs(px) + Math.abs(m[at + 12]);
  const sizeY = sizeAlong(ay, by, cy, reachX, reachY, reachZ) + Math.abs(py) + Math.abs(m[at + 13]);
  const sizeZ = sizeAlong(az, bz, cz, reachX, reachY, reachZ) + Math.abs(pz) + Math.abs(m[at + 14]);
  const linear = Math.max(
    sizeAlong(ax, ay, az, 1, 1, 1),
    sizeAlong(bx, by, bz, 1, 1, 1),
    sizeAlong(cx, cy, cz, 1, 1, 1),
  );
  if (!(linear < 1e20 && sizeX + sizeY + sizeZ < 1e40)) return true;
  const determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  for (let axis = 0; axis < 3; axis++) {
    // The two columns after this one, cyclically.
    const first = at + (axis === 2 ? 0 : 4 * axis + 4);
    const second = at + (axis === 0 ? 8 : 4 * axis - 4);
    const u = m[first];
    const v = m[first + 1];
    const w = m[first + 2];
    const p = m[second];
    const q = m[second + 1];
    const r = m[second + 2];
    const place = (v * r - w * q) * x + (w * p - u * r) * y + (u * q - v * p) * z;
    const size =
      (Math.abs(v * r) + Math.abs(w * q)) * sizeX +
      (Math.abs(w * p) + Math.abs(u * r)) * sizeY +
      (Math.abs(u * q) + Math.abs(v * p)) * sizeZ;
    const low = box[axis] * determinant;
    const high = box[axis + 3] * determinant;
    const slack = 1e-12 * size + 1e-200;
    if (place < Math.min(low, high) - slack || place > Math.max(low, high) + slack) return false;
  }
  return true;
}

function sizeAlong(a: number, b: number, c: number, x: number, y: number, z: number): number {
  return Math.abs(a) * x + Math.abs(b) * y + Math.abs(c) * z;
}

/** Whether the solid of `body` contains a connected part of the solid of `other`. Their surfaces must not meet. */
export function holdsPartOf(engine: TriangleFinder, body: Placed, other: Placed): boolean {
  const { shape, pose } = other;
  const { positions } = shape;
  for (const v of shape.mesh.adjacency.componentVertices) {
    applyPose(pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], point, 0);
    if (windingNumber(engine, body, point).winding !== 0)
      return (shape.mesh.onePiece && boundsVolume(other)) || haveCommonInterior(engine, body, other);
  }
  return false;
}

/**
 * Whether a solid certainly bounds volume. If it is in one piece and a vertex of it lies within another solid whose
 * surface it does not meet, then its whole surface does. Beside its surface there are points in it, as near as one
 * likes, and those are in both.
 *
 * The sum has the volume six times over, taken from the vertex at `point`. Each product is rounded fewer than 2^32
 * times, additions included, so it is off by less than 2^-20 of its magnitude. Corners of 1e80 or more
 * decide nothing, so nothing overflows, and what underflows adds up to less than 1e-206.
 */
function boundsVolume(body: Placed): boolean {
  let volume = 0;
  let size = 1e-200;
  for (let t = 0; t < body.shape.mesh.triangleCount; t++) {
    placeCorners(body, t, point, 3);
    for (let k = 3; k < 12; k++) if (Math.abs((point[k] -= point[k % 3])) >= 1e80) return false;
    for (let i = 3; i < 6; i++) {
      const j = (i + 1) % 3;
      const k = (i + 2) % 3;
      const plus = point[i] * point[6 + j] * point[9 + k];
      const minus = point[i] * point[6 + k] * point[9 + j];
      volume += plus - minus;
      size += Math.abs(plus) + Math.abs(minus);
    }
  }
  return Math.abs(volume) > 2e-6 * size;
}

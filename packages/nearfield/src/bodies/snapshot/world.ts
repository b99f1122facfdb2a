// World positions of bodies for the exact questions: triangle corners in world doubles, and boxes of those doubles.

import { type Box, emptyBox, growBox } from '../../math/box.ts';
import { orient2dAt } from '../../math/exact/orient.ts';
import { type Pose, placeTriangle, poseOfRow } from '../../math/pose.ts';
import { boundsOf } from '../../mesh/facts.ts';
import type { Indices, Positions } from '../../mesh/mesh.ts';
import type { Placed } from './snapshot.ts';

/** Writes the world corners of triangle t, nine numbers, to out[at]. */
export function placeCorners({ shape, pose }: Placed, t: number, out: Float64Array, at: number): void {
  placeTriangle(pose, shape.positions, shape.mesh.indices, t, out, at);
}

/** A box, and what it was computed from. */
interface KnownBox {
  readonly pose: Pose;
  readonly positions: Positions;
  readonly revision: number;
  readonly indices: Indices;
  readonly box: Box;
}

const knownBoxes = new WeakMap<Pose, KnownBox>();

/** The box of this many vertices takes less time than keeping it. */
const fewVertices = 32;

/** The smallest box around the world positions of a body's triangles. It may be cached: do not write to it. */
export function worldBox({ shape, pose }: Placed): Box {
  const { positions, revision, mesh } = shape;
  const used = usedVertices(mesh.indices, mesh.vertexCount);
  if (used.length <= fewVertices) return boxOf(pose, positions, used);
  const known = knownBoxes.get(pose);
  if (
    known &&
    known.positions === positions &&
    known.revision === revision &&
    known.indices === mesh.indices
  ) {
    // The caller may have overwritten the pose since.
    if (isSame(known.pose, pose)) return known.box;
  }
  const box = boxOf(pose, positions, used);
  knownBoxes.set(pose, { pose: poseOfRow(pose, 0), positions, revision, indices: mesh.indices, box });
  return box;
}

function isSame(p: Pose, q: Pose): boolean {
  for (let i = 0; i < 16; i++) if (p[i] !== q[i]) return false;
  return true;
}

/** A box around the world positions of a body's triangles, usually not the smallest: no vertex is read. */
export function boxAround(body: Placed): Box {
  const { pose, shape } = body;
  const box = new Float64Array(6);
  placeBox(pose, 0, boundsOf(shape.positions, shape.mesh.indices), box, 0);
  // A body without triangles has no box. And a box's corners may overflow although no vertex does.
  for (let i = 0; i < 6; i++) if (!Number.isFinite(box[i])) return worldBox(body);
  return box;
}

/**
 * Writes a box around the images of all points of a local box under the pose at poses[from] to out[at]. Rounded products
 * and sums are monotone, so the images of the ends of the local box under `applyPose` bound the images of all points
 * between.
 */
export function placeBox(poses: Float64Array, from: number, local: Box, out: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const x = poses[from + axis];
    const y = poses[from + 4 + axis];
    const z = poses[from + 8 + axis];
    const along = poses[from + 12 + axis];
    out[at + axis] =
      Math.min(x * local[0], x * local[3]) +
      Math.min(y * local[1], y * local[4]) +
      Math.min(z * local[2], z * local[5]) +
      along;
    out[at + axis + 3] =
      Math.max(x * local[0], x * local[3]) +
      Math.max(y * local[1], y * local[4]) +
      Math.max(z * local[2], z * local[5]) +
      along;
  }
}

/** The box of some vertices as `applyPose` places them. Called for every body that moved, in every frame. */
function boxOf(pose: Pose, positions: Positions, vertices: Uint32Array): Box {
  // Numbers are named one by one: destructuring allocates arrays and numbers until this has run many times.
  const m0 = pose[0];
  const m1 = pose[1];
  const m2 = pose[2];
  const m4 = pose[4];
  const m5 = pose[5];
  const m6 = pose[6];
  const m8 = pose[8];
  const m9 = pose[9];
  const m10 = pose[10];
  const m12 = pose[12];
  const m13 = pose[13];
  const m14 = pose[14];
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  for (let i = 0; i < vertices.length; i++) {
    const at = 3 * vertices[i];
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    const worldX = m0 * x + m4 * y + m8 * z + m12;
    const worldY = m1 * x + m5 * y + m9 * z + m13;
    const worldZ = m2 * x + m6 * y + m10 * z + m14;
    if (worldX < lowX) lowX = worldX;
    if (worldX > highX) highX = worldX;
    if (worldY < lowY) lowY = worldY;
    if (worldY > highY) highY = worldY;
    if (worldZ < lowZ) lowZ = worldZ;
    if (worldZ > highZ) highZ = worldZ;
  }
  // Element by element: `Float64Array.of` takes longer than the box of a few vertices.
  const box = new Float64Array(6);
  box[0] = lowX;
  box[1] = lowY;
  box[2] = lowZ;
  box[3] = highX;
  box[4] = highY;
  box[5] = highZ;
  return box;
}

const knownVertices = new WeakMap<Indices, Uint32Array>();

/** The vertices that some triangle uses. */
export function usedVertices(indices: Indices, vertexCount: number): Uint32Array {
  let used = knownVertices.get(indices);
  if (used === undefined) {
    const seen = new Uint8Array(vertexCount);
    for (let i = 0; i < indices.length; i++) seen[indices[i]] = 1;
    used = new Uint32Array(vertexCount);
    let count = 0;
    for (let v = 0; v < vertexCount; v++) if (seen[v] === 1) used[count++] = v;
    used = used.slice(0, count);
    knownVertices.set(indices, used);
  }
  return used;
}

/** The box of the triangle at p[at]. */
export function cornersBox(p: Float64Array, at: number): Box {
  const box = emptyBox();
  for (let i = at; i < at + 9; i += 3) growBox(box, p[i], p[i + 1], p[i + 2]);
  return box;
}

/** Whether the box of the triangle at p[at] meets `box`. */
export function cornersMeetBox(p: Float64Array, at: number, box: Box): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const [x, y, z] = [p[at + axis], p[at + 3 + axis], p[at + 6 + axis]];
    if (x < box[axis] && y < box[axis] && z < box[axis]) return false;
    if (x > box[axis + 3] && y > box[axis + 3] && z > box[axis + 3]) return false;
  }
  return true;
}

/** Whether the point at p[at…] lies strictly outside a box. */
export const isOutside = (box: Box, p: Float64Array, at: number): boolean =>
  p[at] < box[0] ||
  p[at + 1] < box[1] ||
  p[at + 2] < box[2] ||
  p[at] > box[3] ||
  p[at + 1] > box[4] ||
  p[at + 2] > box[5];

/**
 * Whether some axis separates two boxes weakly: they have at most a flat piece in common. Then the bodies lie in the
 * two closed half-spaces of a plane. So they share no interior point, and neither has points on both sides of the
 * other's surface.
 */
export function boxesShareNoVolume(a: Box, b: Box): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (a[axis + 3] <= b[axis] || b[axis + 3] <= a[axis]) return true;
  }
  return false;
}

/**
 * An axis along which the triangle at p[at] does not project to a segment, or −1 if the triangle is degenerate. The
 * other two axes are (axis + 1) % 3 and (axis + 2) % 3, in this order: a triangle that is counter-clockwise in them has
 * a normal that points along the axis.
 */
export function projectionAxis(p: Float64Array, at: number): number {
  const ux = p[at + 3] - p[at];
  const uy = p[at + 4] - p[at + 1];
  const uz = p[at + 5] - p[at + 2];
  const vx = p[at + 6] - p[at];
  const vy = p[at + 7] - p[at + 1];
  const vz = p[at + 8] - p[at + 2];
  const nx = Math.abs(uy * vz - uz * vy);
  const ny = Math.abs(uz * vx - ux * vz);
  const nz = Math.abs(ux * vy - uy * vx);
  const first = nx >= ny && nx >= nz ? 0 : ny >= nz ? 1 : 2;
  for (let i = 0; i < 3; i++) {
    const axis = (first + i) % 3;
    if (orient2dAt(p, at, at + 3, at + 6, (axis + 1) % 3, (axis + 2) % 3) !== 0) return axis;
  }
  return -1;
}

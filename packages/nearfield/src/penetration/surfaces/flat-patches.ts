// Two triangles that share an edge and lie in one plane are one quadrangle. If it is convex, its difference with another
// convex set forbids translations as that of a triangle does. This matters where the edge between the two lies on the
// other surface: then neither triangle crosses it, but their union does.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { applyPose } from '../../math/pose.ts';
import { noEdge } from '../../mesh/facts.ts';

/** Corners that are nearer to a plane than this share of their size lie in it, but for the rounding of poses. */
const inPlane = 2 ** -48;

/** The corners of a triangle in the world, and of every convex quadrangle that it is a part of. */
export function flatPatches({ mesh, pose, positions }: SnapshotBody, triangle: number): Float64Array[] {
  const { indices, adjacency } = mesh;
  const { edges, edgeOf } = adjacency;
  const place = (corners: readonly number[]): Float64Array => {
    const placed = new Float64Array(3 * corners.length);
    for (const [i, v] of corners.entries())
      applyPose(pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], placed, 3 * i);
    return placed;
  };
  const corners = [0, 1, 2].map(k => indices[3 * triangle + k]);
  const patches = [place(corners)];
  for (let side = 0; side < 3; side++) {
    const edge = edgeOf[3 * triangle + side];
    if (edge === noEdge) continue;
    for (let s = edges.start[edge]; s < edges.start[edge + 1]; s++) {
      const other = edges.triangles[s];
      if (other === triangle) continue;
      const third = [0, 1, 2].find(k => edgeOf[3 * other + ((k + 1) % 3)] === edge);
      if (third === undefined) continue;
      // From a corner of the edge, over the new corner, to the other, and back over the triangle's third one.
      const [from, to, apex] = [corners[side], corners[(side + 1) % 3], corners[(side + 2) % 3]];
      const patch = place([from, indices[3 * other + third], to, apex]);
      if (isConvex(patch)) patches.push(patch);
    }
  }
  return patches;
}

/** Whether four corners in order are those of a flat convex quadrangle. */
function isConvex(p: Float64Array): boolean {
  let [x, y, z, size, reach] = [0, 0, 0, 0, 0];
  const normals: number[][] = [];
  for (let k = 0; k < 12; k += 3) {
    const [next, last] = [(k + 3) % 12, (k + 9) % 12];
    const u = [p[next] - p[k], p[next + 1] - p[k + 1], p[next + 2] - p[k + 2]];
    const v = [p[last] - p[k], p[last + 1] - p[k + 1], p[last + 2] - p[k + 2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    normals.push(n);
    [x, y, z] = [x + n[0], y + n[1], z + n[2]];
    size = Math.max(size, Math.hypot(u[0], u[1], u[2]));
    reach = Math.max(reach, Math.abs(p[k]), Math.abs(p[k + 1]), Math.abs(p[k + 2]));
  }
  const length = Math.hypot(x, y, z);
  if (!(length > 1e-9 * size * size)) return false;
  // No corner turns the other way.
  if (normals.some(n => n[0] * x + n[1] * y + n[2] * z < 0)) return false;
  for (let k = 3; k < 12; k += 3) {
    const height = ((p[k] - p[0]) * x + (p[k + 1] - p[1]) * y + (p[k + 2] - p[2]) * z) / length;
    if (Math.abs(height) > inPlane * (size + 2 * reach)) return false;
  }
  return true;
}

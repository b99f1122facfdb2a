// A mesh for flat shading: every triangle has corners and a normal of its own. Computed in the worker; the page only
// passes it on.

import type { Mesh } from 'nearfield';
import type { DrawnData } from '../types.ts';

export function drawnData({ positions, indices, bounds }: Mesh): DrawnData {
  const corners = new Float32Array(3 * indices.length);
  const normals = new Float32Array(3 * indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [i, j, k] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    for (let axis = 0; axis < 3; axis++) {
      corners[3 * t + axis] = positions[i + axis];
      corners[3 * t + 3 + axis] = positions[j + axis];
      corners[3 * t + 6 + axis] = positions[k + axis];
    }
    const [ux, uy, uz] = [
      positions[j] - positions[i],
      positions[j + 1] - positions[i + 1],
      positions[j + 2] - positions[i + 2],
    ];
    const [vx, vy, vz] = [
      positions[k] - positions[i],
      positions[k + 1] - positions[i + 1],
      positions[k + 2] - positions[i + 2],
    ];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    // A degenerate triangle has no normal, and is invisible.
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    for (let corner = 3 * t; corner < 3 * t + 9; corner += 3) {
      normals[corner] = x / length;
      normals[corner + 1] = y / length;
      normals[corner + 2] = z / length;
    }
  }
  return { corners, normals, box: [...bounds] };
}

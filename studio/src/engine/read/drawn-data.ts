// A mesh for rendering: the corners of its triangles, normals that are smooth where the surface is, and the edges where
// it is not. Computed in the worker; the page only passes it on.

import { cornerNormals } from '@nearfield/clashes';
import type { Mesh } from 'nearfield';
import type { DrawnData } from '../types.ts';

/** Edges are drawn where faces meet at more than 35°, or at a rim. */
const sharpCosine = Math.cos((35 * Math.PI) / 180);
/** A body with more edges than this would be black with them. */
const mostEdges = 60_000;

export function drawnData(mesh: Mesh): DrawnData {
  const { positions, indices, bounds } = mesh;
  const corners = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const at = 3 * indices[i];
    corners[3 * i] = positions[at];
    corners[3 * i + 1] = positions[at + 1];
    corners[3 * i + 2] = positions[at + 2];
  }
  const smooth = cornerNormals({ positions, indices, vertexOf: mesh.welds.vertexOf });
  const normals = new Int8Array(4 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let axis = 0; axis < 3; axis++) normals[4 * i + axis] = Math.round(127 * smooth[3 * i + axis]);
  }
  return { corners, normals, edges: sharpEdges(mesh), box: [...bounds] };
}

function sharpEdges({ positions, indices, edges }: Mesh): Float32Array {
  const { count, vertices, start, triangles } = edges;
  const [p, q] = [new Float64Array(3), new Float64Array(3)];
  const faceNormal = (triangle: number, out: Float64Array) => {
    const [i, j, k] = [0, 1, 2].map(corner => 3 * indices[3 * triangle + corner]);
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      out[axis] =
        (positions[j + u] - positions[i + u]) * (positions[k + v] - positions[i + v]) -
        (positions[j + v] - positions[i + v]) * (positions[k + u] - positions[i + u]);
    }
    return Math.hypot(out[0], out[1], out[2]);
  };
  const ends: number[] = [];
  for (let edge = 0; edge < count; edge++) {
    if (start[edge + 1] - start[edge] === 2) {
      const lengths = faceNormal(triangles[start[edge]], p) * faceNormal(triangles[start[edge] + 1], q);
      if (p[0] * q[0] + p[1] * q[1] + p[2] * q[2] >= sharpCosine * lengths) continue;
    }
    if (ends.length >= 6 * mostEdges) return new Float32Array(0);
    for (const vertex of [vertices[2 * edge], vertices[2 * edge + 1]]) {
      for (let axis = 0; axis < 3; axis++) ends.push(positions[3 * vertex + axis]);
    }
  }
  return Float32Array.from(ends);
}

// Normals for shading: per corner of a triangle, the mean normal of the neighbouring triangles within a crease angle
// of its own. A cylinder then looks round, and its rim stays sharp.

import type { ReportBody } from '../types.ts';
import { finish, type Steps } from './steps.ts';

const creaseCosine = Math.cos((35 * Math.PI) / 180);
/** With more triangles than this, each is small in the picture and flat shading is good enough. */
const smoothLimit = 400_000;

/** Triangles per step. */
const trianglesPerStep = 32_768;

type Shape = Pick<ReportBody, 'positions' | 'indices'>;

/** x, y, z for three corners per triangle. A triangle without area gets zeros. */
export const cornerNormals = (shape: Shape): Float32Array => finish(normalSteps(shape));

/** The same in steps. */
export function* normalSteps({ positions, indices }: Shape): Steps<Float32Array> {
  const count = indices.length / 3;
  const faces = faceNormals(positions, indices);
  yield;
  const out = new Float32Array(9 * count);
  const unit = (t: number): [number, number, number] => {
    const length = Math.hypot(faces[3 * t], faces[3 * t + 1], faces[3 * t + 2]) || 1;
    return [faces[3 * t] / length, faces[3 * t + 1] / length, faces[3 * t + 2] / length];
  };
  if (count > smoothLimit) {
    for (let t = 0; t < count; t++) for (let e = 0; e < 3; e++) out.set(unit(t), 9 * t + 3 * e);
    return out;
  }
  const { ids, first, triangles } = trianglesAround(positions, indices);
  for (let t = 0; t < count; t++) {
    if (t % trianglesPerStep === 0) yield;
    const own = unit(t);
    for (let e = 0; e < 3; e++) {
      const vertex = ids[indices[3 * t + e]];
      let [x, y, z] = [0, 0, 0];
      for (let k = first[vertex]; k < first[vertex + 1]; k++) {
        const other = triangles[k];
        const [ox, oy, oz] = [faces[3 * other], faces[3 * other + 1], faces[3 * other + 2]];
        const length = Math.hypot(ox, oy, oz);
        if (length > 0 && (ox * own[0] + oy * own[1] + oz * own[2]) / length >= creaseCosine) {
          x += ox;
          y += oy;
          z += oz;
        }
      }
      const length = Math.hypot(x, y, z) || 1;
      out.set([x / length, y / length, z / length], 9 * t + 3 * e);
    }
  }
  return out;
}

/** Cross products: normals weighted by area. */
function faceNormals(positions: Float64Array, indices: ArrayLike<number>): Float64Array {
  const out = new Float64Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ux, uy, uz] = [
      positions[b] - positions[a],
      positions[b + 1] - positions[a + 1],
      positions[b + 2] - positions[a + 2],
    ];
    const [vx, vy, vz] = [
      positions[c] - positions[a],
      positions[c + 1] - positions[a + 1],
      positions[c + 2] - positions[a + 2],
    ];
    out[t] = uy * vz - uz * vy;
    out[t + 1] = uz * vx - ux * vz;
    out[t + 2] = ux * vy - uy * vx;
  }
  return out;
}

/** The triangles per position, regardless of indices, because files often repeat vertices. */
function trianglesAround(positions: Float64Array, indices: ArrayLike<number>) {
  const vertexCount = positions.length / 3;
  const ids = new Uint32Array(vertexCount);
  const found = new Map<string, number>();
  for (let v = 0; v < vertexCount; v++) {
    const key = `${positions[3 * v]},${positions[3 * v + 1]},${positions[3 * v + 2]}`;
    const id = found.get(key);
    if (id === undefined) found.set(key, v);
    ids[v] = id ?? v;
  }
  const first = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < indices.length; i++) first[ids[indices[i]] + 1]++;
  for (let v = 0; v < vertexCount; v++) first[v + 1] += first[v];
  const next = first.slice();
  const triangles = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) triangles[next[ids[indices[i]]]++] = Math.floor(i / 3);
  return { ids, first, triangles };
}

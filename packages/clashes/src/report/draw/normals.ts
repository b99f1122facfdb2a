// Normals for shading: per corner of a triangle, the mean normal of the neighbouring triangles within a crease angle
// of its own. A cylinder then looks round, and its rim stays sharp.

import { finish, type Steps } from '../../steps/steps.ts';

const creaseCosine = Math.cos((35 * Math.PI) / 180);
/** With more triangles than this, each is small in the picture and flat shading is good enough. */
const smoothLimit = 400_000;

/** With more triangles than this around a position, each keeps its own normal: a mean of all would say little. */
const aroundLimit = 256;

/** Triangles per step. */
const trianglesPerStep = 32_768;

interface Shape {
  readonly positions: Float32Array | Float64Array;
  readonly indices: ArrayLike<number>;
  /** Per vertex, the first vertex at the same position, if that is known. */
  readonly vertexOf?: Uint32Array | undefined;
}

/** x, y, z for three corners per triangle. A triangle without area gets zeros. */
export const cornerNormals = (shape: Shape): Float32Array => finish(normalSteps(shape));

/** The same in steps. */
export function* normalSteps({ positions, indices, vertexOf }: Shape): Steps<Float32Array> {
  const count = indices.length / 3;
  const faces = faceNormals(positions, indices);
  yield;
  const lengths = new Float64Array(count);
  for (let t = 0; t < count; t++) lengths[t] = Math.hypot(faces[3 * t], faces[3 * t + 1], faces[3 * t + 2]);
  const out = new Float32Array(9 * count);
  const isSmooth = count <= smoothLimit;
  const { ids, first, triangles } = isSmooth
    ? trianglesAround(vertexOf ?? firstAtPosition(positions), indices)
    : nothingAround;
  for (let t = 0; t < count; t++) {
    if (t % trianglesPerStep === 0) yield;
    const scale = 1 / (lengths[t] || 1);
    const [nx, ny, nz] = [faces[3 * t] * scale, faces[3 * t + 1] * scale, faces[3 * t + 2] * scale];
    for (let e = 0; e < 3; e++) {
      let [x, y, z] = [nx, ny, nz];
      const vertex = isSmooth ? ids[indices[3 * t + e]] : 0;
      if (isSmooth && first[vertex + 1] - first[vertex] <= aroundLimit) {
        [x, y, z] = [0, 0, 0];
        for (let k = first[vertex]; k < first[vertex + 1]; k++) {
          const other = triangles[k];
          const [ox, oy, oz] = [faces[3 * other], faces[3 * other + 1], faces[3 * other + 2]];
          const length = lengths[other];
          if (length > 0 && (ox * nx + oy * ny + oz * nz) / length >= creaseCosine) {
            x += ox;
            y += oy;
            z += oz;
          }
        }
      }
      const length = Math.hypot(x, y, z) || 1;
      const at = 9 * t + 3 * e;
      out[at] = x / length;
      out[at + 1] = y / length;
      out[at + 2] = z / length;
    }
  }
  return out;
}

/** Cross products: normals weighted by area. */
function faceNormals(positions: Shape['positions'], indices: ArrayLike<number>): Float64Array {
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

/** Per vertex, the first at the same position, because files often repeat vertices. */
function firstAtPosition(positions: ArrayLike<number>): Uint32Array {
  const ids = new Uint32Array(positions.length / 3);
  const found = new Map<string, number>();
  for (let v = 0; v < ids.length; v++) {
    const key = `${positions[3 * v]},${positions[3 * v + 1]},${positions[3 * v + 2]}`;
    const id = found.get(key);
    if (id === undefined) found.set(key, v);
    ids[v] = id ?? v;
  }
  return ids;
}

/** The triangles per position: those of vertex v are triangles[first[v]] … triangles[first[v + 1] − 1]. */
function trianglesAround(ids: Uint32Array, indices: ArrayLike<number>) {
  const first = new Uint32Array(ids.length + 1);
  for (let i = 0; i < indices.length; i++) first[ids[indices[i]] + 1]++;
  for (let v = 0; v < ids.length; v++) first[v + 1] += first[v];
  const next = first.slice();
  const triangles = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) triangles[next[ids[indices[i]]]++] = Math.floor(i / 3);
  return { ids, first, triangles };
}

const nothingAround = { ids: new Uint32Array(0), first: new Uint32Array(0), triangles: new Uint32Array(0) };

// Reduces a closed mesh to fewer triangles: short edges are collapsed to their midpoints, in passes over edges in
// order of length, each pass changing a triangle at most once. An edge collapses only if its ends have exactly two
// common neighbours (otherwise the surface would pinch) and no triangle flips, so a closed mesh stays closed.

import { type Mesh, mesh } from 'nearfield';

export function thinned(given: Mesh, triangles: number): Mesh {
  let now = given;
  while (now.indices.length / 3 > triangles) {
    const next = collapsed(now, triangles);
    if (next.indices.length === now.indices.length) return now;
    now = next;
  }
  return now;
}

/** One pass: every triangle is changed at most once. */
function collapsed({ positions, indices, edges }: Mesh, triangles: number): Mesh {
  const points = Float32Array.from(positions);
  const around = trianglesAround(indices, positions.length / 3);
  const neighbours = (v: number) =>
    new Set(around[v].flatMap(t => [...indices.slice(3 * t, 3 * t + 3)]).filter(w => w !== v));
  const touched = new Uint8Array(indices.length / 3);
  const gone = new Uint8Array(indices.length / 3);
  const into = Int32Array.from({ length: positions.length / 3 }, (_, v) => v);
  let left = indices.length / 3;
  for (const e of byLength(positions, edges.vertices)) {
    if (left <= triangles) break;
    const [v, w] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    const ring = new Set([...around[v], ...around[w]]);
    if ([...ring].some(t => touched[t] === 1)) continue;
    const others = neighbours(w);
    if ([...neighbours(v)].filter(u => others.has(u)).length !== 2) continue;
    const middle = [0, 1, 2].map(axis => Math.fround((points[3 * v + axis] + points[3 * w + axis]) / 2));
    const moved = (u: number) => (u === v || u === w ? middle : [...points.subarray(3 * u, 3 * u + 3)]);
    const kept = [...ring].filter(t => !(around[v].includes(t) && around[w].includes(t)));
    const turns = kept.some(t => {
      const corners = [...indices.slice(3 * t, 3 * t + 3)];
      const before = normal(corners.map(u => [...points.subarray(3 * u, 3 * u + 3)]));
      const after = normal(corners.map(moved));
      return !(before.reduce((sum, value, axis) => sum + value * after[axis], 0) > 0);
    });
    if (turns) continue;
    points.set(middle, 3 * v);
    into[w] = v;
    for (const t of ring) touched[t] = 1;
    for (const t of ring) if (!kept.includes(t)) gone[t] = 1;
    left -= ring.size - kept.length;
  }
  const corners: number[] = [];
  for (let t = 0; t < gone.length; t++) {
    if (gone[t] === 0) for (let k = 0; k < 3; k++) corners.push(into[indices[3 * t + k]]);
  }
  return withoutUnused(points, corners);
}

function trianglesAround(indices: ArrayLike<number>, vertexCount: number): number[][] {
  const around: number[][] = Array.from({ length: vertexCount }, () => []);
  for (let i = 0; i < indices.length; i++) around[indices[i]].push(Math.floor(i / 3));
  return around;
}

function byLength(positions: ArrayLike<number>, vertices: ArrayLike<number>): Uint32Array {
  const square = Float64Array.from({ length: vertices.length / 2 }, (_, e) => {
    const [v, w] = [3 * vertices[2 * e], 3 * vertices[2 * e + 1]];
    const [x, y, z] = [0, 1, 2].map(axis => positions[v + axis] - positions[w + axis]);
    return x * x + y * y + z * z;
  });
  return Uint32Array.from(square.keys()).sort((e, f) => square[e] - square[f] || e - f);
}

function normal([a, b, c]: number[][]): number[] {
  const [u, v] = [b, c].map(p => p.map((value, axis) => value - a[axis]));
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function withoutUnused(points: Float32Array, corners: number[]): Mesh {
  const numbers = new Map<number, number>();
  const kept: number[] = [];
  const indices = corners.map(v => {
    let number = numbers.get(v);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(v, number);
      kept.push(...points.subarray(3 * v, 3 * v + 3));
    }
    return number;
  });
  return mesh(Float32Array.from(kept), Uint32Array.from(indices));
}

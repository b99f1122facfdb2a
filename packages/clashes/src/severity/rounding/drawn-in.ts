// A body with its faces drawn inwards: every vertex moves so far that all faces around it lie behind their old planes by a
// given distance, and no farther than a given length. This brings faces that were flush before
// numbers were rounded back behind the plane that they had in common.
//
// The shortest such move of a vertex with the unit normals n of its faces is the shortest d with n·d ≤ −distance for all
// of them. For one face that is the distance, for two or three at right angles √2 or √3 times it. If it is longer than is
// allowed, it is shortened: then the faces come as far as they may. Faces thinner than a few roundings have no normal
// worth speaking of, and do not count.

import { applyPose, type Mesh, type Pose } from 'nearfield';

/** If the height of a triangle is less than this many times the distance, rounding may turn its normal. */
const leastHeight = 32;
/** A face that is behind its plane by nearly the distance counts as behind: normals are no better known than this. */
const nearly = 2 ** -4;

/** The world positions of a mesh under a pose: the doubles that every question is about. */
export function worldPositions({ positions }: Mesh, pose: Pose): Float64Array {
  const world = new Float64Array(positions.length);
  for (let i = 0; i < world.length; i += 3)
    applyPose(pose, positions[i], positions[i + 1], positions[i + 2], world, i);
  return world;
}

/** Three numbers per triangle: its normal, whose length is twice the area. */
export function normalsOf({ positions: p, indices }: Pick<Mesh, 'positions' | 'indices'>): Float64Array {
  const normals = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    normals[i] = uy * vz - uz * vy;
    normals[i + 1] = uz * vx - ux * vz;
    normals[i + 2] = ux * vy - uy * vx;
  }
  return normals;
}

/**
 * The positions of a mesh with its faces drawn inwards by `distance`, and no vertex moved by more than `most`. Vertices
 * that `stays` names, by the first vertex at their position, are not moved.
 */
export function drawnIn(
  mesh: Mesh,
  distance: number,
  most: number,
  stays: ReadonlySet<number>,
): Float64Array {
  const { positions, indices, adjacency } = mesh;
  const { vertexOf } = adjacency;
  const units = unitNormals(mesh, leastHeight * distance);
  // Where the mesh is inside out, what it bounds is on the other side of its faces.
  const side = volumeOf(mesh) < 0 ? -1 : 1;
  // The corners of the triangles, by vertex: those of v are corners[start[v]] to corners[start[v + 1] − 1].
  const start = new Uint32Array(vertexOf.length + 1);
  for (const v of indices) start[vertexOf[v] + 1]++;
  for (let v = 0; v < vertexOf.length; v++) start[v + 1] += start[v];
  const corners = new Uint32Array(indices.length);
  const next = start.slice();
  for (let i = 0; i < indices.length; i++) corners[next[vertexOf[indices[i]]]++] = i;
  const drawn = Float64Array.from(positions);
  for (let v = 0; v < vertexOf.length; v++) {
    if (vertexOf[v] !== v || stays.has(v)) continue;
    const around: number[][] = [];
    for (let k = start[v]; k < start[v + 1]; k++) {
      const t = corners[k] - (corners[k] % 3);
      const [x, y, z] = [side * units[t], side * units[t + 1], side * units[t + 2]];
      if (x !== 0 || y !== 0 || z !== 0) around.push([x, y, z]);
    }
    const way = shortestBehind(around, around.length, [])!;
    if (around.length === 0) continue;
    const scale = Math.min(distance, (most * (1 - 2 ** -20)) / Math.hypot(way[0], way[1], way[2]));
    const to = way.map((x, k) => positions[3 * v + k] + scale * x);
    // Doubles round, too: a step of a few of their last places may come out too long.
    if (Math.hypot(...to.map((x, k) => x - positions[3 * v + k])) <= most) drawn.set(to, 3 * v);
  }
  for (let v = 0; v < vertexOf.length; v++)
    for (let k = 0; k < 3; k++) drawn[3 * v + k] = drawn[3 * vertexOf[v] + k];
  return drawn;
}

/** Six times the volume that triangles bound, or nearly bound if there are holes. */
function volumeOf({ positions: p, indices }: Mesh): number {
  const o = 3 * indices[0];
  let volume = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map(k => [0, 1, 2].map(axis => p[3 * indices[i + k] + axis] - p[o + axis]));
    volume += dot(a, crossed(b, c));
  }
  return volume;
}

/** Unit normals of triangles; 0 for those with a height below the least. */
function unitNormals(mesh: Mesh, least: number): Float64Array {
  const units = normalsOf(mesh);
  const { positions: p, indices } = mesh;
  for (let i = 0; i < indices.length; i += 3) {
    const size = Math.hypot(units[i], units[i + 1], units[i + 2]);
    let longest = 0;
    for (let k = 0; k < 3; k++) {
      const [a, b] = [3 * indices[i + k], 3 * indices[i + ((k + 1) % 3)]];
      longest = Math.max(longest, Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]));
    }
    const scale = size > least * longest ? 1 / size : 0;
    for (let k = 0; k < 3; k++) units[i + k] *= scale;
  }
  return units;
}

/**
 * The shortest d with n·d ≤ −1 for the first `count` normals and n·d = −1 for those of `on`; undefined if the latter has no
 * answer. If the answer for some normals breaks the condition of the next one, that one holds with equality in the answer
 * for all. A normal whose condition contradicts the others is left out.
 */
function shortestBehind(normals: readonly number[][], count: number, on: number[][]): number[] | undefined {
  let way = shortestOn(on);
  for (let i = 0; way !== undefined && i < count; i++) {
    if (dot(normals[i], way) <= nearly - 1 || on.length === 3) continue;
    way = shortestBehind(normals, i, [...on, normals[i]]) ?? way;
  }
  return way;
}

/** The shortest d with n·d = −1 for up to three normals: a sum of multiples of them, by Cramer's rule. */
function shortestOn(on: readonly number[][]): number[] | undefined {
  if (on.length === 0) return [0, 0, 0];
  const [n, m, l] = on;
  if (on.length === 1) return n.map(x => -x);
  if (on.length === 2) {
    // Both are unit vectors, so d = −(n + m) / (1 + n·m).
    const cosine = dot(n, m);
    return cosine < -0.999 ? undefined : n.map((x, k) => -(x + m[k]) / (1 + cosine));
  }
  const [p, q, r] = [crossed(m, l), crossed(l, n), crossed(n, m)];
  const volume = dot(n, p);
  return Math.abs(volume) < 1e-6 ? undefined : [0, 1, 2].map(k => -(p[k] + q[k] + r[k]) / volume);
}

const dot = (u: readonly number[], v: readonly number[]): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

const crossed = (u: readonly number[], v: readonly number[]): number[] => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];

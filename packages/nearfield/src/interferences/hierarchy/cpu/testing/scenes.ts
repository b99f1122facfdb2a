// Seeded small meshes and hard poses for the CPU engine's tests, and the exact results for them by testing every pair
// of triangles.

import { type Random, whole } from '../../../../../../../test/oracle/triangles/generators.ts';
import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { applyPose, identity, multiplyPoses, type Pose } from '../../../../math/pose.ts';
import { neighboursMeet } from '../../../../math/triangles/triangle-neighbours.ts';
import { trianglesMeet } from '../../../../math/triangles/triangle-triangle.ts';
import { type Mesh, mesh } from '../../../../mesh/mesh.ts';

export const place = (given: Mesh, pose: Pose = identity()): Placed => ({
  shape: { mesh: given, positions: given.positions, revision: 0 },
  pose,
  poseRevision: 0,
});

/** Triangles over few shared vertices: in general position, on a small grid, or long thin ones among short ones. */
export function randomMesh(random: Random, triangleCount: number): Mesh {
  const kind = random();
  const vertexCount = Math.max(3, Math.ceil(triangleCount * (0.6 + random())));
  const positions = random() < 0.5 ? new Float64Array(vertexCount * 3) : new Float32Array(vertexCount * 3);
  const size = whole(random, 2, 5);
  for (let i = 0; i < positions.length; i++) {
    positions[i] = kind < 0.4 ? whole(random, 0, size) : random() * 2 - 1;
    if (kind > 0.8) positions[i] *= 10 ** whole(random, -6, 0);
  }
  const indices = new Uint32Array(triangleCount * 3);
  for (let t = 0; t < triangleCount; t++) {
    const first = whole(random, 0, vertexCount - 1);
    for (let corner = 0; corner < 3; corner++) {
      // Half of the triangles are local: their corners have similar numbers, so that there are neighbours.
      const near = Math.min(vertexCount - 1, first + whole(random, 0, 3));
      indices[3 * t + corner] = t % 2 === 0 ? whole(random, 0, vertexCount - 1) : near;
    }
  }
  return mesh(positions, indices);
}

/** Poses that are exact on small grids: signed permutations and integer translations. */
export function gridPose(random: Random): Pose {
  const pose = new Float64Array(16);
  const axes = [0, 1, 2].sort(() => random() - 0.5);
  for (let column = 0; column < 3; column++) pose[4 * column + axes[column]] = random() < 0.5 ? 1 : -1;
  for (let row = 0; row < 3; row++) pose[12 + row] = whole(random, -3, 3);
  pose[15] = 1;
  return pose;
}

export function rotation(random: Random): Pose {
  const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
  const length = Math.hypot(...q) || 1;
  const [x, y, z, w] = q.map(v => v / length);
  const pose = identity();
  pose.set([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)], 0);
  pose.set([2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)], 4);
  pose.set([2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)], 8);
  for (let row = 0; row < 3; row++) pose[12 + row] = (random() - 0.5) * 2;
  return pose;
}

export const hardPoses = [
  'grid',
  'rigid',
  'scaled',
  'sheared',
  'nearly singular',
  'mirrored',
  'far 1e6',
  'far 1e9',
  'far 1e12',
  'tiny 1e-200',
  'huge 1e200',
] as const;

/** A pair of poses of one kind, the second near the first so that the bodies overlap. */
export function hardPair(random: Random, kind: (typeof hardPoses)[number]): [Pose, Pose] {
  if (kind === 'grid') return [gridPose(random), gridPose(random)];
  const outer = rotation(random);
  const pair: [Pose, Pose] = [rotation(random), rotation(random)];
  const linear = (scale: (column: number, row: number) => number): Pose => {
    const pose = identity();
    for (let column = 0; column < 3; column++)
      for (let row = 0; row < 3; row++) pose[4 * column + row] = scale(column, row);
    return pose;
  };
  const diagonal = (values: readonly number[]) => linear((c, r) => (c === r ? values[c] : 0));
  const both = (pose: Pose): [Pose, Pose] => [multiplyPoses(pose, pair[0]), multiplyPoses(pose, pair[1])];
  if (kind === 'scaled') return [multiplyPoses(pair[0], diagonal([1, 0.01, 30])), pair[1]];
  if (kind === 'sheared') return both(linear((c, r) => (c === r ? 1 : c > r ? random() * 20 - 10 : 0)));
  if (kind === 'nearly singular') {
    const flat = diagonal([1, 1, 10 ** -whole(random, 3, 14)]);
    return random() < 0.5
      ? both(multiplyPoses(outer, flat))
      : [multiplyPoses(multiplyPoses(outer, flat), pair[0]), pair[1]];
  }
  if (kind === 'mirrored') return both(diagonal([-1, 1, 1]));
  const exponent = Number(kind.split('1e')[1] ?? 0);
  if (kind.startsWith('far')) {
    for (const pose of pair) for (let row = 0; row < 3; row++) pose[12 + row] += 10 ** exponent * (row - 1.5);
    return pair;
  }
  if (exponent !== 0) return both(diagonal([10 ** exponent, 10 ** exponent, 10 ** exponent]));
  return pair;
}

/** World corners of every triangle, nine doubles each. */
export function worldTriangles({ shape, pose }: Placed): Float64Array {
  const { indices } = shape.mesh;
  const out = new Float64Array(indices.length * 3);
  for (let i = 0; i < indices.length; i++) {
    const at = 3 * indices[i];
    applyPose(pose, shape.positions[at], shape.positions[at + 1], shape.positions[at + 2], out, 3 * i);
  }
  return out;
}

/** Which triangles of a and b meet, as "i j". */
export function exactPairs(a: Placed, b: Placed): Set<string> {
  const [wa, wb] = [worldTriangles(a), worldTriangles(b)];
  const p = new Float64Array(18);
  const found = new Set<string>();
  for (let i = 0; i * 9 < wa.length; i++) {
    p.set(wa.subarray(9 * i, 9 * i + 9));
    for (let j = 0; j * 9 < wb.length; j++) {
      p.set(wb.subarray(9 * j, 9 * j + 9), 9);
      if (trianglesMeet(p)) found.add(`${i} ${j}`);
    }
  }
  return found;
}

/** Which triangles i < j of one body share more than their common positions. */
export function exactSelfPairs(body: Placed): Set<string> {
  const world = worldTriangles(body);
  const p = new Float64Array(18);
  const found = new Set<string>();
  for (let i = 0; i * 9 < world.length; i++) {
    p.set(world.subarray(9 * i, 9 * i + 9));
    for (let j = i + 1; j * 9 < world.length; j++) {
      p.set(world.subarray(9 * j, 9 * j + 9), 9);
      if (neighboursMeet(p)) found.add(`${i} ${j}`);
    }
  }
  return found;
}

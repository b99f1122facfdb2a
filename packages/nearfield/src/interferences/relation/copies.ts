// Is one body a copy of the other, triangle by triangle? Copies are common, by mistake or by design. Every triangle
// then coincides with one of the other body, which would be the most expensive case to decide. Comparing corners
// decides it quickly.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../bodies/snapshot/world.ts';
import { applyPose } from '../../math/pose.ts';
import { computeWelds } from '../../mesh/facts.ts';

/**
 * 'same' if both bodies have the same triangles at the same world positions, equally often and wound the same way;
 * 'reversed' if all are wound the other way; else undefined. `pairCount` is the number of triangle pairs that meet.
 */
export function copyOf(a: Placed, b: Placed, pairCount: number): 'same' | 'reversed' | undefined {
  const count = a.shape.mesh.triangleCount;
  if (count !== b.shape.mesh.triangleCount || pairCount < count) return undefined;
  const [boxA, boxB] = [worldBox(a), worldBox(b)];
  if (boxA.some((x, i) => x !== boxB[i])) return undefined;
  const { vertexOf } = computeWelds(bothPositions(a, b));
  const firstOfB = a.shape.mesh.vertexCount;
  const remaining = countTriangles(a, vertexOf, 0);
  return takeAll(new Map(remaining), b, vertexOf, firstOfB, false)
    ? 'same'
    : takeAll(remaining, b, vertexOf, firstOfB, true)
      ? 'reversed'
      : undefined;
}

/** World positions of all vertices of A, then of B. */
function bothPositions(a: Placed, b: Placed): Float64Array {
  const positions = new Float64Array(a.shape.positions.length + b.shape.positions.length);
  let at = 0;
  for (const { shape, pose } of [a, b]) {
    const local = shape.positions;
    for (let i = 0; i < local.length; i += 3, at += 3) {
      applyPose(pose, local[i], local[i + 1], local[i + 2], positions, at);
    }
  }
  return positions;
}

type TriangleKey = number | string;

/** A key that is the same for all rotations of three positions. */
function keyOf(i: number, j: number, k: number, positionCount: number): TriangleKey {
  if (j < i && j < k) [i, j, k] = [j, k, i];
  else if (k < i && k < j) [i, j, k] = [k, i, j];
  // A degenerate triangle with two equal corners may begin with either.
  if (i === k && i !== j) [j, k] = [k, j];
  return positionCount < 200_000 ? (i * positionCount + j) * positionCount + k : `${i},${j},${k}`;
}

function countTriangles(body: Placed, vertexOf: Uint32Array, first: number): Map<TriangleKey, number> {
  const { indices } = body.shape.mesh;
  const counts = new Map<TriangleKey, number>();
  for (let t = 0; t < indices.length; t += 3) {
    const [i, j, k] = [t, t + 1, t + 2].map(corner => vertexOf[first + indices[corner]]);
    const key = keyOf(i, j, k, vertexOf.length);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Whether the body's triangles, reversed if asked, are exactly those in `remaining`, equally often. */
function takeAll(
  remaining: Map<TriangleKey, number>,
  body: Placed,
  vertexOf: Uint32Array,
  first: number,
  reversed: boolean,
): boolean {
  const { indices } = body.shape.mesh;
  for (let t = 0; t < indices.length; t += 3) {
    const i = vertexOf[first + indices[t]];
    const j = vertexOf[first + indices[reversed ? t + 2 : t + 1]];
    const k = vertexOf[first + indices[reversed ? t + 1 : t + 2]];
    const key = keyOf(i, j, k, vertexOf.length);
    const count = remaining.get(key);
    if (!count) return false;
    remaining.set(key, count - 1);
  }
  return true;
}

// For tests only: exact answers by brute force in exact arithmetic, to compare GPU answers with.

import { expect } from 'vitest';
import { areApart, endsOf } from '../../../../../../test/oracle/triangles/triangle-ends.ts';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { applyPose, identity, type Pose } from '../../../math/pose.ts';
import { neighboursMeet } from '../../../math/triangles/triangle-neighbours.ts';
import { trianglesMeet } from '../../../math/triangles/triangle-triangle.ts';
import type { Mesh } from '../../../mesh/mesh.ts';
import type { RawAnswer } from '../../request.ts';

export const place = (mesh: Mesh, pose: Pose = identity()): Placed => ({
  shape: { mesh, positions: mesh.positions, revision: 0 },
  pose,
  poseRevision: 0,
});

/** A column-major pose from the rows of its linear part and a translation. */
export function poseOf(rows: number[][], x = 0, y = 0, z = 0): Pose {
  const [r, s, t] = rows;
  return new Float64Array([r[0], s[0], t[0], 0, r[1], s[1], t[1], 0, r[2], s[2], t[2], 0, x, y, z, 1]);
}

export function rotation(angle: number, [x, y, z]: readonly number[]): number[][] {
  const length = Math.hypot(x, y, z);
  const [u, v, w] = [x / length, y / length, z / length];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const k = 1 - c;
  return [
    [c + k * u * u, k * u * v - s * w, k * u * w + s * v],
    [k * u * v + s * w, c + k * v * v, k * v * w - s * u],
    [k * u * w - s * v, k * v * w + s * u, c + k * w * w],
  ];
}

/** The world corners of every triangle, nine doubles each, computed as the contract says. */
export function worldTriangles({ shape, pose }: Placed): Float64Array {
  const { indices } = shape.mesh;
  const { positions } = shape;
  const out = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const at = 3 * indices[i];
    applyPose(pose, positions[at], positions[at + 1], positions[at + 2], out, 3 * i);
  }
  return out;
}

/**
 * Keys `a b triangleA triangleB` of every two triangles that meet, by the exact predicate on all pairs. Pairs that an
 * axis separates are skipped: comparing doubles rounds nothing.
 */
export function exactPairs(bodies: readonly Placed[]): Set<string> {
  const worlds = bodies.map(worldTriangles);
  const ends = worlds.map(endsOf);
  const pairs = new Set<string>();
  const both = new Float64Array(18);
  for (let a = 0; a < bodies.length; a++) {
    for (let b = a + 1; b < bodies.length; b++) {
      for (let i = 0; i < worlds[a].length; i += 9) {
        both.set(worlds[a].subarray(i, i + 9), 0);
        for (let j = 0; j < worlds[b].length; j += 9) {
          if (areApart(ends[a], (i / 9) * 6, ends[b], (j / 9) * 6)) continue;
          both.set(worlds[b].subarray(j, j + 9), 9);
          if (trianglesMeet(both)) pairs.add(`${a} ${b} ${i / 9} ${j / 9}`);
        }
      }
    }
  }
  return pairs;
}

export function exactSelfPairs(body: Placed): Set<string> {
  const world = worldTriangles(body);
  const pairs = new Set<string>();
  const both = new Float64Array(18);
  for (let i = 0; i < world.length; i += 9) {
    both.set(world.subarray(i, i + 9), 0);
    for (let j = i + 9; j < world.length; j += 9) {
      both.set(world.subarray(j, j + 9), 9);
      if (neighboursMeet(both)) pairs.add(`0 0 ${i / 9} ${j / 9}`);
    }
  }
  return pairs;
}

export function keysOf(answer: RawAnswer, records: Uint32Array): string[] {
  const keys: string[] = [];
  for (let i = 0; i < records.length; i += 3) {
    const [candidate, triangleA, triangleB] = records.subarray(i, i + 3);
    keys.push(
      `${answer.candidates[2 * candidate]} ${answer.candidates[2 * candidate + 1]} ${triangleA} ${triangleB}`,
    );
  }
  return keys;
}

/**
 * Checks that all certain pairs meet, that every pair that meets is certain or unsure, and that none is given twice.
 */
export function expectSound(answer: RawAnswer, exact: ReadonlySet<string>, context: string): void {
  const certain = keysOf(answer, answer.certain);
  const unsure = keysOf(answer, answer.unsure);
  const known = new Set([...certain, ...unsure]);
  expect(known.size, `${context}: a pair was given twice`).toBe(certain.length + unsure.length);
  const wrong = certain.filter(key => !exact.has(key));
  expect(wrong, `${context}: certain, but they do not meet`).toEqual([]);
  const missed = [...exact].filter(key => !known.has(key));
  expect(missed.slice(0, 10), `${context}: ${missed.length} of ${exact.size} pairs are missing`).toEqual([]);
  expect(answer.stats.dispatches, context).toBeGreaterThan(0);
  expect(answer.stats.unsure, context).toBe(unsure.length);
}

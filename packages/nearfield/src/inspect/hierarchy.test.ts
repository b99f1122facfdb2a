// Tests the steps of the trees: no pair that meets may be missing from the last front. The oracle tests every triangle
// against every triangle exactly, and checks boxes against the corners of triangles.

import { afterAll, describe, expect, it } from 'vitest';
import { Failures } from '../../../../test/oracle/failures.ts';
import { randomFrom, whole } from '../../../../test/oracle/triangles/generators.ts';
import { exactPairs, hardPair, place, randomMesh } from '../interferences/hierarchy/cpu/testing/scenes.ts';
import { identity } from '../math/pose.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { open } from '../nearfield.ts';
import { icosphere, torus } from '../shapes/index.ts';
import type { HierarchySteps } from './hierarchy.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const rounds = process.env['NEARFIELD_SLOW'] ? 300 : 5;

async function stepsOf(a: Mesh, b: Mesh, poseA: Float64Array, poseB: Float64Array): Promise<HierarchySteps> {
  const scene = nf.scene();
  const bodies = [scene.add(a, { pose: poseA }), scene.add(b, { pose: poseB })] as const;
  try {
    return await scene.steps(bodies, { method: 'hierarchy' });
  } finally {
    scene.close();
  }
}

/** The leaf per triangle. */
function leavesOf(triangles: Uint32Array): Map<number, number> {
  return new Map(Array.from(triangles, (triangle, slot) => [triangle, slot >> 2]));
}

const keyOf = (a: number, b: number): string => `${a} ${b}`;
function keysOf(front: Uint32Array): Set<string> {
  const keys = new Set<string>();
  for (let i = 0; i < front.length; i += 2) keys.add(keyOf(front[i], front[i + 1]));
  return keys;
}

describe.each(['grid', 'rigid', 'scaled', 'sheared', 'mirrored', 'far 1e6'] as const)(
  'trees placed %s',
  kind => {
    it('lead to every pair of triangles that meets, level by level', async () => {
      const failures = new Failures();
      for (let round = 0; round < rounds; round++) {
        const seed = round * 53 + kind.length;
        const random = randomFrom(seed);
        const [a, b] = [randomMesh(random, whole(random, 1, 90)), randomMesh(random, whole(random, 1, 400))];
        const [poseA, poseB] = hardPair(random, kind);
        const found = await stepsOf(a, b, poseA, poseB);
        const { levels, triangles, trianglePairs } = found;
        const [leafA, leafB] = triangles.map(leavesOf);
        const last = keysOf(levels.at(-1)!.front);
        const meeting = [...exactPairs(place(a, poseA), place(b, poseB))].map(key =>
          key.split(' ').map(Number),
        );
        expect(Array.from(trianglePairs), `seed ${seed}`).toEqual(meeting.flat());
        for (const [i, j] of meeting) {
          failures.check(last.has(keyOf(leafA.get(i)!, leafB.get(j)!)), () => `seed ${seed}: ${i}, ${j}`);
        }
        expect(found.candidates, `seed ${seed}`).toBeGreaterThanOrEqual(meeting.length);
        for (let step = 1; step < levels.length; step++) {
          const above = keysOf(levels[step - 1].front);
          const [downA, downB] = (['a', 'b'] as const).map(side =>
            levels[step][side] === levels[step - 1][side] ? 0 : 2,
          );
          const { front, tested } = levels[step];
          expect(front.length / 2, `seed ${seed}`).toBeLessThanOrEqual(tested);
          for (let i = 0; i < front.length; i += 2) {
            const parent = keyOf(front[i] >> downA, front[i + 1] >> downB);
            failures.check(above.has(parent), () => `seed ${seed}, level ${step}: no parent ${parent}`);
          }
        }
      }
      expect(failures.list).toEqual([]);
    });
  },
);

it('has boxes that contain their triangles, and parents that contain their children', async () => {
  const ball = icosphere({ frequency: 12 });
  const turned = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.7, 0.2, 0.1, 1);
  const { levels, triangles } = await stepsOf(
    ball,
    torus(),
    turned.map((v, i) => (i % 5 ? 0 : v)),
    turned,
  );
  const leaves = levels.at(-1)!.a;
  expect(levels[0].a.count).toBe(1);
  expect(leaves.count).toBe(Math.ceil(ball.triangleCount / 4));
  const failures = new Failures();
  triangles[0].forEach((triangle, slot) => {
    const box = leaves.boxes.subarray(6 * (slot >> 2), 6 * (slot >> 2) + 6);
    for (let corner = 0; corner < 3; corner++) {
      for (let axis = 0; axis < 3; axis++) {
        const at = ball.positions[3 * ball.indices[3 * triangle + corner] + axis];
        failures.check(
          Math.abs(at - box[axis]) <= box[3 + axis],
          () => `triangle ${triangle}, corner ${corner}, axis ${axis}: ${at}`,
        );
      }
    }
  });
  const all = levels.map(({ a }) => a).filter((level, i, list) => level !== list[i - 1]);
  for (let depth = 1; depth < all.length; depth++) {
    for (let node = 0; node < all[depth].count; node++) {
      for (let axis = 0; axis < 3; axis++) {
        const [child, parent] = [all[depth].boxes, all[depth - 1].boxes];
        const [c, p] = [6 * node + axis, 6 * (node >> 2) + axis];
        // Both are rounded outwards, by at most the same amounts.
        const slack = 2 ** -22;
        failures.check(
          Math.abs(child[c] - parent[p]) + child[c + 3] <= parent[p + 3] + slack,
          () => `depth ${depth}, node ${node}, axis ${axis}`,
        );
      }
    }
  }
  expect(failures.list).toEqual([]);
});

it('tests about as many boxes as the engine, which opens the larger of two nodes first', async () => {
  const scene = nf.scene();
  const [a, b] = [scene.add(icosphere({ frequency: 16 })), scene.add(torus())];
  b.pose = Float64Array.of(1, 0, 0, 0, 0, 0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0.4, 0.3, 0.2, 1);
  const { levels, trianglePairs } = await scene.steps([a, b], { method: 'hierarchy' });
  const tested = levels.reduce((sum, level) => sum + level.tested, 0);
  const found = await scene.interferences({ traversal: 'walk' });
  expect(trianglePairs).toEqual(found.pairs[0].triangles);
  expect(tested).toBeLessThan(1.2 * found.stats.boxTests);
  expect(tested).toBeGreaterThan(0.8 * found.stats.boxTests);
  scene.close();
});

it('has no levels if a body has no triangles', async () => {
  const empty = mesh(new Float64Array(0), new Uint32Array(0));
  const { levels, candidates, trianglePairs } = await stepsOf(empty, torus(), identity(), identity());
  expect({ levels, candidates, pairs: trianglePairs.length }).toEqual({
    levels: [],
    candidates: 0,
    pairs: 0,
  });
});

it('needs two bodies and a method that has steps', async () => {
  const scene = nf.scene();
  const [a, b] = [scene.add(torus()), scene.add(torus())];
  const refused = (code: string) => expect.objectContaining({ code });
  await expect(scene.steps([a, a], { method: 'hierarchy' })).rejects.toEqual(refused('bad-option'));
  await expect(scene.steps([a, b], { method: 'layers' })).rejects.toEqual(refused('no-gpu'));
  await expect(scene.steps([a, b], { method: 'nothing' as never })).rejects.toEqual(refused('unsupported'));
  scene.close();
});

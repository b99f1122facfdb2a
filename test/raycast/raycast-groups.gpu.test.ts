// Lists in tiles that groups of bodies share: as complete as one tile per candidate, with tiles that grow with bodies.

import { type Body, type CpuScene, type Mesh, type Scene, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { holdToBounds, keyOf } from '../spec/sampled/bounds.ts';
import { boxBetween, solidParts } from '../spec/sampled/solids.ts';
import { rigid, translation } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const both = openBoth();
const method = 'raycast';

function sceneOf(parts: readonly { mesh: Mesh; pose: readonly number[] }[]): {
  scene: Scene;
  oracle: CpuScene;
} {
  const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
  for (const { mesh, pose } of parts) {
    scene.add(mesh, { pose });
    oracle.add(mesh, { pose });
  }
  return { scene, oracle };
}

/** Rods through one place, in all directions. */
function rods(count: number) {
  const random = shapes.createRandom(1);
  const mesh = shapes.box({ size: [4, 0.12, 0.12] });
  return sceneOf(Array.from({ length: count }, () => ({ mesh, pose: rigid(random, 0.5) })));
}

test('tiles grow with bodies, not with candidates, for crossed rods', async () => {
  const seen: number[][] = [];
  for (const count of [8, 16, 32]) {
    const { scene, oracle } = rods(count);
    const answer = await scene.sampledInterferences({ method, resolution: 24 });
    seen.push([answer.raycast.tiles, answer.stats.triangleTests]);
    expect(oracle.candidates().length).toBeGreaterThan(3 * count);
    expect(answer.complete).toBe(true);
    expect(answer.length).toBeGreaterThan(count / 2);
    scene.close();
    oracle.close();
  }
  expect(seen).toEqual([8, 16, 32].map(count => [1, 12 * count]));
});

test('more bodies than the CPU looks at: dense ones share a tile, others have one tile per candidate', async () => {
  const mesh = boxBetween([0, 0, 0], [1, 1, 1]);
  // Ten piles, in each of which every box meets every other.
  const dense = both.gpu.scene();
  for (let i = 0; i < 260; i++) {
    dense.add(mesh, { pose: translation(3 * (i % 10) + 0.0007 * i, 0.0003 * i, 0.002 * i) });
  }
  const answer = await dense.sampledInterferences({ method, resolution: 64 });
  expect(answer.length).toBe(10 * ((26 * 25) / 2));
  expect([answer.raycast.tiles, answer.complete]).toEqual([10, true]);
  // With most pairs left out there are fewer candidates than bodies.
  const sparse = await dense.sampledInterferences({
    ...{ method, resolution: 64 },
    keep: (a, b) => b.index === a.index + 10,
  });
  expect([sparse.length, sparse.raycast.tiles]).toEqual([250, 250]);
  dense.close();
});

describe('random groups of solids are held to the bounds', () => {
  const seeds = Array.from({ length: slow ? 30 : 2 }, (_, i) => 500 + i);
  test.each(seeds)('seed %i', async seed => {
    const random = shapes.createRandom(seed);
    const views = (1 + random.integer(3)) as 1 | 2 | 3;
    const { scene, oracle } = sceneOf(solidParts(random, slow ? 30 : 12, slow ? 2 : 1.2));
    const resolution = 48;
    const answer = await scene.sampledInterferences({ method, resolution, views });
    const candidates = [...oracle.candidates()];
    expect(answer.raycast.tiles, `seed ${seed}`).toBeLessThan(candidates.length);
    holdToBounds(oracle, answer, random, `seed ${seed}`);
    // The same pairs with edges, which lie on the edge and in or near the other body.
    const edges = await scene.sampledInterferences({ method, ask: 'edges', resolution, views });
    for (const pair of answer.pairs) expect(edges.pairs.map(keyOf)).toContain(keyOf(pair));
    for (const pair of edges.pairs) {
      const { body, points } = edges.edgesOf(pair)!;
      const other = (i: number) => oracle.bodies[(body[i] === 0 ? pair.b : pair.a).index];
      for (let i = 0; i < body.length; i += 7) {
        const point = points.slice(3 * i, 3 * i + 3);
        if (oracle.insideSync(other(i), point)[0] === 1) continue;
        const { distances } = oracle.closestSync(other(i), point);
        expect(distances[0], `seed ${seed}`).toBeLessThan(2 * edges.raycast.pixel);
      }
    }
    scene.close();
    oracle.close();
  });
});

test('a filter leaves candidates out of a shared tile', async () => {
  const { scene, oracle } = rods(20);
  const all = await scene.sampledInterferences({ method, resolution: 32 });
  const even = (a: Body, b: Body) => (a.index + b.index) % 2 === 0;
  const some = await scene.sampledInterferences({ method, resolution: 32, keep: even });
  const wanted = all.pairs.filter(({ a, b }) => even(a, b));
  // Without the others, two groups are left.
  expect([all.raycast.tiles, some.raycast.tiles]).toEqual([1, 2]);
  // Pixels depend on the candidates, so only what both surely find is compared.
  const exact = new Set(oracle.interferencesSync({ detail: 'any' }).pairs.map(keyOf));
  for (const pair of some.pairs) expect(even(pair.a, pair.b) && exact.has(keyOf(pair))).toBe(true);
  expect(some.length).toBeGreaterThan(wanted.length / 2);
  scene.close();
  oracle.close();
});

test('more bodies around a ray than it can follow at once', async () => {
  const parts = Array.from({ length: 66 }, (_, i) => ({
    mesh: boxBetween([-1, -1, -1], [1, 1, 1]),
    pose: translation(0.003 * i, 0.002 * i, 0.001 * i),
  }));
  const { scene, oracle } = sceneOf(parts);
  const answer = await scene.sampledInterferences({ method, resolution: 4 });
  expect(answer.length).toBe((66 * 65) / 2);
  expect(answer.raycast.tiles).toBe((66 * 65) / 2);
  scene.close();
  oracle.close();
});

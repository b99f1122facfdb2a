// Rays of which a GPU found the triangles, tested and decided by several threads: the answer is that of the CPU alone,
// bit for bit, whatever else the GPU lists, and in whatever order threads find hits. So are the answers that follow, whose
// rays are copied to the same memory.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { leftOpen } from '../bvh/given-triangles.ts';
import { type CpuEngine, createCpuEngine } from '../cpu/engine.ts';
import { allStarted } from '../cpu/threads/testing.ts';
import { fakeEngine } from '../gpu/testing/fake-engine.ts';
import { Scene } from '../scene.ts';
import * as shapes from '../shapes/index.ts';
import type { GpuRayDriver } from './driver.ts';
import type { RayHits } from './hits.ts';

const count = 30_000;
const model = shapes.torusKnot({ segments: 120, sides: 10 });

let cpu: CpuEngine;
beforeAll(async () => {
  cpu = await createCpuEngine({ threads: 3 });
  await cpu.compile();
  await allStarted(cpu);
});
afterAll(() => cpu.close());

/** A list that a GPU could give: all that a ray hits, and some other triangles. Every `openEach`-th ray is left open. */
function candidatesOf(all: RayHits, random: shapes.Random, openEach: number) {
  const ranges = new Uint32Array(2 * count);
  const words: number[] = [];
  let hit = 0;
  for (let ray = 0; ray < count; ray++) {
    const triangles = new Set<number>();
    for (; hit < all.count && all.rays[hit] === ray; hit++) triangles.add(all.triangles[hit]);
    for (let k = ray % 3; k > 0; k--) triangles.add(random.integer(model.triangleCount));
    const isOpen = ray % openEach === 0;
    ranges[2 * ray] = words.length;
    ranges[2 * ray + 1] = isOpen ? leftOpen : triangles.size;
    if (!isOpen) words.push(...Array.from(triangles, triangle => 2 * triangle + 1));
  }
  return { ranges, words: Uint32Array.from(words) };
}

it('is decided as by the CPU alone', async () => {
  const alone = new Scene(cpu, cpu);
  const body = alone.add(model);
  for (const [seed, openEach] of [
    [1, 7],
    [2, 1000],
    [3, 100],
  ]) {
    const random = shapes.createRandom(seed);
    const rays = Float64Array.from(
      { length: 6 * count },
      (_, i) => random.between(-1, 1) * (i % 6 < 3 ? 2 : 1),
    );
    const all = await alone.rays(body, rays, { hits: 'all' });
    const candidates: GpuRayDriver['candidates'] = async () => candidatesOf(all, random, openEach);
    const scene = new Scene(fakeEngine({ rays: { candidates } }), cpu);
    const own = scene.add(model);
    for (const hits of ['first', 'all', 'first'] as const) {
      const { backend, ...found } = await scene.rays(own, rays, { hits });
      expect(backend).toBe('gpu');
      const { backend: _, ...wanted } = hits === 'all' ? all : await alone.rays(body, rays);
      expect(found.count).toBe(wanted.count);
      for (const name of ['rays', 'triangles', 'times', 'weights', 'crossings', 'firsts'] as const) {
        const wrong = wanted[name].findIndex((x: number, i: number) => !Object.is(x, found[name][i]));
        expect(wrong, `${name}, ${hits}, seed ${seed}`).toBe(-1);
      }
    }
    scene.close();
  }
  alone.close();
});

// What 'auto' opens answers on a GPU or on the CPU: always the same, and with whatever only one of them can do.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { bufferOf } from '../gpu/testing/test-buffers.ts';
import { testDevice } from '../gpu/testing/test-device.ts';
import { type CpuNearfield, type Nearfield, open } from '../nearfield.ts';
import type { Scene } from '../scene.ts';
import { box, icosphere } from '../shapes/index.ts';

let device: GPUDevice;
let auto: Nearfield;
let cpu: CpuNearfield;
beforeAll(async () => {
  device = (await testDevice()).device;
  auto = await open({ backend: 'auto', device });
  cpu = await open({ backend: 'cpu' });
}, 120_000);
afterAll(() => {
  auto.close();
  cpu.close();
});

const poses = Array.from({ length: 5 }, (_, i) => [
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  0.7 * i,
  0.1 * i,
  0,
  1,
]);

function filled(nf: Nearfield): Scene {
  const scene = nf.scene();
  for (const [i, pose] of poses.entries()) scene.add(i % 2 ? box() : icosphere({ frequency: 3 }), { pose });
  return scene;
}

/** Every question that both backends answer, with who answered. */
async function askAll(scene: Scene) {
  const [a, b] = scene.bodies;
  const points = Float64Array.from({ length: 600 }, (_, i) => Math.sin(i));
  const [list, count, any] = [
    await scene.interferences(),
    await scene.interferences({ detail: 'count' }),
    await scene.interferences({ detail: 'any' }),
  ];
  const self = await scene.selfIntersections(a);
  const [within, distance] = [await scene.within(0.2), await scene.distance(a, scene.bodies[4])];
  const closest = await scene.closest(a, points);
  const [contacts, overlap] = [await scene.contacts(a, b), await scene.overlap(a, b)];
  const answers = [list, count, any, self, within, distance, contacts, overlap];
  for (const { stats, backend } of answers) expect(stats.backend).toBe(backend);
  return {
    who: new Set([...answers.map(({ backend }) => backend), closest.backend]),
    what: {
      list: list.pairs.map(pair => [pair.a.index, pair.b.index, pair.relation, [...pair.triangles]]),
      count: [...count.triangleCounts!],
      any: [...any.indices],
      self: [...self.triangles],
      within: within.pairs.map(pair => [pair.a.index, pair.b.index, pair.distance]),
      distance: distance.distance,
      closest: [closest.triangles, closest.distances],
      contacts: contacts.patches.map(({ depth, area }) => [depth, area]),
      overlap: [overlap.volume, overlap.area],
      curves: (await scene.curves(a, b)).length,
    },
  };
}

test('both backends are asked, and all answers are those of the CPU', async () => {
  expect(auto.backend).toBe('gpu');
  const scene = filled(auto);
  const { what } = await askAll(filled(cpu));
  const who = new Set<string>();
  for (let turn = 0; turn < 4; turn++) {
    const found = await askAll(scene);
    expect(found.what).toEqual(what);
    for (const backend of found.who) who.add(backend);
  }
  // The software GPU of the tests is slow, so that the CPU answers most.
  expect(who).toContain('cpu');
  scene.close();
}, 120_000);

test('what only a GPU can answer, it answers', async () => {
  const scene = filled(auto);
  expect((await scene.interferences({ traversal: 'walk' })).backend).toBe('gpu');
  expect((await scene.interferences({ method: 'visibility', resolution: 64 })).backend).toBe('gpu');
  scene.setPoses(bufferOf(device, Float32Array.from(poses.flat()), 16));
  expect((await scene.interferences()).backend).toBe('gpu');
  scene.close();
}, 120_000);

test('what answers took can be kept and given to the next opening', async () => {
  const scene = filled(auto);
  for (let i = 0; i < 3; i++) await scene.interferences();
  scene.close();
  const costs = auto.costs()!;
  expect(costs.device).toBe(auto.name);
  expect(costs.sums['interferences list']).toBeDefined();
  const again = await open({ backend: 'auto', device, costs: JSON.parse(JSON.stringify(costs)) });
  expect(again.costs()!.sums['interferences list']).toBeDefined();
  again.close();
  expect(cpu.costs()).toBeUndefined();
}, 120_000);

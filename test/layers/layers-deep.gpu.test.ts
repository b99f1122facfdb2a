// Lines with very many layers: they are put in order in n·log₂ n steps, and the order is right.

import { shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { boxBetween, joined } from '../spec/sampled/solids.ts';

const both = openBoth();
const { sceneOf } = both;

/** Plates at random depths in random order, so that lists are made in no order. Returns the order along the lines. */
function plates(count: number, seed: number) {
  const random = shapes.createRandom(seed);
  const owners = Array.from({ length: count }, (_, i) => (i < 2 ? i : random.integer(2)));
  const parts = owners.map((owner, i) => {
    const side = 7 + random.between(0.1, 0.3);
    return { owner, plate: boxBetween([0, 0, i], [side, side, i + 0.5]), key: random.next() };
  });
  const shuffled = parts.toSorted((p, q) => p.key - q.key);
  const of = (own: number) =>
    joined(...shuffled.filter(({ owner }) => owner === own).map(({ plate }) => plate));
  return { a: of(0), b: of(1), order: owners.map(owner => (owner === 0 ? 'AA' : 'BB')).join('') };
}

test('1,402 layers are ordered in n·log₂ n steps per line', async () => {
  const seed = 7;
  const { a, b, order } = plates(701, seed);
  const scene = sceneOf([a], [b]);
  const asked = { method: 'layers', direction: [0, 0, 1], spikes: false, resolution: 8 } as const;
  const answer = await scene.sampledInterferences({ ...asked, algorithm: 'general', layers: 2048 });
  const { layers } = answer;
  const n = order.length;
  expect([layers.mostLayers, answer.length], `seed ${seed}`).toEqual([n, 0]);
  expect(layers.general).toBeGreaterThan(30);
  const [first, second] = scene.bodies;
  const [map] = answer.mapsOf({ a: first, b: second });
  let deep = 0;
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      const known = map.orderAt(column, row);
      if (known?.length !== n) continue;
      deep++;
      expect(known === order, `pixel ${column}, ${row}`).toBe(true);
    }
  }
  expect(deep).toBeGreaterThan(30);
  // A merge sort takes n·⌈log₂ n⌉ steps of one comparison each. Finding the next layer again and again would take n²/2.
  expect(layers.sortSteps).toBeLessThanOrEqual(layers.general * n * Math.ceil(Math.log2(n)));
  expect(layers.sortSteps).toBeGreaterThan(0.4 * deep * n * Math.log2(n));
  scene.close();
});

test('distance maps of deep lines agree with exact lines', async () => {
  const { a, b } = plates(201, 8);
  const gpu = sceneOf([a], [b]);
  const cpu = both.cpu.scene();
  cpu.add(a);
  cpu.add(b);
  const asked = { direction: [0, 0, 1], resolution: 6 } as const;
  const [seen, exact] = await Promise.all(
    [gpu, cpu].map(scene => scene.distanceMap(scene.bodies[0], scene.bodies[1], asked)),
  );
  expect(seen.distance.length).toBe(exact.distance.length);
  exact.distance.forEach((distance, pixel) => {
    if (Number.isNaN(distance)) expect(seen.distance[pixel]).toBeNaN();
    else expect(Math.abs(seen.distance[pixel] - distance)).toBeLessThanOrEqual(seen.error + exact.error);
  });
  gpu.close();
  cpu.close();
});

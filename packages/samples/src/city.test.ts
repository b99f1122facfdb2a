import { open } from 'nearfield';
import { expect, test } from 'vitest';
import { cityParts } from './city.ts';

test('a city has as many parts as asked for, of few shapes, and some that clash', async () => {
  const parts = cityParts(2000);
  expect(parts.length).toBe(2000);
  expect(cityParts(500)[499].name).toBe(cityParts(500)[499].name);
  expect(new Set(parts.map(({ mesh }) => mesh)).size).toBe(7);
  expect(new Set(parts.map(({ name }) => name)).size).toBe(2000);
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  for (const { name, mesh, pose } of parts) scene.add(mesh, { name, pose });
  const pairs = (await scene.interferences()).pairs;
  const relations = await (await scene.interferences()).relations();
  expect(relations.filter(relation => relation === 'crossing').length).toBeGreaterThan(50);
  // Sparse enough: what a city has is mostly apart.
  expect(pairs.length).toBeLessThan(20_000);
  nf.close();
});

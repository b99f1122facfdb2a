import { expect, it } from 'vitest';
import { drawPair, rememberNormals } from '../draw/picture.ts';
import { ball, cube, pairOf } from '../test-bodies.ts';
import { ViewerPacker } from './data.ts';
import { pack, unpack } from './packed.ts';

const size = { width: 60, height: 40, samples: 1 };

it('packs numbers, and unpacks the same', async () => {
  const numbers = Float32Array.from({ length: 100_001 }, (_, i) => Math.sin(i) * 1e6);
  const packed = await pack(numbers);
  expect(packed).toMatch(/^[\w+/]+=*$/);
  expect(new Float32Array(await unpack(packed))).toEqual(numbers);
  expect(await unpack(await pack(new Uint32Array(0)))).toHaveProperty('byteLength', 0);
});

it('carries each body once, exactly enough however far away it is', async () => {
  const far = 2 ** 24 + 0.5;
  const bodies = [cube('a', [far, 0, 0], 1), cube('b', [far + 0.75, 0, 0], 1), cube('c', [far, 0, 0.75], 1)];
  const packer = new ViewerPacker();
  for (const pair of [pairOf(0, 1, 'crossing'), pairOf(0, 2, 'contains')]) {
    await packer.add(bodies, pair, drawPair({ bodies, pairs: [pair] }, pair, rememberNormals(), size));
  }
  const { meshes, pairs } = packer.data();
  expect(meshes).toHaveLength(3);
  expect(pairs.map(({ a, b, glass, kind }) => [a, b, glass, kind])).toEqual([
    [0, 1, undefined, 'crossing'],
    [0, 2, 'a', 'crossing'],
  ]);
  for (const [i, { center, positions, indices }] of meshes.entries()) {
    const points = new Float32Array(await unpack(positions));
    expect(Float64Array.from(points, (value, k) => value + center[k % 3])).toEqual(bodies[i].positions);
    expect(new Uint32Array(await unpack(indices))).toEqual(bodies[i].indices);
  }
  expect(new Uint32Array(await unpack(pairs[0].marksA))).toEqual(
    Uint32Array.from({ length: 12 }, (_, i) => i),
  );
});

it('carries only the part of a large body around the contact', async () => {
  const bodies = [ball('a', 0, 200), cube('b', [1, 0, 0], 0.1)];
  const meeting = { ...pairOf(0, 1, 'crossing'), triangles: Uint32Array.of(40_000, 0, 159_999, 1) };
  const packer = new ViewerPacker();
  const picture = drawPair({ bodies, pairs: [meeting] }, meeting, rememberNormals(), size);
  await packer.add(bodies, meeting, { ...picture, center: [1, 0, 0] });
  const { meshes, pairs } = packer.data();
  expect(bodies[0].triangles).toBe(160_000);
  expect(meshes[0].of).toBe(160_000);
  expect(meshes[1].of).toBe(undefined);
  const corners = new Uint32Array(await unpack(meshes[0].indices));
  const points = new Float32Array(await unpack(meshes[0].positions));
  expect(corners).toHaveLength(300_000);
  expect(
    Math.max(...[0, 1, 2].map(k => corners.reduce((most, c) => Math.max(most, points[3 * c + k]), 0))),
  ).toBeLessThan(1.01);
  // The nearest 100,000 of 160,000 triangles: all with x > 0, none near x = -1.
  const least = corners.reduce((low, c) => Math.min(low, points[3 * c] + meshes[0].center[0]), 1);
  expect(least).toBeLessThan(0);
  expect(least).toBeGreaterThan(-0.9);
  const marks = new Uint32Array(await unpack(pairs[0].marksA));
  expect(marks.length).toBeLessThanOrEqual(2);
});

// Both backends traverse the same binary trees if the CPU takes the GPU's order of leaves: they test the same boxes, up to
// what single precision decides.

import { type Mesh, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { rigid } from '../spec/scenes.ts';

const both = openBoth();
const published = { traversal: 'breadth-first', coherence: 'none' } as const;

const meshes: readonly (readonly [name: string, mesh: () => Mesh])[] = [
  ['a sphere', () => shapes.icosphere({ frequency: 9 })],
  ['a knot', () => shapes.torusKnot({ segments: 60, sides: 7 })],
  ['more than 4,096 triangles', () => shapes.torus({ majorSegments: 60, minorSegments: 40 })],
];

test.each(meshes)('%s: the same box tests on both backends', async (name, make) => {
  const mesh = make();
  const random = shapes.createRandom(3);
  let [splits, hilbert, gpu] = [0, 0, 0];
  for (let round = 0; round < 4; round++) {
    const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
    for (let i = 0; i < 2; i++) {
      const pose = rigid(random, 0.3);
      scene.add(mesh, { pose });
      oracle.add(mesh, { pose });
    }
    const onGpu = await scene.interferences(published);
    const same = await oracle.interferences({ ...published, leaves: 'hilbert' });
    const other = await oracle.interferences(published);
    expect(same.indices, name).toEqual(onGpu.indices);
    expect([...same].map(({ triangles }) => [...triangles])).toEqual(
      [...onGpu].map(({ triangles }) => [...triangles]),
    );
    expect(other.length).toBe(same.length);
    [splits, hilbert, gpu] = [
      splits + other.stats.boxTests,
      hilbert + same.stats.boxTests,
      gpu + onGpu.stats.boxTests,
    ];
    scene.close();
    oracle.close();
  }
  // The GPU's boxes are larger by what single precision may be off.
  expect(gpu).toBeGreaterThanOrEqual(hilbert);
  expect(gpu).toBeLessThan(1.003 * hilbert);
  expect(splits).not.toBe(hilbert);
});

test('a GPU has no other order, and other traversals have none', async () => {
  const scene = both.sceneOf([shapes.box()], [shapes.box()]);
  await expect(scene.interferences({ ...published, leaves: 'splits' })).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('leaves'),
  });
  await expect(async () => scene.interferences({ leaves: 'hilbert' })).rejects.toMatchObject({
    code: 'bad-option',
    message: expect.stringContaining('breadth-first'),
  });
  expect((await scene.interferences({ ...published, leaves: 'hilbert' })).length).toBe(1);
});

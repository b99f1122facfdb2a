import { expect, test } from 'vitest';
import { testDevice } from '../gpu/testing/test-device.ts';
import { open } from '../nearfield.ts';
import * as shapes from '../shapes/index.ts';

test('first contacts in a scene on the GPU are those of the CPU', async () => {
  const answers = [];
  for (const backend of ['cpu', 'gpu'] as const) {
    const nf = await open(backend === 'gpu' ? { device: (await testDevice()).device } : { backend });
    const scene = nf.scene();
    const box = shapes.box({ size: [1, 1, 1] });
    const at = (x: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, z, 1];
    scene.add(shapes.box({ size: [8, 8, 0.01] }));
    const falling = scene.add(box, { pose: at(0, 3) });
    const inFloor = scene.add(box, { pose: at(2, 0.25) });
    const ball = scene.add(shapes.icosphere({ frequency: 4 }), { pose: at(-2, 2) });
    const positions = Float64Array.from(ball.mesh.positions, (x, i) => (i % 3 === 2 ? 2 * x - 2 : x));
    const bodies = [
      { body: falling, to: at(0.125, -40) },
      { body: inFloor, to: at(2, 8) },
      { body: ball, positions },
    ];
    const asked = [{}, { which: 'earliest' }, { which: 'triangles', self: true }] as const;
    for (const options of asked) {
      const found = await scene.firstContact({ bodies }, options);
      answers.push(found.map(({ a, b, ...rest }) => ({ a: a.index, b: b.index, ...rest })));
    }
    nf.close();
  }
  const [all, earliest, triangles] = answers;
  expect(all.map(({ a, b, state, relation }) => [a, b, state, relation])).toEqual([
    [0, 2, 'initial', 'crossing'],
    [0, 1, 'contact', undefined],
    [0, 3, 'contact', undefined],
  ]);
  expect(earliest).toEqual(all.slice(0, 1));
  expect(triangles.length).toBeGreaterThan(10);
  expect(answers.slice(3)).toEqual([all, earliest, triangles]);
});

test('sweeps, nearest approaches and first contacts of bodies that turn are those of the CPU', async () => {
  const answers = [];
  for (const backend of ['cpu', 'gpu'] as const) {
    const nf = await open(backend === 'gpu' ? { device: (await testDevice()).device } : { backend });
    const scene = nf.scene();
    const bar = scene.add(shapes.box({ size: [4, 0.5, 0.5] }));
    scene.add(shapes.box({ size: [0.2, 0.2, 0.2] }), {
      pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1.5, 0, 1],
    });
    scene.add(shapes.icosphere({ frequency: 2 }), {
      pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3.5, 0, 0, 1],
    });
    const motion = { bodies: [{ body: bar, to: [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }] };
    const asked = [scene.firstContact(motion), scene.sweep(motion), scene.nearestApproach(motion)];
    for (const found of await Promise.all(asked))
      answers.push(found.map(({ a, b, ...rest }) => ({ a: a.index, b: b.index, ...rest })));
    nf.close();
  }
  expect(answers.slice(0, 3).map(({ length }) => length)).toEqual([1, 1, 2]);
  expect(answers.slice(3)).toEqual(answers.slice(0, 3));
});

import { expect, test } from 'vitest';
import { hasPublishedQueries, publishedQueries } from '../../../../test/oracle/motion/published-queries.ts';
import { testDevice } from '../gpu/testing/test-device.ts';
import { mesh } from '../mesh/mesh.ts';
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

test.skipIf(!hasPublishedQueries).each(['vf', 'ee'] as const)('the published %s queries', async kind => {
  const { queries, truth } = publishedQueries(kind);
  // A vertex is a triangle of three equal corners, an edge one of two.
  const corners = kind === 'vf' ? [0, 0, 0, 1, 2, 3] : [0, 1, 1, 2, 3, 3];
  const answers = [];
  for (const backend of ['cpu', 'gpu'] as const) {
    const nf = await open(backend === 'gpu' ? { device: (await testDevice()).device } : { backend });
    const found = [];
    for (const query of queries) {
      const scene = nf.scene();
      const [a, b] = [0, 3].map(first => {
        const places = [0, 12].map(time =>
          Float64Array.from(
            { length: 9 },
            (_, i) => query[time + 3 * corners[first + Math.floor(i / 3)] + (i % 3)],
          ),
        );
        return { body: scene.add(mesh(places[0], Uint32Array.of(0, 1, 2))), positions: places[1] };
      });
      const [contact] = await scene.firstContact({ bodies: [a, b] });
      found.push(contact && { state: contact.state, time: contact.time });
      scene.close();
    }
    answers.push(found);
    nf.close();
  }
  expect(answers[0].map(contact => contact !== undefined)).toEqual(truth);
  expect(answers[1]).toEqual(answers[0]);
});

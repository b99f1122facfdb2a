import { expect, test } from 'vitest';
import { hasPublishedQueries, publishedQueries } from '../../../../test/oracle/motion/published-queries.ts';
import { createCpuEngine } from '../cpu/engine.ts';
import { bufferOf } from '../gpu/testing/test-buffers.ts';
import { testDevice } from '../gpu/testing/test-device.ts';
import { mesh } from '../mesh/mesh.ts';
import { open } from '../nearfield.ts';
import { createGpuEngine } from '../open-gpu.ts';
import { Scene } from '../scene.ts';
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

test('questions asked at once, about bodies that a GPUBuffer deformed and that change meanwhile, have the answers of the CPU', async () => {
  const { device } = await testDevice();
  const [gpu, cpu] = [
    await createGpuEngine({ device, settings: { leastMoving: 0 } }),
    await createCpuEngine(),
  ];
  const random = shapes.createRandom(18690731);
  const sheet = shapes.cloth({ triangles: 600, steepness: 2.2 });
  const own = mesh(Float32Array.from(sheet.positions), sheet.indices);
  const shaken = (by: number) => Float32Array.from(own.positions, x => x + by * (random.next() - 0.5));
  const [first, second, third] = [shaken(0.02), shaken(0.02), shaken(0.2)];
  const ball = shapes.icosphere({ frequency: 3 });
  const answers = [];
  for (const engine of [gpu, cpu]) {
    const scene = new Scene(engine, cpu);
    const cloth = scene.add(own);
    const falling = scene.add(ball, { pose: [0.3, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.3, 0, 0, 0, 1, 1] });
    const buffer = engine === gpu ? bufferOf(device, first) : undefined;
    cloth.deform(buffer ?? first);
    const to = [0.3, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.3, 0, 0, 0, -1, 1];
    const motion = {
      bodies: [
        { body: cloth, positions: second },
        { body: falling, to },
      ],
    };
    const options = { which: 'triangles', self: true } as const;
    const asked = [
      scene.firstContact(motion, options),
      scene.firstContact(motion, options),
      scene.sweep(motion),
    ];
    // The question under way is about the bodies as they were.
    cloth.deform(third);
    falling.pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 9, 9, 1];
    asked.push(scene.firstContact({ bodies: [{ body: cloth, positions: first }] }, options));
    const found = await Promise.all(asked);
    expect(found.map(({ backend }) => backend)).toEqual(found.map(() => engine.backend));
    answers.push(found.map(list => list.map(({ a, b, ...rest }) => ({ a: a.index, b: b.index, ...rest }))));
    scene.close();
    buffer?.destroy();
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0].every(list => list.length > 0)).toBe(true);
  expect(answers[0][1]).toEqual(answers[0][0]);
  gpu.close();
  cpu.close();
});

test.each(['throws', 'aborts'])(
  'a progress that %s, early or late, ends the question, and the next answer is right',
  async how => {
    const { device } = await testDevice();
    const [gpu, cpu] = [
      await createGpuEngine({ device, settings: { leastMoving: 0 } }),
      await createCpuEngine(),
    ];
    const ball = shapes.icosphere({ frequency: 2 });
    const scene = new Scene(gpu, cpu);
    const to = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -3, 1];
    scene.add(ball);
    const bodies = [{ body: scene.add(ball, { pose: [...to.slice(0, 14), 3, 1] }), to }];
    const plain = async (limits: object) =>
      (await scene.firstContact({ bodies }, { which: 'triangles', ...limits })).map(
        ({ a, b, ...rest }) => rest,
      );
    const right = await plain({});
    expect(right.length).toBeGreaterThan(10);
    let count = 0;
    await plain({ progress: () => count++ });
    let ended = 0;
    // How often progress is reported depends on time, but the first calls always come.
    for (const call of [1, 2, Math.ceil(count / 2)]) {
      const abort = new AbortController();
      let calls = 0;
      const progress = () => {
        if (++calls !== call) return;
        if (how === 'throws') throw new Error('enough');
        abort.abort(new Error('enough'));
      };
      const answer = await plain({ progress, signal: abort.signal }).catch((error: Error) => error.message);
      if (answer === 'enough') ended++;
      else expect(answer).toEqual(right);
    }
    expect(await plain({})).toEqual(right);
    expect(ended).toBeGreaterThan(1);
    scene.close();
    gpu.close();
    cpu.close();
  },
);

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

// The raycast method through a scene: the questions it refuses, changes between questions, and changes that must not
// affect answers.

import { type Mesh, mesh, type Nearfield, narrow, open, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { boxBetween, joined, star } from '../spec/sampled/solids.ts';
import { rigid, translation } from '../spec/scenes.ts';

let nf: Nearfield;
let device: GPUDevice;
beforeAll(async () => {
  ({ device } = await testDevice());
  nf = await open({ device });
}, 120_000);
afterAll(() => nf.close());

const method = 'raycast';
const resolution = 32;

const crossing = () => {
  const scene = nf.scene();
  scene.add(shapes.box());
  scene.add(shapes.box(), { pose: translation(0.5, 0.25, 0.25) });
  return scene;
};

describe('refusals', () => {
  test('no GPU', async () => {
    const cpu = await open({ backend: 'cpu' });
    const scene = cpu.scene();
    await expect(scene.sampledInterferences({ method })).rejects.toMatchObject({ code: 'no-gpu' });
    // A JavaScript caller without types.
    const untyped = scene as unknown as { interferencesSync(options: object): unknown };
    expect(() => untyped.interferencesSync({ method })).toThrowError(
      expect.objectContaining({
        code: 'unsupported',
        message: expect.stringContaining('sampledInterferences'),
      }),
    );
    cpu.close();
  });
  test('stages that give triangles', async () => {
    const candidates = crossing().candidates();
    const options = { method } as unknown as Parameters<typeof narrow>[1];
    await expect(narrow(candidates, options)).rejects.toMatchObject({ code: 'unsupported' });
  });
  test.each([
    [{ resolution: 0 }, 'resolution'],
    [{ resolution: 10000 }, 'resolution'],
    [{ resolution: 1.5 }, 'resolution'],
    [{ views: 4 }, 'views'],
    [{ ask: 'all' }, 'ask'],
    [{ counting: 'fingers' }, 'counting'],
    [{ offset: -1, counting: 'stencil' }, 'offset'],
    [{ offset: Number.NaN, counting: 'stencil' }, 'offset'],
    [{ offset: 1 }, 'offset'],
    [{ ask: 'pairs', counting: 'queries' }, 'queries'],
  ])('%o', async (options, word) => {
    const given = { method, ...options } as unknown as { method: 'raycast' };
    await expect(crossing().sampledInterferences(given)).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringContaining(word),
    });
  });
  test('an unknown method', async () => {
    const options = { method: 'guess' } as unknown as { method: 'raycast' };
    await expect(crossing().sampledInterferences(options)).rejects.toMatchObject({ code: 'unsupported' });
  });
  test('a question cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    const question = crossing().sampledInterferences({ method, resolution, signal: controller.signal });
    await expect(question).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('filters', () => {
  const three = () => {
    const scene = nf.scene();
    for (const [i, group] of ['a', 'a', 'b'].entries()) {
      scene.add(boxBetween([0, 0, 0], [2, 2, 2 + i]), {
        pose: translation(0.7 * i, 0.5 * i, 0.4 * i),
        group,
      });
    }
    return scene;
  };
  test.each(['lists', 'stencil'] as const)('only pairs that filters keep, %s', async counting => {
    const scene = three();
    const answer = await scene.sampledInterferences({ method, counting, resolution, groups: 'different' });
    expect(answer.indices).toEqual(Uint32Array.from([0, 2, 1, 2]));
    const none = await scene.sampledInterferences({
      method,
      ask: 'any',
      counting,
      resolution,
      keep: () => false,
    });
    expect(none.any).toBe(false);
    const one = { keep: (a: { index: number }, b: { index: number }) => a.index + b.index === 1 };
    const bodies = await scene.sampledInterferences({ method, ask: 'both', counting, resolution, ...one });
    const named = new Set([...bodies.penetrating, ...bodies.penetrated].map(({ index }) => index));
    expect(named).toEqual(new Set([0, 1]));
  });
  test('occlusion queries cannot', async () => {
    const question = three().sampledInterferences({
      method,
      ask: 'any',
      counting: 'queries',
      groups: 'different',
    });
    await expect(question).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('invariance', () => {
  const parts: [Mesh, Mesh] = [star(5, 0.4), shapes.torus({ majorSegments: 12, minorSegments: 6 })];
  const answerOf = async (poses: readonly (readonly number[])[], swapped = false) => {
    const scene = nf.scene();
    const order = swapped ? [1, 0] : [0, 1];
    for (const i of order) scene.add(parts[i], { pose: poses[i] });
    const answer = await scene.sampledInterferences({ method, ask: 'edges', resolution });
    const hits = answer.length === 1 ? answer.edgesOf(answer.pairs[0])! : undefined;
    return { length: answer.length, hits };
  };
  const poses = [rigid(shapes.createRandom(5), 0.3), rigid(shapes.createRandom(6), 0.3)];
  test('asking again', async () => {
    expect(await answerOf(poses)).toEqual(await answerOf(poses));
  });
  test('to the order of the bodies', async () => {
    const [one, other] = [await answerOf(poses), await answerOf(poses, true)];
    expect([one.length, other.length]).toEqual([1, 1]);
    const edges = ({ hits }: typeof one, body: number) =>
      new Set(hits!.edge.filter((_, i) => hits!.body[i] === body));
    expect([edges(one, 0), edges(one, 1)]).toEqual([edges(other, 1), edges(other, 0)]);
  });
  test('to mirrors, and meshes turned inside out', async () => {
    const mirror = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.25, 0.25, 1];
    const { positions, indices } = shapes.box();
    const inverted = mesh(positions as Float64Array, Uint32Array.from(indices).reverse());
    for (const counting of ['lists', 'stencil', 'queries'] as const) {
      for (const [part, pose] of [
        [shapes.box(), mirror],
        [inverted, translation(0.5, 0.25, 0.25)],
      ] as const) {
        const scene = nf.scene();
        scene.add(shapes.box());
        scene.add(part, { pose });
        const ask = { method, ask: 'both', counting, resolution } as const;
        const answer = await scene.sampledInterferences(ask);
        expect([answer.penetrating.length, answer.penetrated.length, answer.notClosed]).toEqual([2, 2, []]);
        scene.bodies[1].pose = translation(0.99, 0.99, 0.99).with(0, pose[0]);
        scene.bodies[0].pose = translation(-0.2, 0, 0);
        expect((await scene.sampledInterferences(ask)).any).toBe(false);
      }
    }
  });
  test('to being far from the origin', async () => {
    const far = [1e6, -2e6, 3e6];
    for (const [x, expected] of [
      [0.99, 1],
      [1.01, 0],
    ] as const) {
      const scene = nf.scene();
      scene.add(shapes.box(), { pose: translation(far[0], far[1], far[2]) });
      scene.add(shapes.box(), { pose: translation(far[0] + x, far[1] + 0.3, far[2] + 0.2) });
      const answer = await scene.sampledInterferences({ method, resolution });
      expect([answer.length, x]).toEqual([expected, x]);
    }
  });
  test('to capacity: lists and points grow', async () => {
    const scene = nf.scene();
    const ball = shapes.icosphere({ radius: 0.9, frequency: 20 });
    scene.add(shapes.box({ size: [4, 4, 4] }));
    scene.add(ball);
    const answer = await scene.sampledInterferences({ method, ask: 'edges', resolution: 128 });
    expect(new Set(answer.edgesOf(answer.pairs[0])!.edge).size).toBe(ball.edges.count);
  });
});

test('bodies move, deform and leave between questions', async () => {
  const scene = crossing();
  const [a, b] = scene.bodies;
  const found = async () => (await scene.sampledInterferences({ method, resolution })).indices;
  expect(await found()).toEqual(Uint32Array.from([0, 1]));
  b.pose = translation(0.5, 2, 0);
  expect(await found()).toEqual(new Uint32Array(0));
  a.deform(a.mesh.positions.map((x, i) => (i % 3 === 1 ? 4 * x : x)));
  expect(await found()).toEqual(Uint32Array.from([0, 1]));
  scene.remove(a);
  expect(await found()).toEqual(new Uint32Array(0));
});

test('finds what only edges show, whatever rays showed in earlier questions', async () => {
  // A slab with posts that span the view, and a needle thinner than the spacing of rays.
  const slab = boxBetween([0, 0, 0], [16, 16, 4]);
  const hanging = (needle: Mesh) =>
    joined(boxBetween([0, 0, 4.5], [0.5, 0.5, 5]), boxBetween([15.5, 15.5, 4.5], [16, 16, 5]), needle);
  const wide = hanging(boxBetween([6, 6, 3], [10, 10, 5]));
  const thin = hanging(boxBetween([8, 8, 3], [8.001, 8.001, 5]));
  const clear = hanging(boxBetween([6, 6, 4.2], [10, 10, 5]));
  for (const ask of ['pairs', 'any'] as const) {
    let byEdges = 0;
    // The order lets each follow each of the others.
    for (const part of [wide, wide, thin, thin, clear, wide, clear, thin, wide]) {
      const scene = nf.scene();
      scene.add(slab);
      scene.add(part);
      const { any, raycast } = await scene.sampledInterferences({ method, ask, resolution: 16 });
      expect([ask, any]).toEqual([ask, part !== clear]);
      byEdges += raycast.byEdgesAlone;
      scene.close();
    }
    expect(byEdges).toBe(3);
  }
});

test('positions that are only on the GPU', async () => {
  const scene = crossing();
  const b = scene.bodies[1];
  const moved = Float32Array.from(b.mesh.positions, x => 0.25 * x);
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: moved.byteLength, usage });
  device.queue.writeBuffer(buffer, 0, moved);
  b.deform(buffer);
  b.pose = translation(0.7, 0.25, 0.25);
  expect((await scene.sampledInterferences({ method, resolution })).length).toBe(0);
  b.pose = translation(0.5, 0.25, 0.25);
  expect((await scene.sampledInterferences({ method, resolution })).length).toBe(1);
  buffer.destroy();
});

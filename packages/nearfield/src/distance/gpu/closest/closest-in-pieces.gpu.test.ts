// Points go to the GPU in pieces, of which the first are there before `closest` returns its promise. Whatever the scale, the
// piece, the kind of array, or what becomes of the array afterwards, the answer is the CPU's, bit for bit.

import { shapes } from 'nearfield';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { affine, cubes, type Part, rigid, translation } from '../../../../../../test/spec/scenes.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { wrapDevice } from '../../../gpu/device/device.ts';
import type { GpuEngine } from '../../../gpu/engine.ts';
import { deviceToLose, testDevice } from '../../../gpu/testing/test-device.ts';
import { createGpuEngine, engineOn } from '../../../open-gpu.ts';
import { Scene } from '../../../scene.ts';

/** Points per piece: fewer than there are points, so that pieces outnumber those under way together. */
const pointsAtOnce = 100;

let cpu: CpuEngine;
let gpu: GpuEngine;
beforeAll(async () => {
  cpu = await createCpuEngine({ threads: 1 });
  await cpu.compile();
  const { device } = await testDevice();
  gpu = await createGpuEngine({ device, settings: { pointsAtOnce } });
});
afterAll(() => {
  gpu.close();
  cpu.close();
});

const moved = (pose: readonly number[], by: number) => pose.map((x, k) => (k > 11 && k < 15 ? x + by : x));
const scaled = (by: number) => translation(0, 0, 0).map((x, k) => (k < 15 ? x * by : x));

/** Points near a body of about the size 4: some at random, some on its grid, some twice, some just beside others. */
function hardPoints(random: shapes.Random, count: number): Float64Array {
  const points = Float64Array.from({ length: 3 * count }, () => random.between(-4, 4));
  for (let i = 0; i < points.length; i += 12) {
    for (let k = 0; k < 6; k++) points[i + k] = Math.round(2 * points[i + k]) / 2;
    points.copyWithin(i + 6, i, i + 3);
    // A rounding boundary of the units, and the double beside it.
    points[i + 6 + random.integer(3)] += 2 ** -25 * random.integer(3) + 2 ** -51 * (random.integer(3) - 1);
  }
  return points;
}

/** Asks both engines. The array is overwritten as soon as the calls have returned. */
async function expectSame(part: Part, points: Float64Array, what: string, upTo = Infinity): Promise<void> {
  const scenes = [new Scene(cpu, cpu), new Scene(gpu, cpu)];
  const [alone, own] = scenes.map(scene => scene.add(part.mesh, { pose: part.pose }));
  const expected = await scenes[0].closest(alone, points, { upTo });
  for (const detail of ['triangles', 'points', 'triangles'] as const) {
    const given = points.slice();
    const asked = scenes[1].closest(own, given, { upTo, detail: detail as 'points' });
    given.fill(Number.NaN);
    for (const [name, array] of Object.entries(await asked)) {
      if (name === 'backend') continue;
      const wanted = expected[name as 'distances'];
      const wrong = wanted.findIndex((x, i) => !Object.is(x, array[i]));
      expect(`${what}, ${detail}, ${name}: ${wrong} of ${array.length}`).toBe(
        `${what}, ${detail}, ${name}: -1 of ${wanted.length}`,
      );
    }
  }
  for (const scene of scenes) scene.close();
}

it('is the CPU’s at every scale and far from the origin', { timeout: 300_000 }, async () => {
  const random = shapes.createRandom(1);
  const body = cubes(random, 3, 3);
  for (const exponent of [0, 40, -40, 500, -500, 700, -700, -1040]) {
    const points = hardPoints(random, 550).map(x => x * 2 ** exponent);
    await expectSame({ mesh: body, pose: scaled(2 ** exponent) }, points, `2^${exponent}`);
  }
  for (const by of [1e6, 1e12]) {
    const points = hardPoints(random, 550).map(x => x + by);
    await expectSame({ mesh: body, pose: moved(rigid(random, 1), by) }, points, `moved by ${by}`);
  }
});

it('is the CPU’s for few points and many, within a distance', { timeout: 300_000 }, async () => {
  const random = shapes.createRandom(2);
  // The second has many leaves per point: they are converted as they are measured.
  const bodies = [cubes(random, 3, 3), shapes.torusKnot({ segments: 300, sides: 12 })];
  for (const body of bodies)
    for (const count of [0, 1, 63, 64, 99, 100, 101, 430]) {
      const points = hardPoints(random, 432).subarray(0, 3 * count);
      const what = `${body.triangleCount} triangles, ${count} points`;
      await expectSame({ mesh: body, pose: affine(random, 1) }, points, what, count % 2 ? 0.7 : Infinity);
    }
});

it('leaves every point to the CPU that is too far away, in each piece', async () => {
  const random = shapes.createRandom(3);
  const points = hardPoints(random, 550);
  // Some beyond the units of their piece, which are chosen anew; all of the third piece.
  for (let i = 0; i < 550; i++)
    if (i % 7 === 0 || (i >= 200 && i < 300))
      for (let k = 0; k < 3; k++) points[3 * i + k] *= 10 ** random.integer(9);
  await expectSame({ mesh: cubes(random, 3, 3), pose: rigid(random, 1) }, points, 'far');
});

it('is the CPU’s where very many triangles are about equally near', { timeout: 300_000 }, async () => {
  const random = shapes.createRandom(7);
  const sphere = shapes.icosphere({ frequency: 12 });
  const points = Float64Array.from(
    { length: 3 * 250 },
    (_, k) => random.between(-1, 1) * 10 ** -(Math.floor(k / 3) % 17),
  );
  await expectSame({ mesh: sphere, pose: rigid(random, 0) }, points, 'middle');
});

it('names the first point that is not finite, whatever becomes of the array', async () => {
  const scene = new Scene(gpu, cpu);
  const body = scene.add(shapes.box());
  const random = shapes.createRandom(4);
  for (const detail of ['triangles', 'points'] as const)
    for (const [first, second] of [
      [0, 1],
      [549, 549],
      [120, 530],
      [310, 40],
    ]) {
      const points = hardPoints(random, 550);
      points[3 * first + 2] = -Infinity;
      points[3 * second + 1] = Number.NaN;
      const asked = scene.closest(body, points, { detail: detail as 'points' });
      points.fill(0);
      const message =
        second <= first ? `points: y of point ${second} is NaN` : `points: z of point ${first} is -Infinity`;
      await expect(asked).rejects.toMatchObject({ code: 'not-finite', message });
    }
  // The next answer is right.
  const { triangles } = await scene.closest(body, new Float64Array(300).fill(3), { detail: 'triangles' });
  expect(new Set(triangles).size).toBe(1);
  scene.close();
});

it('is repeated with the same points if the device is lost', async () => {
  const lost = await deviceToLose();
  // As if the library had opened it.
  const { owned } = await testDevice();
  const engine = await engineOn({ ...wrapDevice(lost), owned });
  const scene = new Scene(engine, cpu);
  const body = scene.add(shapes.icosphere({ frequency: 4 }));
  const points = hardPoints(shapes.createRandom(8), 200);
  const expected = await scene.closest(body, points);
  const { submit } = lost.queue;
  lost.queue.submit = commands => {
    lost.destroy();
    return submit.call(lost.queue, commands);
  };
  const asked = scene.closest(body, points, { detail: 'triangles' });
  points.fill(5);
  expect(await asked).toEqual({ triangles: expected.triangles, backend: 'gpu' });
  expect(engine.device).not.toBe(lost);
  scene.close();
  engine.close();
});

it('takes points in shared and in resizable memory, and singles', async () => {
  const random = shapes.createRandom(5);
  const singles = Float32Array.from({ length: 3 * 250 }, () => random.between(-2, 2));
  const scene = new Scene(gpu, cpu);
  const body = scene.add(shapes.icosphere({ frequency: 4 }));
  const { triangles: wanted } = await scene.closest(body, Float64Array.from(singles), {
    detail: 'triangles',
  });
  const resizable = new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(
    8 * 750,
    { maxByteLength: 2 ** 16 },
  );
  for (const memory of [new SharedArrayBuffer(8 * 750), resizable]) {
    const given = new Float64Array(memory);
    given.set(singles);
    expect((await scene.closest(body, given, { detail: 'triangles' })).triangles).toEqual(wanted);
  }
  expect((await scene.closest(body, singles, { detail: 'triangles' })).triangles).toEqual(wanted);
  scene.close();
});

it('begins before the call returns if nothing else is asked, and in turn otherwise', async () => {
  const { queue } = gpu.device;
  const submit = queue.submit.bind(queue);
  let submitted = 0;
  queue.submit = commands => {
    submitted++;
    return submit(commands);
  };
  try {
    const scene = new Scene(gpu, cpu);
    const body = scene.add(shapes.icosphere({ frequency: 4 }));
    const random = shapes.createRandom(6);
    const clouds = [0, 1, 2].map(() => hardPoints(random, 450));
    const alone: Int32Array[] = [];
    for (const points of clouds) alone.push((await scene.closest(body, points)).triangles);
    submitted = 0;
    const first = scene.closest(body, clouds[0], { detail: 'triangles' });
    expect(submitted).toBe(2);
    const others = clouds.slice(1).map(points => scene.closest(body, points, { detail: 'triangles' }));
    expect(submitted).toBe(2);
    for (const points of clouds) points.fill(0);
    const answers = await Promise.all([first, ...others]);
    expect(answers.map(({ triangles }) => triangles)).toEqual(alone);
    const cancelled = new AbortController();
    const { signal } = cancelled;
    const asked = scene.closest(body, clouds[0], { detail: 'triangles', signal });
    cancelled.abort(new Error('no more'));
    await expect(asked).rejects.toThrow('no more');
    scene.close();
  } finally {
    queue.submit = submit;
  }
});

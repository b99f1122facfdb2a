import { beforeAll, expect, test } from 'vitest';
import { openBoth } from '../../../../../test/spec/both-engines.ts';
import type { BufferLayout } from '../../bodies/on-gpu/buffers.ts';
import type { Interferences } from '../../interferences/answer/answer.ts';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import type { Scene } from '../../scene.ts';
import { box, createRandom, icosphere } from '../../shapes/index.ts';
import { bufferOf, usualUsage } from '../testing/test-buffers.ts';
import { testDevice } from '../testing/test-device.ts';

// Poses from a GPUBuffer on the GPU and the same poses from an array on the CPU give the same answers.

let device: GPUDevice;
beforeAll(async () => {
  device = (await testDevice()).device;
});
const both = openBoth();

const placed = (values: ArrayLike<number>, layout?: BufferLayout) => bufferOf(device, values, 16, layout);

const at = (x: number, y = 0, z = 0): number[] => [
  ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
  ...[Math.fround(x), Math.fround(y), Math.fround(z), 1],
];

type Random = ReturnType<typeof createRandom>;

/** A random pose in single precision: rotated, stretched, maybe mirrored, in a cube of this side. */
function somewhere(random: Random, side: number, scale = 1): number[] {
  const [x, y, z] = random.direction();
  const c = random.between(-1, 1);
  const s = Math.sqrt(1 - c * c) * scale * random.between(0.7, 1.3);
  const d = (1 - c) * scale;
  const mirror = random.next() < 0.3 ? -1 : 1;
  const turned = [
    [mirror * (d * x * x + c * scale), d * x * y + s * z, d * x * z - s * y, 0],
    [mirror * (d * x * y - s * z), d * y * y + c * scale, d * y * z + s * x, 0],
    [mirror * (d * x * z + s * y), d * y * z - s * x, d * z * z + c * scale, 0],
    [random.between(0, side), random.between(0, side), random.between(0, side), 1],
  ];
  return Array.from(Float32Array.from(turned.flat()));
}

const listed = (answer: Interferences) =>
  [...answer].map(({ a, b, triangles }) => ({ a: a.index, b: b.index, triangles: [...triangles] }));

function isPoseKnown({ bodies: [body] }: Scene): boolean {
  try {
    return body.pose.length === 16;
  } catch (error) {
    expect(error).toMatchObject({ code: 'unsupported', message: expect.stringMatching(/readPoses\(\)/) });
    return false;
  }
}

/** Scenes with the same bodies on both backends, and a way to move them in both. */
function twins(shapes: readonly Mesh[]) {
  const [onGpu, exact] = [both.gpu.scene(), both.cpu.scene()];
  for (const shape of shapes) for (const scene of [onGpu, exact]) scene.add(shape);
  const move = (poses: number[], layout?: BufferLayout) => {
    const buffer = placed(poses, layout);
    onGpu.setPoses(buffer, layout);
    // The application may do with its buffer what it likes.
    device.queue.writeBuffer(buffer, 0, new Float32Array(poses.length).fill(7));
    buffer.destroy();
    exact.setPoses(poses);
  };
  const expectSame = async (context: string) => {
    const any = await onGpu.interferences({ detail: 'any' });
    expect(any.backend, context).toBe('gpu');
    expect(any.indices, context).toEqual((await exact.interferences({ detail: 'any' })).indices);
    const list = await onGpu.interferences();
    expect(listed(list), context).toEqual(listed(await exact.interferences()));
    return list;
  };
  return { onGpu, exact, move, expectSame };
}

test.each([
  ['few bodies', 12],
  ['many bodies', 90],
])('%s move frame by frame, their poses packed or padded', async (_, count) => {
  const seed = 20261116;
  const random = createRandom(seed);
  const shapes = Array.from({ length: count }, (_, i) =>
    i % 3 === 0 ? icosphere({ frequency: 2 }) : box({ size: [0.6, 1, 1.4] }),
  );
  const { onGpu, move, expectSame } = twins(shapes);
  const side = 1.7 * Math.cbrt(count);
  const layouts = [undefined, { offset: 32, stride: 80 }, { offset: 4, stride: 68 }];
  let unread = 0;
  for (let frame = 0; frame < 6; frame++) {
    move(
      shapes.flatMap(() => somewhere(random, side)),
      layouts[frame % 3],
    );
    const context = `seed ${seed}, frame ${frame}`;
    await onGpu.interferences({ detail: 'any' });
    if (!isPoseKnown(onGpu)) unread++;
    await expectSame(context);
  }
  // Poses are read back for the first frame, and if something is left to decide: with few bodies, whether one
  // contains another.
  if (count > 24) expect(unread).toBeGreaterThan(2);
  onGpu.close();
});

test('answers keep to the poses they were found with, which are read back when needed', async () => {
  const { onGpu, exact, move } = twins([icosphere({ frequency: 3 }), icosphere({ frequency: 3 })]);
  move([...at(0), ...at(0.3)]);
  await onGpu.interferences();
  move([...at(0), ...at(0.8, 0.1, 0.05)]);
  const answer = await onGpu.interferences({ detail: 'any' });
  expect(answer.stats.unsure).toBe(0);
  expect(isPoseKnown(onGpu)).toBe(false);
  expect(() => answer.pairs[0].relation).toThrow(/relations\(\)/);
  expect(() => answer.pairs[0].triangles).toThrow(/relations\(\)/);
  expect(() => onGpu.candidates()).toThrow(/readPoses\(\)/);
  await expect(onGpu.distance(onGpu.bodies[0], onGpu.bodies[1])).rejects.toThrow(/readPoses\(\)/);
  expect(await answer.relations()).toEqual(['crossing']);
  expect([...answer.pairs[0].triangles]).toEqual([...(await exact.interferences()).pairs[0].triangles]);
  expect([...onGpu.bodies[1].pose]).toEqual([...exact.bodies[1].pose]);
  expect(onGpu.candidates().length).toBe(1);
  // An answer says so if its poses are gone.
  move([...at(0), ...at(0.9, 0.1, 0.05)]);
  const old = await onGpu.interferences({ detail: 'any' });
  move([...at(0), ...at(1, 0.1, 0.05)]);
  await expect(old.relations()).rejects.toMatchObject({ code: 'closed' });
  // An answer that began to read its poses before they were replaced does not see the new ones.
  const late = await onGpu.interferences({ detail: 'any' });
  const reading = late.relations();
  const points = late.points();
  const [{ point }] = await exact.interferences();
  move([...at(0), ...at(50)]);
  expect(await reading).toEqual(['crossing']);
  expect(await points).toEqual(point);
  onGpu.close();
});

test('touching, contained and filtered bodies are found', async () => {
  const shapes = [box(), box({ size: [0.2, 0.2, 0.2] }), box(), box()];
  const { onGpu, exact, move, expectSame } = twins(shapes);
  move([...at(0), ...at(0), ...at(5), ...at(9)]);
  expect((await expectSame('within')).length).toBe(1);
  move([...at(0), ...at(0.5), ...at(1), ...at(1, 1, 1)]);
  const answer = await expectSame('touching');
  expect(answer.stats.unsure).toBeGreaterThan(0);
  expect(await answer.relations()).toEqual([...(await exact.interferences())].map(pair => pair.relation));
  move([...at(0), ...at(0), ...at(0.75, 0.1), ...at(0.5, 0.25, 0.1)]);
  await expectSame('all in one place');
  move([...at(0), ...at(0.01), ...at(0.75, 0.1), ...at(0.5, 0.25, 0.1)]);
  const [a, , c] = onGpu.bodies;
  const some = await onGpu.interferences({ between: [[a], [c]] });
  expect([...some.indices]).toEqual([0, 2]);
  expect((await onGpu.interferences({ allowed: [[a, c]] })).length).toBe(
    (await exact.interferences()).length - 1,
  );
  move([...at(0), ...at(0.02), ...at(0.75, 0.1), ...at(0.5, 0.25, 0.1)]);
  const near = await onGpu.within(1);
  expect(near.length).toBe((await exact.within(1)).length);
  onGpu.close();
});

test('poses far apart, huge, tiny, flat, or of bodies with an origin of their own', async () => {
  const { positions, indices } = box();
  const far = mesh(
    Float64Array.from(positions, (x, i) => (i % 3 === 0 ? x + 100 : x)),
    indices,
  );
  const random = createRandom(3);
  const scaled = (x: number, sx: number, sy = sx, sz = sx): number[] => [
    ...[sx, 0, 0, 0],
    ...[0, sy, 0, 0],
    ...[0, 0, sz, 0],
    ...[x, 0, 0, 1],
  ];
  for (const shapes of [
    [box(), box(), box()],
    [box(), far, box()],
  ]) {
    const { onGpu, move, expectSame } = twins(shapes);
    const away = shapes[1] === far ? -100 : 0;
    for (const poses of [
      [...at(0), ...at(away + 0.5, 0.1), ...at(2)],
      [...at(1e6), ...at(1e6 + away + 0.5, 0.1), ...at(-1e6)],
      [...at(1e30), ...at(away + 0.5), ...at(0.25)],
      [...at(0), ...at(away), ...at(0)],
      [...scaled(0, 1e12), ...at(away), ...at(3e11)],
      [...scaled(0, 1e25), ...at(away), ...at(3e24)],
      [...scaled(0, 1e-12), ...at(away), ...scaled(1e-12, 1e-12)],
      [...scaled(0, 1e-30), ...at(away), ...scaled(1e-30, 1e-30)],
      [...scaled(0, 1, 1e-4, 1), ...at(away + 0.5), ...scaled(0.5, 1e-3, 1, 1e-9)],
      // Smaller than the least normal single.
      [...at(1e-40), ...at(away + 0.5), ...scaled(0.5, 1, 1, 2 ** -140)],
      [...at(-0), ...at(away - 0.5), ...at(-1.25)],
      [0, 1, 2].flatMap(() => somewhere(random, 1)),
    ]) {
      const single = Array.from(Float32Array.from(poses));
      move(single);
      await expectSame(`poses ${single.join(' ')}`);
    }
    onGpu.close();
  }
});

test('rods and plates that poses make of boxes stay on the GPU', async () => {
  const seed = 20261117;
  const random = createRandom(seed);
  const { onGpu, move, expectSame } = twins(Array.from({ length: 30 }, () => box()));
  const sizes = [
    [1, 1e-3, 1e-3],
    [2e-4, 5, 1e-4],
    [1, 1, 1e-6],
  ];
  for (let frame = 0; frame < 4; frame++) {
    const poses = Array.from({ length: 30 }, (_, i) => {
      const pose = somewhere(random, 3);
      for (let k = 0; k < 12; k++) pose[k] = Math.fround(pose[k] * sizes[i % 3][k >> 2]);
      return pose;
    });
    move(poses.flat());
    await onGpu.interferences({ detail: 'any' });
    // The poses of the first frame are read back to choose a frame.
    if (frame > 0) expect(isPoseKnown(onGpu), `seed ${seed}, frame ${frame}`).toBe(false);
    await expectSame(`seed ${seed}, frame ${frame}`);
  }
  onGpu.close();
});

test('a matrix that is not a pose is named', async () => {
  const shape = box();
  const scene = both.gpu.scene();
  for (let i = 0; i < 40; i++) scene.add(shape, { name: `part ${i}` });
  const good = Array.from({ length: 40 }, (_, i) => at(0.75 * i, (i % 4) / 64));
  scene.setPoses(placed(good.flat()));
  expect((await scene.interferences({ detail: 'any' })).length).toBe(39);
  const wrong: [number, number, RegExp][] = [
    [0, Number.NaN, /part 17.*pose\[0\] is NaN/],
    [12, Infinity, /part 17.*pose\[12\] is Infinity/],
    [3, 0.5, /part 17.*last row/],
    [15, 2, /part 17.*last row/],
    [5, 0, /part 17.*singular/],
  ];
  for (const [k, value, message] of wrong) {
    const poses = good.flat();
    poses[16 * 17 + k] = value;
    scene.setPoses(placed(poses));
    const refused = { code: 'bad-pose', message: expect.stringMatching(message) };
    await expect(scene.interferences({ detail: 'any' })).rejects.toMatchObject(refused);
    await expect(scene.interferences()).rejects.toMatchObject(refused);
    await expect(scene.readPoses()).rejects.toMatchObject(refused);
    poses[16 * 17 + k] = good[17][k];
    scene.setPoses(placed(poses));
    expect((await scene.interferences({ detail: 'any' })).length).toBe(39);
  }
  scene.close();
});

test('unusable buffers are refused with the reason', async () => {
  const scene = both.gpu.scene();
  const bodies = [scene.add(box(), { pose: at(1) }), scene.add(box(), { pose: at(1.5) })];
  const usage = usualUsage();
  const refuse = (size: number, use: number, layout: BufferLayout, why: RegExp) =>
    expect(() => scene.setPoses(device.createBuffer({ size, usage: use }), layout)).toThrow(why);
  refuse(124, usage, {}, /2 poses take 128 bytes, but the buffer has 124/);
  refuse(140, usage, { stride: 80 }, /take 144 bytes/);
  refuse(256, usage, { offset: 3 }, /offset/);
  refuse(256, usage, { stride: 48 }, /stride .* at least 64/);
  refuse(128, GPUBufferUsage.STORAGE, {}, /COPY_SRC/);
  expect(() => scene.setPoses(placed([...at(0), ...at(1)]), bodies as never)).toThrow(/poses of all bodies/);
  expect(() => both.cpu.scene().setPoses(placed([]))).toThrow(/GPU backend/);
  expect(() => scene.setPoses({} as never)).toThrow(/16 numbers/);
  // Nothing has changed.
  expect(bodies[0].pose[12]).toBe(1);
  const dead = placed([...at(0), ...at(1)]);
  dead.destroy();
  scene.setPoses(dead);
  await expect(scene.interferences()).rejects.toMatchObject({ code: 'bad-array' });
  scene.setPoses(placed([...at(0), ...at(0.5)]));
  expect((await scene.interferences()).length).toBe(1);
  scene.close();
});

test('after bodies are added or removed, all poses have to be given again', async () => {
  const { onGpu, exact, move, expectSame } = twins([box(), box(), box()]);
  move([...at(0), ...at(0.5), ...at(3)]);
  for (const scene of [onGpu, exact]) scene.add(box());
  await expect(onGpu.interferences()).rejects.toMatchObject({ code: 'stale' });
  expect(isPoseKnown(onGpu)).toBe(false);
  expect(() => (onGpu.bodies[0].pose = at(1))).toThrow(/readPoses\(\)/);
  expect(() => onGpu.setPoses(at(1), [onGpu.bodies[0]])).toThrow(/readPoses\(\)/);
  move([...at(0), ...at(0.5), ...at(3), ...at(3.25)]);
  expect((await expectSame('added')).length).toBe(2);
  move([...at(0), ...at(0.6), ...at(3), ...at(3.25)]);
  for (const scene of [onGpu, exact]) scene.remove(scene.bodies[0]);
  await expect(onGpu.interferences()).rejects.toMatchObject({ code: 'stale' });
  onGpu.setPoses([...at(0), ...at(0.5), ...at(7)]);
  exact.setPoses([...at(0), ...at(0.5), ...at(7)]);
  expect((await expectSame('removed')).length).toBe(1);
  // Once they are read back, they are poses like any others.
  move([...at(0), ...at(0.7), ...at(1.4)]);
  expect(await onGpu.readPoses()).toEqual(await exact.readPoses());
  for (const scene of [onGpu, exact]) {
    scene.add(box(), { pose: at(2.25) });
    scene.remove(scene.bodies[1]);
    scene.bodies[0].pose = at(1);
  }
  expect((await expectSame('read')).length).toBe(2);
  onGpu.close();
});

test('a waiting question sees what it was asked about', async () => {
  const scene = both.gpu.scene();
  for (let i = 0; i < 2; i++) scene.add(box());
  const asked = [];
  for (let i = 0; i < 6; i++) {
    const poses = [...at(0), ...at(i % 2 === 0 ? 0.5 : 3)];
    if (i % 3 === 2) scene.setPoses(poses);
    else scene.setPoses(placed(poses));
    asked.push(scene.interferences({ detail: i < 3 ? 'any' : 'list' }));
  }
  scene.setPoses(placed([...at(0), ...at(9)]));
  expect((await Promise.all(asked)).map(({ length }) => length)).toEqual([1, 0, 1, 0, 1, 0]);
  expect((await scene.interferences()).length).toBe(0);
  scene.close();
});

const lives = process.env.NEARFIELD_SLOW ? 60 : 2;

test(`${lives} random lives of bodies that are moved in both ways, added, removed and deformed`, async () => {
  for (let life = 0; life < lives; life++) {
    const seed = 8100 + life;
    const random = createRandom(seed);
    const shapes = [box(), icosphere({ frequency: 2 }), box({ size: [0.3, 1, 2] })];
    const { onGpu, exact, move, expectSame } = twins(
      Array.from({ length: 30 }, () => shapes[random.integer(3)]),
    );
    const both = (change: (scene: Scene) => void) => [onGpu, exact].forEach(scene => void change(scene));
    const all = (scale = 1) => exact.bodies.flatMap(() => somewhere(random, 5, scale));
    for (let step = 0; step < 8; step++) {
      const poses = all(random.next() < 0.2 ? 4 : 1);
      if (random.next() < 0.7) move(poses);
      else both(scene => scene.setPoses(poses));
      if (random.next() < 0.3) await expectSame(`seed ${seed}, step ${step}, before`);
      if (random.next() < 0.4) {
        await onGpu.readPoses();
        const pose = somewhere(random, 5);
        const row = random.integer(exact.bodies.length);
        const change = random.integer(3);
        if (change === 0) both(scene => void (scene.bodies[row].pose = pose));
        else if (change === 1) both(scene => scene.remove(scene.bodies[row]));
        else both(scene => scene.add(shapes[1], { pose }));
      }
      if (random.next() < 0.2) {
        const row = random.integer(exact.bodies.length);
        const scale = random.between(0.5, 2);
        both(({ bodies }) => bodies[row].deform(bodies[row].mesh.positions.map(x => scale * x)));
      }
      await expectSame(`seed ${seed}, step ${step}`);
    }
    both(scene => scene.close());
  }
}, 600_000);

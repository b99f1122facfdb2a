import { beforeAll, expect, test } from 'vitest';
import { openBoth } from '../../../../../test/spec/both-engines.ts';
import type { BufferLayout } from '../../bodies/on-gpu/buffers.ts';
import type { Interferences } from '../../interferences/answer/answer.ts';
import { identity } from '../../math/pose.ts';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import { open } from '../../nearfield.ts';
import { box, createRandom, icosphere, torusKnot } from '../../shapes/index.ts';
import { findGpu, openDevice } from '../device/device.ts';
import { bufferOf, usualUsage } from '../testing/test-buffers.ts';
import { testDevice } from '../testing/test-device.ts';

// Positions from a GPUBuffer on the GPU and the same ones from a typed array on the CPU give the same answers.

let device: GPUDevice;
beforeAll(async () => {
  device = (await testDevice()).device;
});
const both = openBoth();

const placed = (values: Float32Array, layout?: BufferLayout) => bufferOf(device, values, 3, layout);

const single = (shape: Mesh): Mesh => mesh(new Float32Array(shape.positions), shape.indices);
const at = (x: number, y = 0, z = 0): Float64Array => {
  const pose = identity();
  pose.set([x, y, z], 12);
  return pose;
};

const listed = (answer: Interferences) =>
  [...answer].map(({ a, b, triangles }) => ({ a: a.index, b: b.index, triangles: [...triangles] }));

/** Scenes with the same bodies on both backends, and a way to deform a body in both. */
function twins(...bodies: { shape: Mesh; pose?: Float64Array }[]) {
  const [onGpu, exact] = [both.gpu.scene(), both.cpu.scene()];
  for (const { shape, pose = identity() } of bodies) {
    onGpu.add(shape, { pose });
    exact.add(shape, { pose });
  }
  const deform = (body: number, positions: Float32Array, layout?: BufferLayout) => {
    const buffer = placed(positions, layout);
    onGpu.bodies[body].deform(buffer, layout);
    // The application may do with its buffer what it likes.
    device.queue.writeBuffer(buffer, 0, new Float32Array(positions.length).fill(7));
    buffer.destroy();
    exact.bodies[body].deform(positions);
  };
  const expectSame = async (context: string) => {
    const answer = await onGpu.interferences();
    expect(answer.backend, context).toBe('gpu');
    expect(listed(answer), context).toEqual(listed(await exact.interferences()));
    for (const [i, body] of onGpu.bodies.entries()) {
      const self = await onGpu.selfIntersections(body);
      expect(self.backend, context).toBe('gpu');
      expect(self.triangles, context).toEqual((await exact.selfIntersections(exact.bodies[i])).triangles);
    }
    return answer;
  };
  return { onGpu, exact, deform, expectSame };
}

test('bodies deform frame by frame, some from buffers, packed or padded', async () => {
  const seed = 20261115;
  const random = createRandom(seed);
  const shape = single(icosphere({ frequency: 5 }));
  const knot = single(torusKnot({ segments: 40, sides: 8, tubeRadius: 0.5 }));
  const { expectSame, deform } = twins(
    { shape },
    { shape: knot, pose: at(1.2) },
    { shape, pose: at(0, 1.7) },
  );
  let found = 0;
  for (let frame = 0; frame < 5; frame++) {
    const wave = (positions: ArrayLike<number>) =>
      Float32Array.from(positions, value => value * (1 + 0.3 * random.next()));
    deform(0, wave(shape.positions), frame % 2 === 0 ? undefined : { offset: 32, stride: 16 });
    if (frame > 1) deform(1, wave(knot.positions));
    found += (await expectSame(`seed ${seed}, frame ${frame}`)).length;
  }
  expect(found).toBeGreaterThan(4);
});

test('positions outgrow their frame, shrink, and wander far away', async () => {
  const shape = single(icosphere({ frequency: 3 }));
  const { deform, expectSame } = twins({ shape }, { shape, pose: at(0.5) });
  const cases: [number, number][] = [
    [1.9, 0],
    [40, 0],
    [1e20, 0],
    [1e-3, 0],
    [1, 1e6],
    [1, 1.01e6],
    [1e-30, 0],
    [1, 0],
  ];
  for (const [size, place] of cases) {
    const moved = Float32Array.from(shape.positions, value => size * value + place);
    deform(0, moved);
    deform(1, moved);
    const answer = await expectSame(`times ${size}, plus ${place}`);
    expect(answer.stats.unsure).toBeLessThanOrEqual(answer.stats.triangleTests);
  }
});

test('flush boxes: unsure pairs are decided from the corners that were read back', async () => {
  const shape = single(box());
  const { onGpu, deform, expectSame } = twins({ shape }, { shape, pose: at(1) }, { shape, pose: at(1.5, 1) });
  for (const scale of [1, 2, 0.5]) {
    deform(
      0,
      Float32Array.from(shape.positions, value => scale * value),
    );
    const answer = await expectSame(`scale ${scale}`);
    if (scale === 1) expect(answer.stats.unsure).toBeGreaterThan(0);
    if (scale === 1) expect(await answer.relations()).toContain('touching');
  }
  expect(onGpu.bodies[0].solid).toBe(true);
});

test('vertices of one position come apart, and the welds of the mesh no longer hold', async () => {
  // Twelve separate triangles: 36 vertices, 8 positions.
  const { positions, indices } = box();
  const corners = [...indices].flatMap(v => [...positions.subarray(3 * v, 3 * v + 3)]);
  const soup = mesh(Float32Array.from(corners));
  const { onGpu, exact, deform, expectSame } = twins(
    { shape: soup },
    { shape: single(box()), pose: at(0.1, 0.1, 0.1) },
  );
  expect(onGpu.bodies[0].solid).toBe(true);
  deform(
    0,
    Float32Array.from(soup.positions, value => 3 * value),
  );
  expect(() => onGpu.bodies[0].solid).toThrow(/deformed by a GPUBuffer/);
  await expectSame('together');
  expect(onGpu.bodies[0].solid).toBe(true);
  // One lies within the other, so their surfaces do not meet.
  expect((await onGpu.interferences()).length).toBe(1);
  const random = createRandom(5);
  deform(
    0,
    Float32Array.from(soup.positions, value => 3 * value + 0.01 * random.next()),
  );
  await expectSame('apart');
  expect((await onGpu.interferences()).length).toBe(0);
  await onGpu.bodies[0].readPositions();
  expect(onGpu.bodies[0].solid).toBe(false);
  expect(exact.bodies[0].solid).toBe(false);
});

test('a position that is not finite is named', async () => {
  const shape = single(icosphere({ frequency: 2 }));
  for (const value of [Number.NaN, Infinity, -Infinity]) {
    const scene = both.gpu.scene();
    const body = scene.add(shape, { name: 'the cloth' });
    scene.add(shape, { pose: at(0.3) });
    const positions = new Float32Array(shape.positions);
    positions[3 * 17 + 1] = value;
    positions[3 * 20] = value;
    body.deform(placed(positions));
    const refused = { code: 'not-finite', message: expect.stringMatching(/the cloth.* 17/) };
    await expect(scene.interferences()).rejects.toMatchObject(refused);
    await expect(scene.selfIntersections(body)).rejects.toMatchObject(refused);
    await expect(scene.inside(body, new Float32Array(3))).rejects.toMatchObject(refused);
    body.deform(placed(new Float32Array(shape.positions)));
    expect((await scene.interferences()).length).toBe(1);
    scene.close();
  }
});

test('unusable buffers are refused with the reason', async () => {
  const shape = single(box());
  const scene = both.gpu.scene();
  const body = scene.add(shape);
  const bytes = 4 * shape.positions.length;
  const refuse = (
    options: { size: number; usage: number; mappedAtCreation?: boolean },
    layout: BufferLayout,
    why: RegExp,
  ) => {
    expect(() => body.deform(device.createBuffer(options), layout)).toThrow(why);
  };
  const usage = usualUsage();
  refuse({ size: bytes - 4, usage }, {}, /take 96 bytes, but the buffer has 92/);
  refuse({ size: bytes, usage }, { stride: 16 }, /take 124 bytes/);
  refuse({ size: bytes, usage }, { offset: 4 }, /take 100 bytes/);
  refuse({ size: 2 * bytes, usage }, { offset: 2 }, /offset/);
  refuse({ size: 2 * bytes, usage }, { stride: 8 }, /stride/);
  refuse({ size: bytes, usage: GPUBufferUsage.STORAGE }, {}, /COPY_SRC/);
  refuse({ size: bytes, usage, mappedAtCreation: true }, {}, /mapped/);
  expect(() => body.deform([1, 2, 3] as never)).toThrow(/a Float32Array, a Float64Array or a GPUBuffer/);
  // Nothing has changed.
  expect((await scene.selfIntersections(body)).triangles.length).toBe(0);
  const onCpu = both.cpu.scene().add(shape);
  expect(() => onCpu.deform(placed(shape.positions as Float32Array))).toThrow(/GPU backend/);

  const other = await openDevice();
  body.deform(other.device.createBuffer({ size: bytes, usage }));
  await expect(scene.selfIntersections(body)).rejects.toMatchObject({ code: 'bad-array' });
  const dead = placed(shape.positions as Float32Array);
  dead.destroy();
  body.deform(dead);
  await expect(scene.selfIntersections(body)).rejects.toMatchObject({ code: 'bad-array' });
  body.deform(placed(shape.positions as Float32Array));
  expect((await scene.selfIntersections(body)).triangles.length).toBe(0);
  other.device.destroy();
});

test('a waiting question sees what it was asked about', async () => {
  const shape = single(icosphere({ frequency: 3 }));
  const scaled = (by: number) => Float32Array.from(shape.positions, value => by * value);
  const scene = both.gpu.scene();
  const [a] = [scene.add(shape), scene.add(shape, { pose: at(3) })];
  a.deform(placed(scaled(2.5)));
  const first = scene.interferences();
  a.deform(placed(scaled(1)));
  const second = scene.interferences();
  a.deform(scaled(2.5));
  const third = scene.interferences();
  a.deform(placed(scaled(0.5)));
  expect((await first).length).toBe(1);
  expect((await second).length).toBe(0);
  expect((await third).length).toBe(1);
  expect((await scene.interferences()).length).toBe(0);
  expect(listed(await first)).toEqual(listed(await third));
  scene.close();
});

test('questions that need every position read them back when asked', async () => {
  const shape = single(icosphere({ frequency: 3 }));
  const { onGpu, exact, deform } = twins({ shape }, { shape, pose: at(0.8) });
  const positions = Float32Array.from(shape.positions, value => 1.25 * value);
  deform(0, positions);
  const [a, b] = onGpu.bodies;
  const answer = await onGpu.interferences();
  expect(() => answer.pairs[0].relation).toThrow(/relations\(\)/);
  expect(() => answer.pairs[0].point).toThrow(/points\(\)/);
  expect(() => onGpu.candidates()).toThrow(/readPositions\(\)/);
  expect(await answer.relations()).toEqual(['crossing']);
  expect(answer.pairs[0].relation).toBe('crossing');
  expect(await answer.points()).toEqual(await (await exact.interferences()).points());
  expect((await onGpu.overlap(a, b)).volume).toBe(
    (await exact.overlap(exact.bodies[0], exact.bodies[1])).volume,
  );
  expect(onGpu.candidates().length).toBe(1);
  expect(await a.readPositions()).toEqual(positions);
  expect(await onGpu.curves(a, b)).toEqual(await exact.curves(exact.bodies[0], exact.bodies[1]));
  const points = new Float32Array([0, 0, 0, 1.2, 0, 0, 1.3, 0, 0]);
  expect(await onGpu.inside(a, points)).toEqual(await exact.inside(exact.bodies[0], points));
  const between = await onGpu.interferences({ between: [[a], [b]] });
  expect(listed(between)).toEqual(listed(answer));
  expect((await onGpu.interferences({ allowed: [[a, b]] })).length).toBe(0);
  const counted = await onGpu.interferences({ detail: 'count' });
  expect(counted.pairs[0].triangleCount).toBe(answer.pairs[0].triangles.length / 2);
  expect((await onGpu.interferences({ detail: 'any' })).length).toBe(1);
  // An answer says so if its positions are gone.
  deform(0, positions);
  const old = await onGpu.interferences();
  deform(0, positions);
  await expect(old.relations()).rejects.toMatchObject({ code: 'closed' });
});

test('filters find their candidates on the GPU', async () => {
  const shape = single(icosphere({ frequency: 2 }));
  const scene = both.gpu.scene();
  const bodies = [0, 1, 2, 3].map(i => scene.add(shape, { pose: at(i), group: i % 2 }));
  bodies[1].deform(placed(Float32Array.from(shape.positions, value => 1.5 * value)));
  const all = await scene.interferences();
  const different = await scene.interferences({ groups: 'different' });
  const expected = listed(all).filter(({ a, b }) => (a - b) % 2 !== 0);
  expect(expected.length).toBeLessThan(all.length);
  expect(listed(different)).toEqual(expected);
  scene.close();
});

test('a device with no more than the default limits is enough', async () => {
  const { device: roomy } = await testDevice();
  expect(roomy.limits.maxStorageBuffersPerShaderStage).toBeGreaterThan(8);
  const adapter = await (await findGpu()).requestAdapter();
  const plain = await adapter!.requestDevice();
  expect(plain.limits.maxStorageBuffersPerShaderStage).toBe(8);
  const nf = await open({ device: plain });
  const shape = single(icosphere({ frequency: 3 }));
  const [scene, exact] = [nf.scene(), both.cpu.scene()];
  for (const each of [scene, exact]) for (let i = 0; i < 3; i++) each.add(shape, { pose: at(0.9 * i) });
  expect(listed(await scene.interferences())).toEqual(listed(await exact.interferences()));
  const any = await scene.interferences({ detail: 'any' });
  expect(any.length).toBe((await exact.interferences()).length);
  expect((await scene.selfIntersections(scene.bodies[0])).triangles.length).toBe(0);
  nf.close();
  plain.destroy();
});

test('a field in slabs reads back the positions it was asked about', async () => {
  const ball = single(icosphere({ frequency: 2 }));
  const { onGpu, exact, deform } = twins({ shape: ball });
  deform(
    0,
    Float32Array.from(ball.positions, x => 2 * x),
  );
  const options = { resolution: 8, upTo: 0.5 };
  const whole = await exact.field(exact.bodies[0], options);
  const slabs = await onGpu.fieldSlabs(onGpu.bodies[0], options);
  expect(slabs.grid).toEqual(whole.grid);
  onGpu.bodies[0].deform(ball.positions);
  let at = 0;
  for await (const { distance } of slabs) {
    for (const value of distance) {
      const expected = whole.distance[at++];
      if (value !== expected) expect(value, `sample ${at - 1}`).toBeCloseTo(expected, 5);
    }
  }
  expect(at).toBe(whole.distance.length);
});

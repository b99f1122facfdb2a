// Bodies of a scene on the GPU, frame after frame. The answer is always the CPU's, whatever moved, was added, was
// removed or deformed in between, and whatever another scene asked.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { GpuPoses } from '../../../bodies/on-gpu/gpu-poses.ts';
import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import type { GpuEngine } from '../../../gpu/engine.ts';
import { Resources } from '../../../gpu/kernel.ts';
import { readWords, testDevice } from '../../../gpu/testing/test-device.ts';
import { poseOf, rotation } from '../../../interferences/hierarchy/gpu/test-answers.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { createGpuEngine } from '../../../open-gpu.ts';
import { Scene } from '../../../scene.ts';
import { box, createRandom } from '../../../shapes/index.ts';
import { localFrame } from '../build/local.ts';
import type { Entry, GpuTrees } from '../trees.ts';
import { GpuBodyTable } from './body-table.ts';
import { factsOf } from './pose-conversion.ts';

let gpu: GpuEngine;
let cpu: CpuEngine;
beforeAll(async () => {
  gpu = await createGpuEngine({ device: (await testDevice()).device });
  cpu = await createCpuEngine();
}, 120_000);
afterAll(() => {
  gpu.close();
  cpu.close();
});

const seed = 41;

/** A box far from its mesh's origin, so that its local origin differs from the mesh's. */
const farBox = (offset: number) => {
  const { positions, indices } = box();
  return mesh(
    Float64Array.from(positions, (x, i) => (i % 3 === 0 ? x + offset : x)),
    indices,
  );
};

test.each([
  ['few bodies', 20],
  ['many bodies', 70],
])(
  '%s are found as the CPU finds them, frame after frame',
  async (_, count) => {
    const random = createRandom(seed);
    const side = 1.4 * Math.cbrt(count);
    const somewhere = (far = 0) => {
      const turned = rotation(random.between(0, 6), random.direction());
      const at = [0, 1, 2].map(axis => random.between(0, side) - far * turned[axis][0]);
      return poseOf(turned, at[0], at[1], at[2]);
    };
    const shapes = [box(), farBox(100), box({ size: [0.5, 1, 1.5] })];
    const scenes = [new Scene(gpu, cpu), new Scene(cpu, cpu)];
    const both = (change: (scene: Scene) => void) => scenes.forEach(scene => void change(scene));
    const other = new Scene(gpu, cpu);
    for (let i = 0; i < 3; i++) other.add(shapes[1], { pose: somewhere(100) });

    const far = (i: number) => (i % 3 === 1 ? 100 : 0);
    for (let i = 0; i < count; i++) {
      const pose = somewhere(far(i));
      both(scene => scene.add(shapes[i % 3], { pose }));
    }
    for (let frame = 0; frame < 8; frame++) {
      const bodyOf = (scene: Scene, index: number) => scene.bodies.find(body => body.index === index)!;
      if (frame % 4 === 1) {
        const poses = scenes[0].bodies.flatMap(({ index }) => [...somewhere(far(index))]);
        both(scene => scene.setPoses(poses));
      } else if (frame % 4 === 2) {
        const pose = somewhere(far(frame));
        both(scene => {
          bodyOf(scene, frame).pose = pose;
        });
      } else if (frame % 4 === 3) {
        const pose = somewhere(100);
        both(scene => {
          scene.remove(bodyOf(scene, frame + 4));
          scene.add(shapes[1], { pose });
          bodyOf(scene, 9).deform(shapes[0].positions.map(x => x * (1 + frame / 8)));
        });
        await other.interferences();
      }
      const [found, expected] = await Promise.all(scenes.map(scene => scene.interferences()));
      expect([found.backend, expected.backend]).toEqual(['gpu', 'cpu']);
      expect(expected.length).toBeGreaterThan(0);
      expect([...found.indices], `seed ${seed}, frame ${frame}`).toEqual([...expected.indices]);
      expect(found.pairs.map(pair => [...pair.triangles])).toEqual(
        expected.pairs.map(pair => [...pair.triangles]),
      );
    }
    both(scene => scene.close());
    other.close();
  },
  60_000,
);

test('bodies that leave the frame of the scene are found there', async () => {
  const scene = new Scene(gpu, cpu);
  for (let i = 0; i < 30; i++) scene.add(box());
  for (const scale of [1, 1e6, 1e-3, 1e9, 2]) {
    // A row of boxes a scale apart, the last two a quarter apart.
    const poses = Array.from({ length: 30 }, (_, i) => {
      const x = 4 * scale * Math.min(i, 28) + (i === 29 ? 0.25 : 0);
      return poseOf(
        rotation(0, [0, 0, 1]),
        scale < 1 && i < 28 ? x + 1000 * i : x,
        scale < 1 && i < 28 ? 9 : 0,
        0,
      );
    });
    scene.setPoses(poses.flatMap(pose => [...pose]));
    const answer = await scene.interferences({ detail: 'any' });
    expect([answer.backend, ...answer.indices], `scale ${scale}`).toEqual(['gpu', 28, 29]);
  }
  scene.close();
}, 60_000);

test('boxes whose poses are written into an array of the scene are found as the CPU finds them', async () => {
  const count = 1100;
  const random = createRandom(seed);
  const scenes = [new Scene(gpu, cpu), new Scene(cpu, cpu)];
  const cube = box();
  for (const scene of scenes) for (let i = 0; i < count; i++) scene.add(cube);
  for (let frame = 0; frame < 3; frame++) {
    const poses = Array.from({ length: count }, () => {
      const turned = rotation(random.between(0, 6), random.direction());
      return [...poseOf(turned, random.between(0, 20), random.between(0, 20), random.between(0, 20))];
    });
    for (const scene of scenes) {
      const room = scene.borrowPoses();
      room.set(poses.flat());
      scene.setPoses(room);
    }
    const [found, expected] = await Promise.all(scenes.map(scene => scene.interferences({ detail: 'any' })));
    expect(expected.length).toBeGreaterThan(20);
    expect(found.indices, `seed ${seed}, frame ${frame}`).toEqual(expected.indices);
  }
  for (const scene of scenes) scene.close();
});

test('poses on the GPU become the same doubles, and their facts are reported', async () => {
  const { device } = gpu;
  const count = 3000;
  const boxMesh = box();
  const shape = { mesh: boxMesh, positions: boxMesh.positions, revision: 0 };
  const entry = { shape, frame: localFrame(boxMesh.bounds), index: 0, leafCount: 12 };
  const trees = { entryOf: () => entry as unknown as Entry } as unknown as GpuTrees;
  const shapeStates = Array.from({ length: count }, () => ({ shape, ...shape, onGpu: undefined }));
  const table = new GpuBodyTable(device);
  const random = createRandom(seed);
  const singles = new Float32Array(16 * count);
  const special = [0, -0, 1, -1, 2 ** -126, -(2 ** 127), 3.4028234e38, 1 + 2 ** -23, 0.1];
  for (let i = 0; i < count; i++) {
    const scale = 2 ** random.between(-50, 50);
    const turned = rotation(random.between(0, 6), random.direction());
    const pose = poseOf(turned, random.between(-9, 9), special[i % 9], -special[(7 * i) % 9]);
    for (let k = 0; k < 11; k++) pose[k] *= scale;
    singles.set(pose, 16 * i);
  }
  const poses = Float64Array.from(singles);
  const changed = new Float64Array(count);
  const known = { count, shapeStates, changed, replaced: 0, shapesChanged: 0, table: 1, ordinary: true };
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST | GPUBufferUsage.STORAGE;
  const buffer = device.createBuffer({ size: 64 * count, usage });
  const onGpu = new GpuPoses(
    { buffer, stride: 16, copied: Promise.resolve(), read: async () => singles, release: () => {} },
    row => `body ${row}`,
  );
  const ask = async (revision: number) => {
    changed.fill(revision);
    const bodies: Snapshot = { ...known, poses, revision, onGpu };
    await table.prepare(bodies);
    const encoder = device.createCommandEncoder();
    table.update(bodies, trees, encoder);
    const pieces = table.factPieces;
    device.queue.submit([encoder.finish()]);
    table.accepted();
    const facts = await Promise.all(pieces.map(piece => readWords(device, piece.buffer, piece.bytes / 4)));
    return { bodies, facts, good: table.acceptFacts(facts) };
  };
  device.queue.writeBuffer(buffer, 0, singles);
  // The first time there is no scene frame yet for them.
  expect((await ask(1)).facts.length).toBe(0);
  expect(table.lacksPoses).toBe(true);
  table.update({ ...known, poses, revision: 1 }, trees);
  table.accepted();
  expect(table.scene.origin.every(Number.isFinite)).toBe(true);
  const { facts, good } = await ask(2);
  expect([facts.length, good]).toEqual([1, true]);
  const resources = new Resources();
  table.bind(resources);
  const words = await readWords(device, resources.get('poses') as GPUBuffer, 32 * count);
  expect(new Uint32Array(poses.buffer).findIndex((word, i) => word !== words[i])).toBe(-1);
  const { low, high } = factsOf(facts[0])!;
  for (let axis = 0; axis < 3; axis++) {
    const values = Array.from({ length: count }, (_, i) => poses[16 * i + 12 + axis]);
    expect([low[axis], high[axis]], `axis ${axis}`).toEqual([Math.min(...values), Math.max(...values)]);
  }
  // A single pose that is not plain, among all of them.
  for (const [k, value] of [
    [1, Number.NaN],
    [13, Infinity],
    [7, 2 ** -149],
    [15, 0.5],
    [12, 2 ** -130],
    [4, 2 ** 80],
  ]) {
    const row = random.integer(count);
    device.queue.writeBuffer(buffer, 64 * row + 4 * k, new Float32Array([value]));
    expect((await ask(3 + k)).good, `pose ${row}[${k}] = ${value}`).toBe(false);
    device.queue.writeBuffer(buffer, 0, singles);
    expect((await ask(30 + k)).good).toBe(true);
  }
  table.destroy();
  buffer.destroy();
});

test('very many poses arrive, also after an abandoned submission', async () => {
  const { device } = gpu;
  const count = 20_000;
  const boxMesh = box();
  const shape = { mesh: boxMesh, positions: boxMesh.positions, revision: 0 };
  const frame = localFrame(boxMesh.bounds);
  const trees = { entryOf: () => ({ shape, frame, index: 0, leafCount: 12 }) as unknown as Entry };
  const shapeStates = Array.from({ length: count }, () => ({ shape, ...shape, onGpu: undefined }));
  const table = new GpuBodyTable(device);
  const poses = new Float64Array(16 * count);
  const changed = new Float64Array(count);
  let revision = 0;
  const move = (first: number, end: number): Snapshot => {
    revision++;
    for (let i = 16 * first; i < 16 * end; i++) poses[i] = i + revision / 8;
    changed.fill(revision, first, end);
    const known = { count, shapeStates, poses, changed, revision, replaced: 0, shapesChanged: 0 };
    return { ...known, table: 1, ordinary: true };
  };
  const ask = (bodies: Snapshot, submit: boolean): number => {
    const encoder = device.createCommandEncoder();
    const before = written;
    table.update(bodies, trees as unknown as GpuTrees, encoder);
    if (submit) {
      device.queue.submit([encoder.finish()]);
      table.accepted();
    }
    return written - before;
  };
  let written = 0;
  const write = device.queue.writeBuffer;
  device.queue.writeBuffer = function (this: GPUQueue, ...given: Parameters<GPUQueue['writeBuffer']>) {
    written++;
    return write.apply(this, given);
  } as GPUQueue['writeBuffer'];
  try {
    // The queue writes the shape numbers once, and never poses.
    expect(ask(move(0, count), true)).toBe(1);
    await expectPoses('at first');
    expect(ask(move(0, count), false)).toBe(0);
    expect(ask(move(19_999, count), true)).toBe(0);
    await expectPoses('after one given up');
    // A few poses are written by the queue.
    expect(ask(move(100, 200), true)).toBe(1);
    await expectPoses('after a few');
  } finally {
    device.queue.writeBuffer = write;
    table.destroy();
  }

  async function expectPoses(when: string) {
    const resources = new Resources();
    table.bind(resources);
    const words = await readWords(device, resources.get('poses') as GPUBuffer, 32 * count);
    const found = new Float64Array(words.buffer);
    expect(
      found.findIndex((value, i) => value !== poses[i]),
      when,
    ).toBe(-1);
  }
}, 60_000);

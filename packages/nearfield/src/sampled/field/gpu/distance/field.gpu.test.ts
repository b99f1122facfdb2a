// Compares fields on the GPU with the CPU's: values to single precision, equal signs, and owners that are equally near.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { placeCorners, worldBox } from '../../../../bodies/snapshot/world.ts';
import { createTreeKernels, GpuTrees } from '../../../../bvh/gpu/trees.ts';
import { toEnd } from '../../../../core/waiting.ts';
import { type CpuEngine, createCpuEngine } from '../../../../cpu/engine.ts';
import { OnDemand } from '../../../../gpu/on-demand.ts';
import { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { readWords, testDevice } from '../../../../gpu/testing/test-device.ts';
import { mesh } from '../../../../mesh/mesh.ts';
import { box, createRandom, icosphere, torus } from '../../../../shapes/index.ts';
import { type FieldOptions, fieldTask, sampleField } from '../../distance/sample-field.ts';
import { noOwner, type RawField } from '../../field.ts';
import { samplePosition } from '../../grid.ts';
import { place } from '../../testing/bodies.ts';
import { nearestByHand } from '../../testing/nearest.ts';
import { slivers } from '../../testing/slivers.ts';
import { DistanceMeshes } from '../meshes/meshes.ts';
import { createSliceKernels } from '../slices/kernels.ts';
import { Sweeper } from '../slices/sweep.ts';
import { GpuFields } from './field.ts';

let cpu: CpuEngine;
let device: GPUDevice;
let trees: GpuTrees;
let sweeper: Sweeper;
let fields: GpuFields;
let meshes: OnDemand<DistanceMeshes>;
beforeAll(async () => {
  cpu = await createCpuEngine();
  const opened = await testDevice();
  device = opened.device;
  trees = new GpuTrees(device, await createTreeKernels(device));
  sweeper = new Sweeper(device, trees, await createSliceKernels(device));
  meshes = new OnDemand(() => DistanceMeshes.create(device, sweeper.resources, opened.software));
  fields = await GpuFields.create(device, sweeper, meshes, new Stopwatch(device), opened);
});
afterAll(() => {
  fields.destroy();
  meshes.destroy();
  sweeper.destroy();
  trees.destroy();
  cpu.close();
});

async function bothFields(body: Placed, options: FieldOptions): Promise<[RawField, RawField]> {
  const task = fieldTask(body, options);
  const slab = { first: 0, end: task.grid.dimensions[2] };
  const found = await fields.find(body, task, slab, cpu, trees.prepare([body.shape], false), () => {});
  return [found!, toEnd(sampleField(cpu, body, task, slab))];
}

/** Vertices are stored to 2^-30 of the body's size, and distances are right to 2^-21 of themselves. */
function expectAlike(body: Placed, gpu: RawField, own: RawField, where: string): void {
  const bounds = worldBox(body);
  const size = Math.max(...bounds.map(Math.abs));
  const [nx, ny] = gpu.grid.dimensions;
  const corners = new Float64Array(9);
  for (let i = 0; i < own.distance.length; i++) {
    const [a, b] = [gpu.distance[i], own.distance[i]];
    const slack = 2 ** -26 * size + 2 ** -20 * Math.abs(b);
    if (a !== b) expect(Math.abs(a - b), `${where}, sample ${i}`).toBeLessThanOrEqual(slack);
    if (Math.abs(b) > slack) expect(Math.sign(a), `${where}, sample ${i}`).toBe(Math.sign(b));
    if (gpu.owner[i] === own.owner[i]) continue;
    expect(gpu.owner[i], `${where}, sample ${i}`).not.toBe(noOwner);
    placeCorners(body, gpu.owner[i], corners, 0);
    const at = [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))];
    const point = at.map((index, axis) => samplePosition(gpu.grid, axis, index));
    const far = nearestByHand(point, corners).distance;
    expect(far - Math.abs(b), `${where}, sample ${i}`).toBeLessThanOrEqual(slack);
  }
}

describe('fields on the GPU', () => {
  it('are those of the CPU', async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const random = createRandom(seed);
      const linear = Array.from({ length: 9 }, () => random.between(-1, 1));
      const shape = seed % 2 ? torus({ majorSegments: 16, minorSegments: 8 }) : icosphere({ frequency: 4 });
      const body = place(shape, 2, -1, seed, linear);
      const [gpu, own] = await bothFields(body, { resolution: 14, upTo: seed < 3 ? undefined : 0.3 });
      expect(gpu.stats.dispatches).toBeGreaterThan(0);
      expectAlike(body, gpu, own, `seed ${seed}`);
    }
  });

  it('are the same if drawn slice by slice', async () => {
    for (const upTo of [undefined, 0.25]) {
      const body = place(
        torus({ majorSegments: 16, minorSegments: 8 }),
        1,
        0,
        0,
        [0, 1, 0, -1, 0, 0, 0, 0, 1],
      );
      const [gpu, own] = await bothFields(body, { resolution: 20, upTo, form: 'raster' });
      expectAlike(body, gpu, own, `upTo ${upTo}`);
    }
  });

  it('are within the stated error if drawn as distance meshes', async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const random = createRandom(seed);
      const linear = Array.from({ length: 9 }, () => random.between(-1, 1));
      const shape = seed % 2 ? torus({ majorSegments: 12, minorSegments: 6 }) : slivers(random, 30);
      const body = place(shape, 2, -1, seed, seed === 3 ? undefined : linear);
      const upTo = seed === 3 ? 0.3 : undefined;
      // A coarse mesh, so that its own error shows, and a fine one, so that the errors of drawing do.
      for (const meshTolerance of [undefined, 0.01]) {
        const form = 'distance-meshes';
        const [gpu, own] = await bothFields(body, { resolution: 12, form, upTo, meshTolerance });
        expect(gpu.stats.dispatches).toBeGreaterThan(0);
        expect(gpu.meshes!.pieces).toBeGreaterThan(gpu.meshes!.meshes);
        expectWithinError(body, gpu, own, upTo, `seed ${seed}, mesh tolerance ${meshTolerance}`);
      }
    }
  });

  it('are within the stated error far from the body', async () => {
    const body = place(icosphere({ frequency: 2 }), 1e6, 0, 0);
    const far = { box: [1e6 + 300, 100, 0, 1e6 + 310, 110, 10], resolution: 6 };
    const [gpu, own] = await bothFields(body, { ...far, form: 'distance-meshes' });
    expectWithinError(body, gpu, own, undefined, 'far');
  });

  it('have the meshes of all sites, however many lists a slice has of them', async () => {
    // The sites of a body are looked at 2,048 at a time, which gives a list each, and 256 are meshed together.
    const body = place(icosphere({ frequency: 10 }), 0.1, 0.2, 0.3);
    const [gpu, own] = await bothFields(body, { resolution: 4, form: 'distance-meshes', meshTolerance: 0.3 });
    expect(gpu.meshes!.sites).toBeGreaterThan(2 * 2048);
    expect(gpu.meshes!.meshes).toBeGreaterThan(256 * gpu.grid.dimensions[2]);
    expectWithinError(body, gpu, own, undefined, 'many sites');
  });

  it('have a distance at every sample, however far it is from the middle of its block', async () => {
    // A sample, the middle of its block and the nearest corner lie on one line: the corner's mesh has to reach as far as was
    // allowed for. Before, the outermost ring was a polygon within that circle.
    const corners = [
      ...[3.1263951542846513, 1.4166666666666672, 2.7665379405279777],
      ...[3.462271211197446, 2.3604029825729715, 1.4166666666666665],
      ...[5.380341885821467, 2.7628856569233737, 1.564768869537736],
    ];
    const form = 'distance-meshes';
    const tolerance = Math.sqrt(0.75);
    const body = place(mesh(new Float64Array(corners)));
    const near = { box: [0, 0, 0, 8, 4, 4], tolerance, signed: false, form } as const;
    const [gpu, own] = await bothFields(body, near);
    expectWithinError(body, gpu, own, undefined, 'one line');
    const random = createRandom(7);
    for (let round = 0; round < 20; round++) {
      const body = place(mesh(Float64Array.from({ length: 9 }, () => random.between(-1, 1))));
      const low = random.direction().map(x => x * random.between(2, 20));
      const box = [...low, ...low.map(x => x + 4)];
      const meshTolerance = 10 ** random.between(-1, 0.5);
      const [gpu, own] = await bothFields(body, { ...near, box, meshTolerance });
      expectWithinError(body, gpu, own, undefined, `seed 7, round ${round}`);
    }
  });

  it('take fewer blocks at once if lists would be too long, also in later questions', async () => {
    const opened = await testDevice();
    const body = place(torus({ majorSegments: 12, minorSegments: 6 }));
    const options = { resolution: 12, signed: false, form: 'distance-meshes' } as const;
    const [whole] = await bothFields(body, options);
    // Lists that end early, and counters that stop early.
    for (const room of [{ sliceWords: 3500 }, { mostCounted: 5000 }]) {
      const few = new OnDemand(() => DistanceMeshes.create(device, sweeper.resources, opened.software, room));
      const own = await GpuFields.create(device, sweeper, few, new Stopwatch(device), opened);
      const task = fieldTask(body, options);
      for (let question = 0; question < 2; question++) {
        const slab = { first: 0, end: task.grid.dimensions[2] };
        const preparation = trees.prepare([body.shape], false);
        const found = await own.find(body, task, slab, cpu, preparation, () => {});
        expect(found!.meshes!.pieces, JSON.stringify(room)).toBe(whole.meshes!.pieces);
        expect(found!.distance).toEqual(whole.distance);
      }
      own.destroy();
      few.destroy();
    }
  });

  function expectWithinError(
    body: Placed,
    gpu: RawField,
    own: RawField,
    upTo: number | undefined,
    where: string,
  ): void {
    const { error } = gpu.meshes!;
    const [nx, ny] = gpu.grid.dimensions;
    const corners = new Float64Array(9);
    for (let i = 0; i < own.distance.length; i++) {
      const [a, b] = [gpu.distance[i], own.distance[i]];
      const what = `${where}, sample ${i}: ${a} for ${b}, error ${error}`;
      if (Math.abs(b) > error && Math.sign(a) !== Math.sign(b)) expect.fail(`${what}: sign`);
      if (upTo !== undefined && (Math.abs(b) > upTo - error || Math.abs(a) > upTo - error)) continue;
      if (!(Math.abs(a - b) <= error)) expect.fail(what);
      placeCorners(body, gpu.owner[i], corners, 0);
      const at = [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))];
      const point = at.map((index, axis) => samplePosition(gpu.grid, axis, index));
      const away = nearestByHand(point, corners).distance;
      if (!(away - Math.abs(b) <= 2 * error)) expect.fail(`${what}: owner ${gpu.owner[i]} at ${away}`);
    }
  }

  it('have exact signs if faces lie on samples', async () => {
    const body = place(box({ size: [4, 4, 4] }));
    const [gpu, own] = await bothFields(body, { box: [-3.5, -3.5, -3.5, 3.5, 3.5, 3.5], resolution: 7 });
    expect(gpu.stats.unsure).toBeGreaterThan(0);
    for (let i = 0; i < own.distance.length; i++) {
      expect(Object.is(gpu.distance[i], own.distance[i]), `sample ${i}`).toBe(true);
    }
  });

  it('become textures', async () => {
    const body = place(icosphere({ frequency: 3 }));
    const task = fieldTask(body, { resolution: 10 });
    const [gpu] = await bothFields(body, { resolution: 10 });
    const textures = await fields.textures(
      body,
      task,
      cpu,
      undefined,
      GPUTextureUsage.COPY_SRC,
      undefined,
      () => {},
    );
    const words = 64 * 10 * 10;
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ size: 4 * words, usage });
    const encoder = device.createCommandEncoder();
    const layout = { buffer, bytesPerRow: 256, rowsPerImage: 10 };
    encoder.copyTextureToBuffer({ texture: textures!.distance }, layout, [10, 10, 10]);
    device.queue.submit([encoder.finish()]);
    const floats = new Float32Array((await readWords(device, buffer, words)).buffer);
    for (let i = 0; i < 1000; i++) {
      expect(floats[64 * Math.floor(i / 10) + (i % 10)], `sample ${i}`).toBe(gpu.distance[i]);
    }
    buffer.destroy();
    for (const texture of Object.values(textures!)) texture.destroy();
  });
});

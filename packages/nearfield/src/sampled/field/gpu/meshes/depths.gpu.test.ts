// Slabs and distance meshes in one submission against columns on the CPU, and against measuring every triangle.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../../bodies/snapshot/world.ts';
import { finderOf } from '../../../../bvh/cpu/walk/finder.ts';
import { createTreeKernels, GpuTrees } from '../../../../bvh/gpu/trees.ts';
import { type CpuEngine, createCpuEngine } from '../../../../cpu/engine.ts';
import { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { testDevice } from '../../../../gpu/testing/test-device.ts';
import { mesh } from '../../../../mesh/mesh.ts';
import { box, createRandom, icosphere, torus } from '../../../../shapes/index.ts';
import { type Window, wholeWindow } from '../../grid.ts';
import { localise } from '../../slices/localise.ts';
import { linearFinder, surroundings, type VolumeRequest, volumeTask } from '../../slices/slices.ts';
import { joined, place, volumeOf } from '../../testing/bodies.ts';
import { nearestByHand } from '../../testing/nearest.ts';
import { IntersectionVolume } from '../../volume.ts';
import { createSliceKernels } from '../slices/kernels.ts';
import { GpuVolumes } from '../slices/volume.ts';
import { DistanceMeshes } from './meshes.ts';

let cpu: CpuEngine;
let trees: GpuTrees;
let volumes: GpuVolumes;
let meshes: DistanceMeshes;
beforeAll(async () => {
  cpu = await createCpuEngine();
  const { device, software } = await testDevice();
  trees = new GpuTrees(device, await createTreeKernels(device));
  await trees.prepareTreeless();
  volumes = new GpuVolumes(device, await createSliceKernels(device), trees, new Stopwatch(device), {
    software,
  });
  meshes = await DistanceMeshes.create(device, volumes.sweeper.resources, software);
});
afterAll(() => {
  meshes.destroy();
  volumes.destroy();
  trees.destroy();
  cpu.close();
});

async function onGpu(
  bodies: readonly Placed[],
  request: VolumeRequest,
  windows?: readonly Window[],
): Promise<IntersectionVolume> {
  const task = volumeTask(bodies, { ...request, form: 'slabs' })!;
  const shapes = bodies.map(({ shape }) => shape);
  const preparation = trees.prepare(shapes, false, true);
  const raw = await volumes.find(
    ...([bodies, task, windows ?? [wholeWindow(task.grid)], true, preparation] as const),
    ...([() => {}, meshes] as const),
  );
  return new IntersectionVolume(raw!, 'gpu');
}

function expectWithinError(bodies: readonly Placed[], answer: IntersectionVolume, where: string): void {
  const { depth, direction, body, triangle, meshes: work } = answer.depths!;
  const { error } = work!;
  const corners = new Float64Array(9);
  for (let i = 0; i < answer.count; i++) {
    const point = answer.points.subarray(3 * i, 3 * i + 3);
    const away = bodies.map(other => {
      let least = Infinity;
      for (let t = 0; t < other.shape.mesh.triangleCount; t++) {
        placeCorners(other, t, corners, 0);
        least = Math.min(least, nearestByHand(point, corners).distance);
      }
      return least;
    });
    const least = Math.min(...away);
    const what = `${where}, point ${i}: ${depth[i]} for ${least}, error ${error}`;
    if (!(Math.abs(depth[i] - least) <= error)) expect.fail(what);
    if (away[body[i]] - least > 2 * error) expect.fail(`${what}: body ${body[i]}`);
    placeCorners(bodies[body[i]], triangle[i], corners, 0);
    const own = nearestByHand(point, corners).distance;
    if (own - least > 2 * error) expect.fail(`${what}: triangle at ${own}`);
    const length = Math.hypot(...direction.subarray(3 * i, 3 * i + 3));
    // Nothing falls beside a surface with samples equally far on both sides.
    if (length !== 0) expect(Math.abs(length - 1), what).toBeLessThan(2 ** -20);
  }
}

describe('slabs and distance meshes on the GPU', () => {
  it('find the points of columns, and depths within the stated error', async () => {
    for (let seed = 1; seed <= (process.env.NEARFIELD_SLOW ? 40 : 3); seed++) {
      const random = createRandom(seed);
      const turn = () => Array.from({ length: 9 }, () => random.between(-1, 1));
      const far = seed % 2 === 0 ? 2 ** 10 : 0;
      const bodies = [
        place(torus({ majorSegments: 14, minorSegments: 7 }), far, far, far, turn()),
        place(icosphere({ frequency: 3 }), far + random.next() / 2, far + random.next() / 2, far, turn()),
        place(box({ size: [1, 1, 1] }), far + random.next(), far, far + random.next()),
      ].slice(0, seed % 2 ? 2 : 3);
      const request = { resolution: 12 + seed, form: 'slabs', depths: 'distance-meshes' } as const;
      const answer = await onGpu(bodies, request);
      const expected = volumeOf(finderOf(cpu), bodies, { resolution: 12 + seed, form: 'slabs' });
      expect(answer.count, `seed ${seed}`).toBeGreaterThan(3);
      expect(answer.points, `seed ${seed}`).toEqual(expected.points);
      expect(answer.complete).toBe(true);
      expect(answer.work.triangles).toBe(expected.work.triangles);
      expect(answer.stats.dispatches).toBeGreaterThan(0);
      const { error, meshes: drawn, pieces } = answer.depths!.meshes!;
      expect(error).toBeLessThanOrEqual(answer.tolerance * (1 + 2 ** -8));
      expect(pieces).toBeGreaterThanOrEqual(drawn);
      expectWithinError(bodies, answer, `seed ${seed}`);
    }
  });

  it('answer in one submission, again and again the same', async () => {
    const bodies = [place(icosphere({ frequency: 5 })), place(icosphere({ frequency: 4 }), 1.3, 0.2, 0.1)];
    const request = { resolution: 14 };
    const first = await onGpu(bodies, request);
    const again = await onGpu(bodies, request);
    expect(again.stats.growths).toBe(0);
    expect(again.points).toEqual(first.points);
    expect(again.depths).toEqual(first.depths);
    // Windows have blocks of their own; the points stay.
    const task = volumeTask(bodies, request)!;
    const around = surroundings(linearFinder());
    const windows = localise(bodies, task.grid, wholeWindow(task.grid), 3, around);
    expect(windows.length).toBeGreaterThan(1);
    const parts = await onGpu(bodies, request, windows);
    expect(parts.points).toEqual(first.points);
    expectWithinError(bodies, parts, 'in windows');
  });

  it('make nothing on the device for further frames of deforming bodies', async () => {
    const { device } = await testDevice();
    const bodies = [place(icosphere({ frequency: 3 })), place(icosphere({ frequency: 4 }), 1.3, 0.2, 0.1)];
    const frame = async (scale: number) => {
      for (const { shape } of bodies) {
        shape.positions = shape.mesh.positions.map(x => x * scale);
        shape.revision++;
      }
      return onGpu(bodies, { box: [-2, -2, -2, 3, 2, 2], resolution: 20 });
    };
    for (const scale of [1.01, 1, 1.01]) await frame(scale);
    const made = (['createBindGroup', 'createBuffer', 'createTexture'] as const).map(name =>
      vi.spyOn(device, name),
    );
    const answer = await frame(1);
    const calls = made.map(spy => spy.mock.calls.length);
    for (const spy of made) spy.mockRestore();
    expect(calls).toEqual([0, 0, 0]);
    expect(answer.stats.growths).toBe(0);
    expectWithinError(bodies, answer, 'deformed');
  });

  it('say that parity leaves out what a body covers twice', async () => {
    const twice = place(joined(box({ size: [2, 2, 2] }), box({ size: [2, 2, 2] }), 1));
    const other = place(box({ size: [8, 1, 1] }), 0.05, 0.03, 0.02);
    const answer = await onGpu([twice, other], { resolution: 24 });
    const expected = volumeOf(finderOf(cpu), [twice, other], { resolution: 24, form: 'slabs' });
    expect(answer.complete).toBe(false);
    expect(answer.points).toEqual(expected.points);
    const alone = await onGpu([twice], { resolution: 24 });
    expect(alone.complete).toBe(true);
    expect(alone.points).toEqual(volumeOf(finderOf(cpu), [twice], { resolution: 24 }).points);
    expectWithinError([twice], alone, 'alone');
  });

  it('follow vertices that were deformed apart', async () => {
    const cube = box({ size: [2, 2, 2] });
    const positions = Float64Array.from({ length: 3 * cube.indices.length }, (_, i) => {
      const corner = cube.indices[Math.floor(i / 3)];
      return cube.positions[3 * corner + (i % 3)];
    });
    const body = place(mesh(positions));
    const ball = place(icosphere({ frequency: 2 }), 0.9, 0.1, 0.05);
    const request = { box: [-1.2, -1.2, -1.2, 1.2, 1.2, 1.2], resolution: 9 };
    expectWithinError([body, ball], await onGpu([body, ball], request), 'together');
    // Each triangle shrinks on its own, by a little: the surface has gaps, between samples.
    const apart = positions.map((x, i) => x * (1 - 0.002 * (Math.floor(i / 9) % 5)));
    const moved: Placed = { ...body, shape: { ...body.shape, positions: apart, revision: 1 } };
    const answer = await onGpu([moved, ball], request);
    expect(answer.stats.growths).toBeGreaterThan(0);
    expectWithinError([moved, ball], answer, 'apart');
  });
});

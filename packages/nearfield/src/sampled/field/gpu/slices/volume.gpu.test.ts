// Compares volumes on the GPU with the CPU's, point by point, and depths with the minimum over all triangles.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../../bodies/snapshot/world.ts';
import { finderOf } from '../../../../bvh/cpu/walk/finder.ts';
import { createTreeKernels, GpuTrees } from '../../../../bvh/gpu/trees.ts';
import { type CpuEngine, createCpuEngine } from '../../../../cpu/engine.ts';
import { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { testDevice } from '../../../../gpu/testing/test-device.ts';
import { box, createRandom, icosphere, torus, uvSphere } from '../../../../shapes/index.ts';
import { wholeWindow } from '../../grid.ts';
import { localise } from '../../slices/localise.ts';
import { surroundings, type VolumeRequest, volumeTask } from '../../slices/slices.ts';
import { joined, place, volumeOf } from '../../testing/bodies.ts';
import { nearestByHand } from '../../testing/nearest.ts';
import { IntersectionVolume } from '../../volume.ts';
import { createSliceKernels } from './kernels.ts';
import { GpuVolumes } from './volume.ts';

let cpu: CpuEngine;
let trees: GpuTrees;
let volumes: GpuVolumes;
/** Volumes with bricks of one sample, and of cubes with two and four samples per side. */
let byBricks: GpuVolumes[];
beforeAll(async () => {
  cpu = await createCpuEngine();
  const { device, software } = await testDevice();
  trees = new GpuTrees(device, await createTreeKernels(device));
  const kernels = await createSliceKernels(device);
  const create = (brickBits?: number) =>
    new GpuVolumes(device, kernels, trees, new Stopwatch(device), { software, brickBits });
  volumes = create();
  byBricks = [0, 1, 2].map(create);
});
afterAll(() => {
  for (const way of [volumes, ...byBricks]) way.destroy();
  trees.destroy();
  cpu.close();
});

async function onGpu(
  bodies: readonly Placed[],
  request: VolumeRequest,
  way = volumes,
): Promise<IntersectionVolume> {
  const task = volumeTask(bodies, request)!;
  const preparation = trees.prepare(
    bodies.map(({ shape }) => shape),
    false,
  );
  const depth = request.localisation ?? 0;
  const windows = localise(bodies, task.grid, wholeWindow(task.grid), depth, surroundings(finderOf(cpu)));
  const raw = await way.find(bodies, task, windows, request.depths === true, preparation, () => {});
  return new IntersectionVolume(raw!, 'gpu');
}

const cube = (size: number) => box({ size: [size, size, size] });

describe('volumes on the GPU', () => {
  it('have the points of the CPU, in its order', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed);
      const turn = () => Array.from({ length: 9 }, () => random.between(-1, 1));
      const far = seed % 2 === 0 ? 2 ** 17 : 0;
      const bodies = [
        place(torus({ majorSegments: 24, minorSegments: 12 }), far, far, far, turn()),
        place(uvSphere({ radius: 0.8 }), far + random.next(), far + random.next() / 2, far, turn()),
      ];
      const request = { resolution: 24, localisation: 0 };
      const answer = await onGpu(bodies, request);
      expect(answer.points, `seed ${seed}`).toEqual(volumeOf(finderOf(cpu), bodies, request).points);
      expect(answer.stats.dispatches, `seed ${seed}`).toBeGreaterThan(0);
    }
  });

  it('are exact if faces, edges and corners lie on samples', async () => {
    const request = { box: [-3.5, -3.5, -3.5, 3.5, 3.5, 3.5], resolution: 7 };
    for (const bodies of [
      [place(cube(4)), place(cube(4), 2)],
      [place(cube(4)), place(cube(4), -2, 0, 2)],
      [place(cube(4)), place(icosphere({ radius: 2, frequency: 1 })), place(cube(2), 1, 1, 1)],
    ]) {
      const answer = await onGpu(bodies, request);
      expect(answer.stats.unsure).toBeGreaterThan(0);
      expect(answer.points).toEqual(volumeOf(finderOf(cpu), bodies, request).points);
    }
  });

  it('find where one body winds around samples twice', async () => {
    const ring = joined(torus({ majorSegments: 16, minorSegments: 12 }), icosphere({ frequency: 3 }), 0.7);
    const answer = await onGpu([place(ring)], { resolution: 24 });
    const expected = volumeOf(finderOf(cpu), [place(ring)], { resolution: 24 });
    expect(answer.count).toBeGreaterThan(0);
    expect(answer.points).toEqual(expected.points);
  });

  it('grow if the list of points overflows', async () => {
    const bodies = [place(cube(2)), place(cube(2), 0.5)];
    const answer = await onGpu(bodies, { resolution: 48 });
    expect(answer.count).toBe(volumeOf(finderOf(cpu), bodies, { resolution: 48 }).count);
    expect(answer.stats.growths).toBeGreaterThan(0);
  });

  it('measure how deep points lie', async () => {
    const bodies = [
      place(icosphere({ frequency: 6 })),
      place(torus({ majorSegments: 20, minorSegments: 8 }), 0.9, 0.2, 0.1),
    ];
    const answer = await onGpu(bodies, { resolution: 12, depths: true });
    const { depth, direction, body, triangle } = answer.depths!;
    expect(answer.count).toBeGreaterThan(100);
    const corners = new Float64Array(9);
    for (let i = 0; i < answer.count; i++) {
      const point = answer.points.subarray(3 * i, 3 * i + 3);
      let least = Infinity;
      for (const other of bodies) {
        for (let t = 0; t < other.shape.mesh.triangleCount; t++) {
          placeCorners(other, t, corners, 0);
          least = Math.min(least, nearestByHand(point, corners).distance);
        }
      }
      expect(Math.abs(depth[i] - least), `point ${i}`).toBeLessThan(2 ** -20);
      placeCorners(bodies[body[i]], triangle[i], corners, 0);
      const own = nearestByHand(point, corners);
      expect(own.distance - least, `point ${i}`).toBeLessThan(2 ** -20);
      for (let axis = 0; axis < 3; axis++) {
        const along = (own.point[axis] - point[axis]) / own.distance;
        expect(Math.abs(direction[3 * i + axis] - along), `point ${i}`).toBeLessThan(1e-3);
      }
    }
  });

  it('measure the same by bricks of every size', async () => {
    for (let seed = 1; seed <= (process.env.NEARFIELD_SLOW ? 40 : 4); seed++) {
      const random = createRandom(seed);
      // Stretched and sheared, so that the tree's frame and the world's differ; three bodies, a few windows.
      const turn = () => Array.from({ length: 9 }, () => random.between(-1, 1));
      const bodies = [
        place(torus({ majorSegments: 30, minorSegments: 12 }), 0, 0, 0, turn()),
        place(icosphere({ frequency: 4 }), random.next() / 2, random.next() / 2, 0, turn()),
        place(cube(1), random.next(), 0, random.next()),
      ];
      const request = { resolution: 13 + seed, localisation: seed % 3, depths: true };
      const each = await onGpu(bodies, request, byBricks[0]);
      expect(each.count, `seed ${seed}`).toBeGreaterThan(0);
      for (const way of byBricks.slice(1)) {
        const bricks = await onGpu(bodies, request, way);
        expect(bricks.points, `seed ${seed}`).toEqual(each.points);
        expect(bricks.depths, `seed ${seed}`).toEqual(each.depths);
      }
    }
  });

  it('stay readable after later questions, and after the engine part is destroyed', async () => {
    const { device, software } = await testDevice();
    const kernels = await createSliceKernels(device);
    const way = new GpuVolumes(device, kernels, trees, new Stopwatch(device), { software });
    const requests = [36, 32, 34, 35].map(resolution => ({ resolution }));
    const bodies = [place(cube(2)), place(cube(2), 0.5)];
    const answers: IntersectionVolume[] = [];
    for (const request of requests) answers.push(await onGpu(bodies, request, way));
    way.destroy();
    answers.forEach((answer, i) => {
      expect(answer.count).toBeGreaterThan(2 ** 14);
      expect(answer.points).toEqual(volumeOf(finderOf(cpu), bodies, requests[i]).points);
    });
  });
});

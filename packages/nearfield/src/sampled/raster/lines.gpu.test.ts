// Lines of a view computed in bands, or with small capacities, equal those of the whole.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTreeKernels, GpuTrees } from '../../bvh/gpu/trees.ts';
import { toEnd } from '../../core/waiting.ts';
import { Stopwatch } from '../../gpu/stopwatch.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { createRandom, icosphere, torus } from '../../shapes/index.ts';
import { place } from '../field/testing/bodies.ts';
import { exactLines } from './exact/exact-lines.ts';
import { createRasterKernels, type RasterKernels } from './kernels.ts';
import { GpuLines, type LinesOptions } from './lines.ts';
import { Raster, type RasterRoom } from './raster.ts';
import type { RawLines } from './sampling.ts';
import { randomRotation } from './testing/poses.ts';
import { axesAlong, boxAlong, viewOf } from './view.ts';

let device: GPUDevice;
let trees: GpuTrees;
let kernels: RasterKernels;
beforeAll(async () => {
  device = (await testDevice()).device;
  trees = new GpuTrees(device, await createTreeKernels(device));
  kernels = await createRasterKernels(device);
});
afterAll(() => trees.destroy());

it('lines are the same in bands and with tiny capacities', async () => {
  const random = createRandom(11).next;
  const bodies = [
    place(icosphere({ frequency: 5 }), 0, 0, 0, randomRotation(random)),
    place(torus({ majorSegments: 16, minorSegments: 8 }), 0.2, 0.3, 0.5, randomRotation(random)),
  ];
  const view = viewOf(axesAlong([0.2, 0.3, 1]), Float64Array.of(-1.5, -1.5, -2, 1.5, 1.5, 2), {
    resolution: 33,
  });
  const found: RawLines[] = [];
  const ways: { options?: LinesOptions; room?: RasterRoom }[] = [
    {},
    { options: { mostPixels: 100 } },
    { room: { fragments: 16, strips: 1, unsure: 1 } },
  ];
  for (const { options, room } of ways) {
    const raster = new Raster(device, kernels, trees, { software: true, room });
    const lines = await GpuLines.create(device, raster, new Stopwatch(device), options);
    const preparation = trees.prepare(
      bodies.map(({ shape }) => shape),
      false,
    );
    const shares: number[] = [];
    found.push((await lines.find(bodies[0], bodies[1], view, 'solids', preparation, x => shares.push(x)))!);
    expect(shares.length).toBe(options === undefined ? 1 : Math.ceil(view.rows / 3));
    expect(shares.at(-1)).toBe(1);
    lines.destroy();
    raster.destroy();
  }
  const [whole, bands, tight] = found;
  for (const other of [bands, tight]) {
    expect({ ...other, stats: undefined }).toEqual({ ...whole, stats: undefined });
  }
  expect([whole.stats.growths, bands.stats.growths]).toEqual([0, 0]);
  expect(tight.stats.growths).toBeGreaterThan(0);
});

it('distances along lines stay within the bound of their own pixel', async () => {
  const seeds = process.env['NEARFIELD_SLOW'] === undefined ? 3 : 60;
  const raster = new Raster(device, kernels, trees, { software: true });
  const lines = await GpuLines.create(device, raster, new Stopwatch(device));
  let [told, nearest] = [0, 0];
  for (let seed = 1; seed <= seeds; seed++) {
    const random = createRandom(seed);
    // Few large triangles, some seen steeply, and many small ones.
    const sizes = seed % 2 === 0 ? [3, 8] : [12, 40];
    const bodies = [
      place(icosphere({ frequency: sizes[0] }), 0, 0, 0, randomRotation(random.next)),
      place(
        torus({ majorSegments: sizes[1], minorSegments: sizes[1] / 2 }),
        ...([random.next(), 0.3, 0.7 * (seed % 3)] as const),
        randomRotation(random.next),
      ),
    ];
    const axes = axesAlong([random.next() - 0.5, random.next() - 0.5, 1]);
    const view = viewOf(axes, boxAlong(axes, Float64Array.of(-1.3, -1.3, -2, 1.3, 1.3, 2)), {
      resolution: 40,
    });
    const preparation = trees.prepare(
      bodies.map(({ shape }) => shape),
      false,
    );
    const found = (await lines.find(bodies[0], bodies[1], view, 'solids', preparation, () => {}))!;
    const exact = toEnd(exactLines(bodies[0], bodies[1], view, 'solids'));
    const unsure = new Set(found.unsure);
    found.distance.forEach((own, pixel) => {
      if (unsure.has(pixel) || found.bound[pixel] > 1) return;
      const right = exact.distance[pixel];
      const where = `seed ${seed}, pixel ${pixel}`;
      expect(Number.isNaN(own), where).toBe(Number.isNaN(right));
      if (Number.isNaN(own)) return;
      const rounding = 2 ** -23 * Math.abs(right) + 1e-9;
      expect(Math.abs(own - right), where).toBeLessThanOrEqual(found.bound[pixel] + rounding);
      expect([found.triangleA[pixel], found.triangleB[pixel]], where).toEqual([
        exact.triangleA[pixel],
        exact.triangleB[pixel],
      ]);
      nearest = Math.max(nearest, Math.abs(own - right) / (found.bound[pixel] + rounding));
      told++;
    });
  }
  expect(told).toBeGreaterThan(100 * seeds);
  expect(nearest).toBeGreaterThan(0.001);
  lines.destroy();
  raster.destroy();
}, 600_000);

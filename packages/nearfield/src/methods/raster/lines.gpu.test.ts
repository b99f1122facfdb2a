// Lines of a view band by band, and with little room, are those of the whole.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTreeKernels, GpuTrees } from '../../bvh/gpu-trees.ts';
import { Stopwatch } from '../../gpu/stopwatch.ts';
import { testDevice } from '../../gpu/test-device.ts';
import { createRandom, icosphere, torus } from '../../mesh/shapes/index.ts';
import { place } from '../field/testing/bodies.ts';
import { createRasterKernels, type RasterKernels } from './kernels.ts';
import { GpuLines, type LinesOptions } from './lines.ts';
import { Raster, type RasterRoom } from './raster.ts';
import type { RawLines } from './sampling.ts';
import { randomRotation } from './testing/poses.ts';
import { axesAlong, viewOf } from './view.ts';

let device: GPUDevice;
let trees: GpuTrees;
let kernels: RasterKernels;
beforeAll(async () => {
  device = (await testDevice()).device;
  trees = new GpuTrees(device, await createTreeKernels(device));
  kernels = await createRasterKernels(device);
});
afterAll(() => trees.destroy());

it('are the same in bands and with hardly any room', async () => {
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

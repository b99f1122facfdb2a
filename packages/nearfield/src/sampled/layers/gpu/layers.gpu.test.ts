// Cases of a view computed band by band, and with small capacities, equal those of the whole view. Uncertain lines are
// left to be cast.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTreeKernels, GpuTrees } from '../../../bvh/gpu/trees.ts';
import { Stopwatch } from '../../../gpu/stopwatch.ts';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { box, createRandom, torus } from '../../../shapes/index.ts';
import { place } from '../../field/testing/bodies.ts';
import { compareCrossings } from '../../raster/exact/crossings.ts';
import { createRasterKernels } from '../../raster/kernels.ts';
import { Raster, type RasterRoom } from '../../raster/raster.ts';
import { castAll } from '../../raster/testing/lines.ts';
import { randomRotation } from '../../raster/testing/poses.ts';
import { axesAlong, viewOf } from '../../raster/view.ts';
import { orderOfLine } from '../cases.ts';
import type { LayersTask, RawLayers } from '../sampling.ts';
import { createLayerKernels } from './kernels.ts';
import { GpuLayers } from './layers.ts';

let device: GPUDevice;
let trees: GpuTrees;
beforeAll(async () => {
  device = (await testDevice()).device;
  trees = new GpuTrees(device, await createTreeKernels(device));
});
afterAll(() => trees.destroy());

it('are the same in bands and with very small capacities', async () => {
  const random = createRandom(12).next;
  const ring = torus({ majorSegments: 16, minorSegments: 8 });
  const bodies = [
    place(ring, 0, 0, 0, randomRotation(random)),
    place(ring, 0.2, 0.3, 0.5, randomRotation(random)),
  ];
  const view = viewOf(axesAlong([0.2, 0.3, 1]), Float64Array.of(-1.5, -1.5, -2, 1.5, 1.5, 2), {
    resolution: 33,
  });
  const kernels = await createLayerKernels(device);
  const rasterKernels = await createRasterKernels(device);
  const ways: { mostPixels?: number; room?: RasterRoom }[] = [
    {},
    { mostPixels: 200 },
    { room: { fragments: 16, strips: 1, unsure: 1 } },
  ];
  const found: RawLayers[] = [];
  for (const { mostPixels, room } of ways) {
    const raster = new Raster(device, rasterKernels, trees, { software: true, room });
    const layers = new GpuLayers(device, kernels, raster, new Stopwatch(device), {
      software: true,
      mostPixels,
    });
    const preparation = trees.prepare(
      bodies.map(({ shape }) => shape),
      false,
    );
    const way = { algorithm: 'general', layers: 1, spikes: true, form: 'computed' } as const;
    const task: LayersTask = { ...way, view, keep: undefined, mayExchange: false };
    const shares: number[] = [];
    const asked = [{ a: bodies[0], b: bodies[1], task }];
    const [answer] = await layers.find(asked, preparation, share => shares.push(share));
    found.push(answer as RawLayers);
    expect(shares.length).toBe(mostPixels === undefined ? 1 : Math.ceil(view.rows / 6));
    expect(shares.at(-1)).toBe(1);
    layers.destroy();
    raster.destroy();
  }
  const [whole, bands, tight] = found;
  expect(whole.counts.general).toBeGreaterThan(50);
  for (const other of [bands, tight]) {
    expect(other.cases).toEqual(whole.cases);
    expect(other.rays).toEqual(whole.rays);
    expect([...whole.cases.keys()].map(pixel => other.sequences.get(pixel))).toEqual(
      [...whole.cases.keys()].map(pixel => whole.sequences.get(pixel)),
    );
    expect(other.counts.overlapped).toBe(whole.counts.overlapped);
  }
  expect([whole.stats.growths, bands.stats.growths]).toEqual([0, 0]);
  expect(tight.stats.growths).toBeGreaterThan(0);
});

it('leave lines along edges and through corners to be cast', async () => {
  // Pixels of size 1/8, whose middles lie on edges, diagonals and corners of dyadic boxes.
  const bodies = [place(box({ size: [2, 2, 2] })), place(box({ size: [1, 1, 1] }), 0.5, 0.5, 0.75)];
  const seen = Float64Array.of(-1.0625, -1.0625, -1, 1.0625, 1.0625, 1.25);
  const view = viewOf(axesAlong([0, 0, 1]), seen, { pixel: 0.125 });
  const raster = new Raster(device, await createRasterKernels(device), trees, { software: true });
  const kernels = await createLayerKernels(device);
  const layers = new GpuLayers(device, kernels, raster, new Stopwatch(device), { software: true });
  const preparation = trees.prepare(
    bodies.map(({ shape }) => shape),
    false,
  );
  const way = { algorithm: 'extended', layers: 32, spikes: false, form: 'computed' } as const;
  const task: LayersTask = { ...way, view, keep: undefined, mayExchange: false };
  const asked = [{ a: bodies[0], b: bodies[1], task }];
  const [found] = (await layers.find(asked, preparation, () => {})) as RawLayers[];
  const cast = castAll(view, bodies);
  const open = new Set(found.rays);
  expect(open.size).toBeGreaterThan(10);
  expect(open.size).toBeLessThan(found.cases.length / 2);
  found.cases.forEach((value, pixel) => {
    if (open.has(pixel)) return;
    const [column, row] = [pixel % view.columns, Math.floor(pixel / view.columns)];
    const line = orderOfLine(cast(column, row).sort(compareCrossings), 0);
    expect(value, `pixel ${column}, ${row}`).toBe(line.value);
  });
  layers.destroy();
  raster.destroy();
});

it('of many pairs are found in one submission, and equal those of each pair alone', async () => {
  const random = createRandom(31).next;
  const ring = torus({ majorSegments: 12, minorSegments: 6 });
  const views = [9, 14, 20].map(resolution =>
    viewOf(axesAlong([0.2, 0.3, 1]), Float64Array.of(-1.5, -1.5, -2, 1.5, 1.5, 2), { resolution }),
  );
  const pairs = Array.from({ length: 7 }, (_, i) => {
    const a = place(i % 2 === 0 ? ring : box({ size: [1, 1, 2] }), 0, 0, 0, randomRotation(random));
    const b = place(ring, 0.1 * i, 0.3, 0.2, randomRotation(random));
    const way = {
      algorithm: i === 3 ? 'general' : 'auto',
      layers: 32,
      spikes: true,
      form: 'computed',
    } as const;
    return { a, b, task: { ...way, view: views[i % 3], keep: undefined, mayExchange: i > 4 } };
  });
  const shapes = pairs.flatMap(({ a, b }) => [a.shape, b.shape]);
  const kernels = await createLayerKernels(device);
  const raster = new Raster(device, await createRasterKernels(device), trees, { software: true });
  const counting = { label: 'submits', count: 0 };
  const queue = { submit: device.queue.submit };
  device.queue.submit = function (this: GPUQueue, buffers) {
    counting.count++;
    return queue.submit.call(this, buffers);
  };
  try {
    const ask = async (asked: typeof pairs, mostBands?: number) => {
      const layers = new GpuLayers(device, kernels, raster, new Stopwatch(device), {
        software: true,
        mostBands,
      });
      counting.count = 0;
      const answers = await layers.find(asked, trees.prepare(shapes, false), () => {});
      layers.destroy();
      return { answers: answers.map(plain), submits: counting.count };
    };
    // The first question about new trees may be submitted again, and ordered layers take a submission of their own.
    const alone = [];
    for (const pair of pairs) alone.push(...(await ask([pair])).answers);
    const together = await ask(pairs);
    const threes = await ask(pairs, 3);
    expect(together.answers).toEqual(alone);
    expect(threes.answers).toEqual(alone);
    const ordered = alone.filter(answer => typeof answer !== 'string' && answer.counts.general > 0).length;
    expect(ordered).toBeGreaterThan(0);
    expect([together.submits, threes.submits]).toEqual([1 + ordered, 3 + ordered]);
  } finally {
    device.queue.submit = queue.submit;
    raster.destroy();
  }

  function plain(answer: RawLayers | 'exchange'): 'exchange' | Omit<RawLayers, 'stats' | 'sequences'> {
    if (answer === 'exchange') return answer;
    const { cases, rays, spikes, error, counts } = answer;
    return { cases, rays, spikes, error, counts };
  }
}, 120_000);

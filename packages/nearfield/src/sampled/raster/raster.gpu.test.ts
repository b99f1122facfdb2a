// Compares lists of fragments with exact ray casting of every triangle: decided pixels are right, and undecided ones
// are listed.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../bodies/snapshot/world.ts';
import { createTreeKernels, GpuTrees } from '../../bvh/gpu/trees.ts';
import { readWords, testDevice } from '../../gpu/testing/test-device.ts';
import { emptyBox, growBox } from '../../math/box.ts';
import { box, createRandom, icosphere, torus } from '../../shapes/index.ts';
import { place } from '../field/testing/bodies.ts';
import type { Crossing } from './exact/crossings.ts';
import { createRasterKernels, type RasterKernels } from './kernels.ts';
import { RasterState, stateWords, TileLayout } from './layouts.ts';
import { Raster, type RasterRoom, type Tile } from './raster.ts';
import { castAll } from './testing/lines.ts';
import { randomRotation } from './testing/poses.ts';
import { axesAlong, boxAlong, type View, viewOf } from './view.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
if (slow) vi.setConfig({ testTimeout: 1_000_000 });
const seeds = (few: number, many: number) => Array.from({ length: slow ? many : few }, (_, i) => i + 1);

let device: GPUDevice;
let trees: GpuTrees;
let kernels: RasterKernels;
beforeAll(async () => {
  device = (await testDevice()).device;
  trees = new GpuTrees(device, await createTreeKernels(device));
  kernels = await createRasterKernels(device);
});
afterAll(() => trees.destroy());

interface Lists {
  /** The crossings per pixel of all tiles, in order of depth. */
  readonly lists: Crossing[][];
  readonly unsure: Set<number>;
  /** In pixels. */
  readonly error: number;
  readonly rounds: number;
}

/** The raster's lists, with depths in pixels. */
async function rastered(
  bodies: readonly Placed[],
  tiles: readonly Tile[],
  room?: RasterRoom,
): Promise<Lists> {
  trees.update(
    bodies.map(({ shape }) => shape),
    false,
  );
  const raster = new Raster(device, kernels, trees, { software: true, room });
  const { order } = trees.buffers;
  for (let rounds = 1; ; rounds++) {
    const batch = raster.lay(bodies, tiles)!;
    raster.write(batch);
    const encoder = device.createCommandEncoder();
    raster.encodeClear(encoder, batch);
    const pass = encoder.beginComputePass();
    raster.encode(pass, batch);
    pass.end();
    device.queue.submit([encoder.finish()]);
    const buffer = (name: string) => raster.resources.get(name) as GPUBuffer;
    const state = await readWords(device, buffer('rasterState'), stateWords);
    if (raster.accept(state) === 'again') continue;
    const count = state[RasterState.unsure];
    const unsure = (await readWords(device, buffer('rasterState'), stateWords + count)).slice(stateWords);
    const { pixelCount } = batch;
    const heads = await readWords(device, buffer('heads'), pixelCount + Math.ceil(pixelCount / 32));
    const fragments = await readWords(device, buffer('fragments'), 4 * state[RasterState.fragments]);
    const triangles = await readWords(device, order, order.size / 4);
    const depths = new Int32Array(fragments.buffer);
    const marked = new Set<number>();
    const lists = Array.from({ length: pixelCount }, (_, pixel) => {
      if ((heads[pixelCount + (pixel >> 5)] >>> (pixel & 31)) & 1) marked.add(pixel);
      const list: Crossing[] = [];
      const tile = tiles.findLastIndex(
        (_, t) => batch.tileWords[TileLayout.words * t + TileLayout.at.firstPixel] <= pixel,
      );
      const cellBits = batch.tileWords[TileLayout.words * tile + TileLayout.at.cellBits];
      for (let at = heads[pixel]; at !== 0; at = fragments[4 * (at - 1)]) {
        const [, , info, side] = fragments.subarray(4 * (at - 1), 4 * at);
        expect(side).toBe(2 * tile + ((info >> 1) & 1));
        list.push({
          depth: depths[4 * (at - 1) + 1] * 2 ** -cellBits,
          side: ((info >> 1) & 1) as 0 | 1,
          away: (info & 1) as 0 | 1,
          triangle: triangles[info >>> 2],
        });
      }
      return list.sort((p, q) => p.side - q.side || p.depth - q.depth);
    });
    expect(new Set(unsure)).toEqual(marked);
    expect(marked.size).toBe(count);
    raster.destroy();
    return { lists, unsure: marked, error: raster.errorOf(state), rounds };
  }
}

/** A view of all bodies. */
function viewAlong(direction: readonly number[], bodies: readonly Placed[], resolution: number): View {
  const axes = axesAlong(direction);
  const all = emptyBox();
  for (const body of bodies) {
    const own = worldBox(body);
    growBox(all, own[0], own[1], own[2]);
    growBox(all, own[3], own[4], own[5]);
  }
  return viewOf(axes, boxAlong(axes, all), { resolution });
}

/** Compares every decided pixel with the oracle. Returns how many were undecided. */
function compare(found: Lists, bodies: readonly Placed[], tiles: readonly Tile[], what: string): number {
  let pixel = 0;
  for (const { view, a, b, rows = { first: 0, end: view.rows } } of tiles) {
    const cast = castAll(view, [bodies[a], bodies[b]]);
    for (let row = rows.first; row < rows.end; row++) {
      for (let column = 0; column < view.columns; column++, pixel++) {
        if (found.unsure.has(pixel)) continue;
        const [own, exact] = [found.lists[pixel], cast(column, row)];
        const key = ({ side, away, triangle }: Crossing) => `${side} ${away} ${triangle}`;
        const where = `${what}, pixel ${column}, ${row}`;
        expect(own.map(key).sort(), where).toEqual(exact.map(key).sort());
        for (const crossing of exact) {
          const match = own.find(other => key(other) === key(crossing))!;
          const off = Math.abs(match.depth - crossing.depth / view.pixel);
          expect(off, `${where}: depth`).toBeLessThanOrEqual(found.error);
        }
      }
    }
  }
  return found.unsure.size;
}

const tileOf = (view: View): Tile => ({ view, a: 0, b: 1, candidate: 0 });

describe('lists of fragments', () => {
  it('hold what exact lines cross in random views', async () => {
    for (const seed of seeds(2, 100)) {
      const { next: random } = createRandom(seed);
      const bodies = [
        place(icosphere({ radius: 1, frequency: 6 }), random(), random(), random(), randomRotation(random)),
        place(
          torus({ minorRadius: 0.3, majorSegments: 24, minorSegments: 12 }),
          0.5,
          0,
          0,
          randomRotation(random),
        ),
      ];
      const direction = [random() - 0.5, random() - 0.5, random() - 0.5];
      const tiles = [tileOf(viewAlong(direction, bodies, 48))];
      const found = await rastered(bodies, tiles);
      expect(compare(found, bodies, tiles, `seed ${seed}`)).toBeLessThan(0.01 * 48 * 48);
      expect(found.error).toBeLessThan(1e-2);
    }
  });

  it('hold large triangles, mirrored bodies, and bodies far from the origin', async () => {
    const { next: random } = createRandom(7);
    const mirror = randomRotation(random).map((x, i) => (i < 3 ? -2 * x : 0.5 * x));
    const far = [1e6, -2e6, 3e6];
    const bodies = [
      place(box({ size: [2, 2, 2] }), far[0], far[1], far[2], mirror),
      place(box({ size: [3, 1, 2] }), far[0] + 0.5, far[1], far[2], randomRotation(random)),
    ];
    const tiles = [
      [0.1, 0.2, 0.9],
      [1, 0, 0],
      [0, -1, 0],
    ].map(direction => tileOf(viewAlong(direction, bodies, 40)));
    const found = await rastered(bodies, tiles);
    expect(compare(found, bodies, tiles, 'seed 7')).toBeLessThan(0.01 * found.lists.length);
  });

  it('leave lines along edges and through corners to the exact stage', async () => {
    // Pixels of 1/8 whose middles lie on edges, diagonals and corners of dyadic boxes.
    const bodies = [place(box({ size: [2, 2, 2] })), place(box({ size: [1, 1, 1] }), 0.5, 0.5, 0.5)];
    const axes = axesAlong([0, 0, 1]);
    const seen = Float64Array.of(-1.0625, -1.0625, -1, 1.0625, 1.0625, 1);
    const tiles = [tileOf(viewOf(axes, seen, { pixel: 0.125 }))];
    const found = await rastered(bodies, tiles);
    const unsure = compare(found, bodies, tiles, 'dyadic');
    expect(unsure).toBeGreaterThan(0);
    expect(unsure).toBeLessThan(found.lists.length / 2);
  });

  it('are right in every decided pixel along edges and corners of dyadic boxes', async () => {
    for (const seed of seeds(2, 200)) {
      const random = createRandom(seed);
      const eighths = (most: number) => (random.integer(8 * most) + 1) / 8;
      const some = () => {
        const size = [eighths(2), eighths(2), eighths(2)] as const;
        // Quarter turns and shears keep corners on the grid.
        const linear = [
          1,
          0,
          0,
          random.integer(3) - 1,
          1,
          0,
          random.integer(2),
          0,
          random.integer(2) === 0 ? 1 : -1,
        ];
        return place(box({ size: [...size] }), eighths(1), eighths(1), eighths(1), linear);
      };
      const bodies = [some(), some()];
      const direction = [0, 0, 0];
      direction[random.integer(3)] = random.integer(2) === 0 ? 1 : -1;
      const axes = axesAlong(direction);
      const seen = boxAlong(axes, Float64Array.of(-4, -4, -4, 4, 4, 4));
      const tiles = [tileOf(viewOf(axes, seen, { pixel: 1 / 4 }))];
      compare(await rastered(bodies, tiles), bodies, tiles, `seed ${seed}`);
    }
  });

  it('are the same in bands and with tiny initial capacities', async () => {
    const { next: random } = createRandom(5);
    const bodies = [
      place(icosphere({ radius: 1, frequency: 4 }), 0, 0, 0, randomRotation(random)),
      place(box({ size: [1, 1, 1] }), 0.5, 0.25, 0, randomRotation(random)),
    ];
    const view = viewAlong([0.3, -0.2, 1], bodies, 32);
    const whole = await rastered(bodies, [tileOf(view)]);
    const bands = [
      { ...tileOf(view), rows: { first: 0, end: 9 } },
      { ...tileOf(view), rows: { first: 9, end: view.rows } },
    ];
    const tight = await rastered(bodies, bands, { fragments: 4, strips: 1, unsure: 1 });
    expect(tight.rounds).toBeGreaterThan(1);
    expect(tight.lists).toEqual(whole.lists);
    expect(tight.unsure).toEqual(whole.unsure);
  });

  it('leave out fragments behind the end of a tile', async () => {
    const bodies = [place(box({ size: [2, 2, 2] })), place(box({ size: [1, 1, 1] }), 0, 0, 3)];
    const view = viewAlong([0, 0, 1], bodies, 16);
    const found = await rastered(bodies, [{ ...tileOf(view), far: 2.5 }]);
    const middle = found.lists[8 * view.columns + 6];
    expect(middle.filter(({ side }) => side === 0)).toHaveLength(2);
    expect(found.lists.every(list => list.every(({ side }) => side === 0))).toBe(true);
  });

  it('are refused if pixels are too small for single precision', () => {
    const bodies = [place(icosphere({ radius: 1, frequency: 2 })), place(box({ size: [1, 1, 1] }))];
    trees.update(
      bodies.map(({ shape }) => shape),
      false,
    );
    const raster = new Raster(device, kernels, trees, { software: true });
    const axes = axesAlong([0, 0, 1]);
    const view = viewOf(axes, Float64Array.of(0, 0, 0, 1e-7, 1e-7, 1), { resolution: 64 });
    expect(raster.lay(bodies, [tileOf(view)])).toBeUndefined();
    raster.destroy();
  });
});

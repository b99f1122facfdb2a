// Tiles laid out on the GPU equal those that the CPU lays out, whatever the capacities.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../../bodies/snapshot/snapshot-of.ts';
import { createTreeKernels, GpuTrees } from '../../../bvh/gpu/trees.ts';
import { Stopwatch } from '../../../gpu/stopwatch.ts';
import { readWords, testDevice } from '../../../gpu/testing/test-device.ts';
import { Hierarchy } from '../../../interferences/hierarchy/gpu/hierarchy.ts';
import { createHierarchyKernels } from '../../../interferences/hierarchy/gpu/kernels.ts';
import type { Room } from '../../../interferences/hierarchy/gpu/lists.ts';
import { box, createRandom, icosphere } from '../../../shapes/index.ts';
import { createRasterKernels } from '../../raster/kernels.ts';
import { SideLayout, TileLayout } from '../../raster/layouts.ts';
import { Raster, type RasterRoom } from '../../raster/raster.ts';
import { layTiles } from '../../raster/tiles.ts';
import { View } from '../../raster/view.ts';
import { createInvertKernel, EdgeSource } from '../edges/edge-source.ts';
import { axesOf } from '../lists/axis-tile.ts';
import type { CastRoom } from '../lists/list-cast.ts';
import type { SceneFindings, SceneTask } from '../sampling.ts';
import { createGpuTileKernels, GpuTileCasting } from './gpu-tile-casting.ts';
import { viewAt } from './lattice.ts';
import type { LayingRoom } from './laying.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
let device: GPUDevice;
let trees: GpuTrees;
beforeAll(async () => {
  device = (await testDevice()).device;
  trees = new GpuTrees(device, await createTreeKernels(device));
}, 60_000);
afterAll(() => trees.destroy());

interface Rooms {
  readonly room?: Room;
  readonly rasterRoom?: RasterRoom;
  readonly castRoom?: CastRoom;
  readonly layingRoom?: LayingRoom;
}

const enough: Room = { candidates: 4096, leafPairs: 16, certain: 16, unsure: 16, nodePairs: 16 };

async function castingWith({ room = enough, rasterRoom, castRoom, layingRoom }: Rooms) {
  const stopwatch = new Stopwatch(device);
  const software = true;
  const hierarchy = new Hierarchy(device, await createHierarchyKernels(device), trees, stopwatch, {
    software,
    room,
  });
  const raster = new Raster(device, await createRasterKernels(device), trees, { software, room: rasterRoom });
  const edges = new EdgeSource(device, trees, await createInvertKernel(device));
  const { front } = hierarchy;
  const setup = { software, room: castRoom, layingRoom };
  const casting = new GpuTileCasting(await createGpuTileKernels(device), {
    ...{ device, trees, front, raster, edges, stopwatch, setup },
  });
  const destroy = () => {
    for (const part of [casting, edges, raster, hierarchy]) part.destroy();
  };
  return { casting, hierarchy, destroy };
}

const meshes = [box(), icosphere({ frequency: 2 }), box({ size: [1, 2, 0.5], center: [300, 200, 100] })];

/** Turned, sheared, sometimes mirrored; the third mesh lies far from its own origin. */
function randomBodies(seed: number, count: number, size: number, far: number): Placed[] {
  const random = createRandom(seed);
  const shapes = meshes.map(mesh => ({ mesh, positions: mesh.positions, revision: 0 }));
  return Array.from({ length: count }, () => {
    const which = random.integer(meshes.length);
    const pose = new Float64Array(16);
    for (let k = 0; k < 12; k++) if (k % 4 < 3) pose[k] = size * random.between(-1, 1);
    const centre = which === 2 ? [300, 200, 100] : [0, 0, 0];
    for (let row = 0; row < 3; row++) {
      const there = far * (row - 1.3) + size * random.between(-2.5, 2.5);
      const local = centre.reduce((sum, c, column) => sum + pose[4 * column + row] * c, 0);
      pose[12 + row] = there - local;
    }
    pose[15] = 1;
    return { shape: shapes[which], pose, poseRevision: 0 };
  });
}

function taskOf(bodies: readonly Placed[], given: Partial<SceneTask>): SceneTask {
  const sortRecords = (records: Uint32Array) => {
    const list = Array.from({ length: records.length / 3 }, (_, i) => [
      ...records.subarray(3 * i, 3 * i + 3),
    ]);
    list.sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2]);
    records.set(list.flat());
  };
  const request = { ask: 'edges', counting: 'lists', resolution: 24, views: 1, offset: undefined } as const;
  return { ...request, candidates: undefined, bodyAt: row => bodies[row], sortRecords, ...given };
}

const prepare = (bodies: readonly Placed[]) =>
  trees.prepare(new Set(bodies.map(({ shape }) => shape)), false);

it('writes the same records as the CPU for the same views', async () => {
  for (const [seed, size, far] of [
    [1, 1, 0],
    [2, 1e-4, 0.01],
    [3, 3, 1e5],
    [4, 1e7, -3e9],
  ]) {
    const bodies = randomBodies(seed, slow ? 30 : 16, size, far);
    const { casting, hierarchy, destroy } = await castingWith({});
    const answer = (await casting.cast(
      snapshotOf(bodies),
      taskOf(bodies, { views: 3 }),
      prepare(bodies),
      () => {},
    )) as SceneFindings | undefined;
    expect(answer, `seed ${seed}`).toBeDefined();
    const { pixel, tiles: count } = answer!.raycast;
    expect(Number.isInteger(Math.log2(pixel)), `seed ${seed}`).toBe(true);
    expect(count, `seed ${seed}`).toBeGreaterThan(40);
    const { tiles, sides, tilePlaces } = casting.laying.buffers;
    const tileWords = await readWords(device, tiles, TileLayout.words * count);
    const sideWords = await readWords(device, sides, 2 * SideLayout.words * count);
    const places = new Int32Array((await readWords(device, tilePlaces, 4 * count)).buffer);
    const expected = layTiles(
      bodies,
      ({ shape }) => trees.entryOf(shape),
      Array.from({ length: count }, (_, t) => {
        const record = TileLayout.words * t;
        const [columns, rows] = [
          tileWords[record + TileLayout.at.columns],
          tileWords[record + TileLayout.at.rows],
        ];
        const axis = places[4 * t + 3];
        const { origin } = viewAt(
          hierarchy.front.table.scene.origin,
          pixel,
          axis,
          places.subarray(4 * t, 4 * t + 3),
        );
        return {
          view: new View(axesOf[axis], origin, pixel, columns, rows, 0, 0),
          a: sideWords[2 * SideLayout.words * t + SideLayout.at.body],
          b: sideWords[SideLayout.words * (2 * t + 1) + SideLayout.at.body],
          candidate: tileWords[record + TileLayout.at.candidate],
        };
      }),
    );
    expect([expected.pixelCount > 0, expected.triangleCount]).toEqual([true, answer!.stats.triangleTests]);
    for (let t = 0; t < count; t++) {
      const about = `seed ${seed}, tile ${t}`;
      const record = TileLayout.words * t;
      const tileOf = (words: Uint32Array) => {
        const { at } = TileLayout;
        return [at.firstPixel, at.columns, at.rows].map(field => words[record + field]);
      };
      expect(tileOf(tileWords), about).toEqual(tileOf(expected.tileWords));
      // Depth counts here too, so units may be twice as large.
      const [mine, theirs] = [tileWords, expected.tileWords].map(
        words => words[record + TileLayout.at.cellBits],
      );
      expect([0, 1, 2], about).toContain(theirs - mine);
      for (let s = 0; s < 2; s++) {
        const [one, other] = [
          sideOf(sideWords, SideLayout.words * (2 * t + s), mine),
          sideOf(expected.sideWords, SideLayout.words * (2 * t + s), theirs),
        ];
        expect(one.numbers, about).toEqual(other.numbers);
        const off = one.noise + other.noise;
        one.centre.forEach((value, k) => {
          expect(Math.abs(value - other.centre[k]), about).toBeLessThan(off);
        });
        one.linear.forEach((value, k) => {
          expect(Math.abs(value - other.linear[k]), about).toBeLessThan(2 ** -29 * one.size);
        });
        expect(one.noise, about).toBeLessThan(1 / 16);
      }
    }
    destroy();
  }
}, 120_000);

/** A side's numbers, in pixels. */
function sideOf(words: Uint32Array, record: number, cellBits: number) {
  const { at } = SideLayout;
  const whole = new Int32Array(words.buffer);
  const floats = new Float32Array(words.buffer);
  // Entries are scaled by 2^30 and vertices by 2^29; the product has lost 2^32 and is then shifted to the right.
  const size = 2 ** (59 - 32 - whole[record + at.offset + 3] - cellBits);
  return {
    size,
    linear: [0, 1, 2, 4, 5, 6, 8, 9, 10].map(k => whole[record + at.linear + k] * 2 ** -30 * size),
    centre: [0, 1, 2].map(
      k => (whole[record + at.offset + k] + floats[record + at.rest + k]) * 2 ** -cellBits,
    ),
    noise: floats[record + at.rest + 3] * 2 ** -cellBits,
    numbers: [at.leafOffset, at.leafCount, at.first, at.mirrored, at.body].map(
      field => words[record + field],
    ),
  };
}

it('finds the same with tiny capacities and any number of workgroups', async () => {
  const bodies = randomBodies(9, 40, 1, 0);
  const rows = snapshotOf(bodies);
  const ways: Rooms[] = [
    {},
    { room: { ...enough, candidates: 1 } },
    { layingRoom: { tiles: 1, pixels: 2 ** 18 } },
    { layingRoom: { tiles: 4096, pixels: 1 } },
    { castRoom: { pieces: 1, hits: 1 } },
    {
      room: { ...enough, candidates: 1 },
      layingRoom: { tiles: 1, pixels: 1 },
      rasterRoom: { fragments: 1, strips: 1, unsure: 1 },
      castRoom: { pieces: 1, hits: 1 },
    },
  ];
  const plain = await answerWith(ways[0]);
  expect(plain.rows.length).toBeGreaterThan(20);
  expect(plain.growths).toBe(0);
  for (const way of ways.slice(1)) {
    const { growths, ...other } = await answerWith(way);
    expect(growths).toBeGreaterThan(0);
    expect({ ...other, growths: 0 }).toEqual(plain);
  }
  // Several hundred tiles, by one workgroup and by two.
  expect(plain.tiles).toBeGreaterThan(300);
  for (const blocks of [1, 2]) {
    expect(await answerWith({ layingRoom: { tiles: 4096, pixels: 2 ** 18, blocks } })).toEqual(plain);
  }

  async function answerWith(rooms: Rooms) {
    const { casting, destroy } = await castingWith(rooms);
    const task = taskOf(bodies, { views: 3 });
    const answer = (await casting.cast(rows, task, prepare(bodies), () => {})) as SceneFindings;
    destroy();
    const { owners } = answer.edges;
    // Points come in any order.
    const hits = Array.from(
      { length: owners.length / 2 },
      (_, i) => `${owners[2 * i]} ${owners[2 * i + 1]} ${answer.edges.along![i]}`,
    ).sort();
    const { fragments, edgeFragments, tiles, pixel } = answer.raycast;
    return {
      ...{ rows: answer.rows, found: answer.found, hits, fragments, edgeFragments, tiles, pixel },
      ...{ mayMissBelow: answer.mayMissBelow, growths: answer.stats.growths },
    };
  }
}, 120_000);

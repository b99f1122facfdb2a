// Motions whose triangles a GPU searches have the answers of the CPU, bit for bit, and the kernels never leave out
// two triangles that touch: exact predicates decide which do.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hasPublishedQueries,
  publishedQueries,
} from '../../../../../../test/oracle/motion/published-queries.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import type { GpuEngine } from '../../../gpu/engine.ts';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { type Mesh, mesh, type Positions } from '../../../mesh/mesh.ts';
import { createGpuEngine } from '../../../open-gpu.ts';
import { Scene } from '../../../scene.ts';
import * as shapes from '../../../shapes/index.ts';
import type { MotionAnswer } from '../../answer.ts';
import type { BodyMotion, FirstContact, FirstContactOptions, SweptPair } from '../../types.ts';
import { MovingTrianglePairs } from '../triangle-pair.ts';

const seed = Number(process.env.NEARFIELD_SEED ?? 18690101);
const rounds = process.env.NEARFIELD_SLOW ? 400 : 12;
const random = shapes.createRandom(seed);
const settings = { leastMoving: 0 };

let gpu: GpuEngine;
let cpu: CpuEngine;
beforeAll(async () => {
  gpu = await createGpuEngine({ device: (await testDevice()).device, settings });
  cpu = await createCpuEngine();
}, 120_000);
afterAll(() => {
  gpu.close();
  cpu.close();
});

/** A body of a test: where it is, and where it goes. */
interface Moving {
  readonly mesh: Mesh;
  readonly pose?: Float64Array;
  readonly positions?: Positions;
  readonly to?: Float64Array;
}

const plain = <T extends FirstContact | SweptPair>(found: readonly T[]) =>
  found.map(({ a, b, ...rest }) => ({ a: a.index, b: b.index, ...rest }));

/** Asks the same of a scene on each engine. */
async function ask(engine: GpuEngine | CpuEngine, bodies: readonly Moving[], options: FirstContactOptions) {
  const scene = new Scene(engine, cpu);
  const motion = {
    bodies: bodies.flatMap(({ mesh: own, pose, positions, to }): BodyMotion[] => {
      const body = scene.add(own, pose && { pose });
      return positions ? [{ body, positions }] : to ? [{ body, to }] : [];
    }),
  };
  const found = await scene.firstContact(motion, options);
  // All intervals of many contacts take long.
  const swept = options.which === 'all' ? await scene.sweep(motion) : [];
  scene.close();
  return { found, swept };
}

/** The same on both; with 'all', sweeps too. Returns what the GPU did. */
async function expectSame(bodies: readonly Moving[], options: FirstContactOptions, engine = gpu) {
  const [own, sure] = [await ask(engine, bodies, options), await ask(cpu, bodies, options)];
  expect(plain(own.found), `seed ${seed}`).toEqual(plain(sure.found));
  expect(plain(own.swept), `seed ${seed}`).toEqual(plain(sure.swept));
  expect(sure.found.backend).toBe('cpu');
  expect(sure.found.stats.dispatches).toBe(0);
  return { own: own.found, sure: sure.found };
}

function expectOnGpu(answer: MotionAnswer<FirstContact>) {
  expect(answer.backend).toBe('gpu');
  expect(answer.stats.onGpu).toBeGreaterThan(0);
  expect(answer.stats.dispatches).toBeGreaterThan(0);
}

const at = (x: number, y: number, z: number, size = 1) =>
  Float64Array.of(size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, x, y, z, 1);

/** A folded cloth, and its positions after a step. */
function cloth(triangles: number, step: number) {
  const own = shapes.cloth({ triangles, steepness: 2.2 });
  const positions = Float32Array.from(own.positions, x => x + step * (random.next() - 0.5));
  return { mesh: mesh(Float32Array.from(own.positions), own.indices), positions };
}

describe('a body and itself', () => {
  test.each([0.001, 0.03, 0.1])('a cloth that moves by %s', async step => {
    const { own, sure } = await expectSame([cloth(2000, step)], { which: 'triangles', self: true });
    expectOnGpu(own);
    expect(own.length).toBeGreaterThan(20);
    // What certainly meets at time 0, or certainly never, is not compared again.
    expect(own.stats.pairs).toBeLessThan(sure.stats.pairs);
  });

  test('the same cloth turned, scaled and far away', async () => {
    const { mesh: own, positions } = cloth(1500, 0.05);
    const pose = Float64Array.of(0, 3, 0, 0, -3, 0, 0, 0, 0, 0, 3, 0, 4_500_000.5, -7e5, 3, 1);
    const { own: found } = await expectSame([{ mesh: own, positions, pose }], {
      which: 'triangles',
      self: true,
    });
    expectOnGpu(found);
  });

  test('one frame after the other, in a scene that goes on', async () => {
    const { mesh: own } = cloth(1500, 0);
    const scenes = [new Scene(gpu, cpu), new Scene(cpu, cpu)];
    const bodies = scenes.map(scene => scene.add(own));
    let now = Float32Array.from(own.positions);
    for (let frame = 0; frame < 4; frame++) {
      const next = now.map(x => x + 0.02 * (random.next() - 0.5));
      const [found, sure] = await Promise.all(
        scenes.map((scene, i) =>
          scene.firstContact(
            { bodies: [{ body: bodies[i], positions: next }] },
            { which: 'triangles', self: true },
          ),
        ),
      );
      expectOnGpu(found);
      expect(plain(found)).toEqual(plain(sure));
      for (const body of bodies) body.deform(next);
      now = next;
    }
    for (const scene of scenes) scene.close();
  });
});

describe('two bodies', () => {
  const sphere = shapes.icosphere({ frequency: 3 });

  test.each([
    ['side by side', at(0, 0, 2.5), at(0.1, 0.2, -2.5)],
    ['that overlap at time 0', at(0, 0, 1.5), at(0.1, 0.2, -2.5)],
    ['that stay apart', at(0, 2.5, 2.5), at(0.1, 2.5, -2.5)],
    ['of which one is tiny', at(0, 0, 1.2, 2 ** -12), at(0, 0, -1, 2 ** -12)],
    ['of which one is a point', at(0, 0, 1.2, 2 ** -300), at(0, 0, -1, 2 ** -300)],
    ['of which one is far larger', at(0.3, 0.2, 5000, 4000), at(0.3, 0.2, 1000, 4000)],
  ])('%s', async (name, pose, to) => {
    for (const which of ['all', 'triangles', 'earliest'] as const) {
      const bodies: Moving[] = [{ mesh: sphere }, { mesh: sphere, pose, to }];
      const { own } = await expectSame(bodies, { which });
      if (which === 'triangles' && name !== 'that stay apart') expectOnGpu(own);
    }
  });

  test('both deform, up to a time', async () => {
    const sphere = shapes.icosphere({ frequency: 2 });
    const moved = (z: number) => sphere.positions.map((x, i) => (i % 3 === 2 ? 1.5 * x - z : x));
    const bodies: Moving[] = [
      { mesh: sphere, positions: moved(0), pose: at(1e9, 2e9, 3e9) },
      { mesh: sphere, positions: moved(6), pose: at(1e9, 2e9, 3e9 + 4) },
    ];
    for (const upTo of [1, 0.25]) await expectSame(bodies, { which: 'triangles', upTo });
    await expectSame(bodies, { which: 'all' });
  });
});

test(`random triangles of any kind and size (seed ${seed})`, async () => {
  let [met, searched] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const whole = (count: number) => random.integer(count);
    // Few coordinates make many degenerate triangles, contacts at corners and edges, and coplanar paths.
    const kind = round % 3;
    const coordinate = () => (kind === 0 ? whole(3) : kind === 1 ? whole(9) : 8 * random.next());
    const size = 2 ** [0, 100, -100, 900, -900, 20][round % 6];
    const offset = [0, 0, 1e6, 2 ** 40][whole(4)];
    const many = (triangles: number, vertices: number) => {
      const place = () => Float64Array.from({ length: 3 * vertices }, () => size * (coordinate() + offset));
      const indices = Uint32Array.from({ length: 3 * triangles }, () => whole(vertices));
      return { mesh: mesh(place(), indices), positions: place() };
    };
    const bodies = [many(4 + whole(12), 6 + whole(20)), many(4 + whole(12), 6 + whole(20))];
    const { own } = await expectSame(bodies, { which: 'triangles', self: true });
    if (round % 4 === 0) await expectSame(bodies, { which: 'all' });
    met += own.length;
    if (own.backend === 'gpu') searched++;
  }
  expect(met).toBeGreaterThan(10 * rounds);
  expect(searched).toBeGreaterThan(rounds / 2);
});

/**
 * Pairs of triangles of size 1, one per cell of a grid of that width, of which a corner and a triangle, or two edges,
 * touch at a time between, up to a change of about `off` per coordinate. `b` passes through `a`, turns back at it, or
 * slides along it.
 */
function grazing(count: number, width: number, off: () => number) {
  const [a, b] = [0, 1].map(() => [new Float64Array(9 * count), new Float64Array(9 * count)]);
  const side = Math.ceil(Math.cbrt(count));
  const vector = (size: number) => [0, 1, 2].map(() => size * (random.next() - 0.5));
  const along = (p: number[], q: number[], t: number) => p.map((x, k) => x + t * (q[k] - x));
  for (let n = 0; n < count; n++) {
    const cell = [n % side, Math.floor(n / side) % side, Math.floor(n / side / side)].map(i => width * i);
    const time = [0, 1, 0.5, random.next()][random.integer(4)];
    const corner = () => [vector(1), vector(1), vector(1)];
    const [a0, a1] = [corner(), corner()];
    const atTime = a0.map((p, i) => along(p, a1[i], time));
    const isEdge = random.integer(2) === 0;
    const share = [0, 1, random.next()][random.integer(3)];
    const onEdge = along(atTime[0], atTime[1], share);
    const touched = isEdge ? onEdge : along(onEdge, atTime[2], random.next());
    // b's corner 0, or the middle of its first edge, is there at that time.
    const velocity = random.integer(3) === 0 ? atTime[1].map((x, k) => x - atTime[0][k]) : vector(1);
    const placeAt = (t: number) => touched.map((x, k) => x + (t - time) * velocity[k]);
    const arm = vector(1);
    const rest = [vector(1), vector(1)];
    for (const t of [0, 1]) {
      const place = placeAt(t);
      const beside = place.map((x, k) => x + arm[k]);
      const b0 = isEdge ? [beside, place.map((x, k) => x - arm[k])] : [place, beside];
      const b2 = place.map((x, k) => x + rest[t][k]);
      const write = (to: Float64Array, points: number[][]) =>
        to.set(
          points.flat().map((x, i) => x + cell[i % 3] + off()),
          9 * n,
        );
      write(a[t], t === 0 ? a0 : a1);
      write(b[t], [...b0, b2]);
    }
  }
  const indices = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  const body = ([start, end]: Float64Array[]): Moving & { readonly positions: Float64Array } => ({
    mesh: mesh(start, indices),
    positions: end,
  });
  return [body(a), body(b)] as const;
}

test.each([
  ['exactly', 0, 4],
  ['an ulp of doubles', 2 ** -48, 4],
  ['a digit of the stored positions', 2 ** -26, 4],
  ['an ulp of singles', 2 ** -22, 4],
  ['a thousandth', 2 ** -10, 4],
  ['the rounding of tiny triangles', 0, 2 ** 14],
  ['the rounding of points', 0, 2 ** 24],
])(`no pair is left out that touches within %s (seed ${seed})`, async (_, size, width) => {
  const count = process.env.NEARFIELD_SLOW ? 20_000 : 1500;
  const [a, b] = grazing(count, width, () => size * (random.next() - 0.5));
  const { own, sure } = await expectSame([a, b], { which: 'triangles' });
  expectOnGpu(own);
  const pairs = new MovingTrianglePairs(40, 1);
  const corners = new Float64Array(36);
  const listed = new Set(
    own.filter(({ triangleA, triangleB }) => triangleA === triangleB).map(c => c.triangleA),
  );
  let [touching, missed] = [0, 0];
  for (let n = 0; n < count; n++) {
    const part = (p: Positions) => p.subarray(9 * n, 9 * n + 9);
    corners.set(part(a.mesh.positions), 0);
    corners.set(part(b.mesh.positions), 9);
    corners.set(part(a.positions), 18);
    corners.set(part(b.positions), 27);
    if (pairs.firstCell(corners, pairs.lastCell) === Infinity) continue;
    touching++;
    if (!listed.has(n)) missed++;
  }
  expect(missed).toBe(0);
  expect(touching).toBeGreaterThan(count / 4);
  expect(sure.length).toBeGreaterThanOrEqual(touching);
});

test('lists that are too short grow, and what does not fit is left to the CPU', async () => {
  const { device } = await testDevice();
  const moving = [cloth(1500, 0.1)];
  const options = { which: 'triangles', self: true } as const;
  for (const most of [undefined, 100]) {
    const sweptRoom = { leafPairs: 1, found: 1, most };
    const engine = await createGpuEngine({ device, settings: { ...settings, sweptRoom } });
    const { own } = await expectSame(moving, options, engine);
    expect(own.backend).toBe(most === undefined ? 'gpu' : 'cpu');
    if (most === undefined) expect(own.stats.growths).toBeGreaterThan(0);
    engine.close();
  }
});

test('small bodies are searched by the CPU', async () => {
  const engine = await createGpuEngine({ device: (await testDevice()).device });
  const { own } = await expectSame([cloth(1500, 0.1)], { which: 'triangles', self: true }, engine);
  expect(own.backend).toBe('cpu');
  expect(own.stats.dispatches).toBe(0);
  engine.close();
});

test('a question that is aborted rejects, and the next one is answered', async () => {
  const { mesh: own, positions } = cloth(1500, 0.1);
  const scene = new Scene(gpu, cpu);
  const body = scene.add(own);
  const options = { which: 'triangles', self: true } as const;
  const abort = new AbortController();
  const progress = (done: number) => {
    if (done > 0.2) abort.abort(new Error('enough'));
  };
  const limits = { signal: abort.signal, progress };
  const asked = scene.firstContact({ bodies: [{ body, positions }] }, { ...options, ...limits });
  await expect(asked).rejects.toThrow('enough');
  const found = await scene.firstContact({ bodies: [{ body, positions }] }, options);
  expectOnGpu(found);
  expect(plain(found)).toEqual(plain((await ask(cpu, [{ mesh: own, positions }], options)).found));
  scene.close();
});

test('when the device is lost, the question is asked again on another', async () => {
  const engine = await createGpuEngine({ settings });
  const { mesh: own, positions } = cloth(600, 0.1);
  const scene = new Scene(engine, cpu);
  const body = scene.add(own);
  const options = { which: 'triangles', self: true } as const;
  const asked = scene.firstContact({ bodies: [{ body, positions }] }, options);
  engine.device.destroy();
  const found = await asked;
  expectOnGpu(found);
  expect(plain(found)).toEqual(plain((await ask(cpu, [{ mesh: own, positions }], options)).found));
  scene.close();
  engine.close();
});

test.skipIf(!hasPublishedQueries).each(['vf', 'ee'] as const)('the published %s queries', async kind => {
  const { queries, truth } = publishedQueries(kind);
  // A vertex is a triangle of three equal corners, an edge one of two. Every query is a pair of bodies of its own.
  const corners = kind === 'vf' ? [0, 0, 0, 1, 2, 3] : [0, 1, 1, 2, 3, 3];
  const wrong: number[] = [];
  for (const [n, query] of queries.entries()) {
    const bodies = [0, 3].map((first): Moving => {
      const places = [0, 12].map(time =>
        Float64Array.from(
          { length: 9 },
          (_, i) => query[time + 3 * corners[first + Math.floor(i / 3)] + (i % 3)],
        ),
      );
      return { mesh: mesh(places[0], Uint32Array.of(0, 1, 2)), positions: places[1] };
    });
    const { found } = await ask(gpu, bodies, { which: 'triangles' });
    if (found.length > 0 !== truth[n]) wrong.push(n);
    if (found.length > 0) expectOnGpu(found);
  }
  expect(wrong).toEqual([]);
});

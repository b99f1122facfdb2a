// Compares lives on the GPU with the evaluator in double, kind by kind: the same impacts, bit for bit and in order.
// Whatever single precision calls certain is true, and nothing is lost if capacities are exceeded.

import { describe, expect, it } from 'vitest';
import { readWords, testDevice } from '../../gpu/testing/test-device.ts';
import { createRandom } from '../../shapes/random.ts';
import type { Collider, Vector } from '../colliders/shapes.ts';
import { LifeCursor } from '../lives/life.ts';
import { compileSetup } from '../setup.ts';
import { phases } from './layouts.ts';
import {
  collidersOf,
  expectSame,
  expectSameWindows,
  type Kind,
  rain,
  systemOf,
  unevenTimes,
} from './testing/systems.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const count = slow ? 20_000 : 200;
const bouncing = { response: { kind: 'bounce', restitution: 0.6, friction: 0.1 } } as const;

const kinds: Kind[] = ['planes', 'quadrics', 'mesh', 'moving', 'turning', 'field', 'blobs'];

describe('lives on the GPU', () => {
  it.each(kinds)('gives the evaluator’s impacts: %s', async kind => {
    const seed = 11 + kinds.indexOf(kind);
    const colliders = await collidersOf(kind, seed);
    const system = await systemOf(rain(count, seed, colliders));
    const times = unevenTimes(createRandom(seed), slow ? 200 : 14, slow ? 0.1 : 1.2);
    const impacts = await expectSameWindows(system, times, `${kind}, seed ${seed}`);
    const { stats } = system.gpu;
    expect(impacts).toBeGreaterThan(count / 10);
    // A few unsure impacts are allowed in small samples, and at most 1 % in larger ones.
    expect(stats.unsureFirst).toBeLessThanOrEqual(Math.max(3, 0.01 * stats.first));
    system.gpu.close();
  });

  it.each(['planes', 'quadrics', 'mesh', 'turning'] as const)('after bounces: %s', async kind => {
    const seed = 31 + kinds.indexOf(kind);
    const floor: Collider = { plane: { point: [0, 0, -0.5], normal: [0, 0, 1] } };
    const colliders = [floor, ...(await collidersOf(kind, seed))];
    const system = await systemOf(rain(count, seed, colliders, bouncing));
    const times = unevenTimes(createRandom(seed), slow ? 200 : 14, slow ? 0.1 : 1.2);
    expect(await expectSameWindows(system, times, `${kind}, seed ${seed}`)).toBeGreaterThan(count / 10);
    const bounced = (await system.gpu.impacts(0, 2)).bounce.some(bounce => bounce > 0);
    expect(bounced).toBe(true);
    system.gpu.close();
  });

  /** Rain that bounces for five seconds and more, once the first lives are over. */
  async function bouncingLong(seed: number, colliders: readonly Collider[]) {
    const options = rain(count, seed, colliders, {
      acceleration: [0, 0, -9.81],
      response: { kind: 'bounce', restitution: 0.8 },
    });
    const system = await systemOf({ ...options, start: { ...options.start, life: [5, 6] } as never });
    system.gpu.seek(6);
    system.cpu.seek(6);
    return system;
  }

  it('is certain about a dozen bounces on a floor nearly as often as about the first', async () => {
    const seed = 51;
    const colliders: Collider[] = [{ plane: { point: [0, 0, 0], normal: [0.02, 0.01, 1] } }];
    const system = await bouncingLong(seed, colliders);
    const times = Array.from({ length: 25 }, (_, i) => 6.1 + 0.1 * i);
    const impacts = await expectSameWindows(system, times, `seed ${seed}`);
    const { stats } = system.gpu;
    expect(impacts).toBeGreaterThan(5 * stats.first);
    expect(stats.unsure + stats.border).toBeLessThan(0.01 * impacts);
    system.gpu.close();
  });

  it('continues from decided segments, whichever particles were decided in between', async () => {
    // Between walls errors grow: many lives are decided in double, and the surface they left last is put back with
    // them.
    const seed = 51;
    const wall = (x: number): Collider => ({
      plane: { point: [x, 0, 0], normal: [-Math.sign(x), 0.1, 0.2] },
    });
    const colliders: Collider[] = [
      { plane: { point: [0, 0, 0], normal: [0.02, 0.01, 1] } },
      wall(-2.5),
      wall(2.5),
    ];
    const system = await bouncingLong(seed, colliders);
    const times = Array.from({ length: 12 }, (_, i) => 6.1 + 0.1 * i);
    const impacts = await expectSameWindows(system, times, `seed ${seed}`);
    expect(impacts).toBeGreaterThan(count);
    expect(system.gpu.stats.unsure).toBeGreaterThan(0);
    system.gpu.close();
  });

  it('encloses the time of the next impact of every life', async () => {
    const seed = 5;
    const colliders = [...(await collidersOf('planes', seed)), ...(await collidersOf('quadrics', seed))];
    const options = rain(count, seed, colliders, bouncing);
    const setup = compileSetup(options);
    const system = await systemOf(options);
    const [from, to] = [1.1, 1.3];
    await system.engine.find(from, to, {});
    const { ticks, lives, stride } = system.engine.lives.kept;
    const { device } = await testDevice();
    const [spans, words] = [
      await readWords(device, ticks, 2 * count),
      await readWords(device, lives, 4 * stride * count),
    ];
    const cursor = new LifeCursor(setup);
    const row = new Float64Array(32);
    let enclosed = 0;
    for (let i = 0; i < count; i++) {
      const [hit, generation, code, width] = words.subarray(4 * stride * i);
      const phase = code & 15;
      if (phase !== phases.hit && phase !== phases.free) continue;
      cursor.begin(i, generation);
      for (let j = 0; j < hit >>> 16; j++) cursor.next(row, 0);
      const time = cursor.peekTime() / setup.tick;
      const next = spans[2 * i + 1];
      if (phase === phases.free) {
        expect(time, `seed ${seed}, particle ${i}`).toBe(Infinity);
        continue;
      }
      expect(time, `seed ${seed}, particle ${i}`).toBeGreaterThanOrEqual(next);
      expect(time, `seed ${seed}, particle ${i}`).toBeLessThanOrEqual(next + width);
      enclosed++;
    }
    expect(enclosed).toBeGreaterThan(count / 10);
    system.gpu.close();
  });

  it('asks again if the capacity is one record, and keeps chunks apart', async () => {
    const seed = 3;
    const colliders = await collidersOf('planes', seed);
    const options = rain(count, seed, colliders, bouncing);
    const system = await systemOf(options, { certain: 1, decide: 1, chunk: 64 });
    const times = [0.9, 1.2, 1.1, 1.9];
    expect(await expectSameWindows(system, times, `seed ${seed}`)).toBeGreaterThan(10);
    expect(system.gpu.stats.growths).toBeGreaterThan(0);
    system.gpu.close();
  });

  it('answers any window in any order, longer than lives and far away in time', async () => {
    const seed = 8;
    const colliders = await collidersOf('quadrics', seed);
    const { gpu, cpu } = await systemOf(rain(60, seed, colliders, { ...bouncing, generations: 1_000_000 }));
    const windows = [
      [3, 3.5],
      [1, 6.5],
      [0.2, 0.9],
      [400_000.1, 400_000.4],
      [-4, 1],
      [2.5, 2],
      [2_000_000, 2_000_001],
    ];
    for (const [from, to] of windows) {
      expectSame(await gpu.impacts(from, to), cpu.impactsSync(from, to), `seed ${seed}, ${from} to ${to}`);
    }
    gpu.close();
  });

  it('finds impacts of the last life again after a window in which it ended', async () => {
    const seed = 14;
    const colliders = await collidersOf('planes', seed);
    const system = await systemOf(rain(count, seed, colliders, { generations: 2 }));
    await expectSameWindows(system, [2, 4.5, 1.5, 2.5], `seed ${seed}, after the last life`);
    system.gpu.close();
  });

  it('leaves grazing paths to the evaluator', async () => {
    // Along a plane, along tangents of a sphere, and through the corners of a rectangle: nothing is certain in single
    // precision.
    const n = 96;
    const [position, velocity] = [new Float64Array(3 * n), new Float64Array(3 * n)];
    const set = (i: number, p: Vector, v: Vector) => {
      position.set(p, 3 * i);
      velocity.set(v, 3 * i);
    };
    for (let i = 0; i < n; i++) {
      const angle = i * 0.37;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const off = (i % 5) - 2;
      if (i % 3 === 0) set(i, [-2, 0.1 * s, off * 2 ** -40], [2, 0.1, 0]);
      else if (i % 3 === 1) set(i, [5 + c - 2 * s, s + 2 * c, 1 + off * 2 ** -30], [2 * s, -2 * c, 0]);
      else set(i, [10 + (i % 2), 1, 2 + off * 2 ** -45], [0, 0, -2]);
    }
    const colliders: Collider[] = [
      { plane: { point: [0, 0, 0], normal: [0, 0, 1] }, within: { disc: 3 } },
      { sphere: { centre: [5, 0, 1], radius: 1 } },
      {
        plane: { point: [10.5, 0.5, 1], normal: [0, 0, 1], right: [1, 0, 0] },
        within: { rectangle: [0.5, 0.5] },
      },
    ];
    const system = await systemOf({
      count: n,
      start: { position, velocity, life: 2 },
      colliders,
    });
    await expectSameWindows(system, [0.3, 0.5, 0.7, 1.1, 0.9, 1.6, 2, 3.4], 'grazing');
    expect(system.gpu.stats.unsure).toBeGreaterThan(n / 3);
    system.gpu.close();
  });

  it('finds the piece that is hit if sealed pieces share a border', async () => {
    const n = 200;
    const seed = 41;
    const random = createRandom(seed);
    const [x, y, z, radius, height] = [0.3, -0.7, 1.1, 0.36, 0.85];
    const lid = (at: number, normal: Vector): Collider => ({
      plane: { point: [x, y, at], normal },
      within: { disc: radius },
      sealed: true,
    });
    const colliders: Collider[] = [
      {
        quadric: [1, 1, 0, 0, 0, 0, -x, -y, 0, x * x + y * y - radius * radius],
        bounds: [
          { normal: [0, 0, 1], offset: z + height },
          { normal: [0, 0, -1], offset: -z },
        ],
        sealed: true,
      },
      lid(z + height, [0, 0, 1]),
      lid(z, [0, 0, -1]),
    ];
    const [position, velocity] = [new Float64Array(3 * n), new Float64Array(3 * n)];
    for (let i = 0; i < n; i++) {
      const angle = random.between(0, 2 * Math.PI);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const way = [-c, -s, -random.between(0.1, 2)];
      const rim = [x + radius * c, y + radius * s, z + height];
      for (let axis = 0; axis < 3; axis++) {
        position[3 * i + axis] = rim[axis] - way[axis];
        velocity[3 * i + axis] = way[axis];
      }
    }
    const system = await systemOf({
      count: n,
      start: { position, velocity, life: 2 },
      colliders,
      ...bouncing,
    });
    const impacts = await expectSameWindows(system, [0.5, 0.9999, 1.0001, 1.9], `seed ${seed}`);
    expect(impacts).toBeGreaterThanOrEqual(n);
    system.gpu.close();
  });
});

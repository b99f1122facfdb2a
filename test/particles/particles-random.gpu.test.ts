// Random systems on the GPU against the evaluator: starts by arrays and by rules, straight and curved paths,
// colliders of every kind, lives that end, and times far from 0.

import type { ParticleOptions, Region } from 'nearfield';
import { expect, it } from 'vitest';
import {
  collidersOf,
  expectSameWindows,
  systemOf,
  unevenTimes,
} from '../../packages/nearfield/src/particles/gpu/testing/systems.ts';
import { createRandom, type Random } from '../../packages/nearfield/src/shapes/random.ts';

const kinds = ['planes', 'quadrics', 'mesh', 'moving', 'turning', 'field', 'blobs'] as const;
const runs = process.env['NEARFIELD_SLOW'] === undefined ? 8 : 1000;
const stepped = runs > 100 ? 100 : 7;
const count = 120;
/** Stepped systems take a software GPU a second each. */
const steppedCount = runs > 100 ? count : 24;

const places: readonly Region[] = [
  {
    box: [
      [-2, -2, 1.5],
      [2, 2, 3.5],
    ],
  },
  { disc: { centre: [0, 0, 3], normal: [0.1, 0, 1], radius: 2 } },
  { ball: { centre: [0, 0, 2.5], radius: 1.2 } },
];
const velocities: readonly Region[] = [
  { cone: { axis: [0, 0.2, -1], angle: 0.8, speed: [1, 4] } },
  { ball: { centre: [0, 0, -3], radius: 1.5 } },
  { point: [0.1, -0.2, -4] },
];

function startOf(random: Random, count: number): ParticleOptions['start'] {
  if (random.next() < 0.6) {
    return { from: places[random.integer(3)], velocity: velocities[random.integer(3)], life: [0.7, 1.9] };
  }
  const numbers = (n: number, low: number, high: number) =>
    Float64Array.from({ length: n }, () => random.between(low, high));
  return {
    position: numbers(3 * count, -2, 3),
    velocity: Float32Array.from(numbers(3 * count, -3, 3)),
    life: numbers(count, 0.3, 2),
    birth: numbers(count, -3, 3),
    vary: { position: [0.1, 0.2, 0], velocity: [0.5, 0.5, 0.5] },
  };
}

it(
  'gives the evaluator’s impacts for random systems',
  async () => {
    let impacts = 0;
    for (let run = 0; run < runs; run++) {
      const seed = 1000 + run;
      const random = createRandom(seed);
      const colliders = await collidersOf(kinds[run % kinds.length], seed);
      const bounce = random.next() < 0.5;
      const system = await systemOf({
        count,
        seed,
        start: startOf(random, count),
        acceleration: random.next() < 0.3 ? [0, 0, 0] : [0.2, 0, -random.between(1, 10)],
        colliders,
        response: bounce
          ? { kind: 'bounce', restitution: random.between(0.2, 1), friction: 0.3, most: 30 }
          : { kind: 'vanish' },
        generations: random.next() < 0.4 ? 2 : undefined,
      });
      const offset = random.next() < 0.3 ? random.between(0, 1e5) : 0;
      system.gpu.seek(offset);
      system.cpu.seek(offset);
      const times = unevenTimes(random, 7, 0.9).map(time => time + offset);
      impacts += await expectSameWindows(system, times, `seed ${seed}`);
      system.gpu.close();
    }
    expect(impacts).toBeGreaterThan(10 * runs);
  },
  runs > 100 ? 3_600_000 : 240_000,
);

it(
  'gives the evaluator’s impacts for random stepped systems',
  async () => {
    let impacts = 0;
    for (let run = 0; run < stepped; run++) {
      const seed = 5000 + run;
      const random = createRandom(seed);
      const colliders = await collidersOf(kinds[run % kinds.length], seed);
      // From lives of a dozen steps to some of thousands.
      const step = 2 ** random.between(-10, -4);
      const wind = Float32Array.from({ length: 36 }, () => random.between(-2, 2));
      const grid = { origin: [-2, -2, 0], cell: 1.5, dimensions: [2, 2, 3] } as const;
      const start = startOf(random, steppedCount);
      // Births, steps and windows that begin at one time.
      const even = random.next() < 0.3;
      const sealed = random.next() < 0.5;
      const system = await systemOf({
        count: steppedCount,
        seed,
        start: even ? { ...start, life: 40 * step, birth: 0 } : start,
        acceleration: [0.2, 0, -random.between(0, 10)],
        colliders: colliders.map(each => ('plane' in each || 'quadric' in each ? { ...each, sealed } : each)),
        motion: {
          step,
          order: 1,
          drag: random.next() < 0.3 ? 0 : random.between(0, 3),
          ...(random.next() < 0.5 ? { wind: { grid, velocity: wind } } : {}),
        },
        response:
          random.next() < 0.7
            ? {
                kind: 'bounce',
                restitution: random.between(0.2, 1),
                friction: 0.3,
                restSpeed: 0.05,
                most: 30,
              }
            : { kind: 'vanish' },
        generations: random.next() < 0.4 ? 2 : undefined,
      });
      const offset = even ? 4000 * step : random.next() < 0.3 ? random.between(0, 1e5) : 0;
      system.gpu.seek(offset);
      system.cpu.seek(offset);
      const times = even
        ? [1, 3, 40, 40.5, 80, 77, 120, 90].map(steps => steps * step)
        : [...unevenTimes(random, 6, 0.9), random.between(0, 3)];
      impacts += await expectSameWindows(
        system,
        times.map(time => time + offset),
        `seed ${seed}`,
      );
      system.gpu.close();
    }
    expect(impacts).toBeGreaterThan(10 * stepped);
  },
  runs > 100 ? 3_600_000 : 240_000,
);

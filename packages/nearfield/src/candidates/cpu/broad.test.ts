// The broad phase on distributions that are hard for trees and sweeps, frame after frame in one table, against a test
// of every pair of boxes. Boxes lie on a grid of quarters, so that many of them touch exactly.

import { afterAll, describe, expect, it } from 'vitest';
import { type Random, randomFrom, whole } from '../../../../../test/oracle/triangles/generators.ts';
import { createCpuEngine } from '../../cpu/engine.ts';
import { CpuScene } from '../../cpu-scene.ts';
import { mesh } from '../../mesh/mesh.ts';
import { box } from '../../shapes/index.ts';

const engine = await createCpuEngine();
afterAll(() => engine.close());

const slow = process.env.NEARFIELD_SLOW === '1';
const frames = slow ? 40 : 5;

const quarter = (random: Random, most: number): number => whole(random, -4 * most, 4 * most) / 4;

/** Size and position of the i-th of n bodies. */
const distributions: Record<string, (random: Random, i: number, n: number) => readonly number[]> = {
  'in a cube': (random, _, n) => [1, ...[0, 1, 2].map(() => quarter(random, 2 * Math.cbrt(n)))],
  'in a line along x': (random, _, n) => [1, quarter(random, n), 0, 0],
  'in a line along y': (random, _, n) => [1, 0, quarter(random, n), 0],
  'in a line along z': (random, _, n) => [1, 0, 0, quarter(random, n)],
  'in a plane': (random, _, n) => [
    1,
    quarter(random, 2 * Math.sqrt(n)),
    quarter(random, 2 * Math.sqrt(n)),
    0,
  ],
  'around one huge body': (random, i, n) => [
    i === 7 ? 16 * n : 1,
    ...[0, 1, 2].map(() => quarter(random, 2 * Math.cbrt(n))),
  ],
  'in two far clusters': (random, i, n) => [
    1,
    (i % 2) * 2 ** 14 + quarter(random, 2 * Math.cbrt(n)),
    quarter(random, 2 * Math.cbrt(n)),
    quarter(random, 2 * Math.cbrt(n)),
  ],
  'and a few very far away': (random, i, n) => [
    1,
    ...[0, 1, 2].map(() => quarter(random, 2 * Math.cbrt(n)) * (i % 100 === 9 ? 2 ** 40 : 1)),
  ],
  'of sizes from 2^-10 to 2^10': (random, _, n) => [
    2 ** whole(random, -10, 10),
    ...[0, 1, 2].map(() => quarter(random, 64 * Math.cbrt(n))),
  ],
  'in a crowd': (random, _, n) => [1, ...[0, 1, 2].map(() => quarter(random, 0.4 * Math.cbrt(n)))],
  'all at one place': () => [1, 3, 3, 3],
};

const poseOf = ([size, x, y, z]: readonly number[]): number[] => [
  size,
  0,
  0,
  0,
  0,
  size,
  0,
  0,
  0,
  0,
  size,
  0,
  x,
  y,
  z,
  1,
];

/** Pairs (i, j), i < j, of cubes that share a point. The coordinates are exact. */
function meetingCubes(cubes: readonly (readonly number[])[]): number[] {
  const pairs: number[] = [];
  for (let i = 0; i < cubes.length; i++) {
    for (let j = i + 1; j < cubes.length; j++) {
      const [a, b] = [cubes[i], cubes[j]];
      const reach = (a[0] + b[0]) / 2;
      if (
        Math.abs(a[1] - b[1]) <= reach &&
        Math.abs(a[2] - b[2]) <= reach &&
        Math.abs(a[3] - b[3]) <= reach
      ) {
        pairs.push(i, j);
      }
    }
  }
  return pairs;
}

describe('bodies that move', () => {
  it.each(Object.entries(distributions))('%s', (name, distribution) => {
    const n = name === 'all at one place' ? 60 : 500;
    const scene = new CpuScene(engine, engine);
    const cube = box();
    for (let i = 0; i < n; i++) scene.add(cube);
    for (let seed = 0; seed < frames; seed++) {
      const random = randomFrom(seed);
      const cubes = Array.from({ length: n }, (_, i) => distribution(random, i, n));
      scene.setPoses(cubes.flatMap(poseOf));
      const found = [...scene.candidates()].flatMap(([a, b]) => [a.index, b.index]);
      expect(found, `seed ${seed}`).toEqual(meetingCubes(cubes));
    }
    scene.close();
  });

  it('may be more than 65,536', () => {
    const n = 70_000;
    const random = randomFrom(3);
    const scene = new CpuScene(engine, engine);
    const diagonal = mesh(new Float64Array([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]));
    const cubes = Array.from({ length: n }, () => [1, ...[0, 1, 2].map(() => quarter(random, 80))]);
    for (const cube of cubes) scene.add(diagonal, { pose: poseOf(cube) });
    const found = Float64Array.from(scene.candidates().indices);
    scene.close();
    // Sweep along x: compare each cube with those that begin before it ends.
    const order = cubes.map((_, i) => i).sort((i, j) => cubes[i][1] - cubes[j][1]);
    // One number per pair, so that they can be sorted numerically.
    const pairs: number[] = [];
    order.forEach((i, place) => {
      for (let k = place + 1; k < n && cubes[order[k]][1] <= cubes[i][1] + 1; k++) {
        const j = order[k];
        const apart = Math.max(Math.abs(cubes[i][2] - cubes[j][2]), Math.abs(cubes[i][3] - cubes[j][3]));
        if (apart <= 1) pairs.push(Math.min(i, j) * n + Math.max(i, j));
      }
    });
    const sorted = Float64Array.from(pairs).sort();
    expect(found).toEqual(
      Float64Array.from({ length: 2 * sorted.length }, (_, k) =>
        k % 2 === 0 ? Math.floor(sorted[k >> 1] / n) : sorted[k >> 1] % n,
      ),
    );
  });

  it('a little in each frame are found although the order is only renewed now and then', () => {
    const random = randomFrom(5);
    const n = 400;
    const scene = new CpuScene(engine, engine);
    const cube = box();
    let cubes = Array.from({ length: n }, (_, i) => distributions['in a cube'](random, i, n));
    for (let i = 0; i < n; i++) scene.add(cube);
    for (let frame = 0; frame < 10 * frames; frame++) {
      cubes = cubes.map(([size, ...place]) => [size, ...place.map(x => x + quarter(random, 1))]);
      scene.setPoses(cubes.flatMap(poseOf));
      const found = [...scene.candidates()].flatMap(([a, b]) => [a.index, b.index]);
      expect(found, `frame ${frame}`).toEqual(meetingCubes(cubes));
    }
    scene.close();
  });

  it.each(Object.keys(distributions).filter(name => name !== 'all at one place'))(
    'need few box tests in relation to the number of pairs: %s',
    name => {
      const n = slow ? 4000 : 2000;
      const random = randomFrom(11);
      const scene = new CpuScene(engine, engine);
      // A triangle along a diagonal: its box is a cube, and the narrow phase takes next to no tests.
      const diagonal = mesh(new Float64Array([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]));
      for (let i = 0; i < n; i++) scene.add(diagonal, { pose: poseOf(distributions[name](random, i, n)) });
      const found = scene.candidates().length;
      const { boxTests } = scene.interferencesSync({ detail: 'any' }).stats;
      // All pairs would be 2 or 8 million. In the densest of these distributions, twenty pairs per body meet.
      expect(40 * (n + found), name).toBeLessThan((n * (n - 1)) / 2);
      expect(boxTests).toBeLessThan(40 * (n + found));
      scene.close();
    },
  );
});

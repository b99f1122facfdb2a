// Relations of small solids do not change when space is stretched along its axes by powers of two, sheared by whole
// numbers, or when axes or bodies are exchanged; and finding them takes no more work then. For grid solids, counting
// cubes gives the relation; for slivers and needles it is compared with itself.

import { mesh, open } from 'nearfield';
import { afterAll, expect, test, vi } from 'vitest';
import type { Placed } from '../../packages/nearfield/src/bodies/snapshot/snapshot.ts';
import { WholeFrame } from '../../packages/nearfield/src/interferences/curves/whole-frame.ts';
import { rescaled } from '../../packages/nearfield/src/interferences/relation/coordinates/rescaled.ts';
import { relationOf } from '../../packages/nearfield/src/interferences/relation/relation.ts';
import {
  BruteEngine,
  meetingTriangles,
  placedSoup,
  randomIntegers,
} from '../../packages/nearfield/src/interferences/testing/brute-engine.ts';
import {
  allCubes,
  countedRelation,
  type GridSolid,
  randomBoxes,
  randomCubes,
  solidOfCubes,
} from '../../packages/nearfield/src/interferences/testing/grid-solids.ts';
import { extremePair } from '../oracle/extremes.ts';
import { randomFrom } from '../oracle/triangles/generators.ts';

const isSlow = Boolean(process.env['NEARFIELD_SLOW']);
if (isSlow) vi.setConfig({ testTimeout: 1_000_000 });

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const mirror: Record<string, string> = { inside: 'contains', contains: 'inside' };

/** Corners of triangles, nine numbers per triangle. The relation is as seen from the first. */
function relation(a: readonly number[], b: readonly number[]): string {
  const scene = nf.scene();
  scene.add(mesh(Float64Array.from(a)));
  scene.add(mesh(Float64Array.from(b)));
  const [pair] = scene.interferencesSync().pairs;
  return pair?.relation ?? 'separate';
}

type Change = (x: number, y: number, z: number) => readonly number[];

const changed = (corners: readonly number[], change: Change): number[] => {
  const out: number[] = [];
  for (let i = 0; i < corners.length; i += 3) out.push(...change(corners[i], corners[i + 1], corners[i + 2]));
  return out;
};

/** x·2^exponent, for exponents beyond those that powers of two have. */
const times = (x: number, exponent: number): number => {
  const half = Math.trunc(exponent / 2);
  return x * 2 ** half * 2 ** (exponent - half);
};

type Integers = (n: number) => number;

/** Grid points are multiples of 1/8 up to 4: all of these keep them exact. */
const changes: Record<string, (random: Integers) => Change> = {
  'the smallest numbers': () => (x, y, z) => [times(x, -1071), times(y, -1071), times(z, -1071)],
  'the largest numbers': () => (x, y, z) => [times(x, 1020), times(y, 1020), times(z, 1020)],
  'each axis by a power of its own': random => {
    const [i, j, k] = [random(2092) - 1071, random(2092) - 1071, random(2092) - 1071];
    return (x, y, z) => [times(x, i), times(y, j), times(z, k)];
  },
  'sheared by whole numbers': random => {
    const [i, j, k] = [random(2 ** 30), random(2 ** 45), random(2 ** 30)];
    return (x, y, z) => [x + i * y + j * z, y + k * z, z];
  },
  'sheared and each axis by a power of its own': random => {
    const [i, j, k] = [random(1900) - 1000, random(1900) - 1000, random(1900) - 1000];
    const [s, t] = [random(2 ** 40), random(2 ** 20)];
    return (x, y, z) => [times(x, i), times(y + s * x, j), times(z + t * y, k)];
  },
  'axes exchanged, one turned round': random => {
    const turned = random(3);
    return (x, y, z) => [z, x, y].map((c, axis) => (axis === turned ? -c : c));
  },
};

const generators: ((random: Integers) => GridSolid)[] = [
  random => randomBoxes(random, 1, 4),
  random => randomBoxes(random, 3, 4),
  random => randomBoxes(random, 6, 4),
  random => randomCubes(random, 2),
];

/** The solid that has the same cubes as another, or all but some; or some of the others. */
function madeOf(random: Integers, solid: GridSolid): GridSolid {
  const [within, beyond] = [[1, 0.8, 1, 0][random(4)], [0, 0, 0.1, 0.3][random(4)]];
  const cubes = allCubes(4).filter(
    ([x, y, z]) => random(100) < 100 * (solid.inside(x, y, z) ? within : beyond),
  );
  return solidOfCubes(random, cubes.length > 0 ? cubes.slice(0, 8) : [[0, 0, 0]], false);
}

test('grid solids, stretched and sheared exactly, have the relation that counting cubes gives', () => {
  const rounds = isSlow ? 4000 : 10;
  const seen = new Set<string>();
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomIntegers(seed);
    const solidA = generators[random(4)](random);
    const solidB = seed % 3 === 0 ? madeOf(random, solidA) : generators[random(4)](random);
    const expected = countedRelation(solidA, solidB, 4);
    seen.add(expected);
    for (const [name, change] of Object.entries(changes)) {
      const one = change(random);
      const [a, b] = [solidA, solidB].map(({ triangles }) => changed(triangles.flat(), one));
      expect(relation(a, b), `seed ${seed}, ${name}`).toBe(expected);
      if (seed % 4 === 0)
        expect(relation(b, a), `seed ${seed}, ${name}, exchanged`).toBe(mirror[expected] ?? expected);
    }
  }
  expect(seen.size).toBeGreaterThan(3);
});

test('slivers, needles and solids of all sizes keep their relation when stretched and exchanged', () => {
  const rounds = isSlow ? 20_000 : 60;
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomFrom(seed);
    const { kind, parts } = extremePair(random);
    const soups = parts.map(({ mesh: { positions, indices } }) =>
      Array.from(indices).flatMap(v => [...positions.subarray(3 * v, 3 * v + 3)]),
    );
    const expected = relation(soups[0], soups[1]);
    expect(relation(soups[1], soups[0]), `seed ${seed}, ${kind}, exchanged`).toBe(
      mirror[expected] ?? expected,
    );
    const exponents = [0, 1, 2].map(() => Math.floor(random() * 1600) - 800);
    const scaled = soups.map(soup => soup.map((x, i) => times(x, exponents[i % 3])));
    const isExact = scaled.every((soup, k) =>
      soup.every((x, i) => Math.abs(x) < 2 ** 1020 && times(x, -exponents[i % 3]) === soups[k][i]),
    );
    if (isExact) {
      expect(relation(scaled[0], scaled[1]), `seed ${seed}, ${kind}, times 2^${exponents}`).toBe(expected);
    }
  }
});

/** Counts how often bodies are searched for triangles. */
class CountingEngine extends BruteEngine {
  looks = 0;
  override trianglesOnRay(body: Placed): Uint32Array {
    this.looks++;
    return super.trianglesOnRay(body);
  }
}

test('relations of extreme solids take no more searches than others', () => {
  for (let seed = 1; seed <= (isSlow ? 400 : 12); seed++) {
    const random = randomIntegers(seed);
    const solids = [generators[1 + random(3)](random), generators[1 + random(3)](random)];
    const placed = (exponents: readonly number[]): readonly [Placed, Placed] => {
      const [a, b] = solids.map(({ triangles }) =>
        placedSoup(triangles.map(t => t.map((x, i) => times(x, exponents[i % 3])))),
      );
      return [a, b];
    };
    const looks = [
      [0, 0, 0],
      [-1071, -1071, -1071],
      [1020, 1020, 1020],
      [-1071, 1020, 300],
    ].map(exponents => {
      const [a, b] = placed(exponents);
      const engine = new CountingEngine();
      relationOf(engine, a, b, meetingTriangles(a, b));
      // The integers of the exact stage are as long as the grid's.
      const { shifts } = new WholeFrame(rescaled(a, b));
      for (const shift of shifts) expect(shift, `seed ${seed}, times 2^${exponents}`).toBeLessThan(8);
      return engine.looks;
    });
    // The projection of a surface depends on which axis is the longest, not on the scale.
    expect(looks[1], `seed ${seed}`).toBe(looks[2]);
    for (const count of looks) expect(count, `seed ${seed}`).toBeLessThanOrEqual(2 * looks[0] + 40);
  }
});

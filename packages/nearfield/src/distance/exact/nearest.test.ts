// Finds the nearest of many triangle pairs when the vector between two of them has components that underflow beside the
// largest one: corners 2^1000 apart sideways and almost level. The oracle measures every pair in exact fractions
// (test/oracle).

import { describe, expect, it } from 'vitest';
import { type Random, randomFrom, whole } from '../../../../../test/oracle/triangles/generators.ts';
import { compareFractions, squaredDistance } from '../../../../../test/oracle/triangles/least-difference.ts';
import { identity } from '../../math/pose.ts';
import { mesh } from '../../mesh/mesh.ts';
import { open } from '../../nearfield.ts';
import { decideNearest, type Surface } from './nearest.ts';

/**
 * A surface of triangles with nine numbers each. No corner is shared. `turn` rotates the axes so that axis 0 becomes
 * axis `turn`.
 */
function surfaceOf(triangles: readonly (readonly number[])[], turn = 0): Surface {
  const positions = Float64Array.from(
    triangles.flat().map((_, i, all) => all[i - (i % 3) + ((i + turn) % 3)]),
  );
  const indices = Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  return { pose: identity(), positions, mesh: { indices } };
}

function everyPair(a: Surface, b: Surface): Uint32Array {
  const pairs: number[] = [];
  for (let i = 0; i < a.positions.length / 9; i++)
    for (let j = 0; j < b.positions.length / 9; j++) pairs.push(i, j);
  return Uint32Array.from(pairs);
}

/** The first of the nearest pairs, found by measuring every pair. */
function nearestOfEvery(a: Surface, b: Surface, pairs: Uint32Array): [number, number] {
  const p = new Float64Array(18);
  let best: { squared: ReturnType<typeof squaredDistance>; pair: [number, number] } | undefined;
  for (let k = 0; k < pairs.length; k += 2) {
    const pair: [number, number] = [pairs[k], pairs[k + 1]];
    p.set(a.positions.subarray(9 * pair[0], 9 * pair[0] + 9));
    p.set(b.positions.subarray(9 * pair[1], 9 * pair[1] + 9), 9);
    const squared = squaredDistance(p);
    if (best === undefined || compareFractions(squared, best.squared) < 0) best = { squared, pair };
  }
  return best!.pair;
}

function check(a: Surface, b: Surface, note: string): void {
  const pairs = everyPair(a, b);
  const found = decideNearest(a, b, pairs, Infinity);
  expect([found?.triangleA, found?.triangleB], note).toEqual(nearestOfEvery(a, b, pairs));
}

/**
 * A plate across the origin that rises by 2^rise over 2^run, seen from (0, 1, 0), and a second plate whose far end is
 * lifted by a sliver. The second is nearer although none of its corners is higher than the highest of the first. Only
 * the x component of the vector between them shows it, which is 2^(rise − run) of the y component.
 */
function plates(run: number, rise: number): [number[], number[]] {
  const [x, y] = [2 ** run, 2 ** rise];
  return [
    [x, y, -x, -x, -y, -x, 0, 0, x],
    [x, y, -x, -x, -y + y / 4, -x, 0, y / 8, x],
  ];
}

describe('vectors between triangles with components below the least double', () => {
  for (const run of [300, 1022])
    for (const slope of [-1000, -1022, -1023, -1074, -1075, -1076, -1080, -1090]) {
      const rise = run + slope;
      if (rise < -1070) continue;
      it(`2^${slope}, corners 2^${run} away`, () => {
        const point = [0, 1, 0, 0, 1, 0, 0, 1, 0];
        const [first, second] = plates(run, rise);
        for (const turn of [0, 1, 2]) {
          check(surfaceOf([point], turn), surfaceOf([first, second], turn), `point, turned ${turn}`);
        }
        check(surfaceOf([first, second]), surfaceOf([point]), 'plates first');
        // A pair that is equally near must not replace the first.
        check(surfaceOf([point]), surfaceOf([second, first, second]), 'the nearer one first');
      });
    }
});

/** A random number of a few digits, scaled to one of the powers. */
const numberAt = (random: Random, power: number): number =>
  whole(random, -7, 7) * 2 ** Math.max(-1074, Math.min(1019, power + whole(random, -3, 3)));

it('decides flat triangles as wide and as thin as doubles allow', { timeout: 1_200_000 }, () => {
  const count = process.env.NEARFIELD_SLOW ? 1000 : 16;
  for (let seed = 1; seed <= count; seed++) {
    const random = randomFrom(seed);
    const wide = whole(random, 0, 1015);
    const thin = Math.max(-1074, wide - whole(random, 960, 1140));
    const gap = whole(random, 0, 2) === 0 ? thin + whole(random, 0, 60) : whole(random, -60, 60);
    const triangle = (height: number): number[] => {
      const corner = () => [numberAt(random, wide), height + numberAt(random, thin), numberAt(random, wide)];
      return [...corner(), ...corner(), ...corner()];
    };
    const turn = whole(random, 0, 2);
    const a = surfaceOf(
      Array.from({ length: 2 }, () => triangle(0)),
      turn,
    );
    const b = surfaceOf(
      Array.from({ length: 3 }, () => triangle(2 ** gap)),
      turn,
    );
    check(a, b, `seed ${seed}`);
  }
});

it('gives the same answer through a scene', async () => {
  const nf = await open({ backend: 'cpu' });
  for (const run of [300, 1000])
    for (const slope of [-1022, -1074, -1076, -1080]) {
      const triangles = plates(run, run + slope);
      if (run + slope < -1070) continue;
      const scene = nf.scene();
      const plate = mesh(Float64Array.from(triangles.flat()), Uint32Array.from([0, 1, 2, 3, 4, 5]));
      const found = scene.closestSync(scene.add(plate), new Float64Array([0, 1, 0]));
      expect(found.triangles[0], `2^${slope}, 2^${run}`).toBe(1);
      scene.close();
    }
  nf.close();
});

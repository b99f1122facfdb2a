import { expect, test } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { orient3dAt } from '../../../math/exact/orient.ts';
import { placedSoup, randomIntegers } from '../../testing/brute-engine.ts';
import { unsheared } from './unsheared.ts';

type Integers = (n: number) => number;

/** Sheared by large numbers, turned so that no axis shows it, and rounded: corners near a line, near a plane, or far away. */
const shears: Record<string, (random: Integers) => (x: number, y: number, z: number) => number[]> = {
  'near a line': () => (x, y, z) => [x + 1e8 * y + 1e15 * z, y, z],
  'near a line, turned': () => (x, y, z) => turned(x + 1e8 * y + 1e15 * z, y, z),
  'near a plane': () => (x, y, z) => [x, y, z * 1e-9 + 0.3 * x + 0.7 * y],
  'near a plane, turned': () => (x, y, z) => turned(x, y, z * 1e-9).map(c => Math.round(c * 2 ** 45)),
  'far away near a line': () => (x, y, z) => [x + 1e7 * y + 1e9, y + 1e9, z - 1e9],
  'by whole numbers': random => {
    const [i, j, k] = [random(2 ** 30), random(2 ** 45), random(2 ** 30)];
    return (x, y, z) => [x + i * y + j * z, y + k * z, z];
  },
};

const turned = (x: number, y: number, z: number): number[] => [
  0.36 * x - 0.8 * y + 0.48 * z,
  0.48 * x + 0.6 * y + 0.64 * z,
  -0.8 * x + 0.6 * z,
];

/** Some of the coordinates are whole numbers, so that corners lie in planes of others. */
function pointOf(random: Integers): [number, number, number] {
  const isWhole = random(2) === 0;
  const coordinate = (): number => (isWhole ? random(9) - 4 : random(2 ** 30) / 2 ** 27 - 4);
  return [coordinate(), coordinate(), coordinate()];
}

const soup = (
  random: Integers,
  count: number,
  change: (x: number, y: number, z: number) => number[],
): Placed =>
  placedSoup(Array.from({ length: count }, () => [0, 1, 2].flatMap(() => change(...pointOf(random)))));

const cornersOf = (bodies: readonly Placed[]): Float64Array =>
  Float64Array.from(
    bodies.flatMap(({ shape: { mesh, positions } }) =>
      Array.from(mesh.indices).flatMap(v => [...positions.subarray(3 * v, 3 * v + 3)]),
    ),
  );

/** How large a determinant is against its products: where it is small, a filter in doubles decides nothing. */
function flatness(p: Float64Array, a: number, b: number, c: number, d: number): number {
  const [u, v, w] = [a, b, c].map(at => [0, 1, 2].map(axis => p[at + axis] - p[d + axis]));
  const products = [
    [u[0] * v[1] * w[2], u[1] * v[2] * w[0], u[2] * v[0] * w[1]],
    [u[0] * v[2] * w[1], u[1] * v[0] * w[2], u[2] * v[1] * w[0]],
  ];
  const [plus, minus] = products.map(each => each.reduce((sum, x) => sum + x, 0));
  const size = products.flat().reduce((sum, x) => sum + Math.abs(x), 0);
  return size === 0 ? 0 : Math.abs(plus - minus) / size;
}

test('corners of sheared bodies stay on their sides of all planes, and come out far from them', () => {
  for (const [name, shear] of Object.entries(shears)) {
    let [flatBefore, flatAfter] = [0, 0];
    for (let seed = 1; seed <= 10; seed++) {
      const random = randomIntegers(seed);
      const change = shear(random);
      const before = [soup(random, 12, change), soup(random, 8, change)] as const;
      const after = unsheared(...before);
      expect(after[0], `${name}, seed ${seed}`).not.toBe(before[0]);
      const [p, q] = [cornersOf(before), cornersOf(after)];
      for (let n = 0; n < 300; n++) {
        const [a, b, c, d] = Array.from({ length: 4 }, () => 3 * random(60));
        expect(orient3dAt(q, a, b, c, d), `${name}, seed ${seed}`).toBe(orient3dAt(p, a, b, c, d));
        if (orient3dAt(p, a, b, c, d) === 0) continue;
        if (flatness(p, a, b, c, d) < 1e-6) flatBefore++;
        if (flatness(q, a, b, c, d) < 1e-6) flatAfter++;
      }
    }
    expect(flatBefore, name).toBeGreaterThan(1500);
    expect(flatAfter, name).toBeLessThan(flatBefore / 4);
  }
});

test('bodies that fill their box, and numbers too small to multiply, are left as they are', () => {
  const random = randomIntegers(1);
  const round = soup(random, 12, (x, y, z) => [x, y, z]);
  expect(unsheared(round, round)[0]).toBe(round);
  const flat = soup(random, 12, (x, y, z) => [x * 2 ** -500, y, y + 2 ** -40 * z]);
  expect(unsheared(flat, flat)[0]).toBe(flat);
});

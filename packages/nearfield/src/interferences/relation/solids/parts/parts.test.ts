import { afterEach, expect, test, vi } from 'vitest';
import { bruteRelation, placedSoup, randomIntegers } from '../../../testing/brute-engine.ts';
import { turnedSoup } from '../../../testing/crossing-surfaces.ts';
import { Column } from '../cells/column.ts';
import { Parts } from './parts.ts';

afterEach(() => vi.restoreAllMocks());

type Integers = (n: number) => number;

const quads = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];

/** A thin box around the origin, turned anyhow: rounding bends its sides, some of them inward. */
function turnedPlate(random: Integers): number[][] {
  const q = [0, 1, 2, 3].map(() => random(2001) - 1000.5);
  const size = Math.hypot(...q);
  const [w, x, y, z] = q.map(c => c / size);
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const corner = (i: number): number[] => {
    const [u, v, h] = [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 0.003 : -0.003];
    return rows.map(row => row[0] * u + row[1] * v + row[2] * h);
  };
  return quads.flatMap(([a, b, c, d]) => [
    [...corner(a), ...corner(b), ...corner(c)],
    [...corner(a), ...corner(c), ...corner(d)],
  ]);
}

test('boxes have a direction however they are turned', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const plate = turnedPlate(randomIntegers(seed));
    expect(new Parts(placedSoup(plate)).bodyDirection, `seed ${seed}`).toBe(1);
    expect(new Parts(placedSoup(turnedSoup(plate))).bodyDirection, `seed ${seed}`).toBe(-1);
  }
});

test('turned boxes that cross one another, against some of them, are decided by few looks', () => {
  const look = vi.spyOn(Column.prototype, 'at');
  for (let seed = 1; seed <= 3; seed++) {
    const random = randomIntegers(seed);
    const plates = Array.from({ length: 8 }, () => turnedPlate(random));
    const all = placedSoup(plates.flat());
    const some = plates.slice(0, 6).map((plate, i) => (i % 2 ? turnedSoup(plate) : plate));
    expect(bruteRelation(all, placedSoup(some.flat())), `seed ${seed}, some turned round`).toBe('contains');
    const others = placedSoup(plates.slice(1).reverse().flat());
    expect(bruteRelation(others, all), `seed ${seed}, one left out`).toBe('inside');
    expect(look.mock.calls.length, `seed ${seed}`).toBeLessThan(200);
    look.mockClear();
  }
});

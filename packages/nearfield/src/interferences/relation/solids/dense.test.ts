import { afterEach, expect, test, vi } from 'vitest';
import { bruteRelation, placedSoup, randomIntegers } from '../../testing/brute-engine.ts';
import { crossingSurface, soupOf, turnedSoup, withSplitEdges } from '../../testing/crossing-surfaces.ts';
import { countedRelation, type GridBox, randomBox, solidOfBoxes } from '../../testing/grid-solids.ts';
import { Column } from './cells/column.ts';

// Unions of many overlapping convex parts, against unions of the same parts that were cut in two, shrunk, left out or
// added. Coverage is decided part by part, or triangle by triangle through the faces that lines enter. For boxes on the
// grid, counting cubes gives the relation. Exact shears turn their sides into all directions.

const isSlow = Boolean(process.env['NEARFIELD_SLOW']);
if (isSlow) vi.setConfig({ testTimeout: 1_000_000 });
afterEach(() => vi.restoreAllMocks());

type Integers = (n: number) => number;
const size = 6;

/** The boxes that replace a box of one solid in the other. */
function made(random: Integers, box: GridBox): GridBox[] {
  const axis = random(3);
  const [low, high] = [box.low[axis], box.high[axis]];
  const between = (from: number, to: number): GridBox => ({
    low: box.low.map((x, i) => (i === axis ? from : x)),
    high: box.high.map((x, i) => (i === axis ? to : x)),
    sign: box.sign,
  });
  const middle = low + 1 + random(Math.max(1, high - low - 1));
  switch (random(8)) {
    case 0:
      return [];
    case 1:
      return high - low > 1 ? [between(low, high - 1)] : [box];
    case 2:
      return [between(Math.max(0, low - 1), high)];
    case 3:
    case 4:
    case 5:
      return middle < high ? [between(low, middle), between(middle, high)] : [box];
    default:
      return [box];
  }
}

const shears: ((random: Integers) => (x: number, y: number, z: number) => number[])[] = [
  () => (x, y, z) => [x, y, z],
  random => {
    const [i, j, k] = [random(7) - 3, random(7) - 3, random(7) - 3];
    return (x, y, z) => [x + i * y + j * z, y + k * z, z];
  },
  random => {
    const [i, j, k] = [random(2 ** 20), random(2 ** 40), random(2 ** 20)];
    return (x, y, z) => [z, x + i * z, y + j * x + k * z];
  },
  () => (x, y, z) => [-x - y, y + z, x],
];

const isMirror = (change: (x: number, y: number, z: number) => number[]): boolean => {
  const [a, b, c] = [change(1, 0, 0), change(0, 1, 0), change(0, 0, 1)];
  const volume =
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    a[1] * (b[0] * c[2] - b[2] * c[0]) +
    a[2] * (b[0] * c[1] - b[1] * c[0]);
  return volume < 0;
};

const mirrored: Record<string, string> = { inside: 'contains', contains: 'inside' };

test('overlapping boxes, cut in two, left out and added, sheared, against counting cubes', () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= (isSlow ? 6000 : 40); seed++) {
    const random = randomIntegers(seed);
    // Mostly all of them are wound the same way; sometimes each at random.
    const signs = random(4);
    const boxes = Array.from({ length: 1 + random(4) }, () => {
      const box = randomBox(random, 0, size);
      return signs === 0 ? box : ({ ...box, sign: signs === 1 ? -1 : 1 } satisfies GridBox);
    });
    const others = boxes.flatMap(box => made(random, box));
    const [a, b] = [boxes, others.length > 0 ? others : boxes].map(all => solidOfBoxes(random, all));
    const expected = countedRelation(a, b, size);
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
    const change = shears[random(shears.length)](random);
    const [placedA, placedB] = [a, b].map(({ triangles }) => {
      const all = triangles.map(t => [0, 3, 6].flatMap(at => change(t[at], t[at + 1], t[at + 2])));
      const order = all.map(() => random(1000));
      return placedSoup(
        all
          .map((_, i) => i)
          .sort((i, j) => order[i] - order[j])
          .map(i => all[i]),
      );
    });
    const name = `seed ${seed}${isMirror(change) ? ', mirrored' : ''}`;
    expect(bruteRelation(placedA, placedB), name).toBe(expected);
    expect(bruteRelation(placedB, placedA), `${name}, exchanged`).toBe(mirrored[expected] ?? expected);
  }
  for (const word of ['coincident', 'inside', 'contains', 'crossing']) {
    expect(seen.get(word) ?? 0, word).toBeGreaterThan(0);
  }
});

type Point = readonly number[];
type Tetrahedron = readonly [Point, Point, Point, Point];

const volumeOf = ([a, b, c, d]: Tetrahedron): number => {
  const [u, v, w] = [b, c, d].map(corner => corner.map((x, axis) => x - a[axis]));
  return (
    u[0] * (v[1] * w[2] - v[2] * w[1]) -
    u[1] * (v[0] * w[2] - v[2] * w[0]) +
    u[2] * (v[0] * w[1] - v[1] * w[0])
  );
};

/** Overlapping tetrahedra with even coordinates. */
function tetrahedra(random: Integers, count: number): Tetrahedron[] {
  const all: Tetrahedron[] = [];
  while (all.length < count) {
    const point = (): Point => [0, 1, 2].map(() => 2 * (random(11) - 5));
    const one: Tetrahedron = [point(), point(), point(), point()];
    if (volumeOf(one) > 0) all.push(one);
  }
  return all;
}

const halves = ([a, b, c, d]: Tetrahedron): Tetrahedron[] => {
  const middle = a.map((x, axis) => (x + b[axis]) / 2);
  return [
    [a, middle, c, d],
    [middle, b, c, d],
  ];
};

const trianglesOf = (all: readonly Tetrahedron[]): number[][] =>
  all.flatMap(([a, b, c, d]) => [
    [...a, ...c, ...b],
    [...a, ...b, ...d],
    [...b, ...c, ...d],
    [...a, ...d, ...c],
  ]);

test('dense unions of tetrahedra are decided with few samples', () => {
  const samples = vi.spyOn(Column.prototype, 'at');
  for (let seed = 1; seed <= (isSlow ? 200 : 2); seed++) {
    const random = randomIntegers(seed);
    const all = tetrahedra(random, 24);
    const whole = placedSoup(trianglesOf(all));
    const some = placedSoup(trianglesOf(all.slice(0, 12)));
    expect(bruteRelation(some, whole), `seed ${seed}`).toMatch(/inside|coincident/);
    // Parts within parts: samples are only needed to find what the second has beyond the first.
    expect(samples.mock.calls.length, `seed ${seed}, some of all`).toBeLessThan(200);

    const [first, second] = [
      all.slice(0, 12),
      all.slice(0, 12).map(([a, b, c, d]): Tetrahedron => [c, d, a, b]),
    ];
    const [a, b] = [first, second].map(each => placedSoup(trianglesOf(each.flatMap(halves))));
    expect(bruteRelation(a, b), `seed ${seed}, cut in two ways`).toBe('coincident');
    // 192 triangles, half of them sampled for each of two kinds, in some ten cells each.
    expect(samples.mock.calls.length, `seed ${seed}, cut in two ways`).toBeLessThan(4000);
    samples.mockClear();
  }
});

const exchanged = (word: string): string => mirrored[word] ?? word;
const related = (a: number[][], b: number[][]): string => bruteRelation(placedSoup(a), placedSoup(b));

test('self-crossing surfaces, split, reversed and repeated, are decided with few samples', () => {
  const samples = vi.spyOn(Column.prototype, 'at');
  for (let seed = 1; seed <= (isSlow ? 300 : 3); seed++) {
    const random = randomIntegers(seed);
    const surface = crossingSurface(random, 46, seed % 2 ? 11 : 2 ** 20);
    const [soup, ...fine] = [46, 92, 92].map(count => soupOf(withSplitEdges(random, surface, count)));
    const pairs: Record<string, [number[][], number[][]]> = {
      'split edges': [soup, fine[0]],
      'split in two ways': [fine[0], fine[1]],
      'split and turned': [fine[0], turnedSoup(fine[1])],
      'laid twice': [soup, [...soup, ...soup]],
    };
    for (const [name, [a, b]] of Object.entries(pairs)) {
      expect(related(a, b), `seed ${seed}, ${name}`).toBe('coincident');
    }
    // Their common parts are not cut at all.
    expect(samples.mock.calls.length, `seed ${seed}`).toBe(0);

    // Tetrahedra wound both ways, some cut in two, and one left out: cells are cut only around that one.
    const mixed = tetrahedra(random, 21).map(
      ([a, b, c, d], i): Tetrahedron => (i % 2 ? [b, a, c, d] : [a, b, c, d]),
    );
    const some = trianglesOf([...mixed.slice(0, 18), ...mixed.slice(18, 20).flatMap(halves)]);
    expect(related(trianglesOf(mixed), trianglesOf([...mixed.slice(0, 20), ...halves(mixed[20])]))).toBe(
      'coincident',
    );
    expect(samples.mock.calls.length, `seed ${seed}, both ways`).toBe(0);
    const word = related(trianglesOf(mixed), some);
    expect(exchanged(related(some, trianglesOf(mixed))), `seed ${seed}, one left out`).toBe(word);
    expect(samples.mock.calls.length, `seed ${seed}, one left out`).toBeLessThan(1500);
    samples.mockClear();

    // Two surfaces, one of them repeated: all cells are cut, but only once where both bodies change.
    const [one, other] = [0, 1].map(() => soupOf(crossingSurface(random, 30, 11)));
    const [first, second] = [
      [...one, ...other],
      [...one, ...one, ...other],
    ];
    expect(exchanged(related(second, first)), `seed ${seed}, one repeated`).toBe(related(first, second));
    expect(samples.mock.calls.length, `seed ${seed}, one repeated`).toBeLessThan(6000);
    samples.mockClear();
  }
});

test('surfaces keep their relation when their edges are split and one of them is reversed', () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= (isSlow ? 4000 : 60); seed++) {
    const random = randomIntegers(seed);
    const grid = [3, 4, 6, 2 ** 20][random(4)];
    const surfaces = Array.from({ length: 1 + random(3) }, () =>
      crossingSurface(random, 4 + 2 * random(5), grid),
    );
    // How often each body has each surface; negative if reversed.
    const multiples = [0, 1].map(() => surfaces.map(() => random(5) - 1));
    const soups = (isFine: boolean): number[][][] =>
      multiples.map(times =>
        surfaces.flatMap((surface, i) => {
          const count = surface.triangles.length + (isFine ? 2 * random(4) : 0);
          return Array.from({ length: Math.abs(times[i]) }, () => {
            const soup = soupOf(withSplitEdges(random, surface, count));
            return times[i] < 0 ? turnedSoup(soup) : soup;
          }).flat();
        }),
      );
    const [a, b] = soups(false);
    if (a.length === 0 || b.length === 0) continue;
    const word = related(a, b);
    seen.set(word, (seen.get(word) ?? 0) + 1);
    const [fineA, fineB] = soups(true);
    expect(related(fineA, fineB), `seed ${seed}, split`).toBe(word);
    expect(related(fineA, turnedSoup(b)), `seed ${seed}, turned`).toBe(word);
    expect(exchanged(related(fineB, a)), `seed ${seed}, exchanged`).toBe(word);
  }
  for (const word of ['coincident', 'inside', 'contains', 'crossing']) {
    expect(seen.get(word) ?? 0, word).toBeGreaterThan(0);
  }
});

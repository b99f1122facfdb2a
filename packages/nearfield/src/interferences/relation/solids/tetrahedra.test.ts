import { expect, test, vi } from 'vitest';
import { bruteRelation, meetingTriangles, placedSoup, randomIntegers } from '../../testing/brute-engine.ts';

// Solids made of cells of one tetrahedral mesh lie flush against each other at all angles, like the parts of an
// assembly. Their relation is that of their sets of cells.

if (process.env['NEARFIELD_SLOW']) vi.setConfig({ testTimeout: 1_000_000 });

const size = 2;
/** Each cube of the grid is divided into six tetrahedra around its diagonal (Kuhn), one per order of the axes. */
const orders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
];

type Tetrahedron = readonly (readonly number[])[];

/** Tetrahedra that fill a cube. The grid points are moved at random, the same way for all cells that share them. */
function tetrahedra(random: (n: number) => number): Tetrahedron[] {
  const points = new Map<string, number[]>();
  const pointAt = (at: readonly number[]): number[] => {
    let point = points.get(at.join());
    if (!point) points.set(at.join(), (point = at.map(x => x + (random(2001) - 1000) / 9000)));
    return point;
  };
  const cells: Tetrahedron[] = [];
  for (let cube = 0; cube < size ** 3; cube++) {
    const at = [cube % size, Math.floor(cube / size) % size, Math.floor(cube / size ** 2)];
    orders.forEach((order, k) => {
      const corners = [pointAt(at)];
      const walk = [...at];
      for (const axis of order) {
        walk[axis]++;
        corners.push(pointAt(walk));
      }
      // The first three orders are even permutations, the others turn the tetrahedron inside out.
      cells.push(k < 3 ? corners : [corners[1], corners[0], corners[2], corners[3]]);
    });
  }
  return cells;
}

/**
 * The four sides of each cell, counter-clockwise seen from outside. Unless `apart`, sides that two cells share are left
 * out.
 */
function surfaceOf(cells: readonly Tetrahedron[], apart: boolean): number[][] {
  const sides = new Map<string, number[]>();
  const all: number[][] = [];
  for (const [a, b, c, d] of cells) {
    for (const side of [
      [a, c, b],
      [a, b, d],
      [b, c, d],
      [a, d, c],
    ]) {
      const key = side
        .map(point => point.join())
        .sort()
        .join(' ');
      all.push(side.flat());
      if (sides.has(key)) sides.delete(key);
      else sides.set(key, side.flat());
    }
  }
  return apart ? all : [...sides.values()];
}

test('solids of cells of one mesh', () => {
  const rounds = process.env['NEARFIELD_SLOW'] ? 1000 : 30;
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomIntegers(seed);
    const cells = tetrahedra(random);
    const some = (share: number): Set<Tetrahedron> => new Set(cells.filter(() => random(100) < share));
    const inA = some(10 + random(80));
    const chance = random(5);
    const inB =
      chance === 0
        ? new Set(cells.filter(cell => !inA.has(cell)))
        : chance === 1
          ? new Set([...inA].filter(() => random(8) > 0))
          : chance === 2
            ? new Set([...inA, ...some(5)])
            : some(10 + random(80));
    if (inA.size === 0 || inB.size === 0) continue;
    const [a, b] = [inA, inB].map(set => placedSoup(surfaceOf([...set], random(3) === 0)));
    const onlyA = [...inA].some(cell => !inB.has(cell));
    const onlyB = [...inB].some(cell => !inA.has(cell));
    const expected = ![...inA].some(cell => inB.has(cell))
      ? meetingTriangles(a, b).length > 0
        ? 'touching'
        : 'separate'
      : onlyA
        ? onlyB
          ? 'crossing'
          : 'contains'
        : onlyB
          ? 'inside'
          : 'coincident';
    expect(bruteRelation(a, b), `seed ${seed}`).toBe(expected);
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
  }
  for (const word of ['touching', 'coincident', 'inside', 'contains', 'crossing']) {
    expect(seen.get(word) ?? 0, word).toBeGreaterThan(rounds / 60);
  }
});

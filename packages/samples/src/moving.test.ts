// The scenes that move by themselves: right sizes, closed where they should be, the same for the same seed, and
// within view. Small ones in the suite, those of the paper with NEARFIELD_SLOW=1.

import { open } from 'nearfield';
import { afterAll, describe, expect, test } from 'vitest';
import { bunny } from './creatures/bunny.ts';
import { dragon } from './creatures/dragon.ts';
import { createBreaking, createBunnies, createFoldingCloth, createLeaves, type Moving } from './index.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const slow = process.env.NEARFIELD_SLOW !== undefined;
/** Milliseconds for tests that take minutes at the paper's size on a busy machine. */
const longTime = 600_000;

const triangleCount = ({ bodies }: Moving): number =>
  bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);

/** Lowest and highest of all vertices along each axis, in the world. */
function extentOf(sample: Moving): { low: number[]; high: number[] } {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (const { mesh, pose } of sample.parts()) {
    const { positions: p } = mesh;
    for (let i = 0; i < p.length; i += 3) {
      for (let k = 0; k < 3; k++) {
        const value = pose[k] * p[i] + pose[4 + k] * p[i + 1] + pose[8 + k] * p[i + 2] + pose[12 + k];
        low[k] = Math.min(low[k], value);
        high[k] = Math.max(high[k], value);
      }
    }
  }
  return { low, high };
}

describe('creatures', () => {
  test.each([
    ['dragon', dragon, slow ? 112_000 : 4000],
    ['rabbit', bunny, slow ? 68_000 : 2500],
  ] as const)(
    'a %s is one closed solid with about the requested number of triangles',
    (_, make, triangles) => {
      for (const seed of [1, 2]) {
        const made = make({ triangles, seed });
        expect(Math.abs(made.triangleCount / triangles - 1)).toBeLessThan(0.03);
        expect([made.solid, made.adjacency.componentCount]).toEqual([true, 1]);
        expect(made.volume).toBeGreaterThan(0.3);
      }
    },
    longTime,
  );
});

describe('breaking', () => {
  const small = { triangles: 3000, fallingTriangles: 1000, pieces: 40 };
  test(
    'has two bodies, then many, all closed and as large together as the dragon',
    async () => {
      const sample = createBreaking(nf, slow ? {} : small);
      const volume = (): number =>
        sample.bodies.filter(({ name }) => name !== 'rabbit').reduce((sum, { mesh }) => sum + mesh.volume, 0);
      const whole = volume();
      const counts: number[] = [];
      for (let i = 0; i < 90; i++) {
        sample.advance();
        counts.push(sample.bodies.length);
        if (i % 10 !== 9) continue;
        expect(sample.bodies.every(({ solid }) => solid)).toBe(true);
        expect(Math.abs(volume() / whole - 1)).toBeLessThan(1e-11);
        const { low, high } = extentOf(sample);
        // On the floor, except for corners that sink in during a step, and not far away.
        expect(low[2]).toBeGreaterThan(-0.03);
        expect(Math.max(...high, -low[0], -low[1])).toBeLessThan(12);
      }
      expect(counts[0]).toBe(2);
      expect([...counts].sort((a, b) => a - b)).toEqual(counts);
      expect(counts[counts.length - 1]).toBeGreaterThan(slow ? 300 : 25);
      const { bodies, candidates, pairs, triangles, selfTriangles } = await sample.step();
      expect([bodies, selfTriangles]).toEqual([sample.bodies.length, 0]);
      expect(candidates).toBeGreaterThan(pairs);
      expect(triangles).toBeGreaterThanOrEqual(pairs > 0 ? 1 : 0);
      sample.close();
    },
    longTime,
  );
  test('strikes at the right time for its size', () => {
    const sample = createBreaking(nf, small);
    expect(Math.abs(triangleCount(sample) / 4000 - 1)).toBeLessThan(0.04);
    sample.close();
  });
});

describe('leaves', () => {
  test(
    'are 150 of 156 triangles on branches of 16,592, bending in every step',
    async () => {
      const sample = createLeaves(nf);
      const [tree, ...leaves] = sample.bodies;
      expect([tree.mesh.triangleCount, tree.solid]).toEqual([16_592, true]);
      expect(leaves.map(({ mesh }) => mesh.triangleCount)).toEqual(Array(150).fill(156));
      let before = sample.parts();
      for (let i = 0; i < (slow ? 240 : 12); i++) {
        sample.advance(slow ? undefined : 1);
        const now = sample.parts();
        now.slice(1).forEach(({ mesh }, leaf) => {
          expect(mesh.positions).not.toEqual(before[leaf + 1].mesh.positions);
        });
        before = now;
        const { low, high } = extentOf(sample);
        expect(low[2]).toBeGreaterThanOrEqual(-0.2);
        expect(Math.max(...high, -low[0], -low[1])).toBeLessThan(8);
      }
      // All have fallen: only the tree is still high.
      const highest = Math.max(
        ...before.slice(1).flatMap(({ mesh }) => [...mesh.positions].filter((_, i) => i % 3 === 2)),
      );
      expect(highest).toBeLessThan(slow ? 5 : 0.5);
      const { candidates, pairs } = await sample.step();
      expect(candidates).toBeGreaterThan(pairs);
      sample.close();
    },
    longTime,
  );
  test('meet branches and one another', async () => {
    const sample = createLeaves(nf, { leaves: 60, fineness: 0.5 });
    const { pairs, triangles } = await sample.step();
    expect(pairs).toBeGreaterThan(20);
    expect(triangles).toBeGreaterThan(pairs);
    sample.close();
  });
});

describe('folding cloth', () => {
  test(
    'falls over the ball, folds, meets itself and stays whole',
    async () => {
      const sample = createFoldingCloth(nf, slow ? {} : { triangles: 3200 });
      const [cloth, ball] = sample.bodies;
      if (slow) expect(Math.abs(cloth.mesh.triangleCount / 92_000 - 1)).toBeLessThan(0.01);
      const area = (): number => areaOf(sample.parts()[0].mesh.positions, cloth.mesh.indices);
      const flat = area();
      for (let i = 0; i < 200; i++) sample.advance();
      expect(area() / flat).toBeGreaterThan(0.8);
      expect(area() / flat).toBeLessThan(1.2);
      const { low, high } = extentOf(sample);
      expect(low[2]).toBeGreaterThan(-0.02);
      expect(high[2]).toBeLessThan(1.5);
      const { selfTriangles, bodies } = await sample.step();
      expect(bodies).toBe(2);
      expect(selfTriangles).toBeGreaterThan(0);
      expect(ball.solid).toBe(true);
      sample.close();
    },
    longTime,
  );
});

const areaOf = (p: ArrayLike<number>, indices: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const u = [0, 1, 2].map(k => p[b + k] - p[a + k]);
    const v = [0, 1, 2].map(k => p[c + k] - p[a + k]);
    sum += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return sum;
};

describe('bunnies', () => {
  test(
    'cross during the whole turn',
    async () => {
      const sample = createBunnies(nf, slow ? {} : { triangles: 3000 });
      const counts: number[] = [];
      for (let i = 0; i < 24; i++) counts.push((await sample.step(8 / 24)).triangles);
      expect(Math.min(...counts)).toBeGreaterThan(slow ? 2000 : 200);
      expect(Math.max(...counts)).toBeLessThan(slow ? 4000 : 1000);
      sample.close();
    },
    longTime,
  );
});

test.each([
  [
    'breaking',
    (seed: number) => createBreaking(nf, { triangles: 2000, fallingTriangles: 800, pieces: 20, seed }),
    slow ? 40 : 20,
  ],
  ['leaves', (seed: number) => createLeaves(nf, { leaves: 10, fineness: 0.4, seed }), 5],
  ['folding cloth', (seed: number) => createFoldingCloth(nf, { triangles: 800, seed }), slow ? 40 : 15],
  ['bunnies', (seed: number) => createBunnies(nf, { triangles: 1000, seed }), 5],
] as const)(
  '%s: the same seed gives the same numbers, another seed others',
  (_, make, steps) => {
    const numbers = (seed: number): number[] => {
      const sample = make(seed);
      for (let i = 0; i < steps; i++) sample.advance();
      const all = sample.parts().flatMap(({ mesh, pose }) => [...pose, ...mesh.positions, ...mesh.indices]);
      sample.close();
      return all;
    };
    const first = numbers(1);
    expect(numbers(1)).toEqual(first);
    expect(numbers(2)).not.toEqual(first);
  },
  120_000,
);

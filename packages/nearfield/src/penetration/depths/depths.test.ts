// The depths of many pairs: brackets, their order, tolerances, limits, and the same answers in any order and form.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../bodies/body.ts';
import type { CpuScene } from '../../cpu-scene.ts';
import { mesh } from '../../mesh/mesh.ts';
import { type CpuNearfield, open } from '../../nearfield.ts';
import { createRandom, icosphere, torusKnot } from '../../shapes/index.ts';
import { type Cuboid, cuboids, posed } from '../testing/solids.ts';
import type { TwoBodies } from './depths.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

/** Pairs of boxes along x whose depths are known, in no order. */
function rows(scene: CpuScene, depths: readonly number[]): TwoBodies[] {
  return depths.map((depth, i) => {
    const box = (from: number, to: number): Cuboid => [from, 10 * i, 0, to, 10 * i + 4, 4];
    return { a: scene.add(cuboids([box(0, 4)])), b: scene.add(cuboids([box(4 - depth, 8)])) };
  });
}

describe('many pairs', () => {
  it('are listed in the order given, and ranked deepest first', () => {
    const scene = nf.scene();
    const truth = [0.25, 1.5, 0, 0.5, 2 ** -20, 1.75];
    const { pairs, order, certain, backend } = scene.depthsSync(rows(scene, truth), { stopAtRatio: 1.01 });
    pairs.forEach(({ depth, ratio, translation }, i) => {
      expect(depth.lower).toBeLessThanOrEqual(truth[i]);
      expect(depth.upper).toBeGreaterThanOrEqual(truth[i]);
      expect(ratio).toBeLessThanOrEqual(1.01);
      expect(Math.hypot(...translation)).toBeCloseTo(depth.upper, 12);
    });
    expect([...order]).toEqual([5, 1, 3, 0, 4, 2]);
    expect(certain).toBe(6);
    expect(backend).toBe('cpu');
    scene.close();
  });

  it('take an answer of interferences', async () => {
    const scene = nf.scene();
    rows(scene, [0.25, 0.5]);
    const { pairs } = await scene.depths(await scene.interferences());
    expect(pairs.map(({ a, b }) => [a.index, b.index])).toEqual([
      [0, 1],
      [2, 3],
    ]);
    scene.close();
  });

  it('have narrow brackets and a certain order in the first rows, and proven brackets in the others', () => {
    const scene = nf.scene();
    const knot = torusKnot();
    const random = createRandom(7);
    const pairs: TwoBodies[] = Array.from({ length: 12 }, (_, i) => ({
      a: scene.add(knot, { pose: posed(100 * i, 0, 0) }),
      b: scene.add(icosphere({ frequency: 4 }), {
        pose: posed(100 * i + 2 * random.next(), random.next(), 0, [1, 2, 3], i),
      }),
    }));
    const all = scene.depthsSync(pairs, { stopAtRatio: 1.3 });
    const some = scene.depthsSync(pairs, { stopAtRatio: 1.3, first: 3 });
    for (let i = 0; i < some.certain && i < 3; i++) {
      const { depth, ratio } = some.pairs[some.order[i]];
      expect(ratio).toBeLessThanOrEqual(1.3);
      for (const later of some.order.slice(i + 1))
        expect(all.pairs[later].depth.lower).toBeLessThanOrEqual(1.3 * depth.upper);
    }
    some.pairs.forEach((pair, i) => {
      expect(pair.depth.lower).toBeLessThanOrEqual(all.pairs[i].depth.upper);
      expect(pair.depth.upper).toBeGreaterThanOrEqual(all.pairs[i].depth.lower);
    });
    const cheap = scene.depthsSync(pairs, { first: 0 });
    expect(cheap.pairs.every(({ depth }) => depth.upper > 0 && depth.upper < Infinity)).toBe(true);
    scene.close();
  });

  it('are each decided against their own tolerance', () => {
    const scene = nf.scene();
    const truth = [0.25, 0.5, 1];
    const pairs = rows(scene, truth);
    const tolerance = [0.3, 0.4, 1.1];
    const found = scene.depthsSync(pairs, { first: 0, tolerance }).pairs;
    const sides = found.map(({ depth }, i) =>
      depth.upper <= tolerance[i] ? -1 : depth.lower > tolerance[i] ? 1 : 0,
    );
    expect(sides).toEqual([-1, 1, -1]);
    scene.close();
  });

  it('have one answer in both forms and both orders', async () => {
    const scene = nf.scene();
    const pairs = rows(scene, [0.25, 1.5, 0.75]);
    const found = scene.depthsSync(pairs);
    const { pairs: waited } = await scene.depths(pairs);
    const { pairs: mirrored } = await scene.depths(pairs.map(({ a, b }) => ({ a: b, b: a })));
    waited.forEach(({ depth, translation }, i) => {
      expect(depth).toEqual(found.pairs[i].depth);
      expect(translation).toEqual(found.pairs[i].translation);
      expect(mirrored[i].depth).toEqual(depth);
      expect([...mirrored[i].translation]).toEqual([...translation].map(x => 0 - x));
    });
    scene.close();
  });

  it('report progress, and are cancelled between pairs', async () => {
    const scene = nf.scene();
    const pairs = rows(
      scene,
      Array.from({ length: 800 }, (_, i) => 0.25 + i / 1024),
    );
    const seen: number[] = [];
    await scene.depths(pairs, { progress: done => seen.push(done) });
    expect(seen.at(-1)).toBe(1);
    expect(seen.every((done, i) => done >= (seen[i - 1] ?? 0))).toBe(true);
    const controller = new AbortController();
    const reason = new Error('enough');
    const asked = scene.depths(pairs, {
      signal: controller.signal,
      progress: () => controller.abort(reason),
    });
    await expect(asked).rejects.toBe(reason);
    scene.close();
  });

  it('keep the brackets of their boxes if no time is left', () => {
    const scene = nf.scene();
    const { pairs } = scene.depthsSync(rows(scene, [0.25]), { timeLimit: 0 });
    expect(pairs[0].depth.lower).toBe(0);
    expect(pairs[0].depth.upper).toBeCloseTo(0.25, 9);
    scene.close();
  });
});

describe('deeper than', () => {
  it('answers at, below and above the depth', async () => {
    const scene = nf.scene();
    const [{ a, b }] = rows(scene, [0.5]);
    expect(await scene.deeperThan(a, b, 0)).toBe('deeper');
    expect(await scene.deeperThan(a, b, 0.5 - 2 ** -30)).toBe('deeper');
    expect(await scene.deeperThan(a, b, 0.5 + 2 ** -30)).toBe('not-deeper');
    expect(await scene.deeperThan(b, a, 0.5 + 2 ** -30)).toBe('not-deeper');
    // Flush faces touch, so the depth itself is enough, but no translation that rounds is known to be that short.
    expect(['not-deeper', 'undecided']).toContain(await scene.deeperThan(a, b, 0.5));
    scene.close();
  });

  it('knows bodies that do not overlap', () => {
    const scene = nf.scene();
    const [{ a, b }, { a: c }] = rows(scene, [0, 1]);
    expect(scene.deeperThanSync(a, b, 0)).toBe('not-deeper');
    expect(scene.deeperThanSync(a, c, 0)).toBe('not-deeper');
    scene.close();
  });

  it('proves less with little effort, and contradicts nothing', () => {
    const scene = nf.scene();
    const knot = torusKnot();
    for (let seed = 1; seed <= 3; seed++) {
      const a = scene.add(knot);
      const b: Body = scene.add(knot, { pose: posed(seed / 3, 0, 0, [1, 2, 3], seed) });
      const { depth } = scene.penetrationSync(a, b);
      for (const off of [0.3, 0.8, 1.2]) {
        const tolerance = off * depth.upper;
        const [much, little] = [1, 0].map(effort => scene.deeperThanSync(a, b, tolerance, { effort }));
        for (const answer of [much, little]) {
          if (answer === 'deeper') expect(depth.upper).toBeGreaterThan(tolerance);
          if (answer === 'not-deeper') expect(depth.lower).toBeLessThanOrEqual(tolerance);
        }
        if (little !== 'undecided') expect(much).toBe(little);
      }
    }
    scene.close();
  });
});

it('sheets folded flat upon themselves have no depth', () => {
  const scene = nf.scene();
  // A cube with a fin: a triangle and its opposite, outside the cube, through the other cube.
  const cube = cuboids([[0, 0, 0, 1, 1, 1]]);
  const positions = Float64Array.of(...cube.positions, 1, 0.5, 0.5, 3, 0.5, 0.5, 3, 0.5, 0.75);
  const first = cube.positions.length / 3;
  const fin = [first, first + 1, first + 2, first, first + 2, first + 1];
  const finned = scene.add(mesh(positions, Uint32Array.of(...cube.indices, ...fin)));
  const other = scene.add(cuboids([[2, 0, 0, 2.5, 1, 1]]));
  expect(finned.solid).toBe(true);
  expect(scene.penetrationSync(finned, other).depth).toEqual({ lower: 0, upper: 0 });
  expect(scene.depthsSync([{ a: finned, b: other }]).pairs[0].depth).toEqual({ lower: 0, upper: 0 });
  expect(scene.deeperThanSync(finned, other, 0)).toBe('not-deeper');
  scene.close();
});

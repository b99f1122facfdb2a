// The scenes that break, bend and fold (Govindaraju, Lin and Manocha, section 5), in small sizes, frame after frame. At
// every resolution the pairs are exactly those that the CPU engine finds with trees and no image. The images cull so
// much that keeping everything fails. With NEARFIELD_SLOW=1 there are larger scenes, more frames, and the paper's two
// rabbits.

import {
  createBreaking,
  createBunnies,
  createFoldingCloth,
  createLeaves,
  type Moving,
} from '@nearfield/samples';
import type { InterferenceOptions, Interferences, Nearfield } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { expectedPairs } from '../spec/interference.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const method = 'visibility';
const both = openBoth();

interface SceneKind {
  readonly name: string;
  make(nf: Nearfield, size: 'tiny' | 'small' | 'large'): Moving;
  /** The first step that is tested, and the number of steps until the next. */
  readonly first: number;
  readonly every: number;
  readonly frames: number;
  /** Bodies that are also tested against themselves. */
  readonly deforming?: readonly string[];
  /**
   * Budgets of the small scenes at 64² over the frames: the pairs of bodies, and the triangles, that may survive. Boxes
   * keep 232, 62, 2 and 2 pairs; all triangles are 15,124, 16,920, 3,960 and 3,376.
   */
  readonly budget: { readonly pairs: number; readonly triangles: number };
}

const sized = <T>(size: 'tiny' | 'small' | 'large', tiny: T, small: T, large: T): T =>
  ({ tiny, small, large })[size];

const kinds: readonly SceneKind[] = [
  {
    name: 'a dragon that breaks',
    make: (nf, size) =>
      createBreaking(
        nf,
        sized(
          size,
          { triangles: 500, fallingTriangles: 200, pieces: 12 },
          { triangles: 1200, fallingTriangles: 400, pieces: 30 },
          { triangles: 20_000, fallingTriangles: 6000, pieces: 150 },
        ),
      ),
    ...{ first: 12, every: 20, frames: 4 },
    budget: { pairs: 52, triangles: 800 },
  },
  {
    name: 'leaves that fall',
    make: (nf, size) =>
      createLeaves(
        nf,
        sized(size, { leaves: 6, fineness: 0.2 }, { leaves: 20, fineness: 0.3 }, { leaves: 150 }),
      ),
    ...{ first: 1, every: 50, frames: 3 },
    budget: { pairs: 58, triangles: 1300 },
  },
  {
    name: 'cloth that folds over a ball',
    make: (nf, size) => createFoldingCloth(nf, { triangles: sized(size, 450, 1800, 12_800) }),
    ...{ first: 120, every: 80, frames: 2, deforming: ['cloth'] },
    budget: { pairs: 2, triangles: 300 },
  },
  {
    name: 'two rabbits in one another',
    make: (nf, size) => createBunnies(nf, { triangles: sized(size, 300, 800, 12_000) }),
    ...{ first: 1, every: 80, frames: 2 },
    budget: { pairs: 2, triangles: 900 },
  },
];

const listOf = (answer: Interferences): unknown[] =>
  [...answer].map(({ a, b, triangles }) => [a.name, b.name, ...triangles]);

/** Goes on to each frame in turn. */
function* framesOf({ first, every, frames }: SceneKind, sample: Moving): Generator<number> {
  for (let step = 1; step <= first + every * (frames - 1); step++) {
    sample.advance();
    if (step >= first && (step - first) % every === 0) yield step;
  }
}

const ways: readonly InterferenceOptions[] = [
  { resolution: 64 },
  { resolution: slow ? 128 : 64, offset: 'boxes' },
  { resolution: 128 },
  { resolution: 64, survivors: 'sweep' },
  { resolution: 64, stages: 'published' },
  // Offsets fill images; with twice as many pixels per side they take a software GPU seconds.
  { resolution: slow ? 64 : 32, offset: 'bounded' },
  { resolution: slow ? 64 : 32, offset: 'exact' },
  ...(slow ? [{ resolution: 512 }, { resolution: 64, queries: 'occlusion' } as const] : []),
];

describe.each(kinds)('$name', kind => {
  test('finds the pairs of the CPU trees in every frame, and keeps no more than its budget', {
    timeout: 900_000,
  }, async () => {
    const size = slow ? 'large' : 'small';
    const seen = kind.make(both.gpu, size);
    let [found, frame] = [0, 0];
    const left = { pairs: 0, triangles: 0 };
    const selfPairs: number[] = [];
    for (const step of framesOf(kind, seen)) {
      const exact = both.cpu.scene();
      for (const { mesh, ...rest } of seen.parts()) exact.add(mesh, rest);
      const expected = listOf(exact.interferencesSync());
      found += expected.length;
      // The usual suite takes the first way, and another one in turn.
      const asked = slow ? ways : [ways[0], ways[1 + (frame++ % (ways.length - 1))]];
      for (const options of asked) {
        const answer = await seen.scene.interferences({ method, ...options });
        expect(listOf(answer), `step ${step}, ${JSON.stringify(options)}`).toEqual(expected);
        const { resolution, pairsKept, triangles } = answer.stats.visibility!;
        expect(resolution).toBe(options.resolution);
        if (options !== ways[0]) continue;
        left.pairs += pairsKept;
        left.triangles += triangles.kept;
      }
      for (const [i, name] of (kind.deforming ?? []).entries()) {
        const [own, its] = [seen, exact].map(({ bodies }) => bodies.find(body => body.name === name)!);
        const { triangles } = exact.selfIntersectionsSync(its);
        const folds = await seen.scene.selfIntersections(own, { method, resolution: 64 });
        expect(folds.triangles, `step ${step}, ${name} with itself`).toEqual(triangles);
        selfPairs[i] = (selfPairs[i] ?? 0) + triangles.length / 2;
      }
      exact.close();
    }
    seen.close();
    if (kind.deforming === undefined) expect(found).toBeGreaterThan(0);
    for (const count of selfPairs) expect(count).toBeGreaterThan(0);
    if (slow) return;
    expect(left.pairs).toBeLessThanOrEqual(kind.budget.pairs);
    expect(left.triangles).toBeLessThanOrEqual(kind.budget.triangles);
  });

  test('a tiny one, against every pair of triangles by exact arithmetic', { timeout: 300_000 }, async () => {
    const sample = kind.make(both.gpu, 'tiny');
    for (const step of framesOf({ ...kind, frames: slow ? kind.frames : 1 }, sample)) {
      const expected = expectedPairs(sample.parts().map(({ mesh, pose }) => ({ mesh, pose: [...pose] })));
      // Broken bodies are gone: the remaining ones are numbered by their index.
      const placeOf = new Map(sample.scene.bodies.map((body, i) => [body, i]));
      for (const options of slow
        ? ways
        : [ways[0], { resolution: 24, views: 1, queries: 'occlusion' } as const]) {
        const found: string[] = [];
        for (const { a, b, triangles } of await sample.scene.interferences({ method, ...options })) {
          for (let i = 0; i < triangles.length; i += 2) {
            found.push(`${placeOf.get(a)} ${placeOf.get(b)} ${triangles[i]} ${triangles[i + 1]}`);
          }
        }
        expect(found, `step ${step}, ${JSON.stringify(options)}`).toEqual(expected);
      }
    }
    sample.close();
  });
});

test('one sample per pixel misses pairs of the rabbits; every touched pixel misses none', {
  timeout: 900_000,
}, async () => {
  // The paper's 68,000 triangles at 1400², or the same number of pixels per triangle.
  const triangles = slow ? 68_000 : 600;
  const resolution = Math.round(1400 * Math.sqrt(triangles / 68_000));
  const [seen, exact] = [createBunnies(both.gpu, { triangles }), createBunnies(both.cpu, { triangles })];
  for (const sample of [seen, exact]) sample.advance();
  const countOf = (answer: Interferences) =>
    [...answer].reduce((sum, { triangleCount = 0 }) => sum + triangleCount, 0);
  const expected = await exact.scene.interferences();
  const plain = await seen.scene.interferences({ method, resolution, culling: 'may-miss' });
  expect(plain.complete).toBe(false);
  expect(countOf(plain)).toBeLessThan(countOf(expected));
  const reliable = await seen.scene.interferences({ method, resolution });
  expect(listOf(reliable)).toEqual(listOf(expected));
  seen.close();
  exact.close();
});

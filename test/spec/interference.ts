// The oracle suite: every triangle pair of small scenes, decided by brute force in exact integer arithmetic, against
// a backend's answer; and what must not change an answer: exchange, subdivision, exact motion.

import { applyPose, type InterferenceOptions, type Nearfield, type Relation, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toIntegers } from '../oracle/integers.ts';
import { meetByDifferences } from '../oracle/triangles/difference-hull.ts';
import { areApart, endsOf } from '../oracle/triangles/triangle-ends.ts';
import { cubes, gridPose, kinds, type Part, subdivided, translation } from './scenes.ts';

export interface SuiteSize {
  /** Scenes per kind, and triangles per soup. */
  readonly scenes: number;
  readonly triangles: number;
  /** The default options of questions. */
  readonly options?: InterferenceOptions;
}

/** World corners of every triangle, nine doubles each. */
function worldCorners(part: Part): Float64Array {
  const { positions, indices } = part.mesh;
  const world = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const v = 3 * indices[i];
    applyPose(Float64Array.from(part.pose), positions[v], positions[v + 1], positions[v + 2], world, 3 * i);
  }
  return world;
}

/** Whether one coordinate separates the triangles of 18 doubles. */
export function boxesApart(p: Float64Array): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const a = [p[axis], p[axis + 3], p[axis + 6]];
    const b = [p[axis + 9], p[axis + 12], p[axis + 15]];
    if (Math.max(...a) < Math.min(...b) || Math.max(...b) < Math.min(...a)) return true;
  }
  return false;
}

/** 'a b i j' for every two triangles that meet, in order. */
export function expectedPairs(parts: readonly Part[]): string[] {
  const world = parts.map(worldCorners);
  const ends = world.map(endsOf);
  const p = new Float64Array(18);
  const found: string[] = [];
  for (let a = 0; a < parts.length; a++) {
    for (let b = a + 1; b < parts.length; b++) {
      for (let i = 0; i < world[a].length / 9; i++) {
        p.set(world[a].subarray(9 * i, 9 * i + 9));
        for (let j = 0; j < world[b].length / 9; j++) {
          if (areApart(ends[a], 6 * i, ends[b], 6 * j)) continue;
          p.set(world[b].subarray(9 * j, 9 * j + 9), 9);
          if (meetByDifferences(toIntegers(p))) found.push(`${a} ${b} ${i} ${j}`);
        }
      }
    }
  }
  return found;
}

const mirrored: Record<Relation, Relation> = {
  separate: 'separate',
  touching: 'touching',
  crossing: 'crossing',
  coincident: 'coincident',
  inside: 'contains',
  contains: 'inside',
};

/** In each of the first three seeds after these, the bodies meet: one contains another, they cross, they touch. */
const firstSeeds = { exchange: 32_343, subdivision: 2247, translation: 3029 } as const;

export function interferenceSpec(
  open: () => Promise<Nearfield>,
  { scenes, triangles, options: usual = {} }: SuiteSize,
): void {
  describe('every triangle pair, against exact brute force', () => {
    let nf: Nearfield;
    beforeAll(async () => {
      nf = await open();
    });
    afterAll(() => nf.close());

    async function ask(parts: readonly Part[], options = {}) {
      const scene = nf.scene();
      for (const { mesh, pose } of parts) scene.add(mesh, { pose });
      const answer = await scene.interferences({ ...usual, ...options });
      const found: string[] = [];
      for (const { a, b, triangles: list } of answer) {
        for (let i = 0; i < list.length; i += 2)
          found.push(`${a.index} ${b.index} ${list[i]} ${list[i + 1]}`);
      }
      const relations = [...answer].map(pair => `${pair.a.index} ${pair.relation} ${pair.b.index}`);
      scene.close();
      return { found, relations, stats: answer.stats, counts: answer.pairs.map(p => p.triangleCount) };
    }

    for (const kind of kinds(triangles)) {
      it(kind.name, { timeout: 300_000 }, async () => {
        let tests = 0;
        let unsure = 0;
        for (let seed = 1; seed <= scenes; seed++) {
          const parts = kind.parts(shapes.createRandom(seed));
          const { found, stats } = await ask(parts);
          expect(found, `seed ${seed}`).toEqual(expectedPairs(parts));
          tests += stats.triangleTests;
          unsure += stats.unsure;
          if (nf.backend === 'gpu') expect(stats.dispatches, `seed ${seed}`).toBeGreaterThan(0);
        }
        // Repeated corners make a soup's degenerate triangles unsure in any position.
        if (kind.general && !kind.name.startsWith('soups') && !kind.name.startsWith('tiny')) {
          expect(unsure).toBeLessThanOrEqual(0.01 * tests);
        }
      });
    }

    it('exchange of the bodies mirrors the answer', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(firstSeeds.exchange + seed);
        const parts = [0, 1].map(() => ({
          mesh: cubes(random, 1 + random.integer(4), 3),
          pose: gridPose(random, 1),
        }));
        const there = await ask(parts);
        if (seed <= 3) expect(there.relations.length, `seed ${seed}`).toBeGreaterThan(0);
        const back = await ask([parts[1], parts[0]]);
        const turned = back.found.map(line => {
          const [a, b, i, j] = line.split(' ');
          return { line: `${a} ${b} ${j} ${i}`, i: Number(j), j: Number(i) };
        });
        turned.sort((p, q) => p.i - q.i || p.j - q.j);
        expect(
          turned.map(t => t.line),
          `seed ${seed}`,
        ).toEqual(there.found);
        const other = back.relations.map(line => line.replace(/[a-z]+/, r => mirrored[r as Relation]));
        expect(other, `seed ${seed}`).toEqual(there.relations);
      }
    });

    it('subdivision changes no relation', { timeout: 300_000 }, async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(firstSeeds.subdivision + seed);
        const parts = [0, 1, 2].map(() => ({
          mesh: cubes(random, 1 + random.integer(3), 3),
          pose: gridPose(random, 1),
        }));
        const finer = parts.map((part, i) => (i === 1 ? part : { ...part, mesh: subdivided(part.mesh) }));
        const { relations } = await ask(parts);
        if (seed <= 3) expect(relations.length, `seed ${seed}`).toBeGreaterThan(0);
        expect((await ask(finer)).relations, `seed ${seed}`).toEqual(relations);
      }
    });

    it('an exact translation by 10⁶ changes nothing', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(firstSeeds.translation + seed);
        const parts = [0, 1, 2].map(() => ({
          mesh: cubes(random, 1 + random.integer(3), 3),
          pose: gridPose(random, 1),
        }));
        const far = parts.map(({ mesh, pose }) => ({
          mesh,
          pose: pose.map((m, i) => m + translation(1e6, -1e6, 2e6)[i] * (i >= 12 && i < 15 ? 1 : 0)),
        }));
        const [near, away] = [await ask(parts), await ask(far)];
        if (seed <= 3) expect(near.relations.length, `seed ${seed}`).toBeGreaterThan(0);
        expect(away.found, `seed ${seed}`).toEqual(near.found);
        expect(away.relations, `seed ${seed}`).toEqual(near.relations);
      }
    });

    it('counting, yes or no, and every traversal agree with the list', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const parts = kinds(triangles)[2].parts(shapes.createRandom(4000 + seed));
        const list = await ask(parts);
        for (const detail of ['count', 'relation'] as const)
          expect((await ask(parts, { detail })).counts, `seed ${seed}, ${detail}`).toEqual(list.counts);
        expect((await ask(parts, { detail: 'any' })).found, `seed ${seed}`).toEqual(list.found);
        for (const traversal of ['walk', 'breadth-first', 'brute-force'] as const) {
          const note = `seed ${seed}, ${traversal}`;
          expect((await ask(parts, { traversal })).found, note).toEqual(list.found);
          expect((await ask(parts, { traversal, detail: 'count' })).counts, note).toEqual(list.counts);
          expect((await ask(parts, { traversal, detail: 'any' })).found, note).toEqual(list.found);
        }
      }
    });
  });
}

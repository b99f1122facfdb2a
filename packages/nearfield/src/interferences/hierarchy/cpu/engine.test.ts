// The CPU engine against the exact predicates on every pair of triangles: certain pairs meet, and every pair that meets
// is reported as certain or unsure, exactly once.

import { describe, expect, it } from 'vitest';
import { randomFrom, whole } from '../../../../../../test/oracle/triangles/generators.ts';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import { broadSync } from '../../../candidates/cpu/pair-front.ts';
import { createCpuEngine } from '../../../cpu/engine.ts';
import { identity } from '../../../math/pose.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { icosphere } from '../../../shapes/index.ts';
import { interfere } from '../../driver.ts';
import type { RawAnswer } from '../../request.ts';
import { levelSearchesOf } from './breadth-first/levels.ts';
import { cpuPairs } from './driver.ts';
import { giveLevelSearch } from './level-search.ts';
import { selfIntersectSync } from './self/driver.ts';
import {
  exactPairs,
  exactSelfPairs,
  hardPair,
  hardPoses,
  place,
  randomMesh,
  rotation,
  worldTriangles,
} from './testing/scenes.ts';

giveLevelSearch(levelSearchesOf);
const engine = await createCpuEngine();
const rounds = process.env.NEARFIELD_SLOW ? 400 : 10;

/** Records of one candidate as "i j", checked to be unique. */
function pairsOf(records: Uint32Array, candidate: number): Set<string> {
  const found = new Set<string>();
  let count = 0;
  for (let i = 0; i < records.length; i += 3) {
    if (records[i] !== candidate) continue;
    found.add(`${records[i + 1]} ${records[i + 2]}`);
    count++;
  }
  expect(found.size).toBe(count);
  return found;
}

function expectConsistent(answer: RawAnswer, candidate: number, exact: Set<string>, note: string): void {
  const certain = pairsOf(answer.certain, candidate);
  const unsure = pairsOf(answer.unsure, candidate);
  for (const pair of certain) {
    if (!exact.has(pair)) throw new Error(`${note}: ${pair} is said to meet and does not`);
    if (unsure.has(pair)) throw new Error(`${note}: ${pair} is both certain and unsure`);
  }
  for (const pair of exact) {
    if (!certain.has(pair) && !unsure.has(pair)) throw new Error(`${note}: ${pair} meets and was lost`);
  }
}

/** Records of three numbers as sorted strings. */
const sorted = (records: Uint32Array): string[] =>
  Array.from({ length: records.length / 3 }, (_, r) => records.slice(3 * r, 3 * r + 3).join(' ')).sort();

describe('pairs of triangles', () => {
  it.each(hardPoses)('agree with the exact predicates: %s', kind => {
    for (let round = 0; round < rounds; round++) {
      const seed = round * 7919 + hardPoses.indexOf(kind);
      const random = randomFrom(seed);
      const [poseA, poseB] = hardPair(random, kind);
      const a = place(randomMesh(random, whole(random, 1, 70)), poseA);
      const b = place(randomMesh(random, whole(random, 1, 70)), poseB);
      const exact = exactPairs(a, b);
      const note = `seed ${seed}, ${kind}`;
      const answer = cpuPairs(engine).interfereSync([a, b], { detail: 'list' });
      if (answer.candidates.length === 0) expect(exact.size, note).toBe(0);
      else expectConsistent(answer, 0, exact, note);
      const brute = cpuPairs(engine).interfereSync([a, b], { detail: 'list', traversal: 'brute-force' });
      expect(brute.certain.length, note).toBe(answer.certain.length);
      for (const detail of ['list', 'any'] as const) {
        const walked = cpuPairs(engine).interfereSync([a, b], { detail });
        const levels = cpuPairs(engine).interfereSync([a, b], { detail, traversal: 'breadth-first' });
        if (detail === 'any' && walked.certain.length > 0) continue;
        if (levels.candidates.length > 0) expectConsistent(levels, 0, exact, `${note}, level by level`);
      }
      const counted = cpuPairs(engine).interfereSync([a, b], { detail: 'count' });
      expect(counted.counts?.[0] ?? 0, note).toBe(answer.certain.length / 3);
      const any = cpuPairs(engine).interfereSync([a, b], { detail: 'any' });
      expect(any.certain.length > 0, note).toBe(answer.certain.length > 0);
      if (any.certain.length === 0) expect(any.unsure.length, note).toBe(answer.unsure.length);
      engine.forget(a.shape);
      engine.forget(b.shape);
    }
  });

  it('agree with the exact predicates with A and B swapped', () => {
    for (let seed = 0; seed < rounds; seed++) {
      const random = randomFrom(seed);
      const [poseA, poseB] = hardPair(random, 'rigid');
      const a = place(randomMesh(random, 60), poseA);
      const b = place(randomMesh(random, 90), poseB);
      const one = cpuPairs(engine).interfereSync([a, b], { detail: 'list' });
      const other = cpuPairs(engine).interfereSync([b, a], { detail: 'list' });
      // A pair that is certain in one order may be unsure in the other. The exact stage makes them equal.
      const exact = exactPairs(a, b);
      const mirrored = new Set([...exact].map(pair => pair.split(' ').reverse().join(' ')));
      if (one.candidates.length > 0) expectConsistent(one, 0, exact, `seed ${seed}`);
      if (other.candidates.length > 0) expectConsistent(other, 0, mirrored, `seed ${seed}, exchanged`);
      expect(other.candidates.length, `seed ${seed}`).toBe(one.candidates.length);
    }
  });

  it('touching at single points, to the last bit, are never lost', () => {
    // B's corners lie on A's triangles as closely as doubles allow, then an ulp or so off.
    for (let seed = 0; seed < rounds * 4; seed++) {
      const random = randomFrom(seed);
      const size = 10 ** whole(random, -8, 8);
      const given = randomMesh(random, 40);
      const a = place(given, hardPair(random, random() < 0.5 ? 'rigid' : 'far 1e6')[0]);
      const world = worldTriangles(a);
      const positions = new Float64Array(40 * 9);
      for (let t = 0; t < 40; t++) {
        const from = 9 * whole(random, 0, 39);
        for (let corner = 0; corner < 3; corner++) {
          const u = random();
          const v = random() * (1 - u);
          for (let axis = 0; axis < 3; axis++) {
            const on =
              world[from + axis] * (1 - u - v) + world[from + 3 + axis] * u + world[from + 6 + axis] * v;
            const off = (random() - 0.5) * size;
            positions[9 * t + 3 * corner + axis] =
              corner === 0 ? on * (1 + whole(random, -2, 2) * 2 ** -52) : on + off;
          }
        }
      }
      const b = place(mesh(positions));
      const answer = cpuPairs(engine).interfereSync([a, b], { detail: 'list' });
      const exact = exactPairs(a, b);
      if (answer.candidates.length > 0) expectConsistent(answer, 0, exact, `seed ${seed}`);
      else expect(exact.size, `seed ${seed}`).toBe(0);
    }
  });

  it('are the same level by level, in lists that grow, synchronously and asynchronously', async () => {
    const random = randomFrom(11);
    const soup = (count: number) => mesh(Float64Array.from({ length: 9 * count }, () => random() * 2 - 1));
    // Trees of different depths, several pairs of bodies, and levels with far more pairs than the lists' initial
    // capacity.
    const bodies = [place(soup(700)), place(soup(90)), place(soup(300))];
    const walked = cpuPairs(engine).interfereSync(bodies, { detail: 'list' });
    const levels = cpuPairs(engine).interfereSync(bodies, { detail: 'list', traversal: 'breadth-first' });
    const used = engine.usedBytes;
    const waited = await interfere(engine, bodies, { detail: 'list', traversal: 'breadth-first' });
    // It may be less if trees of other tests' shapes were garbage-collected meanwhile.
    expect(engine.usedBytes).toBeLessThanOrEqual(used);
    expect(levels.stats.growths).toBeGreaterThan(0);
    for (const answer of [levels, waited]) {
      expect(sorted(answer.certain)).toEqual(sorted(walked.certain));
      expect(sorted(answer.unsure)).toEqual(sorted(walked.unsure));
    }
    for (const { shape } of bodies) engine.forget(shape);
  });

  it('in general position are rarely unsure', () => {
    const random = randomFrom(5);
    let unsure = 0;
    let tests = 0;
    for (let round = 0; round < 20; round++) {
      const soup = () => mesh(Float64Array.from({ length: 9 * 200 }, () => random() * 2 - 1));
      const answer = cpuPairs(engine).interfereSync([place(soup()), place(soup(), rotation(random))], {
        detail: 'list',
      });
      unsure += answer.stats.unsure;
      tests += answer.stats.triangleTests;
    }
    expect(tests).toBeGreaterThan(10_000);
    expect(unsure / tests).toBeLessThan(0.001);
  });

  it('of bodies too flat for a frame of their own are still found without testing them all', () => {
    for (const [thin, scale] of [
      [2 ** -60, 1],
      [2 ** -45, 2 ** -300],
      [2 ** -70, 2 ** 300],
    ]) {
      const flat = identity();
      flat.set([scale, 0, 0], 0);
      flat.set([0, scale, 0], 4);
      flat.set([0, 0, scale * thin], 8);
      const [fine, coarse] = process.env.NEARFIELD_SLOW ? [12, 10] : [7, 6];
      const a = place(icosphere({ frequency: fine }), flat);
      const b = place(icosphere({ frequency: coarse }), flat.slice());
      b.pose[12] = scale * 0.7;
      const answer = cpuPairs(engine).interfereSync([a, b], { detail: 'list' });
      expectConsistent(answer, 0, exactPairs(a, b), `${thin} ${scale}`);
      expect(answer.stats.triangleTests).toBeLessThan(0.1 * 20 * fine ** 2 * 20 * coarse ** 2);
    }
  });

  it('of bodies without triangles do not exist', () => {
    const empty = place(mesh(new Float64Array(9), new Uint32Array(0)));
    const other = place(mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)));
    const answer = cpuPairs(engine).interfereSync([empty, other, other], { detail: 'list' });
    expect([...answer.candidates]).toEqual([1, 2]);
    expect(selfIntersectSync(engine, empty, {}).certain.length).toBe(0);
    expect(finderOf(engine).trianglesInBox(empty, [0, 0, 0, 1, 1, 1]).length).toBe(0);
  });

  it('keep only the given candidates whose boxes meet', () => {
    const soup = () => mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
    const far = identity();
    far[12] = 10;
    const bodies = [place(soup()), place(soup()), place(soup(), far), place(soup())];
    const answer = cpuPairs(engine).interfereSync(bodies, {
      detail: 'list',
      candidates: Uint32Array.of(0, 2, 0, 3, 1, 3),
    });
    expect([...answer.candidates]).toEqual([0, 3, 1, 3]);
    expect(pairsOf(answer.certain, 0)).toEqual(new Set(['0 0']));
    expect(pairsOf(answer.certain, 1)).toEqual(new Set(['0 0']));
  });

  it('refuse world positions that overflow, naming the body', () => {
    const huge = place(mesh(Float64Array.of(1e308, 0, 0, 1, 1e308, 0, 0, 1, 1)));
    huge.pose[0] = 1e3;
    expect(() =>
      cpuPairs(engine).interfereSync([place(mesh(new Float64Array(9))), huge], { detail: 'list' }),
    ).toThrow(/body 1/);
  });
});

describe('self-intersections', () => {
  it.each(hardPoses)('agree with the exact predicates: %s', kind => {
    for (let round = 0; round < rounds; round++) {
      const seed = round * 104729 + hardPoses.indexOf(kind);
      const random = randomFrom(seed);
      const body = place(randomMesh(random, whole(random, 1, 90)), hardPair(random, kind)[0]);
      expectConsistent(selfIntersectSync(engine, body, {}), 0, exactSelfPairs(body), `seed ${seed}, ${kind}`);
      engine.forget(body.shape);
    }
  });

  it('of a mesh with split vertices are those of the welded mesh', () => {
    for (let seed = 0; seed < rounds; seed++) {
      const random = randomFrom(seed);
      const given = randomMesh(random, 60);
      const soup = new Float64Array(given.indices.length * 3);
      given.indices.forEach((v, i) => {
        for (let axis = 0; axis < 3; axis++) soup[3 * i + axis] = given.positions[3 * v + axis];
      });
      const body = place(mesh(soup));
      expectConsistent(selfIntersectSync(engine, body, {}), 0, exactSelfPairs(body), `seed ${seed}`);
    }
  });

  it('of a deformed body are those of its new positions', () => {
    for (let seed = 0; seed < rounds; seed++) {
      const random = randomFrom(seed);
      const body = place(randomMesh(random, 60));
      selfIntersectSync(engine, body, {});
      const { vertexOf } = body.shape.mesh.welds;
      const moved = Float64Array.from(body.shape.positions, v => v * 3 + random() * 2);
      for (let v = 0; v < vertexOf.length; v++) moved.copyWithin(3 * v, 3 * vertexOf[v], 3 * vertexOf[v] + 3);
      body.shape.positions = moved;
      body.shape.revision++;
      expectConsistent(selfIntersectSync(engine, body, {}), 0, exactSelfPairs(body), `seed ${seed}`);
    }
  });
});

describe('the broad phase', () => {
  it.each([2, 7, 48, 49, 300, 1200])('finds every pair of %i bodies whose boxes meet', count => {
    const random = randomFrom(count);
    const shapes = Array.from({ length: 5 }, () => randomMesh(random, 12));
    const bodies: Placed[] = Array.from({ length: count }, (_, i) => {
      const pose = rotation(random);
      for (let row = 0; row < 3; row++)
        pose[12 + row] = (random() - 0.5) * count ** (1 / 3) * (i % 50 === 0 ? 20 : 4);
      return place(shapes[i % 5], pose);
    });
    const boxes = bodies.map(body => {
      const world = worldTriangles(body);
      const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
      for (let i = 0; i < world.length; i++) {
        box[i % 3] = Math.min(box[i % 3], world[i]);
        box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], world[i]);
      }
      return box;
    });
    const found = broadSync(engine, bodies);
    const keys = new Set<number>();
    for (let i = 0; i < found.length; i += 2) {
      expect(found[i]).toBeLessThan(found[i + 1]);
      const key = found[i] * count + found[i + 1];
      if (i > 0) expect(key).toBeGreaterThan(found[i - 2] * count + found[i - 1]);
      keys.add(key);
    }
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) {
        const meet = [0, 1, 2].every(k => boxes[i][k] <= boxes[j][k + 3] && boxes[j][k] <= boxes[i][k + 3]);
        if (meet && !keys.has(i * count + j)) throw new Error(`bodies ${i} and ${j} were lost`);
      }
    }
    expect(keys.size).toBeLessThan((count * (count - 1)) / 2 + 1);
  });
});

// The certified filters, kernel by kernel, on pairs designed to break them: on grids, within an ulp of touching, of
// every size that doubles allow. Whatever a filter is certain of must be true according to the exact predicates.

import { describe, expect, it } from 'vitest';
import {
  gridPair,
  nearlyTouchingPair,
  type Random,
  randomFrom,
  resize,
  wildPair,
} from '../../../../../../test/oracle/triangles/generators.ts';
import { createCpuEngine } from '../../../cpu/engine.ts';
import { neighboursMeet } from '../../../math/triangles/triangle-neighbours.ts';
import { trianglesMeet } from '../../../math/triangles/triangle-triangle.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { cpuPairs } from './driver.ts';
import { pairKernels } from './kernels.ts';
import { selfIntersectSync } from './self/driver.ts';
import { place } from './testing/scenes.ts';

const { call, memory } = createCpuEngine().kernels(pairKernels);
const a = memory.allocate(72, 'a test');
const b = memory.allocate(72, 'a test');
const engine = await createCpuEngine();
const rounds = process.env.NEARFIELD_SLOW ? 400_000 : 5_000;
const verdicts = ['apart', 'meeting', 'unsure'];

const kinds: Record<string, (random: Random, out: Float64Array) => void> = {
  grid: (random, out) => gridPair(random, out),
  'nearly touching': (random, out) => nearlyTouchingPair(random, out),
  'nearly touching, resized': (random, out) => {
    nearlyTouchingPair(random, out);
    resize(random, out);
  },
  'grid, resized': (random, out) => {
    gridPair(random, out);
    resize(random, out);
  },
  wild: wildPair,
};

describe('the double filter', () => {
  it.each(Object.keys(kinds))('is never wrong when certain: %s', kind => {
    const p = new Float64Array(18);
    const seen = [0, 0, 0];
    for (let seed = 0; seed < rounds; seed++) {
      kinds[kind](randomFrom(seed), p);
      memory.f64.set(p.subarray(0, 9), a / 8);
      memory.f64.set(p.subarray(9), b / 8);
      const verdict = call.trianglesMeet(a, b);
      seen[verdict]++;
      if (verdict < 2 && trianglesMeet(p) !== (verdict === 1)) {
        throw new Error(`seed ${seed}: said to be ${verdicts[verdict]}: ${p.join(' ')}`);
      }
    }
    expect(Math.min(...seen.slice(0, 1)), `${seen}`).toBeGreaterThan(0);
  });

  it('decides nearly all pairs in general position', () => {
    const random = randomFrom(3);
    let unsure = 0;
    for (let i = 0; i < rounds; i++) {
      for (let k = 0; k < 9; k++) {
        memory.f64[a / 8 + k] = random();
        memory.f64[b / 8 + k] = random();
      }
      if (call.trianglesMeet(a, b) === 2) unsure++;
    }
    expect(unsure).toBe(0);
  });
});

describe('the single-precision filter before it', () => {
  // Each body is one triangle, so that its size is that of the frame and the bounds are at their tightest. The engine
  // may only drop pairs that are apart according to the exact predicate.
  it.each(Object.keys(kinds))('never drops a pair that meets: %s', kind => {
    const p = new Float64Array(18);
    for (let seed = 0; seed < rounds / 4; seed++) {
      kinds[kind](randomFrom(seed), p);
      if (!p.every(v => Math.abs(v) < 1e307)) continue;
      const one = place(mesh(p.slice(0, 9)));
      const other = place(mesh(p.slice(9)));
      const answer = cpuPairs(engine).interfereSync([one, other], { detail: 'list' });
      const meet = trianglesMeet(p);
      if (meet && answer.certain.length + answer.unsure.length === 0) {
        throw new Error(`seed ${seed}: lost: ${p.join(' ')}`);
      }
      if (!meet && answer.certain.length > 0) throw new Error(`seed ${seed}: invented: ${p.join(' ')}`);
      engine.forget(one.shape);
      engine.forget(other.shape);
    }
  });

  it.each(['grid', 'nearly touching', 'resized'])('never drops neighbours that share more: %s', kind => {
    const p = new Float64Array(18);
    for (let seed = 0; seed < rounds / 4; seed++) {
      const random = randomFrom(seed);
      if (kind === 'grid') gridPair(random, p, 0.5);
      else nearlyTouchingPair(random, p, 0.4);
      if (kind === 'resized') resize(random, p);
      if (!p.every(v => Math.abs(v) < 1e307)) continue;
      const body = place(mesh(p.slice()));
      const answer = selfIntersectSync(engine, body, {});
      const meet = neighboursMeet(p);
      if (meet && answer.certain.length + answer.unsure.length === 0) {
        throw new Error(`seed ${seed}: lost: ${p.join(' ')}`);
      }
      if (!meet && answer.certain.length > 0) throw new Error(`seed ${seed}: invented: ${p.join(' ')}`);
      engine.forget(body.shape);
    }
  });
});

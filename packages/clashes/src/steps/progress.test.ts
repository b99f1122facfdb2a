// Progress is true in every stage: the bar moves at least once per thousand or two of the parts and pairs that a stage works
// on, and never back. Every look at the clock finds a pause due, so that each step of the work is reported.

import { encodePng } from '@nearfield/io/png';
import { open, shapes } from 'nearfield';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CheckQuestion, checkAssembly } from '../assembly/check.ts';
import type { AssemblyAnswer, GivenBody } from '../assembly/types.ts';
import { assemblyBcf } from '../exchange/bcf/bcf.ts';
import { assemblyCsv } from '../exchange/csv.ts';
import { assemblyGlb } from '../exchange/glb.ts';
import { assemblyJunit } from '../exchange/junit.ts';
import { assemblyReport, reportInput } from '../report/assembly-report.ts';
import { parseRules } from '../rules/parse.ts';
import { finishInTurns } from './pauses.ts';
import { finish } from './steps.ts';

beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
  // Timers take a millisecond each, and there are thousands of pauses.
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((action: () => void) =>
    setImmediate(action)) as never);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const count = 2048;
const box = shapes.box();
/** Pairs of bodies that overlap, each pair far from the next. */
const bodies = Array.from({ length: count }, (_, i): GivenBody => {
  const x = 3 * (i >> 1) + 0.75 * (i & 1);
  return {
    name: `part ${i}`,
    mesh: box,
    pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1),
  };
});
const rules = {
  sets: { low: { name: 'part *1' } },
  tests: [
    { name: 'low', within: 'low' },
    { name: 'rest', all: true },
  ],
};

let known: AssemblyAnswer | undefined;
/** The answer of a check with everything, and the shares that each stage reported. */
async function checked(): Promise<{ answer: AssemblyAnswer; shares: Map<string, number[]> }> {
  const nf = await open({ backend: 'cpu' });
  const shares = new Map<string, number[]>();
  const question: CheckQuestion = {
    ...{
      bodies,
      method: 'auto',
      samples: false,
      clearance: 4,
      rules: parseRules('rules.json', JSON.stringify(rules)),
    },
    ...{ identities: true, group: 'part', keepTriangles: 'worst', points: true, depths: 'all', rows: 20 },
    ...{ readTime: 0, openTime: 0, version: '0' },
    progress: (stage, done) => void shares.set(stage, [...(shares.get(stage) ?? []), done]),
  };
  const { answer } = await checkAssembly(nf, question);
  nf.close();
  known = answer;
  return { answer, shares };
}

/** Shares never go back, and there are at least so many different ones. */
function expectMoves(shares: readonly number[], least: number, what: string): void {
  expect(shares, what).toEqual([...shares].sort((p, q) => p - q));
  expect(new Set(shares).size, what).toBeGreaterThanOrEqual(least);
}

it('in every stage of a check', async () => {
  const { answer, shares } = await checked();
  expect(answer.frames[0].pairs.length).toBeGreaterThanOrEqual(count / 2);
  expect([...shares.keys()]).toEqual([
    ...['opening', 'checking', 'relating', 'locating', 'clearances', 'depths', 'grouping'],
  ]);
  // Fingerprints, and bodies of the scene. What is said of them is written down while pairs are looked for.
  expectMoves(shares.get('opening')!, (2 * count) / 1024, 'opening');
  for (const stage of ['relating', 'locating', 'depths']) {
    expectMoves(shares.get(stage)!, count / 2 / 1024, stage);
  }
  for (const stage of ['checking', 'clearances']) expectMoves(shares.get(stage)!, 4, stage);
  // Bodies, identities, and groups.
  expectMoves(shares.get('grouping')!, (count + 2 * (count / 2)) / 1024, 'grouping');
  for (const [stage, all] of shares) {
    const jumps = all.map((share, i) => share - (all[i - 1] ?? 0));
    expect(Math.max(...jumps), `${stage} moves evenly`).toBeLessThanOrEqual(0.6);
  }
});

it('while a report is prepared, drawn and put together', async () => {
  const answer = known ?? (await checked()).answer;
  const shares: number[] = [];
  const encode = () => '';
  const report = { title: 'x', answer, bodies, samples: 1, pictures: 1, encode };
  await assemblyReport({ ...report, progress: done => shares.push(done) });
  expectMoves(shares, 4 + (3 * count) / 1024, 'report');
  expect(shares.at(-1)).toBe(1);
});

it('while CSV, JUnit, GLB and BCF are written', async () => {
  const answer = known ?? (await checked()).answer;
  const { pairs } = answer.frames[0];
  for (const [name, pieces] of Object.entries({ csv: assemblyCsv(answer), junit: assemblyJunit(answer) })) {
    const all = [...pieces];
    const first = all.findIndex(piece => piece.split('\n').length > 1 && piece.includes('part'));
    // Before the first row there are pauses, after it a row is a piece.
    expect(all.slice(0, first).filter(piece => piece === '').length, name).toBeGreaterThanOrEqual(
      (2 * pairs.length) / 1024,
    );
    expect(Math.max(...all.map(({ length }) => length)), name).toBeLessThan(2000);
  }
  const input = finish(reportInput({ title: 'x', answer, bodies }));
  let steps = 0;
  const glb = await finishInTurns(assemblyGlb(answer, input), undefined, () => steps++);
  expect(glb.length).toBeGreaterThan(1e6);
  expect(steps).toBeGreaterThanOrEqual((count + 2 * pairs.length) / 1024 - 2);
  const shares: number[] = [];
  const snapshot = encodePng({ width: 1, height: 1, data: new Uint8Array(4) });
  const view = {
    ...{ position: [0, 0, 0], direction: [0, 0, 1], up: [0, 1, 0] },
    height: 1,
    aspect: 1,
    snapshot,
  };
  await assemblyBcf(answer, {
    ...{ date: '2026-11-18T09:30:00Z', progress: (done: number) => shares.push(done) },
    viewOf: async (_, i) => (i < 10 ? (view as never) : undefined),
  });
  expectMoves(shares, answer.groups!.length, 'bcf');
});

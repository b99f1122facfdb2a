// Random weeks in the life of an assembly of boxes, through the command line: parts move, grow, come, go and are renamed,
// and one file is left out in the middle. Every answer with a baseline is that of a whole computation, and no clash is
// called resolved that is there. The oracle compares the boxes themselves.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../../testing.ts';

interface Box {
  readonly name: string;
  readonly file: string;
  readonly at: readonly number[];
  readonly size: number;
}

const files = ['one.obj', 'two.obj', 'three.obj'];
const box = fc.record({
  file: fc.constantFrom(...files),
  at: fc.tuple(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 3 }),
  ),
  size: fc.integer({ min: 2, max: 6 }),
});
interface Week {
  readonly fates: readonly string[];
  readonly added: readonly Omit<Box, 'name'>[];
}

/** What happens to each part in a week. */
const fate = fc.constantFrom('stays', 'stays', 'stays', 'stays', 'moves', 'grows', 'renamed', 'goes');
const week = fc.record({
  fates: fc.array(fate, { minLength: 24, maxLength: 24 }),
  added: fc.array(box, { maxLength: 2 }),
});
const story = fc.record({
  first: fc.array(box, { minLength: 12, maxLength: 16 }),
  weeks: fc.array(week, { minLength: 3, maxLength: 3 }),
  left: fc.constantFrom(...files),
  clearance: fc.constantFrom(undefined, '1.5'),
  rules: fc.boolean(),
});

/** The parts a week later. Names are never given twice. */
function nextWeek(parts: readonly Box[], { fates, added }: Week, number: number): Box[] {
  const kept = parts.flatMap((part, i): Box[] => {
    const { at, size, name } = part;
    if (fates[i] === 'goes') return [];
    if (fates[i] === 'moves') return [{ ...part, at: [at[0] + 1, at[1], at[2]] }];
    if (fates[i] === 'grows') return [{ ...part, size: size + 0.5 }];
    return [fates[i] === 'renamed' ? { ...part, name: `${name}r` } : part];
  });
  return [...kept, ...added.map((each, i) => ({ ...each, name: `w${number}_${i}` }))];
}

/** How far two boxes are in each other along the axis where that is least; negative if they are apart. */
const overlapOf = (p: Box, q: Box): number =>
  Math.min(
    ...[0, 1, 2].map(axis => Math.min(p.at[axis] + p.size - q.at[axis], q.at[axis] + q.size - p.at[axis])),
  );

interface Answer {
  readonly bodies: readonly { readonly name: string }[];
  readonly pairs: readonly (Record<string, unknown> & { readonly a: number; readonly b: number })[];
  readonly history?: {
    readonly gone: readonly {
      readonly clash: string;
      readonly outcome: string;
      readonly was: { readonly a: { readonly name: string }; readonly b: { readonly name: string } };
    }[];
  };
}

const rules = {
  sets: { first: { file: 'one*' }, others: { file: ['two*', 'three*'] } },
  tests: [
    { name: 'first against others', between: ['first', 'others'], clearance: 1 },
    { name: 'rest', all: true },
  ],
};

it('answers with a baseline are those without, and nothing that clashes is resolved', async () => {
  let reused = 0;
  const property = fc.asyncProperty(story, async ({ first, weeks, left, clearance, rules: isRuled }) => {
    const folder = testFolder({ 'rules.json': JSON.stringify(rules) });
    const words = ['--json', '--backend', 'cpu', '--depths', 'all'];
    if (isRuled) words.push('--rules', 'rules.json');
    else if (clearance !== undefined) words.push('--clearance', clearance);
    let parts: Box[] = first.map((each, i) => ({ ...each, name: `w0_${i}` }));
    let known = new Set<string>();
    for (let number = 0; number <= weeks.length; number++) {
      if (number > 0) parts = nextWeek(parts, weeks[number - 1], number);
      const given = files.filter(
        file => parts.some(part => part.file === file) && !(number === 1 && file === left),
      );
      if (given.length === 0) return;
      for (const file of files) {
        const own = parts.filter(part => part.file === file);
        writeFileSync(
          join(folder, file),
          own.map(({ name, at, size }) => boxObj(at[0], at[1], at[2], size, name)).join(''),
        );
      }
      const plain = await runIn(folder, ['check', ...given, ...words]);
      const baseline = number === 0 ? [] : ['--baseline', `${number - 1}.json`];
      const run = await runIn(folder, ['check', ...given, ...words, ...baseline, '--out', `${number}.json`]);
      expect([plain.status, run.status]).not.toContain(2);
      expect(run.status).toBe(plain.status);
      if (run.err.includes('not computed again')) reused++;
      const answer = JSON.parse(readFileSync(join(folder, `${number}.json`), 'utf8')) as Answer;
      expect(measured(answer)).toEqual(measured(JSON.parse(plain.out)));

      // The oracle: which boxes overlap or touch, by their numbers alone.
      const today = parts.filter(({ file }) => given.includes(file));
      const byName = new Map(today.map(part => [part.name, part]));
      const meeting = answer.pairs.filter(({ relation }) => relation !== 'separate');
      const meetingNow = (p: string, q: string) => {
        const [one, other] = [byName.get(p), byName.get(q)];
        return one && other && overlapOf(one, other) >= 0;
      };
      const expected = today.flatMap((p, i) => today.slice(i + 1).filter(q => overlapOf(p, q) >= 0)).length;
      expect(meeting).toHaveLength(expected);
      for (const { a, b, depth } of meeting) {
        const [p, q] = [answer.bodies[a].name, answer.bodies[b].name];
        expect(meetingNow(p, q)).toBe(true);
        const bracket = depth as { lower: number; upper: number } | undefined;
        const overlap = overlapOf(byName.get(p)!, byName.get(q)!);
        if (bracket === undefined) expect(overlap).toBe(0);
        else {
          expect(bracket.lower).toBeLessThanOrEqual(overlap * (1 + 1e-9));
          expect(bracket.upper).toBeGreaterThanOrEqual(overlap * (1 - 1e-9));
        }
      }
      for (const { was, outcome } of answer.history?.gone ?? []) {
        if (outcome === 'resolved') expect(meetingNow(was.a.name, was.b.name)).not.toBe(true);
      }
      // Every clash of last week is there, or it is said what became of it.
      const now = new Set(answer.pairs.map(({ clash }) => clash as string));
      const gone = new Set((answer.history?.gone ?? []).map(({ clash }) => clash));
      for (const clash of known) expect(now.has(clash) || gone.has(clash)).toBe(true);
      const clashes = answer.pairs.filter(({ change }) => change !== undefined || number === 0);
      const unchecked = (answer.history?.gone ?? []).filter(({ outcome }) => outcome === 'unchecked');
      known = new Set([...clashes, ...unchecked].map(({ clash }) => clash as string));
    }
  });
  await fc.assert(property, { numRuns: process.env.NEARFIELD_SLOW ? 60 : 3 });
  expect(reused).toBeGreaterThan(0);
});

/** Pairs without identities, and without depths: "deeper than last week?" makes some brackets narrower. */
const measured = ({ pairs }: Answer) =>
  pairs.map(({ clash, change, depthBefore, depth, translation, ...pair }) => pair);

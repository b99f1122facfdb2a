import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AssemblyAnswer } from '../assembly/types.ts';
import { parseRules } from '../rules/parse.ts';
import { reusable } from './reuse.ts';
import { asBaseline, checkParts, part } from './testing.ts';

const random = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    x: fc.integer({ min: 0, max: 5 }),
    size: fc.constantFrom(1, 2),
  })
  .map(({ name, x, size }) => part(name, [x, 0, 0], [size, 1, 1]));

/** A quarter of the parts changes, and all may come in another order. */
const weeks = fc
  .tuple(
    fc.array(random, { minLength: 2, maxLength: 8 }),
    fc.array(random, { maxLength: 2 }),
    fc.infiniteStream(fc.nat()),
  )
  .map(([before, added, numbers]) => {
    const kept = before.filter(() => (numbers.next().value ?? 0) % 4 > 0);
    const now = [...kept, ...added];
    if ((numbers.next().value ?? 0) % 2) now.reverse();
    return { before, now };
  });

/** What was measured, in the order of the bodies; depths by the numbers of their brackets. */
const measuredOf = ({ frames }: AssemblyAnswer) =>
  frames[0].pairs.map(({ clash, change, depthBefore, ...pair }) => JSON.parse(JSON.stringify(pair)));

it('the answer with what is reused is that of a whole computation', async () => {
  let copied = 0;
  const rules = parseRules(
    'r',
    '{ "tests": [{ "name": "near", "between": [{ "name": "a" }, { "name": "b" }], "clearance": 3 }, { "name": "rest", "all": true, "clearance": 1 }] }',
  );
  const property = fc.asyncProperty(weeks, fc.boolean(), async ({ before, now }, ruled) => {
    const options = ruled ? { rules } : { clearance: 2 };
    const baseline = asBaseline((await checkParts(before, options)).answer);
    const { answer: plain } = await checkParts(now, options);
    const { answer, notes } = await checkParts(now, { ...options, baseline });
    if (notes.some(note => note.includes('not computed again'))) copied++;
    const wider = measuredOf(plain).map(({ depth, translation, ...pair }) => pair);
    expect(measuredOf(answer).map(({ depth, translation, ...pair }) => pair)).toEqual(wider);
    // "Deeper than last week?" is asked in addition, so brackets may be narrower.
    measuredOf(answer).forEach(({ depth }, i) => {
      const own = measuredOf(plain)[i].depth;
      expect(depth === undefined).toBe(own === undefined);
      if (own === undefined) return;
      expect(depth.lower).toBeLessThanOrEqual(own.upper);
      expect(depth.upper).toBeLessThanOrEqual(own.upper);
    });
  });
  await fc.assert(property, { numRuns: process.env.NEARFIELD_SLOW ? 300 : 30 });
  expect(copied).toBeGreaterThan(5);
});

it('unchanged bodies are examined only against others', async () => {
  const before = [
    part('a', [0, 0, 0], [2, 2, 2]),
    part('b', [1, 0, 0], [2, 2, 2]),
    part('c', [9, 0, 0], [1, 1, 1]),
  ];
  const { answer } = await checkParts(before);
  const now = [before[0], before[1], part('c', [2, 0, 0], [1, 1, 1])];
  const { bodies } = (await checkParts(now)).answer;
  const reuse = reusable(asBaseline(answer), bodies, answer.question!)!;
  expect(reuse.unchanged).toBe(2);
  const { depth } = answer.frames[0].pairs[0];
  expect(reuse.pairs).toMatchObject([{ a: 0, b: 1, relation: 'crossing', depth }]);
  expect([reuse.keep(0, 1), reuse.keep(0, 2), reuse.keep(1, 2)]).toEqual([false, true, true]);
});

it('a pair that the baseline carries along was not examined in it', async () => {
  const [a, b, c] = [
    part('a', [0, 0, 0], [2, 2, 2], { file: 'a.stl' }),
    part('b', [1, 0.3, 0.3], [2, 1, 1], { file: 'b.stl' }),
    part('c', [10, 0, 0], [1, 1, 1], { file: 'c.stl' }),
  ];
  const { answer: first } = await checkParts([a, b]);
  const { answer: second } = await checkParts([a, c], { baseline: asBaseline(first) });
  expect(second.history!.counts.unchecked).toBe(1);
  const { answer: third } = await checkParts([a, b, c], { baseline: asBaseline(second) });
  expect(third.frames[0].pairs).toMatchObject([{ a: 0, b: 1, relation: 'crossing', change: 'same' }]);
  expect(third.history!.gone).toEqual([]);
});

it('a bracket that is too wide for today is refined, and a narrow one is kept', async () => {
  const parts = [part('a', [0, 0, 0], [2, 2, 2]), part('b', [1, 0.3, 0.3], [2, 1.4, 1.4])];
  const { answer } = await checkParts(parts, { depths: 'none', tolerance: 0.01 });
  const [wide] = answer.frames[0].pairs;
  const { answer: next } = await checkParts(parts, { baseline: asBaseline(answer) });
  const [narrow] = next.frames[0].pairs;
  expect(narrow.depth!.upper / narrow.depth!.lower).toBeLessThanOrEqual(1.1);
  expect(wide.depth!.upper).toBeGreaterThanOrEqual(narrow.depth!.upper);
  const { answer: again } = await checkParts(parts, { baseline: asBaseline(next) });
  expect(again.frames[0].pairs[0]).toMatchObject({ depth: narrow.depth, translation: narrow.translation });
  const { answer: tight } = await checkParts(parts, { baseline: asBaseline(next), tolerance: 1 });
  expect(tight.frames[0].pairs[0].verdict).toBe('within-tolerance');
});

it('nothing is reused for another question, in a motion, or from a method that samples', async () => {
  const parts = [part('a', [0, 0, 0], [2, 2, 2]), part('b', [1, 0, 0], [2, 2, 2])];
  const { answer } = await checkParts(parts);
  const of = (more: object) => reusable(asBaseline({ ...answer, ...more }), answer.bodies, answer.question!);
  expect(of({})).toBeDefined();
  expect(of({ question: 'e'.repeat(32) })).toBeUndefined();
  expect(of({ question: undefined })).toBeUndefined();
  expect(of({ isMotion: true })).toBeUndefined();
  const bounds = { mayMissBelow: 1, mayReportWithin: 1, complete: true };
  expect(of({ frames: [{ frame: 0, pairs: [], bounds }] })).toBeUndefined();
  expect(of({ bodies: answer.bodies.map(({ fingerprint, ...body }) => body) })).toBeUndefined();
});

it('a part that is renamed into other sets is examined again', async () => {
  const rules = parseRules(
    'r',
    '{ "tests": [{ "name": "t", "between": [{ "name": "wall*" }, { "name": "pipe*" }] }] }',
  );
  const checked = async (name: string) => {
    const parts = [part('wall', [0, 0, 0], [2, 2, 2]), part(name, [1, 0, 0], [2, 2, 2])];
    parts.push(part('pipe far away', [9, 0, 0], [1, 1, 1]));
    return (await checkParts(parts, { rules })).answer;
  };
  const duct = await checked('duct');
  const of = async (name: string) => reusable(asBaseline(duct), (await checked(name)).bodies, duct.question!);
  expect((await of('duct 2'))?.keep(0, 1)).toBe(false);
  // Last week nobody asked about the pair, so nothing is known about it.
  expect((await of('pipe'))?.keep(0, 1)).toBe(true);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identify } from '../identity/clash-id.ts';
import { parseRules } from '../rules/parse.ts';
import { resolveRules } from '../rules/resolve.ts';
import { reusable } from './reuse.ts';
import { asBaseline, checkParts, part } from './testing.ts';

const question = 'f'.repeat(32);
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

it('the answer with what is reused is that of a whole computation', () => {
  let copied = 0;
  const property = fc.property(weeks, ({ before, now }) => {
    const options = { clearance: 2, more: { question } };
    const baseline = asBaseline(identify(checkParts(before, options).answer));
    const { answer } = checkParts(now, options);
    const plain = answer.frames[0].pairs.map(({ verdict, test, depth, translation, ...pair }) => pair);
    const reuse = reusable(baseline, answer.bodies, question);
    if (reuse === undefined) return;
    copied += reuse.pairs.length;
    const computed = plain.filter(({ a, b }) => reuse.keep(a, b));
    const all = [...computed, ...reuse.pairs].sort((p, q) => p.a - q.a || p.b - q.b);
    expect(JSON.parse(JSON.stringify(all))).toEqual(JSON.parse(JSON.stringify(plain)));
  });
  fc.assert(property, { numRuns: 500 });
  expect(copied).toBeGreaterThan(100);
});

it('unchanged bodies are examined only against others', () => {
  const before = [
    part('a', [0, 0, 0], [2, 2, 2]),
    part('b', [1, 0, 0], [2, 2, 2]),
    part('c', [9, 0, 0], [1, 1, 1]),
  ];
  const baseline = asBaseline(identify(checkParts(before, { more: { question } }).answer));
  const now = [before[0], before[1], part('c', [2, 0, 0], [1, 1, 1])];
  const { bodies } = checkParts(now).answer;
  const reuse = reusable(baseline, bodies, question)!;
  expect(reuse.unchanged).toBe(2);
  expect(reuse.pairs.map(({ a, b, relation, depth }) => [a, b, relation, depth])).toEqual([
    [0, 1, 'crossing', undefined],
  ]);
  expect([reuse.keep(0, 1), reuse.keep(0, 2), reuse.keep(1, 2)]).toEqual([false, true, true]);
});

it('nothing is reused for another question, in a motion, or from a method that samples', () => {
  const parts = [part('a', [0, 0, 0], [2, 2, 2]), part('b', [1, 0, 0], [2, 2, 2])];
  const { answer } = checkParts(parts, { more: { question } });
  const of = (more: object) => reusable(asBaseline({ ...answer, ...more }), answer.bodies, question);
  expect(of({})).toBeDefined();
  expect(of({ question: 'e'.repeat(32) })).toBeUndefined();
  expect(of({ question: undefined })).toBeUndefined();
  expect(of({ isMotion: true })).toBeUndefined();
  const bounds = { mayMissBelow: 1, mayReportWithin: 1, complete: true };
  expect(of({ frames: [{ frame: 0, pairs: [], bounds }] })).toBeUndefined();
  expect(of({ bodies: answer.bodies.map(({ fingerprint, ...body }) => body) })).toBeUndefined();
});

it('a part that is renamed into other sets is examined again', () => {
  const rules = parseRules(
    'r',
    '{ "tests": [{ "name": "t", "between": [{ "name": "wall*" }, { "name": "pipe*" }] }] }',
  );
  const parts = (name: string) => [part('wall', [0, 0, 0], [2, 2, 2]), part(name, [1, 0, 0], [2, 2, 2])];
  const checked = (name: string) => {
    const { answer } = checkParts(parts(name), { rules, more: { question } });
    const resolved = resolveRules(rules, answer.bodies);
    const bodies = answer.bodies.map((body, i) => ({
      ...body,
      fingerprint: { ...body.fingerprint!, sets: resolved.membership(i) },
    }));
    return { ...answer, bodies };
  };
  const baseline = asBaseline(checked('duct'));
  expect(reusable(baseline, checked('duct 2').bodies, question)?.keep(0, 1)).toBe(false);
  // Last week nobody asked about the pair, so nothing is known about it.
  expect(reusable(baseline, checked('pipe').bodies, question)).toBeUndefined();
});

import { expect, it } from 'vitest';
import type { AssemblyPair } from '../assembly/types.ts';
import { finish } from '../steps/steps.ts';
import { byImportance } from './order.ts';

const pair = (a: number, more: Partial<AssemblyPair>): AssemblyPair => ({
  ...{ a, b: a + 1, relation: 'crossing', triangleCount: 1 },
  ...more,
});
const order = (...pairs: AssemblyPair[]) => finish(byImportance(pairs)).map(({ a }) => a);

it('puts the depth that is better known first, if two may be equally deep', () => {
  const known = (lower: number) => ({ depth: { lower, upper: 24 } });
  expect(order(pair(1, known(5)), pair(2, known(22)))).toEqual([2, 1]);
});

it('lists the deepest clash first and what is forgiven last', () => {
  const depth = (upper: number) => ({ depth: { lower: upper / 2, upper } });
  expect(
    order(
      pair(0, { verdict: 'within-rounding', ...depth(9) }),
      pair(1, { relation: 'touching', verdict: 'touching' }),
      pair(2, { verdict: 'clash', ...depth(1) }),
      pair(3, { verdict: 'clash', ...depth(5) }),
      pair(4, { relation: 'separate', distance: 2, verdict: 'too-close' }),
      pair(5, { relation: 'separate', distance: 1, verdict: 'too-close' }),
      pair(6, { verdict: 'ignored', ...depth(7) }),
    ),
  ).toEqual([3, 2, 5, 4, 1, 0, 6]);
});

it('lists pairs to be fixed by the severity of their test, and touching pairs after all of them', () => {
  const depth = (upper: number) => ({ depth: { lower: upper / 2, upper } });
  expect(
    order(
      pair(0, { severity: 'minor', verdict: 'clash', ...depth(9) }),
      pair(1, { severity: 'major', verdict: 'clash', ...depth(1) }),
      pair(2, { severity: 'critical', verdict: 'too-close', relation: 'separate', distance: 1 }),
      pair(3, { severity: 'critical', verdict: 'clash', ...depth(0.5) }),
      pair(4, { verdict: 'clash', ...depth(2) }),
      pair(5, { severity: 'critical', verdict: 'touching', relation: 'touching', triangleCount: 0 }),
      pair(6, { severity: 'major', verdict: 'touching', relation: 'touching', triangleCount: 9 }),
    ),
  ).toEqual([3, 2, 4, 1, 0, 5, 6]);
});

it('takes a depth that was not measured as the deepest', () => {
  expect(order(pair(0, { depth: { lower: 1, upper: 2 } }), pair(1, {}))).toEqual([1, 0]);
});

it('keeps the order of bodies among pairs that matter alike', () => {
  expect(order(pair(3, {}), pair(1, {}), pair(2, {}))).toEqual([1, 2, 3]);
});

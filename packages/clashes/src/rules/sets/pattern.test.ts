import fc from 'fast-check';
import { expect, it } from 'vitest';
import { folded, matcherOf } from './pattern.ts';

const matches = (pattern: string, text: string) => matcherOf([pattern])(text);

it.each([
  ['wall', 'wall', true],
  ['wall', 'walls', false],
  ['wall*', 'wall', true],
  ['*wall', 'north wall', true],
  ['*wall', 'wall 1', false],
  ['w?ll', 'well', true],
  ['w?ll', 'wll', false],
  ['*', '', true],
  ['?', '', false],
  ['?', '🔧', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*bc*bc', 'abc', false],
  ['IFCWALL*', 'IfcWallStandardCase', true],
  ['Türe*', 'Tu\u0308re 7', true],
  ['a.c', 'abc', false],
  ['[ab]', '[ab]', true],
  ['[ab]', 'a', false],
  ['$&(*)+', '$&(anything)+', true],
  ['what?*', 'what? why', true],
])('%s and %s: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

it('agrees with a regular expression', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '🔧'), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), minLength: 1, maxLength: 6 });
  const property = fc.property(pattern, letters, (wild, text) => {
    const source = wild.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
    expect(matches(wild, text)).toBe(new RegExp(`^${source}$`, 'su').test(folded(text)));
  });
  fc.assert(property, { numRuns: 3000 });
});

it('any of several patterns', () => {
  const matcher = matcherOf(['pipe', 'duct*']);
  expect(['PIPE', 'duct 1', 'pipes'].map(matcher)).toEqual([true, true, false]);
});

it('a hostile pattern takes time in proportion to the name', () => {
  // A regular expression with these stars would take longer than the age of the universe.
  const hostile = matcherOf(['*a'.repeat(200), `${'*a?'.repeat(150)}b`]);
  expect(hostile('a'.repeat(100_000))).toBe(true);
  expect(hostile(`${'a'.repeat(100_000)}c`)).toBe(false);
});

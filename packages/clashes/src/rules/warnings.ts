// Which rules match nothing? Mostly a name was misspelt or a file renamed, and the check would pass unnoticed.

import { quoted } from '../text/json-reader.ts';
import type { ResolvedRules, Sides } from './resolve.ts';
import type { Rules } from './types.ts';

/** With more pairs of classes than this, whether earlier tests hide a test is not examined. */
const mostClassPairs = 1e6;

/** One sentence per set, test and allowance that matches nothing, and per test that never decides. */
export function warningsOf({ file, tests, allow }: Rules, resolved: ResolvedRules): string[] {
  const { sets, testSides, allowSides } = resolved;
  const emptySets = sets.filter(({ bodies }) => bodies === 0).map(({ name }) => name);
  const warnings = emptySets.map(name => `${file}: the set ${quoted(name)} matches no body`);
  tests.forEach(({ name }, i) => {
    if (!namesPair(testSides[i]))
      warnings.push(`${file}: the test ${quoted(name)} matches no pair of bodies`);
  });
  allow.forEach(({ reason }, i) => {
    const which = reason === undefined ? '' : ` (${quoted(reason)})`;
    if (!namesPair(allowSides[i])) {
      warnings.push(`${file}: $.allow[${i}]${which} matches no pair of bodies`);
    }
  });
  const hidden = hiddenTests(resolved);
  tests.forEach(({ name }, i) => {
    if (hidden.has(i)) {
      warnings.push(`${file}: the test ${quoted(name)} never decides: earlier tests name all of its pairs`);
    }
  });
  return warnings;
}

/** Whether there are two different bodies, one on each side. */
function namesPair([first, second]: Sides): boolean {
  const common = first.common(second);
  return first.size > 0 && second.size > 0 && !(first.size === 1 && second.size === 1 && common.count === 1);
}

/** Tests that name pairs, all of which an earlier test decides. */
function hiddenTests(resolved: ResolvedRules): Set<number> {
  const { samples, sizes } = resolved.classes;
  const hidden = new Set(resolved.testSides.flatMap((sides, i) => (namesPair(sides) ? [i] : [])));
  if (samples.length ** 2 > 2 * mostClassPairs) return new Set();
  for (let p = 0; p < samples.length && hidden.size > 0; p++) {
    // A class with one body has no pair within itself.
    for (let q = sizes[p] > 1 ? p : p + 1; q < samples.length; q++) {
      const test = resolved.decideClasses(p, q)?.test;
      if (test !== undefined) hidden.delete(test);
    }
  }
  return hidden;
}

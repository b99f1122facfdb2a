// Which rules match nothing? Mostly a name was misspelt or a file renamed, and the check would pass unnoticed.

import { quoted } from '../text/json-reader.ts';
import { betweenOption } from './between.ts';
import type { ResolvedRules, Sides } from './resolve.ts';
import { whyEmpty } from './sets/explain.ts';
import type { RuleBody } from './sets/select.ts';
import type { Rules, SetOrSelector } from './types.ts';

/** With more pairs of classes than this, whether earlier tests hide a test is not examined. */
const mostClassPairs = 1e6;
/** Sets that are explained. Looking for the nearest name takes time. */
const mostExplained = 10;

export interface RuleWarnings {
  /** One sentence per set and allowance that matches nothing. */
  readonly others: readonly string[];
  /** Per test, why it decides nothing; undefined if it decides something. */
  readonly tests: readonly (string | undefined)[];
  /** Whether no test names a pair of bodies. */
  readonly isNothing: boolean;
}

export function warningsOf(
  { file, sets, tests, allow }: Rules,
  resolved: ResolvedRules,
  bodies: readonly RuleBody[],
): RuleWarnings {
  const { testSides, allowSides } = resolved;
  let explained = 0;
  const why = (use: SetOrSelector) => (explained++ < mostExplained ? `: ${whyEmpty(use, sets, bodies)}` : '');
  const emptySet = (name: string) =>
    // The sets of --between are its patterns, which the reason names.
    file === betweenOption ? why(name).slice(2) : `the set ${quoted(name)} matches no body${why(name)}`;
  const others = resolved.sets.flatMap(({ name, bodies: count }) => (count > 0 ? [] : [emptySet(name)]));
  /** Why no pair has a body on each side. A named set that is empty has its own sentence. */
  const noPair = (sides: Sides, uses: readonly SetOrSelector[] | undefined): string => {
    const empty = uses?.filter((_, i) => sides[i].size === 0) ?? [];
    const named = empty.filter(use => typeof use === 'string');
    const other = empty.find(use => typeof use !== 'string');
    if (named.length > 0) return `matches no pair of bodies: no body is in ${listed(named)}`;
    if (other !== undefined) return `matches no pair of bodies${why(other)}`;
    return 'matches no pair of bodies: both sides are the same body';
  };
  allow.forEach(({ between, reason }, i) => {
    const which = reason === undefined ? '' : ` (${quoted(reason)})`;
    if (!namesPair(allowSides[i])) others.push(`$.allow[${i}]${which} ${noPair(allowSides[i], between)}`);
  });
  const hidden = hiddenTests(resolved);
  return {
    others,
    tests: tests.map(({ between }, i) => {
      if (!namesPair(testSides[i])) return noPair(testSides[i], between === 'all' ? undefined : between);
      return hidden.has(i) ? 'never decides: earlier tests name all of its pairs' : undefined;
    }),
    isNothing: testSides.every(sides => !namesPair(sides)),
  };
}

const listed = (names: readonly string[]): string =>
  [...new Set(names)].map(name => quoted(name)).join(' or ');

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

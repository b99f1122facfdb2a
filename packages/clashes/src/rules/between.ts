// `--between A B`: one test between the bodies of one pattern and those of another, without a rules file.

import { NearfieldError } from 'nearfield';
import { quoted } from '../text/json-reader.ts';
import { longestPattern } from './sets/pattern.ts';
import type { Rules, Selector } from './types.ts';

/** What stands in messages for the name of a rules file. */
export const betweenOption = '--between';

/**
 * Rules with one test: bodies whose file or name matches `a` against bodies whose file or name matches `b`. Throws
 * 'bad-option' for a pattern that is empty or too long.
 */
export function between(a: string, b: string): Rules {
  for (const pattern of [a, b]) {
    if (pattern === '' || pattern.length > longestPattern) {
      const expected = `a pattern of 1 to ${longestPattern} characters for files or bodies`;
      throw new NearfieldError(
        'bad-option',
        `${betweenOption}: expected ${expected}, got ${quoted(pattern)}`,
      );
    }
  }
  const selector = (pattern: string): Selector => ({ any: [{ file: [pattern] }, { name: [pattern] }] });
  return {
    file: betweenOption,
    sets: new Map([
      [a, selector(a)],
      [b, selector(b)],
    ]),
    tests: [{ name: `${a} against ${b}`, between: [a, b], severity: 'major', ignore: [] }],
    allow: [],
  };
}

// Groups clashes by the test of the rules that they belong to.

import type { AssemblyPair, Group, TestSummary } from '../assembly/types.ts';
import type { Steps } from '../steps/steps.ts';
import { clashCount, type Draft, finishGroups, type GroupBody } from './group.ts';

/** Every pair is in exactly one group. Pairs of no test, which there are without rules, are one group. */
export function* groupByTest(
  bodies: readonly GroupBody[],
  pairs: readonly AssemblyPair[],
  tests: readonly TestSummary[],
): Steps<Group[]> {
  const byTest = new Map<number | undefined, number[]>();
  pairs.forEach(({ test }, i) => {
    const known = byTest.get(test);
    if (known) known.push(i);
    else byTest.set(test, [i]);
  });
  const drafts = Array.from(byTest, ([test, members]): Draft => {
    const name = test === undefined ? undefined : tests[test]?.name;
    const title = `${clashCount(members.length)}${name === undefined ? ' of no test' : `: ${name}`}`;
    return { identity: name ?? '', members, title: () => title, shared: test === undefined ? {} : { test } };
  });
  return yield* finishGroups('test', drafts, pairs, bodies);
}

// The answer as JUnit XML, which CI servers show as test results: one suite per test of the rules, or one for all pairs.
// Each pair that was found is a case: a failure if it fails the check, else skipped with the reason. A suite without
// pairs has one case that passes, because some servers take an empty suite for a mistake.

import type { AssemblyAnswer, AssemblyPair } from '../assembly/types.ts';
import { isFailing } from '../severity/failing.ts';
import { byImportance, verdictOf, verdictWords } from '../severity/order.ts';
import { labelsOf } from '../text/labels.ts';
import { pairInWords } from '../text/sentences.ts';
import { xmlText as xml } from '../text/xml.ts';

interface Case {
  readonly name: string;
  readonly pair: AssemblyPair;
}

export function* assemblyJunit(answer: AssemblyAnswer): Generator<string> {
  const { frames, isMotion, bodies, tests, timing, failOn } = answer;
  const labels = labelsOf(bodies);
  const nameOf = ({ a, b, clash }: AssemblyPair, frame: number) =>
    `${labels[a]} and ${labels[b]}${isMotion ? `, frame ${frame}` : ''}${clash === undefined ? '' : ` [${clash}]`}`;
  const cases = frames.flatMap(({ pairs, frame }) =>
    byImportance(pairs).map((pair): Case => ({ name: nameOf(pair, frame), pair })),
  );
  const suites =
    tests === undefined
      ? [{ name: 'all pairs', cases }]
      : tests.map(({ name }, i) => ({ name, cases: cases.filter(({ pair }) => pair.test === i) }));
  const failures = (of: readonly Case[]) => of.filter(({ pair }) => isFailing(pair, failOn)).length;
  const sum = (count: (of: readonly Case[]) => number) =>
    suites.reduce((total, { cases: of }) => total + count(of), 0);
  const seconds = ((timing.read + timing.build + timing.query) / 1000).toFixed(3);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="nearfield check" tests="${sum(of => Math.max(of.length, 1))}" failures="${sum(failures)}" errors="0" time="${seconds}">\n`;
  for (const { name, cases: of } of suites) {
    const failed = failures(of);
    yield `  <testsuite name="${xml(name)}" tests="${Math.max(of.length, 1)}" failures="${failed}" errors="0" skipped="${of.length - failed}" time="${seconds}">\n`;
    if (of.length === 0) {
      yield `    <testcase classname="${xml(name)}" name="no pair found" time="0"/>\n`;
    }
    for (const { name: title, pair } of of) {
      const words = xml(pairInWords(pair, answer));
      const verdict = xml(verdictWords[verdictOf(pair)]);
      yield `    <testcase classname="${xml(name)}" name="${xml(title)}" time="0">`;
      yield isFailing(pair, failOn)
        ? `<failure type="${verdict}" message="${words}">${words}</failure>`
        : `<skipped message="${verdict}: ${words}"/>`;
      yield '</testcase>\n';
    }
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}

// The answer as JUnit XML, which CI servers show as test results: one suite per test of the rules, or one for all pairs.
// Each pair that was found is a case: a failure if it fails the check, else skipped with the reason; in a motion it is
// described as in its worst frame, so that a case has the same name next week. A suite without
// pairs has one case that passes, because some servers take an empty suite for a mistake. A test that could decide nothing
// does not pass: its one case is skipped. So are the rules that match nothing.

import type { AssemblyAnswer } from '../assembly/types.ts';
import { isFailing } from '../severity/failing.ts';
import { compareImportance, verdictOf, verdictWords } from '../severity/order.ts';
import { type PairOverFrames, pairsOverFrames } from '../severity/worst-frame.ts';
import { mapped, type Steps, sorted, unwritten } from '../steps/steps.ts';
import { labelsOf } from '../text/labels.ts';
import { pairInWords, spans } from '../text/sentences.ts';
import { xmlText as xml } from '../text/xml.ts';

interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What was found, or why nothing was looked for. */
  readonly words: string;
  /** For failures. */
  readonly verdict?: string;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** In pieces. Empty pieces are steps of the work. */
export function* assemblyJunit(answer: AssemblyAnswer): Generator<string> {
  const suites = yield* unwritten(suitesOf(answer));
  const { timing } = answer;
  const seconds = ((timing.read + timing.build + timing.query + (timing.judge ?? 0)) / 1000).toFixed(3);
  const counts = (cases: readonly Case[]) => {
    const having = (outcome: Case['outcome']) => cases.filter(each => each.outcome === outcome).length;
    return `tests="${cases.length}" failures="${having('failed')}" errors="0" skipped="${having('skipped')}" time="${seconds}"`;
  };
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="nearfield check" ${counts(suites.flatMap(({ cases }) => cases))}>\n`;
  for (const { name, cases } of suites) {
    yield `  <testsuite name="${xml(name)}" ${counts(cases)}>\n`;
    for (const each of cases) {
      const open = `    <testcase classname="${xml(name)}" name="${xml(each.name)}" time="0"`;
      yield each.outcome === 'passed' ? `${open}/>\n` : `${open}>${outcomeXml(each)}</testcase>\n`;
    }
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}

function outcomeXml({ outcome, words, verdict = '' }: Case): string {
  const message = xml(words);
  return outcome === 'failed'
    ? `<failure type="${xml(verdict)}" message="${message}">${message}</failure>`
    : `<skipped message="${message}"/>`;
}

function* suitesOf(answer: AssemblyAnswer): Steps<Suite[]> {
  const { bodies, tests, warnings = [] } = answer;
  const labels = labelsOf(bodies);
  yield;
  const found = [...pairsOverFrames(answer)];
  yield;
  const inOrder = yield* sorted(found, (p, q) => compareImportance(p.pair, q.pair));
  const all = yield* mapped(inOrder, each => ({
    pair: each.pair,
    found: caseOf(each, labels, answer),
  }));
  if (tests === undefined) {
    const nothing = bodies.length < 2 ? 'there are not two bodies' : undefined;
    return [suiteOf('all pairs', all, nothing)];
  }
  const suites = tests.map(({ name, skipped }, i) =>
    suiteOf(
      name,
      all.filter(({ pair }) => pair.test === i),
      skipped,
    ),
  );
  if (warnings.length > 0) {
    const cases = warnings.map((words): Case => ({ name: words, outcome: 'skipped', words }));
    suites.push({ name: 'rules that match nothing', cases });
  }
  return suites;
}

function suiteOf(name: string, found: readonly { readonly found: Case }[], skipped?: string): Suite {
  if (found.length > 0) return { name, cases: found.map(each => each.found) };
  return {
    name,
    cases: [
      skipped === undefined
        ? { name: 'no pair found', outcome: 'passed', words: '' }
        : { name: 'no pair checked', outcome: 'skipped', words: skipped },
    ],
  };
}

function caseOf(
  { pair, frame, frames }: PairOverFrames,
  labels: readonly string[],
  answer: AssemblyAnswer,
): Case {
  const { a, b, clash } = pair;
  const name = `${labels[a]} and ${labels[b]}${clash === undefined ? '' : ` [${clash}]`}`;
  const when = answer.isMotion ? `; in frames ${spans(frames)}, the worst is ${frame}` : '';
  const words = pairInWords(pair, answer) + when;
  const verdict = verdictWords[verdictOf(pair)];
  return isFailing(pair, answer.failOn)
    ? { name, outcome: 'failed', words, verdict }
    : { name, outcome: 'skipped', words: `${verdict}: ${words}` };
}

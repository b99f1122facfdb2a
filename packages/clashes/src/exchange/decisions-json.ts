// What rules, groups and history add to the JSON of `check --json`: fields of bodies and pairs, and parts of their own.
// A later check reads them as its baseline.

import type { AssemblyAnswer, AssemblyPair, Bracket, Gone, PastBody } from '../assembly/types.ts';
import { jsonText } from '../text/escape.ts';
import { list } from './json.ts';

/** The fields by which a body is found again, for its object. Fields that are not known are left out. */
export const bodyFacts = ({ name, file, path, id, type, rounding, fingerprint }: PastBody): PastBody => ({
  ...{ name, file, path, id, type, rounding, fingerprint },
});

/** What was decided about a pair, as further fields of its object, each after a comma. There may be very many pairs. */
export function pairDecisions(pair: AssemblyPair): string {
  const { verdict, undecided, withinRounding, test, severity } = pair;
  const { reason, clash, change, depthBefore, status } = pair;
  let text = '';
  // These are words and hexadecimal digits, in which nothing needs an escape.
  if (clash !== undefined) text += `, "clash": "${clash}"`;
  if (verdict !== undefined) text += `, "verdict": "${verdict}"`;
  if (undecided) text += ', "undecided": true';
  if (withinRounding) text += ', "withinRounding": true';
  if (change !== undefined) text += `, "change": "${change}"`;
  if (depthBefore !== undefined) text += `, "depthBefore": ${bracketJson(depthBefore)}`;
  if (test !== undefined) text += `, "test": ${test}`;
  if (severity !== undefined) text += `, "severity": "${severity}"`;
  if (reason !== undefined) text += `, "reason": ${jsonText(reason)}`;
  if (status !== undefined) text += `, "status": ${jsonText(status)}`;
  return text;
}

/** Bounds of a length, as an object. */
export const bracketJson = ({ lower, upper }: Bracket): string =>
  `{ "lower": ${JSON.stringify(lower)}, "upper": ${JSON.stringify(upper)} }`;

/** "question", "sets", "tests", "warnings", "matrix", "groups" and "history", as far as the answer has them, each with a comma. */
export function* decisionsJson(answer: AssemblyAnswer): Generator<string> {
  const { question, sets, tests, warnings, matrix, groups, history } = answer;
  const indent = '    ';
  if (question !== undefined) yield `  "question": ${jsonText(question)},\n`;
  if (sets !== undefined) yield* part('sets', sets);
  if (tests !== undefined) yield* part('tests', tests);
  if (warnings !== undefined) yield* part('warnings', warnings);
  if (matrix !== undefined) {
    yield `  "matrix": { "sets": ${jsonText(matrix.sets)}, "cells": [`;
    yield* list(matrix.cells, indent, cell => [jsonText(cell)]);
    yield '] },\n';
  }
  if (groups !== undefined) yield* part('groups', groups);
  if (history !== undefined) {
    const { baseline, counts, gone } = history;
    yield `  "history": { "baseline": ${jsonText(baseline)}, "counts": ${jsonText(counts)}, "gone": [`;
    yield* list(gone, indent, each => [jsonText(goneFields(each))]);
    yield '] },\n';
  }
}

/** One item per line. */
function* part(name: string, items: readonly unknown[]): Generator<string> {
  yield `  "${name}": [`;
  yield* list(items, '    ', item => [jsonText(item)]);
  yield '],\n';
}

const goneFields = ({ clash, outcome, reason, was }: Gone): Gone => ({
  ...{ clash, outcome, reason },
  was: { ...was, a: bodyFacts(was.a), b: bodyFacts(was.b) },
});

// What the report rests on: the files with their hashes, the tests and their tolerances, and what its words mean.

import { nameOfUnit } from '@nearfield/io';
import type { Relation } from 'nearfield';
import type { TestSummary, Verdict } from '../../assembly/types.ts';
import { isToFix, verdictOf, verdictOrder } from '../../severity/order.ts';
import { badge, escapeHtml, length, number, plural, verdictBadge, when } from '../html.ts';
import { type ReportInput, severity as relationOrder } from '../types.ts';
import { dateInWords, milliseconds } from './summary.ts';

export function basisSection(input: ReportInput): string {
  return `<section>
<h2>How it was checked</h2>
<dl class="facts">${facts(input)}</dl>
${fileTable(input)}
${testTable(input)}
${glossary(input)}
</section>`;
}

/** The tolerance of a test or of the whole check, in words. */
const toleranceInWords = (tolerance: TestSummary['tolerance'], unit: string | undefined): string =>
  tolerance === undefined
    ? "none; overlaps within the files' rounding are listed apart"
    : tolerance === 'file'
      ? "the rounding of the files' number formats"
      : length(tolerance, unit);

function facts({
  date,
  unitName,
  tolerance,
  clearance,
  tests,
  failOn,
  method,
  backend,
  version,
  ...input
}: ReportInput): string {
  const { bodies, timing } = input;
  const entries: [string, string | undefined][] = [
    ['Date', date && dateInWords(date)],
    ['Unit of lengths', unitName ?? 'that of the files, which do not state it'],
    ['Bodies', number(bodies.length)],
    [
      'Tolerance',
      tests === undefined || tolerance !== undefined ? toleranceInWords(tolerance, unitName) : undefined,
    ],
    [
      'Clearance',
      when(clearance, value => length(value, unitName)) || (tests === undefined ? 'none' : undefined),
    ],
    ['Fails on', failOn === 'new' ? 'clashes that are new or worse' : undefined],
    ['Method', `${method} on the ${backend.kind.toUpperCase()} (${backend.name})`],
    [
      'Time',
      (['read', 'build', 'query', 'judge'] as const)
        .flatMap(step => (timing[step] === undefined ? [] : [`${step} ${milliseconds(timing[step])}`]))
        .join(', '),
    ],
    ['Program', `Nearfield ${version}`],
  ];
  return entries
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`],
    )
    .join('');
}

function fileTable({ files = [], bodies }: ReportInput): string {
  if (files.length === 0) return '';
  const counts = new Map<string | undefined, number>();
  for (const { file } of bodies) counts.set(file, (counts.get(file) ?? 0) + 1);
  const rows = files.map(
    ({ name, hash, unit }) =>
      `<tr><td>${escapeHtml(name)}</td><td class="n">${number(counts.get(name) ?? 0)}</td><td>${escapeHtml(unit === undefined ? 'not stated' : nameOfUnit(unit))}</td><td><code class="hash">${escapeHtml(hash)}</code></td></tr>`,
  );
  return `<h3>Files</h3>
<div class="scroll"><table>
<thead><tr><th scope="col">File</th><th scope="col" class="n">Bodies</th><th scope="col">Unit</th><th scope="col">SHA-256</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function testTable({ tests, sets = [], warnings = [], pairs, unitName }: ReportInput): string {
  if (tests === undefined) return '';
  const counts = tests.map(() => ({ fix: 0, all: 0 }));
  for (const pair of pairs) {
    if (pair.test === undefined) continue;
    counts[pair.test].all++;
    if (isToFix(pair)) counts[pair.test].fix++;
  }
  const rows = tests.map(
    ({ name, severity = 'major', tolerance, clearance, skipped }, i) =>
      `<tr><td>${escapeHtml(name)}</td><td><span class="word ${severity}">${severity}</span></td><td>${escapeHtml(toleranceInWords(tolerance, unitName))}</td><td>${clearance === undefined ? 'none' : escapeHtml(length(clearance, unitName))}</td><td class="n">${skipped === undefined ? `<a href="#pairs" data-filter='{"test":${i}}'>${number(counts[i].fix)} of ${number(counts[i].all)}</a>` : `<span class="warning">${escapeHtml(skipped)}</span>`}</td></tr>`,
  );
  const listed = sets.map(({ name, bodies }) => `${escapeHtml(name)} (${plural(bodies, 'body', 'bodies')})`);
  return `<h3>Tests</h3>
<div class="scroll"><table>
<thead><tr><th scope="col">Test</th><th scope="col">Severity</th><th scope="col">Tolerance</th><th scope="col">Clearance</th><th scope="col" class="n">Pairs to fix</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
${listed.length > 0 ? `<p class="note">Sets: ${listed.join(', ')}.</p>` : ''}${warnings.map(words => `\n<p class="warning">${escapeHtml(words)}</p>`).join('')}`;
}

const relationMeanings: Readonly<Record<Relation, string>> = {
  crossing: 'The two share space, and each also has space of its own; or their surfaces cross.',
  inside: 'Part A lies within part B.',
  contains: 'Part B lies within part A.',
  coincident: 'The two fill the same space.',
  touching: 'The surfaces meet in points, lines or faces. No space is shared.',
  separate: 'The two share no point, but are closer to each other than the clearance.',
};
const verdictMeanings: Readonly<Record<Verdict, string>> = {
  clash:
    'To be fixed: the two overlap deeper than the tolerance, or that could not be ruled out (undecided).',
  'too-close': 'To be fixed: the two are closer to each other than the clearance.',
  touching: 'The two only touch.',
  'within-rounding':
    'The overlap is proven to be no more than what the files round: parts that were drawn flush.',
  'within-tolerance':
    'The overlap is proven to be no deeper than the tolerance, or no more than what the files round.',
  allowed: 'A rule or a file says that the two may meet.',
  accepted: 'Somebody has accepted it, or said that it is not an issue.',
  ignored: 'Pairs of this relation were asked to be ignored.',
};

/** The words that occur. */
function glossary({ pairs }: ReportInput): string {
  if (pairs.length === 0) return '';
  const found = new Set<string>(pairs.flatMap(pair => [verdictOf(pair), pair.relation]));
  const verdicts = verdictOrder.filter(verdict => found.has(verdict));
  const relations = relationOrder.filter(
    relation => found.has(relation) && !verdicts.some(verdict => verdict === relation),
  );
  const entries = [
    ...verdicts.map(verdict => [verdictBadge(verdict), verdictMeanings[verdict]]),
    ...relations.map(relation => [badge(relation), relationMeanings[relation]]),
  ];
  if (pairs.some(pair => pair.depth !== undefined)) {
    entries.push([
      'Depth',
      'The length of the shortest move of one part that leaves the two without shared space. Two numbers are bounds: the depth is proven to lie between them.',
    ]);
  }
  if (pairs.some(pair => pair.clash !== undefined)) {
    entries.push([
      'Clash',
      '12 hexadecimal digits that name the same pair in the next report, even if files are exported anew.',
    ]);
  }
  const lines = entries.map(
    ([word, meaning]) => `<div><dt>${word}</dt><dd>${escapeHtml(meaning)}</dd></div>`,
  );
  return `<h3>Words</h3>
<dl class="facts words">${lines.join('')}</dl>`;
}

export const footer = ({ version }: ReportInput): string =>
  `Made by Nearfield ${escapeHtml(version)}. Every relation is decided exactly. This page loads nothing from elsewhere.`;

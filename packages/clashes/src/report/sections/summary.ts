// The top of the report, for someone who reads nothing else: one sentence of verdict, what has changed since the baseline,
// and what was checked.

import { notSolid } from '../../assembly/solids.ts';
import type { Change, Gone, Verdict } from '../../assembly/types.ts';
import { deeper } from '../../rules/matrix.ts';
import { isFailing } from '../../severity/failing.ts';
import { isToFix, isUnconfirmed, verdictOf, verdictOrder } from '../../severity/order.ts';
import { depth, escapeHtml, length, number, plural, when } from '../html.ts';
import type { ReportInput, ReportPair } from '../types.ts';

/** How many pairs have which verdict. Pairs that a method which samples could not confirm count for none. */
export function tallyOf(pairs: readonly ReportPair[]): ReadonlyMap<Verdict, readonly ReportPair[]> {
  const tally = new Map<Verdict, ReportPair[]>();
  for (const pair of pairs) {
    if (isUnconfirmed(pair)) continue;
    const verdict = verdictOf(pair);
    if (!tally.has(verdict)) tally.set(verdict, []);
    tally.get(verdict)!.push(pair);
  }
  return tally;
}

/** "2 clashes to fix, the deepest 0.0537 to 0.0541 m; 84 pairs touch; 42 pairs are within the files' rounding." */
export function verdictSentence({ pairs, unitName, clearance, failOn }: ReportInput): string {
  const tally = tallyOf(pairs);
  const some = (verdict: Verdict) => tally.get(verdict) ?? [];
  const parts: string[] = [];
  const clashes = some('clash');
  if (clashes.length > 0) {
    // A clash without a measured depth may be the deepest.
    const depths = clashes.map(pair => pair.depth);
    const deepest = depths.includes(undefined) ? undefined : depths.reduce(deeper);
    const undecided = clashes.filter(pair => pair.undecided).length;
    parts.push(
      `${plural(clashes.length, 'clash', 'clashes')} to fix${when(deepest, bracket => `, the deepest ${depth(bracket, unitName)}`)}` +
        (undecided > 0
          ? ` (${number(undecided)} may be within the tolerance, which could not be decided)`
          : ''),
    );
  }
  const count = (verdict: Verdict, one: string, many: string) => {
    const n = some(verdict).length;
    if (n > 0) parts.push(`${plural(n, 'pair')} ${n === 1 ? one : many}`);
  };
  const near = some('too-close').reduce(
    (least, { distance = Infinity }) => Math.min(least, distance),
    Infinity,
  );
  const than = clearance === undefined ? 'its test allows' : length(clearance, unitName);
  count(
    'too-close',
    `is closer than ${than}`,
    `are closer than ${than.replace('its test allows', 'their tests allow')}, the nearest ${length(near, unitName)} apart`,
  );
  if (parts.length === 0) parts.push('Nothing to fix');
  count('touching', 'touches', 'touch');
  count('within-rounding', "is within the files' rounding", "are within the files' rounding");
  count('within-tolerance', 'is within tolerance', 'are within tolerance');
  count('allowed', 'is allowed to meet', 'are allowed to meet');
  count('accepted', 'is accepted', 'are accepted');
  count('ignored', 'is ignored', 'are ignored');
  if (failOn === 'new' && clashes.length > 0) {
    const fresh = pairs.filter(pair => isFailing(pair, failOn)).length;
    parts.push(fresh === 0 ? 'none is new or worse' : `${number(fresh)} new or worse`);
  }
  return `${parts.join('; ')}.`;
}

/** How bad it is, for the colour of the verdict. */
function mood({ pairs, failOn }: ReportInput): 'bad' | 'fair' | 'good' {
  const failing = pairs.filter(pair => isFailing(pair, failOn));
  if (failing.some(isToFix)) return 'bad';
  return failing.length > 0 ? 'fair' : 'good';
}

export function summary(input: ReportInput): string {
  const { title = 'Interference report', date } = input;
  return `<header>
<p class="kicker">Clash report${when(date, value => ` · <time datetime="${escapeHtml(value)}">${escapeHtml(dateInWords(value))}</time>`)}</p>
<h1>${escapeHtml(title)}</h1>
<p class="lead ${mood(input)}">${escapeHtml(verdictSentence(input))}</p>
<ul class="tiles">${tiles(input)}</ul>
<p class="summary">${checked(input)}</p>
${solidsNote(input)}</header>
${changes(input)}`;
}

/** 2026-11-18T09:30:00Z as 18 November 2026, 09:30 UTC. */
export function dateInWords(date: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d).*Z)?/.exec(date) ?? [];
  const name = months[Number(month) - 1];
  return name === undefined
    ? date
    : `${Number(day)} ${name} ${year}${time === undefined ? '' : `, ${time} UTC`}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

const tileWords: Readonly<Record<Verdict, string>> = {
  clash: 'clashes to fix',
  'too-close': 'too close',
  touching: 'touching',
  'within-rounding': "within the files' rounding",
  'within-tolerance': 'within tolerance',
  allowed: 'allowed',
  accepted: 'accepted',
  ignored: 'ignored',
};

function tiles({ pairs }: ReportInput): string {
  const tally = tallyOf(pairs);
  return verdictOrder
    .flatMap((verdict, i) => {
      const n = tally.get(verdict)?.length ?? 0;
      return n === 0
        ? []
        : `<li><a class="tile ${verdict}" href="#pairs" data-filter='{"verdict":[${i}]}'><b>${number(n)}</b> ${escapeHtml(tileWords[verdict])}</a></li>`;
    })
    .join('');
}

export const milliseconds = (value: number): string =>
  value < 10
    ? `${value.toFixed(2)} ms`
    : value < 1000
      ? `${value.toFixed(0)} ms`
      : `${(value / 1000).toFixed(2)} s`;

/** What was checked, and what meets. */
function checked({ bodies, pairs, motion, clearance, unitName, backend, timing }: ReportInput): string {
  const triangles = bodies.reduce((sum, body) => sum + body.triangles, 0);
  const found = pairs.filter(({ relation }) => relation !== 'separate').length;
  const near = pairs.filter(
    ({ relation, distance }) => relation === 'separate' && distance !== undefined,
  ).length;
  const what = found === 0 ? 'no pair meets' : `${plural(found, 'pair')} ${found === 1 ? 'meets' : 'meet'}`;
  const where = motion ? `, ${plural(motion.frameCount, 'frame')}` : '';
  const meeting = motion?.frames.filter(frame => frame.pairs.some(({ relation }) => relation !== 'separate'));
  const frames = meeting && found > 0 ? `, in ${plural(meeting.length, 'frame')}` : '';
  const than = clearance === undefined ? 'their tests allow' : length(clearance, unitName);
  const close = near > 0 ? `; ${plural(near, 'pair')} ${near === 1 ? 'is' : 'are'} closer than ${than}` : '';
  const unit = unitName === undefined ? "the files' own unit" : escapeHtml(unitName);
  return `${plural(bodies.length, 'body', 'bodies')} with ${plural(triangles, 'triangle')}${where}: ${what}${frames}${close}.
Lengths are in ${unit}. Found in ${milliseconds(timing.query)} on the ${backend.kind.toUpperCase()} (${escapeHtml(backend.name)}).`;
}

function solidsNote({ bodies }: ReportInput): string {
  const surfaces = bodies.length > 1 ? notSolid(bodies) : undefined;
  return surfaces === undefined ? '' : `<p class="summary warning">${escapeHtml(surfaces)}.</p>\n`;
}

/** In the order in which a reader wants to know. The second is how it reads. */
const changeWords: readonly (readonly [Change | Gone['outcome'], string])[] = [
  ['new', 'new'],
  ['worse', 'worse'],
  ['moved', 'moved'],
  ['better', 'better'],
  ['same', 'unchanged'],
  ['resolved', 'resolved'],
  ['forgiven', 'forgiven by the rules'],
  ['removed', 'gone with a part'],
  ['unchecked', 'not checked again'],
];
const gone: readonly string[] = ['resolved', 'forgiven', 'removed', 'unchecked'];

/** Clashes of the baseline that are listed; the JSON has all. */
const mostGone = 500;

function changes({ history, unitName }: ReportInput): string {
  if (history === undefined) return '';
  const items = changeWords.flatMap(([key, words]) => {
    const n = history.counts[key];
    if (n === 0) return [];
    const inside = `<b>${number(n)}</b> ${words}`;
    const link = `<a class="tile ${key}" href="#pairs" data-filter='{"change":"${key}"}'>${inside}</a>`;
    return `<li>${gone.includes(key) ? `<span class="tile ${key}">${inside}</span>` : link}</li>`;
  });
  const rows = history.gone
    .slice(0, mostGone)
    .map(
      ({ clash, outcome, reason, was }) =>
        `<tr><td><span class="word ${outcome}">${outcome}</span></td><td>${escapeHtml(was.a.name)}</td><td>${escapeHtml(was.b.name)}</td><td>${escapeHtml(reason)}</td><td class="n">${when(was.depth, value => escapeHtml(depth(value, unitName)))}</td><td><code>${escapeHtml(clash)}</code></td></tr>`,
    );
  const list = `<details${rows.length <= 12 ? ' open' : ''}><summary>${plural(history.gone.length, 'clash', 'clashes')} of the baseline ${history.gone.length === 1 ? 'is' : 'are'} no longer in the list</summary>
${history.gone.length > mostGone ? `<p class="note">The first ${number(mostGone)}; --json has all of them.</p>` : ''}<div class="scroll"><table>
<thead><tr><th scope="col">Outcome</th><th scope="col">Part A</th><th scope="col">Part B</th><th scope="col">Why</th><th scope="col" class="n">Depth then</th><th scope="col">Clash</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details>`;
  return `<section>
<h2>Since the baseline</h2>
<p class="note">Compared with ${escapeHtml(history.baseline)}.${items.length === 0 ? ' There is no clash, then or now.' : ''}</p>
<ul class="tiles small">${items.join('')}</ul>
${rows.length > 0 ? list : ''}</section>`;
}

// What was found, in a few lines: how many pairs of each relation, what is forgiven and why, and what to do next.

import {
  type AssemblyAnswer,
  type AssemblyPair,
  type Change,
  type Gone,
  isFailing,
  isUnconfirmed,
  lengthInWords,
  listing,
  type SamplingBounds,
  type Verdict,
  verdictOf,
  worstPairs,
} from '@nearfield/clashes';
import { count, plural, roundedUp } from '../sentences.ts';

/** One line each, without its end. */
export function* summary(answer: AssemblyAnswer): Generator<string> {
  yield relations(answer);
  yield* forgiven(worstPairs(answer), answer);
  if (answer.unmeasured !== undefined) {
    yield `${plural(answer.unmeasured, 'pair')} overlap: their depths were not measured (--depths shown measures those of the rows shown)`;
  }
  const open = answer.isMotion ? worstPairs(answer).filter(isUnmeasured).length : 0;
  if (open > 0) {
    const they = open === 1 ? '1 clash has no depth' : `${count(open)} clashes have no depth`;
    yield `${they}: in a motion depths are measured only if asked for (--depths shown)`;
  }
  yield* changes(answer);
  yield* sampled(answer);
}

const isUnmeasured = (pair: AssemblyPair): boolean => verdictOf(pair) === 'clash' && pair.depth === undefined;

/** What `--fail-on new` made of the pairs: "--fail-on new: 0 new or worse, 12 still there: exit status 0" */
export function failOnNewInWords(answer: AssemblyAnswer): string {
  const failing = worstPairs(answer).filter(pair => isFailing(pair));
  const fresh = failing.filter(pair => isFailing(pair, 'new')).length;
  const status = fresh > 0 ? 1 : 0;
  return `--fail-on new: ${count(fresh)} new or worse, ${count(failing.length - fresh)} still there: exit status ${status}`;
}

/** "128 pairs: 44 crossing, 84 touching." */
function relations({ bodies, frames, isMotion }: AssemblyAnswer): string {
  // There may be millions of pairs: they are counted, not listed.
  const byRelation = new Map<AssemblyPair['relation'], number>();
  let [found, ignored] = [0, 0];
  for (const { pairs } of frames) {
    for (const pair of pairs) {
      if (isUnconfirmed(pair)) continue;
      found++;
      if (verdictOf(pair) === 'ignored') ignored++;
      byRelation.set(pair.relation, (byRelation.get(pair.relation) ?? 0) + 1);
    }
  }
  const where = isMotion ? ` in ${plural(frames.length, 'frame')}` : '';
  if (found === 0) return `No interference among ${plural(bodies.length, 'body', 'bodies')}${where}.`;
  const end = ignored === found ? '; all ignored.' : '.';
  if (isMotion) return motionSummary(frames, bodies.length) + end;
  const kinds = listing.flatMap(relation => {
    const n = byRelation.get(relation) ?? 0;
    return n === 0 ? [] : [`${count(n)} ${relation === 'separate' ? 'too close' : relation}`];
  });
  return `${plural(found, 'pair')}: ${kinds.join(', ')}${end}`;
}

/** "1 pair meets in 3 of 4 frames: crossing in 2, touching in 1; 2 pairs are too close in 1 frame" */
function motionSummary(frames: AssemblyAnswer['frames'], bodyCount: number): string {
  const pairsThat = (test: (pair: AssemblyPair) => boolean) =>
    new Set(frames.flatMap(({ pairs }) => pairs.filter(test).map(({ a, b }) => a * bodyCount + b))).size;
  const framesThat = (test: (pair: AssemblyPair) => boolean) =>
    frames.filter(({ pairs }) => pairs.some(test)).length;
  const isClose = ({ relation, distance }: AssemblyPair) => relation === 'separate' && distance !== undefined;
  const meets = ({ relation }: AssemblyPair) => relation !== 'separate';
  const kinds = listing.flatMap(relation => {
    const n = relation === 'separate' ? 0 : framesThat(pair => pair.relation === relation);
    return n === 0 ? [] : [`${relation} in ${count(n)}`];
  });
  const [meeting, close] = [pairsThat(meets), pairsThat(isClose)];
  const parts: string[] = [];
  if (meeting > 0) {
    const when = `in ${count(framesThat(meets))} of ${plural(frames.length, 'frame')}`;
    parts.push(`${plural(meeting, 'pair')} ${meeting === 1 ? 'meets' : 'meet'} ${when}: ${kinds.join(', ')}`);
  }
  if (close > 0) {
    const when = `in ${count(framesThat(isClose))} of ${plural(frames.length, 'frame')}`;
    parts.push(`${plural(close, 'pair')} ${close === 1 ? 'is' : 'are'} too close ${when}`);
  }
  return parts.join('; ');
}

/** What remains to be fixed, and what is forgiven and why, a line each. Nothing if everything found is to be fixed. */
function* forgiven(
  pairs: readonly AssemblyPair[],
  { tolerance, unitName, failOn }: AssemblyAnswer,
): Generator<string> {
  const byVerdict = new Map<Verdict, AssemblyPair[]>();
  // There may be millions of clashes: they are counted, not listed.
  let [clashes, undecided] = [0, 0];
  for (const pair of pairs) {
    if (isUnconfirmed(pair)) continue;
    const verdict = verdictOf(pair);
    if (verdict === 'clash') {
      clashes++;
      if (pair.undecided) undecided++;
    } else if (!byVerdict.get(verdict)?.push(pair)) byVerdict.set(verdict, [pair]);
  }
  const having = (verdict: Verdict) => byVerdict.get(verdict) ?? [];
  const unit = unitName === undefined ? '' : ` ${unitName}`;
  const deepest = (of: readonly AssemblyPair[]) =>
    lengthInWords(of.reduce((most, { depth }) => Math.max(most, depth?.upper ?? 0), 0)) + unit;
  const parts: string[] = [];
  const fix = clashes + having('too-close').length;
  const them = (n: number) => (n === 1 ? 'it' : 'them');
  const [touching, rounding] = [having('touching'), having('within-rounding')];
  if (touching.length > 0) {
    const touch = touching.length === 1 ? 'touches' : 'touch';
    parts.push(`${count(touching.length)} ${touch} (--ignore touching forgives ${them(touching.length)})`);
  }
  if (rounding.length > 0) {
    const n = rounding.length;
    const wedged = rounding.filter(pair => pair.withinRounding).length;
    const shallow = rounding.filter(pair => !pair.withinRounding);
    const how = [
      ...(wedged < n ? [`at most ${deepest(shallow)} deep`] : []),
      ...(wedged > 0 ? [`${count(wedged)} wedged`] : []),
    ];
    parts.push(
      `${count(n)} within the files' rounding, not listed: ${how.join(', ')} (--tolerance file forgives ${them(n)})`,
    );
  }
  const [within, allowed] = [having('within-tolerance'), having('allowed')];
  if (within.length > 0) {
    const what =
      tolerance === undefined || tolerance === 'file' ? '' : ` of ${lengthInWords(tolerance)}${unit}`;
    const touch = within.filter(({ relation }) => relation === 'touching').length;
    const wedged = within.filter(pair => pair.withinRounding).length;
    const less = within.length - touch - wedged;
    const kinds = [
      ...(touch > 0 ? [`${count(touch)} touch`] : []),
      ...(less > 0 ? [`${count(less)} overlap by less`] : []),
      ...(wedged > 0 ? [`${count(wedged)} wedged within the files' rounding`] : []),
    ];
    parts.push(`${count(within.length)} within the tolerance${what} (${kinds.join(', ')})`);
  }
  if (allowed.length > 0) parts.push(`${count(allowed.length)} allowed`);
  const [accepted, ignored] = [having('accepted'), having('ignored')];
  if (accepted.length > 0) parts.push(`${count(accepted.length)} accepted`);
  if (ignored.length > 0 && ignored.length < pairs.length) parts.push(`${count(ignored.length)} ignored`);
  if (parts.length === 0 && undecided === 0) return;
  const limit = tolerance === undefined ? "the files' rounding" : 'the tolerance';
  const open =
    undecided > 0
      ? `, ${count(undecided)} of them perhaps within ${limit}: their depths could not be decided`
      : '';
  const others = [...touching, ...rounding].some(pair => isFailing(pair, failOn));
  if (fix > 0) yield `${count(fix)} to fix${open}`;
  else yield others ? 'nothing to fix, but the check fails because of these:' : 'nothing to fix';
  yield* parts;
}

/** What has changed since the baseline. */
function* changes({ history }: AssemblyAnswer): Generator<string> {
  if (history === undefined) return;
  const order: readonly (Change | Gone['outcome'])[] = [
    ...(['new', 'worse', 'moved', 'better', 'same'] as const),
    ...(['resolved', 'removed', 'forgiven', 'unchecked'] as const),
  ];
  const parts = order.flatMap(kind =>
    history.counts[kind] > 0 ? [`${count(history.counts[kind])} ${kind}`] : [],
  );
  yield `since ${history.baseline}: ${parts.length === 0 ? 'no clash then or now' : parts.join(', ')}`;
}

/** What a method that samples may have missed. */
function* sampled({ frames }: AssemblyAnswer): Generator<string> {
  const bounds = frames.flatMap(frame => frame.bounds ?? []);
  if (bounds.length === 0) return;
  const most = (value: (bound: SamplingBounds) => number) =>
    roundedUp(bounds.reduce((greatest, bound) => Math.max(greatest, value(bound)), 0));
  const unseen = bounds.every(({ complete }) => complete) ? '' : ' Parts of the scene could not be examined.';
  yield `Sampled: may miss overlaps too thin for a ball of diameter ${most(bound => bound.mayMissBelow)}; may list bodies up to ${most(bound => bound.mayReportWithin)} apart.${unseen}`;
}

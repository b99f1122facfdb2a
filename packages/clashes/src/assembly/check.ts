// From bodies to decisions: which pairs clash under the rules, which of them are new since the baseline, what people have
// said about them, and which belong together. The command line and the studio ask this.

import { nameOfUnit, parseLength } from '@nearfield/io';
import { type Nearfield, NearfieldError, type Relation } from 'nearfield';
import { groupByPart } from '../groups/by-part.ts';
import { groupByPlace } from '../groups/by-place.ts';
import { groupByTest } from '../groups/by-test.ts';
import type { GroupBy } from '../groups/group.ts';
import type { Baseline } from '../history/baseline.ts';
import { compare } from '../history/compare.ts';
import { depthsBefore, type Past, pastOf } from '../history/past.ts';
import { reusable } from '../history/reuse.ts';
import { acceptedDepth, applyStatuses, type LengthOf } from '../history/statuses/apply.ts';
import type { Statuses } from '../history/statuses/statuses.ts';
import { identify, likelyIds } from '../identity/clash-id.ts';
import { fingerprintOf, questionHash } from '../identity/fingerprint.ts';
import type { Digest } from '../identity/sha256.ts';
import { matrixOf } from '../rules/matrix.ts';
import { lengthIn, type ResolvedRules, resolveRules } from '../rules/resolve.ts';
import type { AllowedBodies, Rules } from '../rules/types.ts';
import { isFailing } from '../severity/failing.ts';
import { worstPairs } from '../severity/worst-frame.ts';
import { Pauses, shareOf } from '../steps/pauses.ts';
import { mapped, type Steps } from '../steps/steps.ts';
import { type AssemblyQuestion, askAssembly, type PairRules } from './assembly.ts';
import { pairKey } from './pair-key.ts';
import type { AssemblyAnswer, Fingerprint, GivenBody, Group, PastBody } from './types.ts';

export interface CheckQuestion
  extends Omit<AssemblyQuestion, 'rules' | 'known' | 'fingerprints' | 'depthLimits'> {
  /** Separate bodies closer than this are reported too, unless a test of the rules says otherwise. */
  readonly clearance?: number | undefined;
  /** The depth that is forgiven, unless a test says otherwise; 'file' for the rounding of the files. */
  readonly tolerance?: number | 'file' | undefined;
  /** Relations that the user does not mind. */
  readonly ignore?: ReadonlySet<Relation> | undefined;
  readonly rules?: Rules | undefined;
  /** Pairs of bodies that their files allow to meet. */
  readonly allowed?: readonly AllowedBodies[] | undefined;
  /** Whether clashes get identities that outlive this run. A baseline, statuses and groups need them. */
  readonly identities?: boolean | undefined;
  /** A faster SHA-256 than ours, where the platform has one that does not wait. */
  readonly digest?: Digest | undefined;
  /** The answer of an earlier run. With one, and with statuses, every depth is measured, whatever `depths` says. */
  readonly baseline?: Baseline | undefined;
  /** Which pairs fail the check: all clashes, or those that the baseline does not have. */
  readonly failOn?: 'any' | 'new' | undefined;
  /** What people have said about clashes. */
  readonly statuses?: Statuses | undefined;
  readonly group?: GroupBy | undefined;
}

export interface CheckAnswer {
  readonly answer: AssemblyAnswer;
  /** What the user should know: rules that match nothing, statuses that no longer hold. One sentence each. */
  readonly notes: readonly string[];
}

/**
 * Which pairs clash, how badly, and what is new. Throws 'bad-option' if a length has a unit and the answer's is not
 * known, if clashes are to be grouped by test and there are no rules, or if the rules name no pair of the bodies:
 * a check that looked at nothing must not pass.
 */
export async function checkAssembly(nf: Nearfield, question: CheckQuestion): Promise<CheckAnswer> {
  const { rules, bodies, unit, tolerance, clearance, baseline, statuses, group } = question;
  if (group === 'test' && rules === undefined) {
    throw new NearfieldError('bad-option', 'grouping by test needs rules');
  }
  const resolved = resolvedOf(question);
  const notes = [...resolved.warnings];
  const pauses = new Pauses(question.signal);
  const isTracked = question.identities || baseline || statuses || group;
  /** The share of 'opening' in which the bodies get their fingerprints. */
  const fingerprintShare = isTracked ? 0.5 : 0;
  const opening = { progress: (done: number) => question.progress('opening', done), from: 0 };
  const fingerprints = isTracked
    ? await pauses.finish(
        fingerprintsOf(question, resolved),
        shareOf({ ...opening, to: fingerprintShare }, bodies.length),
      )
    : undefined;
  // Only what earlier runs and people have said is compared with the bodies before their pairs are known.
  const tracked = (baseline || statuses) && (await pauses.finish(trackedBodies(bodies, fingerprints!)));
  const past = baseline && pastOf(baseline, { bodies: tracked!, files: question.files, unit });
  if (past?.note !== undefined) notes.push(past.note);
  const hash = fingerprints && hashOf(question, resolved);
  // Lists of triangles, which pictures need, are not in the baseline.
  const known =
    baseline && !question.motion?.isMotion && question.keepTriangles === 'none'
      ? reusable(baseline, tracked!, hash!)
      : undefined;
  if (known !== undefined) {
    notes.push(
      `${known.unchanged} of ${bodies.length} bodies are as in ${baseline!.file}: pairs among them are taken from it, not computed again`,
    );
  }
  await pauses.take();
  const pairRules = pairRulesOf(resolved, clearance);
  const { decide } = pairRules;
  const asked = await askAssembly(nf, {
    ...question,
    progress: (stage, done) =>
      question.progress(stage, stage === 'opening' ? fingerprintShare + (1 - fingerprintShare) * done : done),
    // Only the depth tells whether a clash has become worse, or is deeper than was accepted.
    ...((baseline || statuses) && { depths: 'all' }),
    rules: pairRules,
    known,
    fingerprints,
    depthLimits: tracked && depthLimits(tracked, past, statuses, lengthsIn(unit)),
  });
  await pauses.take();
  const grouping = (from: number, to: number, visits: number) =>
    shareOf({ progress: done => question.progress('grouping', done), from, to }, visits);
  const pairCount = asked.frames.reduce((sum, { pairs }) => sum + pairs.length, 0);
  const answer: AssemblyAnswer = {
    ...asked,
    ...{ tolerance, clearance, question: hash },
    ...(question.failOn === 'new' && { failOn: question.failOn }),
    ...(unit !== undefined && { unitName: nameOfUnit(unit) }),
    ...(resolved.given && { tests: resolved.tests, sets: resolved.sets }),
    ...(resolved.unmatched.length > 0 && { warnings: resolved.unmatched }),
  };
  const naming = past ? compare(answer, past, { decide }) : fingerprints && identify(answer);
  const named = naming
    ? await pauses.finish(naming, grouping(0, 0.55, 2 * bodies.length + 4 * pairCount))
    : answer;
  await pauses.take();
  const applied = statuses && applyStatuses(named, statuses, lengthsIn(unit));
  notes.push(...(applied?.notes ?? []));
  await pauses.take();
  const sums = summed(applied?.answer ?? named, resolved, group);
  return { answer: await pauses.finish(sums, grouping(0.6, 1, 4 * pairCount)), notes };
}

/** The rules of a question for its bodies, which may name none of their pairs. */
export const rulesFor = (question: CheckQuestion): ResolvedRules => {
  const { rules, bodies, unit, tolerance, clearance, ignore, allowed } = question;
  return resolveRules(rules, bodies, { unit, tolerance, clearance, ignore, allowed });
};

/** The same. Throws 'bad-option' if they name no pair. */
export function resolvedOf(question: CheckQuestion): ResolvedRules {
  const resolved = rulesFor(question);
  if (resolved.nothing !== undefined) throw new NearfieldError('bad-option', resolved.nothing);
  return resolved;
}

/** The answer with its matrix, and its groups. */
function* summed(
  answer: AssemblyAnswer,
  rules: ResolvedRules,
  group: GroupBy | undefined,
): Steps<AssemblyAnswer> {
  const [first] = answer.bodies;
  const hasMatrix = rules.given || answer.bodies.some(({ file }) => file !== first.file);
  const matrix = hasMatrix ? matrixOf(rules, answer.bodies, worstPairs(answer)) : undefined;
  yield;
  const groups = group && (yield* groupsOf(answer, group));
  return { ...answer, ...(matrix && { matrix }), ...(groups && { groups }) };
}

/** What a file says a length is, in the answer's unit. */
const lengthsIn =
  (unit: number | undefined): LengthOf =>
  (length, what) =>
    typeof length === 'number' ? length : lengthIn(parseLength(length), unit, what);

/** How deep two bodies were in the baseline, and how deep somebody has accepted them to be. */
function depthLimits(
  bodies: readonly PastBody[],
  past: Past | undefined,
  statuses: Statuses | undefined,
  lengthOf: LengthOf,
): ((a: number, b: number) => readonly number[]) | undefined {
  if (past === undefined && statuses === undefined) return undefined;
  const before = past && depthsBefore(past, bodies);
  const ids = new Map<number, string>();
  for (const { a, b, clash } of past?.pairs ?? []) {
    const now = { a: past!.today[a], b: past!.today[b] };
    if (now.a >= 0 && now.b >= 0) ids.set(pairKey(now, bodies.length), clash);
  }
  const likelyId = likelyIds(bodies);
  return (a, b) => {
    const key = pairKey({ a, b }, bodies.length);
    const entry = statuses?.clashes.get(ids.get(key) ?? likelyId({ a, b }));
    const accepted = entry && acceptedDepth(entry, bodies[a], bodies[b], lengthOf, statuses!.file);
    return [before?.get(key), accepted].filter(limit => limit !== undefined);
  };
}

/** What the rules say, as a question takes it. `clearance` is for all pairs, if there are no rules. */
export function pairRulesOf(resolved: ResolvedRules, clearance: number | undefined): PairRules {
  const clearances = resolved.given ? resolved.tests.map(test => test.clearance) : [clearance];
  return {
    keep: (a, b) => resolved.keep(a, b),
    decide: (a, b) => resolved.decide(a, b),
    clearances: [...new Set(clearances)].filter(value => value !== undefined),
    all: !resolved.given,
  };
}

/** The fingerprints of the bodies, with the sets of the rules that they are in. */
function* fingerprintsOf(
  { bodies, motion, digest }: CheckQuestion,
  resolved: ResolvedRules,
): Steps<Fingerprint[]> {
  // Joint values and poses may place a body elsewhere than its file does.
  const frames = motion?.frames ?? [new Map()];
  return yield* mapped(bodies, ({ mesh, pose }, i) => {
    const poses = frames.map(frame => frame.get(i) ?? pose);
    return fingerprintOf(mesh, poses, digest, resolved.membership(i));
  });
}

type TrackedBody = PastBody & { readonly fingerprint: Fingerprint };

/** The bodies with their fingerprints, as an earlier run describes its own. */
const trackedBodies = (
  bodies: readonly GivenBody[],
  fingerprints: readonly Fingerprint[],
): Steps<TrackedBody[]> =>
  mapped(bodies, ({ name, file, path, id, type, rounding }, i) => ({
    ...{ name, file, path, id, type, rounding },
    fingerprint: fingerprints[i],
  }));

/** Everything that measurements depend on. Decisions are made anew from them, and depths are refined where needed. */
function hashOf(question: CheckQuestion, { hash: rules }: ResolvedRules): string {
  const { version, method, resolution, unit, clearance, volumes, points } = question;
  const asked = { version, method, resolution, unit, clearance, volumes, points };
  return questionHash({ ...asked, rules });
}

function groupsOf({ bodies, tests, ...answer }: AssemblyAnswer, by: GroupBy): Steps<Group[]> {
  const pairs = worstPairs({ ...answer, bodies }).filter(pair => isFailing(pair));
  if (by === 'part') return groupByPart(bodies, pairs);
  return by === 'place' ? groupByPlace(bodies, pairs) : groupByTest(bodies, pairs, tests!);
}

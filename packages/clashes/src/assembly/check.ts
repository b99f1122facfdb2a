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
import { reusable } from '../history/reuse.ts';
import { applyStatuses } from '../history/statuses/apply.ts';
import type { Statuses } from '../history/statuses/statuses.ts';
import { identify } from '../identity/clash-id.ts';
import { fingerprintOf, motionHash, questionHash } from '../identity/fingerprint.ts';
import type { Digest } from '../identity/sha256.ts';
import { matrixOf } from '../rules/matrix.ts';
import { lengthIn, type ResolvedRules, resolveRules } from '../rules/resolve.ts';
import type { AllowedBodies, Rules } from '../rules/types.ts';
import { isClash } from '../severity/failing.ts';
import { worstPairs } from '../severity/worst-frame.ts';
import { type AssemblyQuestion, askAssembly, type PairRules } from './assembly.ts';
import type { AssemblyAnswer, AssemblyBody, Group } from './types.ts';

export interface CheckQuestion extends Omit<AssemblyQuestion, 'rules' | 'known'> {
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
  /** The answer of an earlier run. */
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
 * known, if clashes are to be grouped by test and there are no rules, or if the rules name no pair of the bodies: an
 * answer that looked at nothing would pass for a good one.
 */
export async function checkAssembly(nf: Nearfield, given: CheckQuestion): Promise<CheckAnswer> {
  // Whether a clash has become worse, or is deeper than was accepted, only its depth can tell.
  const isCompared = given.baseline !== undefined || given.statuses !== undefined;
  const question: CheckQuestion = isCompared ? { ...given, depths: 'all' } : given;
  const { rules, bodies, unit, tolerance, clearance, ignore, allowed, baseline, statuses, group } = question;
  if (group === 'test' && rules === undefined) {
    throw new NearfieldError('bad-option', 'grouping by test needs rules');
  }
  const resolved = resolveRules(rules, bodies, { unit, tolerance, clearance, ignore, allowed });
  if (resolved.nothing !== undefined) throw new NearfieldError('bad-option', resolved.nothing);
  const pairRules = pairRulesOf(resolved, clearance);
  const { decide } = pairRules;
  const isTracked = question.identities || baseline || statuses || group;
  const tracked = isTracked ? fingerprints(question, resolved) : undefined;
  const hash = tracked && hashOf(question, resolved);
  const known =
    // Lists of triangles, which pictures need, are not in the baseline.
    baseline && tracked && hash && !question.motion?.isMotion && question.keepTriangles === 'none'
      ? reusable(baseline, tracked, hash)
      : undefined;
  const asked = await askAssembly(nf, {
    ...question,
    rules: pairRules,
    known,
  });
  let answer: AssemblyAnswer = {
    ...asked,
    ...(tracked && { bodies: asked.bodies.map((body, i) => ({ ...body, ...tracked[i] })) }),
    ...{ tolerance, clearance, question: hash },
    ...(question.failOn === 'new' && { failOn: question.failOn }),
    ...(unit !== undefined && { unitName: nameOfUnit(unit) }),
    ...(resolved.given && { tests: resolved.tests, sets: resolved.sets }),
    ...(resolved.unmatched.length > 0 && { warnings: resolved.unmatched }),
  };
  const notes = [...resolved.warnings];
  if (known !== undefined) {
    notes.push(
      `${known.unchanged} of ${bodies.length} bodies are as in ${baseline!.file}: what it says of their pairs was not computed again`,
    );
  }
  if (isTracked) answer = baseline === undefined ? identify(answer) : compare(answer, baseline, { decide });
  if (statuses !== undefined) {
    const lengthOf = (length: number | string, what: string) =>
      typeof length === 'number' ? length : lengthIn(parseLength(length), unit, what);
    const applied = applyStatuses(answer, statuses, lengthOf);
    answer = applied.answer;
    notes.push(...applied.notes);
  }
  const fileCount = new Set(bodies.map(({ file }) => file)).size;
  if (resolved.given || fileCount > 1) {
    answer = { ...answer, matrix: matrixOf(resolved, answer.bodies, worstPairs(answer)) };
  }
  if (group !== undefined) answer = { ...answer, groups: groupsOf(answer, group) };
  return { answer, notes };
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

/** Each body's fingerprint, and the sets of the rules that it is in. */
function fingerprints(
  { bodies, motion, digest }: CheckQuestion,
  resolved: ResolvedRules,
): Pick<AssemblyBody, 'fingerprint'>[] {
  // Joint values and poses may place a body elsewhere than its file does.
  const placed = motion?.frames[0];
  return bodies.map(({ mesh, pose }, i) => {
    const sets = resolved.membership(i);
    const fingerprint = fingerprintOf(mesh, placed?.get(i) ?? pose, digest);
    const poses = motion?.isMotion && motion.frames.map(frame => frame.get(i) ?? pose);
    return {
      fingerprint: {
        ...fingerprint,
        ...(poses && { motion: motionHash(poses, digest) }),
        ...(sets && { sets }),
      },
    };
  });
}

/** Everything that measures depend on, but for depths, which are measured anew. What is decided from them is decided anew. */
function hashOf(question: CheckQuestion, { hash: rules }: ResolvedRules): string {
  const { version, method, resolution, unit, clearance, volumes, points } = question;
  const asked = { version, method, resolution, unit, clearance, volumes, points };
  return questionHash({ ...asked, rules });
}

function groupsOf({ bodies, tests, ...answer }: AssemblyAnswer, by: GroupBy): Group[] {
  const pairs = worstPairs({ ...answer, bodies }).filter(
    pair => isClash(pair) && pair.verdict !== 'accepted',
  );
  if (by === 'part') return groupByPart(bodies, pairs);
  return by === 'place' ? groupByPlace(bodies, pairs) : groupByTest(bodies, pairs, tests!);
}

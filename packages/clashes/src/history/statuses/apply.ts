// Applies the statuses to an answer: clashes that people accepted do not fail the check, and what they say that does not
// fit the answer is said.

import type { AssemblyAnswer, AssemblyPair, ClashStatus } from '../../assembly/types.ts';
import { isClash } from '../../severity/failing.ts';
import { roundingOf } from '../../severity/rounding/within-rounding.ts';
import { worstPairs } from '../../severity/worst-frame.ts';
import type { StatusEntry, Statuses } from './statuses.ts';

export interface AppliedStatuses {
  readonly answer: AssemblyAnswer;
  /** One sentence per clash whose status does not fit: fixed but still there, accepted but deeper now. */
  readonly notes: readonly string[];
}

/**
 * The answer with statuses, whose pairs have identities. An accepted clash, or one that is not an issue, gets the verdict
 * 'accepted', unless it is worse than the baseline's or deeper than it was when it was accepted. `lengthOf` reads a
 * length of the file in the answer's unit.
 */
export function applyStatuses(
  answer: AssemblyAnswer,
  statuses: Statuses,
  lengthOf: (length: number | string, what: string) => number,
): AppliedStatuses {
  const notes: string[] = [];
  const applied = new Map<string, Pick<AssemblyPair, 'status' | 'verdict'>>();
  for (const pair of worstPairs(answer)) {
    const entry = pair.clash === undefined ? undefined : statuses.clashes.get(pair.clash);
    if (entry === undefined || !isClash(pair)) continue;
    const { name } = answer.bodies[pair.a];
    const who = `${pair.clash} (${name} and ${answer.bodies[pair.b].name})`;
    const why = objection(pair, entry);
    if (why === undefined) applied.set(pair.clash!, { status: shown(entry), verdict: 'accepted' });
    else {
      applied.set(pair.clash!, { status: shown(entry) });
      if (why !== '') notes.push(`${who} ${why}`);
    }
  }
  if (applied.size === 0) return { answer, notes };
  const frames = answer.frames.map(frame => ({
    ...frame,
    pairs: frame.pairs.map(pair => {
      const { status, verdict } = applied.get(pair.clash ?? '') ?? {};
      if (status === undefined) return pair;
      return { ...pair, status, ...(verdict && isClash(pair) && { verdict }) };
    }),
  }));
  return { answer: { ...answer, frames }, notes };

  /** Why the clash stays one: empty if it is open, undefined if it is accepted. */
  function objection(pair: AssemblyPair, { status, depth }: StatusEntry): string | undefined {
    if (status === 'open') return '';
    if (status === 'fixed') return 'is marked as fixed but is still there';
    const words = status === 'accepted' ? 'accepted' : 'marked as not an issue';
    const limit =
      depth === undefined ? undefined : lengthOf(depth, `${statuses.file}: the depth of ${pair.clash}`);
    const isDeep = pair.relation !== 'touching' && pair.relation !== 'separate';
    if (limit !== undefined && pair.depth === undefined && isDeep) {
      return `is ${words} up to a depth of ${depth}, and its depth was not measured now`;
    }
    if (limit !== undefined && pair.depth !== undefined) {
      // Not deeper by more than what the files round, and what a length loses when its unit is changed.
      const slack = roundingOf(answer.bodies[pair.a], answer.bodies[pair.b]) + limit * 2 ** -30;
      if (pair.depth.lower > limit + slack) return `is ${words} up to a depth of ${depth} and is deeper now`;
      return undefined;
    }
    return pair.change === 'worse' ? `is ${words} and has become worse since the baseline` : undefined;
  }
}

/** What an answer shows of an entry. */
const shown = ({ status, comment, by, date, parts, depth }: StatusEntry): ClashStatus => ({
  ...{ status, comment, by, date, parts, depth },
});

/**
 * The statuses with an open entry for every clash that has none, so that people have something to edit. Existing entries
 * stay as they are, but an accepted one without a depth gets the depth that was accepted: that of the baseline if the
 * clash has become worse, else today's. Deeper is then a clash again, also next week. `depthOf` writes a length of the
 * answer for the file.
 */
export function updateStatuses(
  statuses: Statuses,
  answer: AssemblyAnswer,
  date: string,
  depthOf: (length: number) => number | string = length => length,
): Statuses {
  const clashes = new Map(statuses.clashes);
  for (const pair of worstPairs(answer)) {
    if (pair.clash === undefined || !isClash(pair)) continue;
    const known = clashes.get(pair.clash);
    if (known === undefined) {
      const parts = [answer.bodies[pair.a].name, answer.bodies[pair.b].name];
      clashes.set(pair.clash, { status: 'open', found: date, parts });
    } else if (isAccepted(known) && known.depth === undefined) {
      const depth = acceptedDepth(pair);
      if (depth !== undefined) clashes.set(pair.clash, { ...known, depth: depthOf(depth) });
    }
  }
  return { ...statuses, clashes };
}

const isAccepted = ({ status }: StatusEntry): boolean => status === 'accepted' || status === 'not-an-issue';

/** Parts that are apart, or were, have no depth: whoever accepts that accepts no overlap. */
function acceptedDepth({ relation, change, depth, depthBefore }: AssemblyPair): number | undefined {
  if (relation === 'separate') return 0;
  return change === 'worse' ? (depthBefore?.upper ?? 0) : depth?.upper;
}

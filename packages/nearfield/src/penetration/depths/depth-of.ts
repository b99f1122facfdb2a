// The depth of one pair of any bodies, as a bracket, as far as the goal asks for it: the cheapest proofs first.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { penetrationOf } from '../bracket.ts';
import { boxesApart, separateByBoxes } from '../preparation.ts';

/** What is known of a depth: no shorter translation of b than `lower` will do, and `translation`, of length `upper`, does. */
export interface Known {
  readonly lower: number;
  readonly upper: number;
  readonly translation: Float64Array;
}

/** When a search for a depth ends. */
export interface Goal {
  /** Once upper/lower is at most this. */
  readonly ratio: number;
  /** Once it is known whether the depth is greater than this. */
  readonly limit?: number | undefined;
  /** How much work is allowed, as a multiple of the usual amount. */
  readonly effort: number;
  /** Whether the time is up. */
  readonly until: () => boolean;
}

/** The bracket of two bodies; a is the one with the lower index. */
export function* depthOf(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  { ratio, until }: Goal,
): Generator<number, Known> {
  if (boxesApart(a, b)) return { lower: 0, upper: 0, translation: new Float64Array(3) };
  if (a.mesh.solid && b.mesh.solid) {
    const { depth, translation } = yield* penetrationOf(engine, a, b, { stopAtRatio: ratio }, until);
    return { ...depth, translation };
  }
  const separate = separateByBoxes(a, b);
  if (separate === undefined)
    throw new NearfieldError('not-finite', 'no translation in the range of doubles separates the two bodies');
  return { lower: 0, upper: separate.depth.upper, translation: separate.translation };
}

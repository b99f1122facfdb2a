// How deep do two solids overlap? The least translation of b that leaves no common interior, as a bracket: `upper` is the
// length of a translation that the exact predicates have confirmed, and no translation shorter than `lower` separates
// them. The search (bracket.ts) is made for the body with the lower index first and mirrored for the other order.

import { inSlices, throwIfAborted, toEnd } from '../../cpu/waiting.ts';
import { NearfieldError } from '../../errors.ts';
import type { Body } from '../../scene/bodies/body.ts';
import { asNowInSteps, type Moment } from '../../scene/bodies/moment.ts';
import { checkSolid } from '../../scene/checks.ts';
import type { Limits } from '../../scene/engine.ts';
import type { Asker } from '../../scene/questions/asker.ts';
import type { Question } from '../../scene/questions/question.ts';
import { penetrationOf } from './bracket.ts';

export interface PenetrationOptions extends Limits {
  /** Once upper/lower is at most this, the search ends. 1.05 if left out; Infinity asks for a separation alone. */
  readonly stopAtRatio?: number | undefined;
  /**
   * Milliseconds after which the bracket is given as it is, as soon as a separation is known: the first question about a
   * large shape may take longer. The answer then depends on the machine's speed.
   */
  readonly timeLimit?: number | undefined;
}

export interface Penetration {
  /**
   * Bounds of the least translation of b that leaves the two solids without common interior, in the user's units. Both 0
   * where they have none as they are.
   */
  readonly depth: { readonly lower: number; readonly upper: number };
  /** upper/lower: 1 where both are 0, Infinity where lower is. */
  readonly ratio: number;
  /** A translation of b of length `upper`, rounded up, at which the two are separate: verified. x, y, z. */
  readonly translation: Float64Array;
  /** Its direction, of length 1; 0 where there is no penetration. */
  readonly direction: Float64Array;
  readonly backend: 'cpu';
}

export async function penetration(
  asker: Asker,
  a: Body,
  b: Body,
  options: PenetrationOptions,
): Promise<Penetration> {
  const question = penetrationQuestion(asker, a, b, options);
  return asker.positions(question, options, () =>
    inSlices(penetrationWork(asker, question, a, options), options, () => {}),
  );
}

export function penetrationSync(asker: Asker, a: Body, b: Body, options: PenetrationOptions): Penetration {
  const answer = toEnd(penetrationWork(asker, penetrationQuestion(asker, a, b, options), a, options));
  options.progress?.(1);
  return answer;
}

function penetrationQuestion(
  asker: Asker,
  a: Body,
  b: Body,
  { stopAtRatio = 1.05, timeLimit = Infinity, signal }: PenetrationOptions,
): Question {
  if (!(typeof stopAtRatio === 'number' && stopAtRatio >= 1)) {
    throw new NearfieldError('bad-option', `stopAtRatio is a number of at least 1, not ${stopAtRatio}`);
  }
  if (!(typeof timeLimit === 'number' && timeLimit >= 0)) {
    throw new NearfieldError('bad-option', `timeLimit is a number of milliseconds, not ${timeLimit}`);
  }
  const question = a.index > b.index ? asker.ask(b, a) : asker.ask(a, b);
  if (a === b) throw new NearfieldError('bad-option', `${a.name} does not penetrate itself`);
  throwIfAborted({ signal });
  return question;
}

function* penetrationWork(
  { cpu }: Asker,
  { bodies, readableAt }: Question,
  a: Body,
  options: PenetrationOptions,
): Generator<number, Penetration> {
  const { timeLimit = Infinity } = options;
  const started = performance.now();
  const until = (): boolean => performance.now() - started >= timeLimit;
  const [first, second] = [readableAt(0), readableAt(1)];
  checkPenetrable(bodies[0], first);
  checkPenetrable(bodies[1], second);
  const answer = yield* asNowInSteps(cpu, first, second, (p, q) => penetrationOf(cpu, p, q, options, until));
  return bodies[0] === a ? answer : mirrored(answer);
}

function checkPenetrable(body: Body, { mesh }: Moment): void {
  const remedy = mesh.closed
    ? 'make its triangles wind the same way'
    : 'close its holes, or ask for the distance';
  checkSolid(body, mesh, `it has no inside that something could penetrate; ${remedy}`);
}

/** The answer for the two in the other order. */
function mirrored({ depth, ratio, translation, direction, backend }: Penetration): Penetration {
  const negated = (v: Float64Array): Float64Array => v.map(x => (x === 0 ? 0 : -x));
  return { depth, ratio, translation: negated(translation), direction: negated(direction), backend };
}

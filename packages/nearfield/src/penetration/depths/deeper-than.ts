// Is the depth of a pair greater than a given one? Three answers, without the bracket of the depth itself.

import type { Body } from '../../bodies/body.ts';
import { atSnapshotInSteps } from '../../bodies/snapshot/snapshot-body.ts';
import { aNumber, bad, checkOptions, lengthFrom0, limitRules, type Rules } from '../../core/arguments.ts';
import type { Limits } from '../../core/limits.ts';
import { inSlices, throwIfAborted, toEnd } from '../../core/waiting.ts';
import { type BareScene, coreOf } from '../../questions/bare-scene.ts';
import { checkTwo } from '../../questions/checks.ts';
import type { Question } from '../../questions/question.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import { depthOf } from './depth-of.ts';

/**
 * Whether the depth of a pair is greater than a given one. 'not-deeper': a translation of at most that length leaves the
 * two without depth, verified by the exact predicates. 'deeper': no translation of at most that length does. 'undecided':
 * neither was proven with the work that was allowed. A caller that forgives shallow overlaps must count it as deeper.
 */
export type DeeperThan = 'deeper' | 'not-deeper' | 'undecided';

/** How long to search before the answer is 'undecided'. */
export interface DeeperThanOptions extends Limits {
  /**
   * How much work is allowed, as a multiple of the usual amount: 1 is the default. Work is counted, not timed, so the
   * answer does not depend on the machine. 0 allows only the cheapest proofs.
   */
  readonly effort?: number | undefined;
  /** Milliseconds after which the answer is 'undecided': it then depends on the machine's speed. */
  readonly timeLimit?: number | undefined;
}

/**
 * Whether the depth of two bodies is greater than `depth` (world units, 0 or more). Any two bodies: the depth of a pair
 * with an open one is that of `depths`. Much cheaper than a bracket, since the search ends with the first proof. Rejects
 * with 'bad-option' if a and b are the same body or the depth is negative or not finite.
 */
export async function deeperThan(
  scene: BareScene,
  a: Body,
  b: Body,
  depth: number,
  options: DeeperThanOptions = {},
): Promise<DeeperThan> {
  checkTwo('deeperThan', a, b);
  const core = coreOf(scene);
  const question = deeperQuestion('deeperThan', core, a, b, depth, options);
  return core.withPositions(question, options, () =>
    inSlices(deeperWork(core, question, depth, options), options, () => {}),
  );
}

/** `deeperThan` without waiting. */
export function deeperThanSync(
  scene: BareScene<'cpu'>,
  a: Body,
  b: Body,
  depth: number,
  options: DeeperThanOptions = {},
): DeeperThan {
  checkTwo('deeperThanSync', a, b);
  const core = coreOf(scene);
  core.checkSync('deeperThanSync');
  const question = deeperQuestion('deeperThanSync', core, a, b, depth, options);
  const answer = toEnd(deeperWork(core, question, depth, options));
  options.progress?.(1);
  return answer;
}

const rules: Rules<DeeperThanOptions> = {
  ...limitRules,
  effort: aNumber('a number, 0 or more', effort => effort >= 0),
  timeLimit: aNumber('a number of milliseconds', limit => limit >= 0),
};

function deeperQuestion(
  name: string,
  core: SceneCore,
  a: Body,
  b: Body,
  depth: number,
  options: DeeperThanOptions,
): Question {
  lengthFrom0(depth, `${name}: depth`);
  checkOptions(options, rules, name);
  const question = a.index > b.index ? core.questionAbout(b, a) : core.questionAbout(a, b);
  if (a === b) throw bad(`${a.name} cannot penetrate itself: ${name} needs two different bodies`);
  throwIfAborted(options);
  return question;
}

function* deeperWork(
  { cpu }: SceneCore,
  { readableAt }: Question,
  depth: number,
  { effort = 1, timeLimit = Infinity }: DeeperThanOptions,
): Generator<number, DeeperThan> {
  const started = performance.now();
  const until = (): boolean => performance.now() - started >= timeLimit;
  const { lower, upper } = yield* atSnapshotInSteps(cpu, readableAt(0), readableAt(1), (p, q) =>
    depthOf(cpu, p, q, { ratio: 1, limit: depth, effort, until }),
  );
  if (upper <= depth) return 'not-deeper';
  return lower > depth ? 'deeper' : 'undecided';
}

// How deep do two solids overlap? The least translation of b that leaves no common interior, as a bracket: `upper` is the
// length of a translation that the exact predicates have confirmed, and no translation shorter than `lower` separates
// them. The search (bracket.ts) is made for the body with the lower index first and mirrored for the other order. How deep
// single points lie is another function's (with-points.ts): what finds them is passed, so that a page without it does not load it.

import type { Body } from '../bodies/body.ts';
import { asNowInSteps, type SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { aNumber, bad, checkOptions, isObject, limitRules, type Rules, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import { inSlices, throwIfAborted, toEnd } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkSolid, checkTwo } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { checkSampling, type Sampling, samplingRules } from '../sampled/field/grid.ts';
import { none, penetrationOf } from './bracket.ts';
import type { PointFinder } from './point-finder.ts';
import type { PenetratingPoints } from './points.ts';
import { boxesApart, findSolid, separateByBoxes } from './preparation.ts';

export interface DepthOptions extends Limits {
  /**
   * Once upper/lower is at most this, the search ends. 1.05 if left out; Infinity asks for a separation alone. A smaller ratio
   * never makes a bound worse.
   */
  readonly stopAtRatio?: number | undefined;
  /**
   * Milliseconds after which the bracket is given as it is: the answer then depends on the machine's speed. What the first
   * question about a large shape has no time for, its tree and whether it is a solid at all, is left to the next ones, which
   * go on with it; until then only boxes say how to separate the two (`depth.lower` is 0), and a mesh that is no solid
   * is refused once that is known. An answer is late by no more than a step of that, or one search for a separation. `points`
   * are found whatever the limit.
   */
  readonly timeLimit?: number | undefined;
}

export interface PenetrationOptions extends DepthOptions {
  /**
   * How deep single points lie, too: true for the vertices of each body in the other, a tolerance or a resolution for samples
   * of what they have in common as well (as `scene.intersectionVolume` takes them).
   */
  readonly points?: boolean | Sampling | undefined;
}

export interface Penetration {
  /**
   * Bounds of the least translation of b that leaves the two solids without common interior, in the user's units. Both 0
   * where they have none as they are. The depth is that of the world positions as they are, for translations of any real
   * numbers. The upper bound's translation was applied to poses, which rounds: a depth of no more than some tens of units in the
   * last place of the positions may have an upper bound that is several times as large. So may a depth that leads into a slot which
   * b fits exactly, if no translation of doubles does.
   */
  readonly depth: { readonly lower: number; readonly upper: number };
  /** upper/lower: 1 where both are 0, Infinity where lower is. */
  readonly ratio: number;
  /**
   * A translation of b of length `upper`, rounded up, at which the two are separate or touch: verified by the exact relation, for b
   * moved by it and for a moved by its opposite. x, y, z.
   */
  readonly translation: Float64Array;
  /** Its direction, of length 1; 0 where there is no penetration. */
  readonly direction: Float64Array;
  /** How deep single points lie, where that was asked for. None where the two have no common interior. */
  readonly points?: PenetratingPoints | undefined;
  readonly backend: 'cpu';
}

/**
 * How far b must move until the two solids have no common interior: bounds of the least such translation, and one that was
 * verified. The first question about a shape takes longer; what was found of it is kept. Bodies that are not solids are
 * 'not-solid'. How deep single points lie is told by `penetrationWithPoints`.
 */
export async function penetration(
  scene: BareScene,
  a: Body,
  b: Body,
  options: DepthOptions = {},
): Promise<Penetration> {
  return askPenetration(scene, a, b, options, undefined);
}

/** `penetration` without waiting. */
export function penetrationSync(
  scene: BareScene<'cpu'>,
  a: Body,
  b: Body,
  options: DepthOptions = {},
): Penetration {
  return askPenetrationSync(scene, a, b, options, undefined);
}

/** With what finds points, where they may be asked for. @internal */
export async function askPenetration(
  scene: BareScene,
  a: Body,
  b: Body,
  options: PenetrationOptions,
  finder: PointFinder | undefined,
): Promise<Penetration> {
  checkTwo('penetration', a, b);
  const core = coreOf(scene);
  const question = penetrationQuestion(core, a, b, options, finder);
  const { signal, progress } = options;
  const sampling = samplingOf(options);
  // Samples come last, with the second half of the progress.
  const half = (from: number) => (done: number) => progress?.(sampling ? 0.5 * (from + done) : done);
  return core.positions(question, options, async () => {
    const limits = { signal, progress: half(0) };
    const found = await inSlices(penetrationWork(core, question, a, options, finder), limits, () => {});
    if (sampling === undefined) return found;
    const request = { ...sampling, depths: true, signal, progress: half(1) };
    const samples = await finder!.samples(core, momentsFrom(question, a), request);
    return { ...found, points: { ...found.points!, samples } };
  });
}

/** The same without waiting. @internal */
export function askPenetrationSync(
  scene: BareScene<'cpu'>,
  a: Body,
  b: Body,
  options: PenetrationOptions,
  finder: PointFinder | undefined,
): Penetration {
  checkTwo('penetrationSync', a, b);
  const core = coreOf(scene);
  core.checkSync('penetrationSync');
  const question = penetrationQuestion(core, a, b, options, finder);
  const sampling = samplingOf(options);
  const found = toEnd(penetrationWork(core, question, a, options, finder));
  const samples =
    sampling && finder!.samplesSync(core, momentsFrom(question, a), { ...sampling, depths: true });
  options.progress?.(1);
  return samples ? { ...found, points: { ...found.points!, samples } } : found;
}

const rules: Rules<PenetrationOptions> = {
  ...limitRules,
  stopAtRatio: aNumber('a number of at least 1', ratio => ratio >= 1),
  timeLimit: aNumber('a number of milliseconds', limit => limit >= 0),
  points(given, what) {
    if (typeof given === 'boolean') return;
    if (!isObject(given)) throw wrong(what, 'true, false, { tolerance } or { resolution }', given);
    checkOptions(given, samplingRules, 'penetration', 'points');
    checkSampling(given);
  },
};

/** The two as they were given, a first. */
const momentsFrom = ({ bodies, readableAt }: Question, a: Body): SnapshotBody[] =>
  (bodies[0] === a ? [0, 1] : [1, 0]).map(readableAt);

/** How finely what is common is to be sampled; undefined where it is not. */
const samplingOf = ({ points }: PenetrationOptions): Sampling | undefined =>
  typeof points === 'object' ? { tolerance: points.tolerance, resolution: points.resolution } : undefined;

function penetrationQuestion(
  core: SceneCore,
  a: Body,
  b: Body,
  options: PenetrationOptions,
  finder: PointFinder | undefined,
): Question {
  checkOptions(options, rules, 'penetration');
  if (options.points && finder === undefined) {
    throw new NearfieldError('unsupported', 'penetration tells of no points: ask penetrationWithPoints');
  }
  const question = a.index > b.index ? core.ask(b, a) : core.ask(a, b);
  if (a === b) throw bad(`${a.name} does not penetrate itself`);
  throwIfAborted(options);
  return question;
}

function* penetrationWork(
  { cpu }: SceneCore,
  { bodies, readableAt }: Question,
  a: Body,
  options: PenetrationOptions,
  finder: PointFinder | undefined,
): Generator<number, Penetration> {
  const { timeLimit = Infinity } = options;
  const started = performance.now();
  const until = (): boolean => performance.now() - started >= timeLimit;
  const [first, second] = [readableAt(0), readableAt(1)];
  for (const [i, moment] of [first, second].entries()) {
    if (yield* steps(findSolid(moment.mesh, options.points ? () => false : until), 0.02)) {
      checkPenetrable(bodies[i], moment);
      continue;
    }
    const byBoxes = answerByBoxes(first, second);
    if (byBoxes !== undefined) return bodies[0] === a ? byBoxes : mirrored(byBoxes);
    checkPenetrable(bodies[i], moment);
  }
  const answer = yield* asNowInSteps(cpu, first, second, function* (p, q) {
    const bracket = penetrationOf(cpu, p, q, options, until);
    if (!options.points) return yield* bracket;
    const found = yield* shareOf(bracket, 0, 0.7);
    const none = found.depth.upper === 0;
    const points = none ? finder!.none() : yield* shareOf(finder!.vertices(cpu, p, q), 0.7, 1);
    return { ...found, points };
  });
  return bodies[0] === a ? answer : mirrored(answer);
}

/** The steps of some work, of which the share done is told. */
function* steps<T>(work: Generator<undefined, T>, share: number): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield share;
  }
}

/** Some work as the part of a larger one from one share to another. */
function* shareOf<T>(work: Generator<number, T>, from: number, to: number): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield from + (to - from) * step.value;
  }
}

/** What boxes alone say: apart, or how to separate them; undefined where that is not in the range of doubles. */
const answerByBoxes = (a: SnapshotBody, b: SnapshotBody): Penetration | undefined =>
  boxesApart(a, b) ? none() : separateByBoxes(a, b);

function checkPenetrable(body: Body, { mesh }: SnapshotBody): void {
  const remedy = mesh.closed
    ? 'make its triangles wind the same way'
    : 'close its holes, or ask for the distance';
  checkSolid(body, mesh, `it has no inside that something could penetrate; ${remedy}`);
}

/** The answer for the two in the other order. */
function mirrored({ depth, ratio, translation, direction, points, backend }: Penetration): Penetration {
  const negated = (v: Float64Array): Float64Array => v.map(x => (x === 0 ? 0 : -x));
  const turned = { depth, ratio, translation: negated(translation), direction: negated(direction), backend };
  return points ? { ...turned, points: { a: points.b, b: points.a } } : turned;
}

// How deep do two solids overlap? The least translation of b that leaves no common interior, as a bracket: `upper` is the
// length of a translation that the exact predicates have confirmed, and no translation shorter than `lower` separates
// them. The search (bracket.ts) is made for the body with the lower index first and mirrored for the other order. How deep
// single points lie is another function's (with-points.ts): what finds them is passed, so that a page without it does not load it.

import type { Body } from '../bodies/body.ts';
import { atSnapshotInSteps, type SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { aNumber, bad, checkOptions, isObject, limitRules, type Rules, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { inSlices, shareOf, throwIfAborted, toEnd } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkSolid, checkTwo } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { checkSampling, type Sampling, samplingRules } from '../sampled/field/grid.ts';
import { none, penetrationOf } from './bracket.ts';
import type { PointFinder } from './points/point-finder.ts';
import type { PenetratingPoints } from './points/points.ts';
import { boxesApart, findSolid, separateByBoxes } from './preparation.ts';

/** When the search for the depth ends. */
export interface DepthOptions extends Limits {
  /**
   * The search ends once upper/lower is at most this; default 1.05. Infinity asks only for a separation. A smaller
   * ratio never makes a bound worse.
   */
  readonly stopAtRatio?: number | undefined;
  /**
   * Milliseconds after which the current bracket is returned: the answer then depends on the machine's speed. If the
   * first question about a large shape has no time to build its tree and to check that it is a solid, the next
   * questions resume that work. Until then only boxes say how to separate the two (`depth.lower` is 0), and a mesh that
   * is not a solid is refused once that is known. An answer is late by at most one step of that work, or one search for
   * a separation. `points` are computed whatever the limit.
   */
  readonly timeLimit?: number | undefined;
}

/** When the search for the depth ends, and of which points the depth is told too. */
export interface PenetrationOptions extends DepthOptions {
  /**
   * Also asks how deep single points lie: true for the vertices of each body in the other; a tolerance or a resolution
   * for samples of their common part as well (as in `intersectionVolume`).
   */
  readonly points?: boolean | Sampling | undefined;
}

/** How deep two solids overlap. Lengths are in the user's units. */
export interface Penetration {
  /**
   * Bounds of the least translation of b that leaves the two solids without common interior, in the user's units. Both
   * are 0 if they have none as they are. The depth is that of the world positions as they are, for translations of any
   * real numbers. The upper bound's translation was applied to poses, which rounds. So the upper bound may be several
   * times too large if the depth is no more than some tens of units in the last place of the positions. The same may
   * happen if the shortest translation leads into a slot that b fits exactly, and no translation of doubles does.
   */
  readonly depth: {
    /** No shorter translation separates the two. */
    readonly lower: number;
    /** The length of `translation`, which does. */
    readonly upper: number;
  };
  /** upper/lower; 1 if both are 0, Infinity if only lower is. */
  readonly ratio: number;
  /**
   * A translation of b of length `upper`, rounded up, at which the two are separate or touch. The exact relation
   * verified it for b moved by it and for a moved by its opposite. x, y, z.
   */
  readonly translation: Float64Array;
  /** Its direction, of length 1; 0 if there is no penetration. */
  readonly direction: Float64Array;
  /** How deep single points lie, if that was asked for. Empty if the two have no common interior. */
  readonly points?: PenetratingPoints | undefined;
  /** Depths are found on the CPU, whichever backend is open. */
  readonly backend: 'cpu';
}

/**
 * How far b must move until the two solids have no common interior: bounds of the least such translation, and one that was
 * verified. The first question about a shape takes longer; what was found of it is kept. Rejects with 'not-solid' if a body
 * bounds no solid, 'bad-option' if a and b are the same body, 'unsupported' if `points` are asked for:
 * `penetrationWithPoints` tells how deep single points lie.
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
  const sampling = samplingOf(options);
  // Samples come last, as the second half of the progress.
  const half = sampling ? 0.5 : 1;
  return core.withPositions(question, options, async () => {
    const limits = limitsOfPart(options, 0, half);
    const found = await inSlices(penetrationWork(core, question, a, options, finder), limits, () => {});
    if (sampling === undefined) return found;
    const request = { ...sampling, depths: true, ...limitsOfPart(options, half, 1) };
    const samples = await finder!.samples(core, inGivenOrder(question, a), request);
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
    sampling && finder!.samplesSync(core, inGivenOrder(question, a), { ...sampling, depths: true });
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

/** The two bodies in the order given, a first. */
const inGivenOrder = ({ bodies, readableAt }: Question, a: Body): SnapshotBody[] =>
  (bodies[0] === a ? [0, 1] : [1, 0]).map(readableAt);

/** How finely to sample the common part; undefined if it is not sampled. */
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
  const question = a.index > b.index ? core.questionAbout(b, a) : core.questionAbout(a, b);
  if (a === b) throw bad(`${a.name} cannot penetrate itself: penetration needs two different bodies`);
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
  for (const [i, seen] of [first, second].entries()) {
    if (yield* steps(findSolid(seen.mesh, options.points ? () => false : until), 0.02)) {
      checkPenetrable(bodies[i], seen);
      continue;
    }
    const byBoxes = answerByBoxes(first, second);
    if (byBoxes !== undefined) return bodies[0] === a ? byBoxes : mirrored(byBoxes);
    checkPenetrable(bodies[i], seen);
  }
  const answer = yield* atSnapshotInSteps(cpu, first, second, function* (p, q) {
    const bracket = penetrationOf(cpu, p, q, options, until);
    if (!options.points) return yield* bracket;
    const found = yield* shareOf(bracket, 0, 0.7);
    const none = found.depth.upper === 0;
    const points = none ? finder!.none() : yield* shareOf(finder!.vertices(cpu, p, q), 0.7, 1);
    return { ...found, points };
  });
  return bodies[0] === a ? answer : mirrored(answer);
}

/** Runs the steps of some work and yields the share done. */
function* steps<T>(work: Generator<undefined, T>, share: number): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield share;
  }
}

/** The answer from boxes alone: apart, or how to separate them; undefined if that is not in the range of doubles. */
const answerByBoxes = (a: SnapshotBody, b: SnapshotBody): Penetration | undefined =>
  boxesApart(a, b) ? none() : separateByBoxes(a, b);

function checkPenetrable(body: Body, { mesh }: SnapshotBody): void {
  const remedy = mesh.closed
    ? 'make its triangles wind the same way'
    : 'close its holes, or ask for the distance';
  checkSolid(body, mesh, `it has no inside to penetrate; ${remedy}`);
}

/** The answer for the two in the other order. */
function mirrored({ depth, ratio, translation, direction, points, backend }: Penetration): Penetration {
  const negated = (v: Float64Array): Float64Array => v.map(x => (x === 0 ? 0 : -x));
  const turned = { depth, ratio, translation: negated(translation), direction: negated(direction), backend };
  return points ? { ...turned, points: { a: points.b, b: points.a } } : turned;
}

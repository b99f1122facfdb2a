// Which pairs of bodies are nearer to each other than a clearance? "Nearer" means strictly nearer and is decided exactly.
// Distances are those of distance.ts.

import { KeptBodies } from '../bodies/kept-bodies.ts';
import { atSnapshot, type SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { broadInSteps } from '../candidates/cpu/pair-front.ts';
import { filterInSteps, filterRules, type PairFilter, pairPredicate } from '../candidates/filter.ts';
import { aFlag, anything, checkOptions, distanceFrom0, limitRules, type Rules } from '../core/arguments.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { inSlices, toEnd } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { engineShare } from '../interferences/exact.ts';
import { withoutGpu } from '../interferences/method.ts';
import {
  type VisibilityOptions,
  visibilityOf,
  visibilityRules,
} from '../interferences/visibility/options.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { askNearest, type FoundNearest } from './ask-nearest.ts';
import { cpuDistances } from './cpu/driver.ts';
import { InnerBodies } from './inner-bodies.ts';
import { Proximities, Proximity } from './proximities.ts';
import { nearState } from './request.ts';
import { candidateOf, type Separation, separationOf, settledOf } from './separation.ts';

/** Which pairs are asked about, and how. */
export interface WithinOptions
  extends PairFilter,
    Limits,
    Omit<VisibilityOptions, 'culling' | 'survivors' | 'stages'> {
  /**
   * Asks for gaps between surfaces: a solid inside another one is then as far from it as their surfaces are, and is
   * left out if that is too far.
   */
  readonly surface?: boolean | undefined;
  /**
   * Every method gives the same answer. 'visibility' needs a GPU: before it searches for distances, it leaves out
   * bodies and triangles that images show to be farther than the clearance from all others, and pairs of bodies in
   * which no two remaining triangles may be that near. 'auto' (default) chooses 'hierarchy'.
   */
  readonly method?: 'auto' | 'hierarchy' | 'visibility' | undefined;
}

const { culling, survivors, stages, ...imageRules } = visibilityRules;
const withinRules: Rules<WithinOptions> = {
  ...limitRules,
  ...filterRules,
  ...imageRules,
  surface: aFlag,
  method: anything,
};

/** The share of a question's progress in which the filter is asked about all candidates. */
const filterShare = 0.05;

/** `scene.within` describes the answer. */
export async function within(
  scene: BareScene,
  clearance: number,
  options: WithinOptions = {},
): Promise<Proximities> {
  const core = coreOf(scene);
  const visibility = checkWithin('within', clearance, options);
  if (visibility !== undefined && core.engine.backend === 'cpu') throw withoutGpu('visibility');
  const question = core.questionAboutAll();
  const keep = pairPredicate(options, question.bodies);
  return core.withPositions(question, options, async () => {
    // Without a filter, a GPU finds the candidates itself.
    const own = core.engine.backend === 'gpu' && clearance > 0 && keep === undefined;
    const work = candidatesWithin(core, question, clearance, keep);
    const filterLimits = limitsOfPart(options, 0, filterShare);
    const candidates = own ? undefined : await inSlices(work, filterLimits, () => {});
    const limits = limitsOfPart(options, filterShare, engineShare);
    const request = { ...limits, candidates, upTo: clearance, visibility };
    const found = await askNearest(core, question, request, 'within');
    const answer = withinAnswer(core.cpu, question, found, clearance, options);
    return inSlices(answer, limitsOfPart(options, engineShare, 1), () => {});
  });
}

/** `scene.withinSync` describes the answer. */
export function withinSync(
  scene: BareScene<'cpu'>,
  clearance: number,
  options: WithinOptions = {},
): Proximities {
  const core = coreOf(scene);
  core.checkSync('withinSync');
  if (checkWithin('withinSync', clearance, options) !== undefined) throw withoutGpu('visibility');
  const question = core.questionAboutAll();
  const keep = pairPredicate(options, question.bodies);
  const candidates = toEnd(candidatesWithin(core, question, clearance, keep));
  const request = { candidates, upTo: clearance };
  const raw = cpuDistances(core.cpu).nearestSync(question.seenBy(core.cpu), request);
  return toEnd(withinAnswer(core.cpu, question, { raw, backend: 'cpu' }, clearance, options));
}

/** Checks the arguments. Returns the options of 'visibility', or undefined for the other methods. */
function checkWithin(
  question: string,
  clearance: number,
  options: WithinOptions,
): VisibilityOptions | undefined {
  distanceFrom0(clearance, `${question}: clearance`);
  checkOptions(options, withinRules, question);
  return visibilityOf({ ...options, culling: 'reliable' }, options.method);
}

/** Pairs of bodies whose world boxes are nearer than the clearance, and that the filter keeps. */
function* candidatesWithin(
  { cpu }: SceneCore,
  question: Question,
  clearance: number,
  keep: ReturnType<typeof pairPredicate>,
): Generator<number, Uint32Array> {
  // A distance is never less than 0, so clearance 0 has no pairs.
  const found =
    clearance === 0 ? new Uint32Array() : yield* broadInSteps(cpu, question.seenBy(cpu), clearance);
  return keep ? yield* filterInSteps(found, question.bodies, keep) : found;
}

/** The candidates that are decided before the clock is read again. */
const candidatesPerStep = 4096;

/** Decides, in steps, which pairs are nearer than the clearance. */
function* withinAnswer(
  engine: CpuEngine,
  question: Question,
  { raw, backend }: FoundNearest,
  clearance: number,
  { surface = false }: WithinOptions,
): Generator<number, Proximities> {
  const { bodies } = question;
  const seen = question.seenBy(engine);
  const { candidates } = raw;
  const inner = new InnerBodies(seen);
  const kept: number[] = [];
  const known = new Map<number, Separation>();
  /** Per candidate, 1 if the engine's answer is the whole answer. */
  const isWhole = new Uint8Array(candidates.length / 2);
  const count = candidates.length / 2;
  for (let c = 0; c < count; c++) {
    if (c % candidatesPerStep === 0) yield c / count;
    const state = raw.states[c];
    const i = candidates[2 * c];
    const j = candidates[2 * c + 1];
    if ((state & nearState.nearer) !== 0) {
      kept.push(c);
      // Even if triangles are near, one solid may lie inside the other.
      const isSettled = (state & (nearState.settled | nearState.mayMeet)) === nearState.settled;
      if (isSettled && (surface || !inner.mayShare(i, j))) isWhole[c] = 1;
      continue;
    }
    // The engine found nothing, or nothing certain: decide now. Even if it found no triangles, one solid may lie inside
    // the other.
    const none = raw.start[c] === raw.start[c + 1] && (state & nearState.mayMeet) === 0;
    if (none && (surface || !inner.mayShare(i, j))) continue;
    const candidate = candidateOf(raw, c);
    const [a, b] = [question.readableAt(i), question.readableAt(j)];
    const ask = (first: SnapshotBody, second: SnapshotBody) =>
      separationOf(engine, first, second, candidate, clearance, surface);
    const found = atSnapshot(engine, a, b, ask);
    yield c / count;
    if (found.distance === Infinity) continue;
    known.set(c, found);
    kept.push(c);
  }
  const rows = new Uint32Array(2 * kept.length);
  kept.forEach((c, p) => {
    rows[2 * p] = candidates[2 * c];
    rows[2 * p + 1] = candidates[2 * c + 1];
  });
  const snapshot = new KeptBodies(seen, rows);
  const pairs = kept.map((c, p) => {
    const settled = known.get(c);
    const resolve = (): Separation => {
      if (settled) return settled;
      if (isWhole[c] === 1) return settledOf(raw, c);
      const ask = (a: SnapshotBody, b: SnapshotBody) =>
        separationOf(engine, a, b, candidateOf(raw, c), clearance, surface);
      return atSnapshot(engine, snapshot.bodyAt(2 * p), snapshot.bodyAt(2 * p + 1), ask);
    };
    const meets = (raw.states[c] & nearState.meets) !== 0;
    return new Proximity(bodies[rows[2 * p]], bodies[rows[2 * p + 1]], meets, resolve);
  });
  const stats = { ...raw.stats, unsure: raw.triangles.length / 2 };
  return new Proximities(pairs, backend, { ...stats, backend }, stats.visibility && 'visibility');
}

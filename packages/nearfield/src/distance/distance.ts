// How far apart are two bodies? And which pairs among many are nearer than a clearance? The engine finds the triangles
// that may be the nearest; the exact stage decides.
//
// The contract: a distance is 0 if and only if the bodies meet, as `interferences` defines it. Closed bodies are
// solids, so they also meet if one lies inside the other, unless `surface` asks for the gap between surfaces. "Nearer
// than a clearance" means strictly nearer and is decided exactly. The order in which two bodies are named changes
// nothing.

import type { Body } from '../bodies/body.ts';
import { KeptBodies } from '../bodies/snapshot/kept-bodies.ts';
import type { Snapshot } from '../bodies/snapshot/snapshot.ts';
import { asThen, type SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { broadSync } from '../candidates/cpu/pair-front.ts';
import { filterCandidates, filterRules, type PairFilter, pairPredicate } from '../candidates/filter.ts';
import {
  aFlag,
  anything,
  bad,
  checkOptions,
  distanceAbove0,
  distanceFrom0,
  limitRules,
  type Rules,
} from '../core/arguments.ts';
import type { Limits } from '../core/limits.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import type { Answer } from '../interferences/answer.ts';
import { withoutGpu } from '../interferences/method.ts';
import { mayHoldPartOf } from '../interferences/relation/containment.ts';
import type { InterferenceStats } from '../interferences/request.ts';
import {
  type VisibilityOptions,
  visibilityOf,
  visibilityRules,
} from '../interferences/visibility/options.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkTwo } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { askNearest, type FoundNearest } from './ask-nearest.ts';
import { cpuDistances } from './cpu/driver.ts';
import { candidateOf, isMeeting, isNearer, mayMeet, type Separation, separationOf } from './separation.ts';

/** What the distance of two bodies is measured between. */
export interface DistanceOptions extends Limits {
  /** Asks for the gap between surfaces: a solid inside another one is then as far from it as their surfaces are. */
  readonly surface?: boolean | undefined;
  /** The farthest distance to search; default Infinity. Bodies that are not strictly nearer have distance Infinity. */
  readonly upTo?: number | undefined;
}

/** The distance of two bodies in world units, and how it was found. */
export interface Distance extends Separation, Answer {}

/** Which pairs are asked about, and how. */
export interface WithinOptions extends PairFilter, Limits, Omit<VisibilityOptions, 'culling'> {
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

const distanceRules: Rules<DistanceOptions> = { ...limitRules, surface: aFlag, upTo: distanceAbove0 };
const { culling, ...imageRules } = visibilityRules;
const withinRules: Rules<WithinOptions> = {
  ...limitRules,
  ...filterRules,
  ...imageRules,
  surface: aFlag,
  method: anything,
};

const theTwo = new Uint32Array([0, 1]);

/** `scene.distance` describes the answer. */
export async function distance(
  scene: BareScene,
  a: Body,
  b: Body,
  options: DistanceOptions = {},
): Promise<Distance> {
  checkTwo('distance', a, b);
  const core = coreOf(scene);
  const { question, request, answer } = distanceQuestion(core, a, b, options);
  return core.withPositions(question, options, async () => answer(await askNearest(core, question, request)));
}

/** `scene.distanceSync` describes the answer. */
export function distanceSync(
  scene: BareScene<'cpu'>,
  a: Body,
  b: Body,
  options: DistanceOptions = {},
): Distance {
  checkTwo('distanceSync', a, b);
  const core = coreOf(scene);
  core.checkSync('distanceSync');
  const { question, request, answer } = distanceQuestion(core, a, b, options);
  const raw = cpuDistances(core.cpu).nearestSync(question.seenBy(core.cpu), request);
  return answer({ raw, backend: 'cpu' });
}

function distanceQuestion(core: SceneCore, a: Body, b: Body, options: DistanceOptions) {
  checkOptions(options, distanceRules, 'distance');
  const { surface = false, upTo = Infinity, signal, progress } = options;
  // The body with the lower index comes first, in whichever order they were given.
  const turned = a.index > b.index;
  const question = turned ? core.questionAbout(b, a) : core.questionAbout(a, b);
  if (a === b) throw bad(`${a.name} cannot be compared with itself: distance needs two different bodies`);
  const answer = ({ raw, backend }: FoundNearest): Distance => {
    const ask = (first: SnapshotBody, second: SnapshotBody) =>
      separationOf(core.cpu, first, second, candidateOf(raw, 0), upTo, surface);
    const found = asThen(core.cpu, question.readableAt(0), question.readableAt(1), ask);
    const stats = { ...raw.stats, unsure: raw.triangles.length / 2 };
    return { ...(turned ? exchanged(found) : found), method: 'hierarchy', backend, stats };
  };
  return { question, request: { candidates: theTwo, upTo, signal, progress }, answer };
}

const exchanged = ({ distance, pointA, pointB, triangleA, triangleB }: Separation): Separation => ({
  distance,
  pointA: pointB,
  pointB: pointA,
  triangleA: triangleB,
  triangleB: triangleA,
});

/**
 * Two bodies that are nearer to each other than the clearance, a.index < b.index. The exact distance is computed on
 * first use.
 */
export class Proximity implements Separation {
  /** The body with the lower index. */
  readonly a: Body;
  /** The body with the higher index. */
  readonly b: Body;
  readonly #meets: boolean;
  readonly #resolve: () => Separation;
  #found: Separation | undefined;

  /** Created by `within`. */
  constructor(a: Body, b: Body, meets: boolean, resolve: () => Separation) {
    this.a = a;
    this.b = b;
    this.#meets = meets;
    this.#resolve = resolve;
  }
  get #separation(): Separation {
    return (this.#found ??= this.#resolve());
  }
  /** Correctly rounded; 0 if the bodies meet. */
  get distance(): number {
    return this.#meets ? 0 : this.#separation.distance;
  }
  /** The nearest point of a, in the world, each coordinate correctly rounded: x, y, z. */
  get pointA(): Float64Array {
    return this.#separation.pointA;
  }
  /** The nearest point of b, in the world, likewise. */
  get pointB(): Float64Array {
    return this.#separation.pointB;
  }
  /** The triangle of a that holds the point, the lowest among equals; −1 if one solid lies inside the other. */
  get triangleA(): number {
    return this.#separation.triangleA;
  }
  /** The triangle of b that holds the point: the lowest with `triangleA`; −1 likewise. */
  get triangleB(): number {
    return this.#separation.triangleB;
  }
}

/** Every pair of bodies nearer than a clearance, in order of a.index, then b.index. */
export class Proximities implements Answer, Iterable<Proximity> {
  constructor(
    /** The pairs, a.index < b.index. */
    readonly pairs: readonly Proximity[],
    /** Where near triangles were searched. */
    readonly backend: 'cpu' | 'gpu',
    /** What the search took. */
    readonly stats: InterferenceStats,
    /** The method that was used. */
    readonly method: 'hierarchy' | 'visibility' = 'hierarchy',
  ) {}
  /** The number of pairs. */
  get length(): number {
    return this.pairs.length;
  }
  /** The pairs, in order. */
  [Symbol.iterator](): Iterator<Proximity> {
    return this.pairs[Symbol.iterator]();
  }
}

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
    const { signal, progress } = options;
    const request = own
      ? { signal, progress, upTo: clearance, visibility }
      : { ...withinRequest(core, question, clearance, options, keep), visibility };
    return withinAnswer(core.cpu, question, await askNearest(core, question, request), clearance, options);
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
  const request = withinRequest(core, question, clearance, options, keep);
  const raw = cpuDistances(core.cpu).nearestSync(question.seenBy(core.cpu), request);
  return withinAnswer(core.cpu, question, { raw, backend: 'cpu' }, clearance, options);
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

function withinRequest(
  { cpu }: SceneCore,
  question: Question,
  clearance: number,
  { signal, progress }: WithinOptions,
  keep: ReturnType<typeof pairPredicate>,
) {
  // A distance is never less than 0, so clearance 0 has no pairs.
  const found = clearance === 0 ? new Uint32Array() : broadSync(cpu, question.seenBy(cpu), clearance);
  const candidates = keep ? filterCandidates(found, question.bodies, keep) : found;
  return { candidates, upTo: clearance, signal, progress };
}

function withinAnswer(
  engine: CpuEngine,
  question: Question,
  { raw, backend }: FoundNearest,
  clearance: number,
  { surface = false }: WithinOptions,
): Proximities {
  const { bodies } = question;
  const seen = question.seenBy(engine);
  const { candidates } = raw;
  const kept: number[] = [];
  const known = new Map<number, Separation>();
  const count = candidates.length / 2;
  for (let c = 0; c < count; c++) {
    const candidate = candidateOf(raw, c);
    if (isNearer(candidate)) {
      kept.push(c);
      continue;
    }
    // The engine found nothing, or nothing certain: decide now. Even if it found no triangles, one solid may lie inside
    // the other.
    const [i, j] = [candidates[2 * c], candidates[2 * c + 1]];
    const none = candidate.triangles.length === 0 && !mayMeet(candidate);
    if (none && (surface || !mayShare(seen, i, j))) continue;
    const [a, b] = [question.readableAt(i), question.readableAt(j)];
    const ask = (first: SnapshotBody, second: SnapshotBody) =>
      separationOf(engine, first, second, candidate, clearance, surface);
    const found = asThen(engine, a, b, ask);
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
      const ask = (a: SnapshotBody, b: SnapshotBody) =>
        separationOf(engine, a, b, candidateOf(raw, c), clearance, surface);
      return asThen(engine, snapshot.bodyAt(2 * p), snapshot.bodyAt(2 * p + 1), ask);
    };
    const meets = isMeeting(candidateOf(raw, c));
    return new Proximity(bodies[rows[2 * p]], bodies[rows[2 * p + 1]], meets, resolve);
  });
  const stats = { ...raw.stats, unsure: raw.triangles.length / 2 };
  return new Proximities(pairs, backend, stats, stats.visibility && 'visibility');
}

const mayShare = (seen: Snapshot, i: number, j: number): boolean =>
  mayHoldPartOf(seen, i, j) || mayHoldPartOf(seen, j, i);

export type { Separation };

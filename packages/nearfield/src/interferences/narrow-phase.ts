// The narrow phase: asks the engines for the triangle pairs of candidates that meet or may meet.

import type { Engine } from '../bodies/engine.ts';
import { Candidates } from '../candidates/candidates.ts';
import { anything, bad, limitRules, oneOf, type Rules } from '../core/arguments.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { inSlices, toEnd } from '../core/waiting.ts';
import { exactly, Interferences, type Reliability } from './answer/answer.ts';
import { filterAnswer } from './answer/filter-answer.ts';
import { findPairs, rowsToRead } from './answer/found.ts';
import type { PairsFound } from './answer/known-pairs.ts';
import { askTriangles } from './ask.ts';
import { interfere } from './driver.ts';
import { askAndDecide } from './exact.ts';
import { cpuPairs } from './hierarchy/cpu/driver.ts';
import { type TriangleMethod, withoutGpu } from './method.ts';
import type {
  BoundingVolumes,
  Detail,
  InterferenceStats,
  InterfereRequest,
  LeafOrder,
  LevelCoherence,
  LevelOptions,
  RawAnswer,
  Traversal,
} from './request.ts';
import { type VisibilityOptions, visibilityOf, visibilityRules } from './visibility/options.ts';

/** The method that finds triangles, and how much detail to return. */
export interface NarrowOptions extends Limits, VisibilityOptions {
  /**
   * All methods give the same answer. 'hierarchy' searches trees, on any backend. 'visibility', on a GPU, first
   * excludes what images of the scene show to be clear of everything else, and searches trees for the rest. 'auto'
   * (default) chooses 'hierarchy'.
   */
  readonly method?: 'auto' | TriangleMethod | undefined;
  /**
   * 'list' (default): every triangle pair. 'count': the number of pairs. 'any': only which bodies share a point. 'relation':
   * how many triangle pairs, and what `answer.relations()` needs. On the CPU 'relation' takes less time and memory than 'list'
   * if there are millions of small convex parts.
   */
  readonly detail?: Detail | 'relation' | undefined;
  /**
   * How triangle pairs are found; all ways give the same answer. 'walk': on the CPU depth first through pairs of nodes,
   * on the GPU one thread per leaf through the other tree. 'breadth-first': both trees level by level (Gress and
   * Zachmann, section 4). 'brute-force': every triangle against every triangle, without trees, as a baseline (their
   * section 3). 'auto' (default): the fastest, which is 'walk'. On the CPU the code of 'breadth-first' is loaded when it is
   * first asked for; a synchronous question, or a page that imports single questions, has to call `useBreadthFirst()` of
   * `nearfield/breadth-first` first (error 'unsupported').
   */
  readonly traversal?: Traversal | undefined;
  /**
   * The bounding volumes of traversal 'breadth-first'; the answer is the same. 'boxes' (default): axis-aligned boxes, as
   * published. '18-dops': boxes with their twelve edges cut off, on the CPU alone ('unsupported' on a GPU).
   * `stats.boxTests` counts tests of volumes, `stats.triangleTests` the pairs of leaves that they left.
   */
  readonly volumes?: BoundingVolumes | undefined;
  /**
   * Where traversal 'breadth-first' begins when the same bodies are asked about again; the answer is the same. 'none': at
   * the roots. 'level' (default): at the level that took the fewest box tests, as published (section 5). 'front': at the
   * pairs of nodes where the last traversal ended, on the CPU alone ('unsupported' on a GPU).
   */
  readonly coherence?: LevelCoherence | undefined;
  /**
   * How the leaves of the trees of traversal 'breadth-first' are ordered; the answer is the same. 'splits': by median
   * splits, the default on the CPU and only there ('unsupported' on a GPU). 'hilbert': along a Hilbert curve, as always on
   * a GPU. With it, both backends traverse the same trees.
   */
  readonly leaves?: LeafOrder | undefined;
}

export const narrowRules: Rules<NarrowOptions> = {
  ...limitRules,
  ...visibilityRules,
  method: anything,
  detail: oneOf('list', 'relation', 'count', 'any'),
  traversal: oneOf('auto', 'walk', 'breadth-first', 'brute-force'),
  volumes: oneOf('boxes', '18-dops'),
  coherence: oneOf('none', 'level', 'front'),
  leaves: oneOf('splits', 'hilbert'),
};

/** For an answer without false pairs that may miss any number of true ones. */
const unreliable: Reliability = { mayMissBelow: Infinity, mayReportWithin: 0, complete: false };

/** The triangle pairs that an engine found: those that certainly meet, and those that may meet. */
export class TrianglePairs {
  readonly #raw: RawAnswer;
  readonly #candidates: Candidates;

  /** Use `narrow(candidates)`. */
  constructor(
    candidates: Candidates,
    raw: RawAnswer,
    /** What was asked for. */
    readonly detail: Detail,
    /** Where they were found. */
    readonly backend: 'cpu' | 'gpu',
    /** How they were found. */
    readonly method: TriangleMethod,
    /** False if the method may have missed pairs: only with `culling: 'may-miss'`. */
    readonly complete: boolean,
  ) {
    this.#candidates = candidates;
    this.#raw = raw;
  }

  /** The pairs of bodies that the records refer to by index. */
  get candidates(): Candidates {
    return new Candidates(this.#candidates.question, this.#candidates.core, this.#raw.candidates);
  }
  /**
   * Records of three numbers, in any order: index of the candidate, triangle of a, triangle of b. With detail 'any', at
   * least one record per candidate that certainly has a pair. With 'count', empty.
   */
  get certain(): Uint32Array {
    return this.#raw.certain;
  }
  /** Records of the pairs that floating-point arithmetic with an error bound could not decide. */
  get unsure(): Uint32Array {
    return this.#raw.unsure;
  }
  /** With detail 'count': the number of certain pairs per candidate. */
  get counts(): Uint32Array | undefined {
    return this.#raw.counts;
  }
  /** How much work it was. */
  get stats(): InterferenceStats {
    return this.#raw.stats;
  }

  /** Called by `exact`. @internal */
  decide(): Interferences {
    return this.#answer(toEnd(this.#found()));
  }

  /** The same in slices of time, while the question waits. @internal */
  async decideInSlices(limits: Limits): Promise<Interferences> {
    return this.#answer(await inSlices(this.#found(), limits, this.#candidates.core.cpu.checkOpen));
  }

  #found(): Generator<number, PairsFound> {
    const { question, core } = this.#candidates;
    return findPairs(this.#raw, question, this.detail, core.cpu);
  }

  #answer(found: PairsFound): Interferences {
    const { core } = this.#candidates;
    const reliability = this.complete ? exactly : unreliable;
    return new Interferences(found, core.cpu, this.method, this.backend, this.#raw.stats, reliability);
  }
}

/** How the pairs that a search finds are used. */
export interface Use {
  /**
   * Whether the pairs are decided while the question waits, which keeps its snapshot unchanged. Only then may the engine stop
   * at a candidate's first pair that meets or may meet, since the search may have to be repeated; and only then may poses stay
   * on the GPU.
   */
  readonly decidedAtOnce: boolean;
}

/** Kinds of questions, by their detail. A string made for each question costs a small one a tenth of its time. */
const kinds = {
  list: 'interferences list',
  count: 'interferences count',
  any: 'interferences any',
} as const;

/** The narrow phase's share of a question's progress; the exact stage has the rest. */
const narrowShare = 0.85;

/** Searches and decides. */
export function searchAndDecide(candidates: Candidates, options: NarrowOptions): Promise<Interferences> {
  // Spreading options costs a small question microseconds, and most have no progress to report.
  const narrowing = options.progress ? { ...options, ...limitsOfPart(options, 0, narrowShare) } : options;
  return searchThen(candidates, narrowing, { decidedAtOnce: true }, pairs =>
    pairs.decideInSlices(limitsOfPart(options, narrowShare, 1)),
  );
}

/**
 * Searches, and calls `next` with the pairs while the question waits, so that its snapshot is unchanged. From the
 * outermost call to the innermost: `askTriangles` chooses the engine, and falls back on the CPU's; `askAndDecide`
 * decides long lists of unsure pairs in slices of time; `search` has the driver of the engine find the pairs.
 */
export function searchThen<A>(
  candidates: Candidates,
  options: NarrowOptions,
  use: Use,
  next: (pairs: TrianglePairs) => A | Promise<A>,
): Promise<A> {
  const { question, core } = candidates;
  const request = requestOf(candidates, options, use);
  if (request.visibility !== undefined && core.engine.backend !== 'gpu') throw withoutGpu('visibility');
  // Who names a traversal, or a method that one backend has, asks the scene's own.
  const isFree = request.visibility === undefined && (request.traversal ?? 'auto') === 'auto';
  // If the GPU runs out of memory, the CPU searches trees in its usual way.
  const requestTo = (engine: Engine): InterfereRequest =>
    engine === core.engine ? request : { ...request, visibility: undefined, traversal: 'auto' };
  const search = async (engine: Engine, asked: InterfereRequest): Promise<RawAnswer> => {
    if (!use.decidedAtOnce && question.arePosesOnGpu) await question.readPoses();
    const raw = await interfere(engine, question.seenBy(engine), asked);
    if (raw.unsure.length > 0 && question.arePosesOnGpu) await question.readPoses(rowsToRead(raw, question));
    const { keep } = candidates;
    return keep && request.candidates === undefined ? filterAnswer(raw, question.bodies, keep) : raw;
  };
  // With detail 'any' one pair is enough, and `narrow` alone leaves unsure pairs undecided: nothing to do in slices.
  const isDecidedInSlices = use.decidedAtOnce && request.detail !== 'any';
  return askTriangles(
    core,
    question,
    isFree ? kinds[request.detail] : undefined,
    options,
    engine => {
      const asked = requestTo(engine);
      return isDecidedInSlices
        ? askAndDecide(limits => search(engine, { ...asked, ...limits }), asked, question.readableAt)
        : search(engine, asked);
    },
    (raw, engine) => next(pairsOf(candidates, raw, requestTo(engine), engine.backend)),
  );
}

/** The same without waiting, on the CPU. */
export function searchNow(candidates: Candidates, options: NarrowOptions, use: Use): TrianglePairs {
  const { question, core } = candidates;
  const request = requestOf(candidates, options, use);
  if (request.visibility !== undefined) throw withoutGpu('visibility');
  const raw = cpuPairs(core.cpu).interfereSync(question.seen, request);
  return pairsOf(candidates, raw, request, 'cpu');
}

function pairsOf(
  candidates: Candidates,
  raw: RawAnswer,
  { detail, visibility }: InterfereRequest,
  backend: 'cpu' | 'gpu',
): TrianglePairs {
  const method = visibility === undefined ? 'hierarchy' : 'visibility';
  return new TrianglePairs(candidates, raw, detail, backend, method, visibility?.culling !== 'may-miss');
}

function requestOf(candidates: Candidates, options: NarrowOptions, { decidedAtOnce }: Use): InterfereRequest {
  const { method = 'auto', traversal = 'auto', signal, progress } = options;
  const forRelations = options.detail === 'relation' && decidedAtOnce;
  const detail = options.detail === 'relation' ? 'list' : (options.detail ?? 'list');
  const visibility = visibilityOf(options, method);
  const levels = levelsOf(options);
  // Named one by one: spreading objects costs a small question microseconds.
  return {
    detail,
    forRelations,
    traversal,
    levels,
    signal,
    progress,
    visibility,
    candidates: candidates.rowsKnown,
    stopAtFirst: decidedAtOnce,
    // The pairs of the answer are sorted.
    inAnyOrder: decidedAtOnce,
    // A filter is applied to the records afterwards.
    mayGroup: decidedAtOnce && detail === 'list' && (!candidates.keep || candidates.rowsKnown !== undefined),
  };
}

/** The options of a breadth-first traversal. Throws 'bad-option' if another one is given them. */
function levelsOf({ traversal, volumes, coherence, leaves }: NarrowOptions): LevelOptions | undefined {
  if (traversal === 'breadth-first') return { volumes, coherence, leaves };
  if ((volumes ?? coherence ?? leaves) === undefined) return undefined;
  throw bad(`volumes, coherence and leaves are for traversal 'breadth-first', not '${traversal ?? 'auto'}'`);
}

// The stages of a question, one function for each arrow of the flow: `broad` finds the candidates, `narrow` the
// triangles of theirs that meet as far as an engine can tell, `exact` (or `exactOf`, of another thread's) decides the rest. `scene.interferences` is the three
// in one. Called one by one they let an application look at what lies between, leave candidates out, or ask about the
// same candidates again. An answer is about the bodies as `broad` saw them, wherever they have moved since.

import type { Body } from '../bodies/body.ts';
import { broadSync } from '../candidates/cpu/pair-front.ts';
import {
  filterAnswer,
  filterCandidates,
  filterRules,
  type PairFilter,
  pairPredicate,
} from '../candidates/filter.ts';
import {
  anything,
  arrayOf,
  checkOptions,
  isObject,
  limitRules,
  oneOf,
  type Rules,
  wrong,
} from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import { throwIfAborted } from '../core/waiting.ts';
import type { Asker } from '../questions/asker.ts';
import type { Question } from '../questions/question.ts';
import type { Scene } from '../scene.ts';
import { exactly, Interferences, indicesAt, type Reliability } from './answer.ts';
import { askTriangles } from './ask.ts';
import { interfere } from './driver.ts';
import { askAndDecide } from './exact.ts';
import { findPairs, rowsToRead } from './found.ts';
import { cpuPairs } from './hierarchy/cpu/driver.ts';
import { checkNotSampling, withoutGpu } from './method.ts';
import type { Detail, InterfereRequest, RawAnswer, Traversal } from './request.ts';
import { type VisibilityOptions, visibilityOf, visibilityRules } from './visibility/options.ts';

/** What answers questions about triangles. */
export type NarrowMethod = 'hierarchy' | 'visibility';

export interface NarrowOptions extends Limits, VisibilityOptions {
  /**
   * Every method gives the same answer. 'hierarchy': trees, on any backend. 'visibility': images of the scene leave out what
   * they show to be clear of all else, trees see to the rest; on a GPU. 'auto' (default) chooses 'hierarchy'.
   */
  readonly method?: 'auto' | NarrowMethod | undefined;
  /** 'list' (default): every triangle pair. 'count': how many. 'any': only which bodies share a point. */
  readonly detail?: Detail | undefined;
  /**
   * How triangle pairs are found; the answer is the same every way. 'walk': depth first through pairs of nodes on the CPU,
   * on the GPU a thread for every leaf through the other tree. 'breadth-first': both trees level by level (Gress and
   * Zachmann, section 4). 'brute-force': all triangles against all, without trees, the baseline (their section 3).
   * 'auto' (default): the faster one, 'walk' on the CPU.
   */
  readonly traversal?: Traversal | undefined;
}

export const narrowRules: Rules<NarrowOptions> = {
  ...limitRules,
  ...visibilityRules,
  method: anything,
  detail: oneOf('list', 'count', 'any'),
  traversal: oneOf('auto', 'walk', 'breadth-first', 'brute-force'),
};

/** Pairs of bodies that may touch: their world boxes meet. In order of a.index, then b.index. */
export class Candidates implements Iterable<[Body, Body]> {
  #rows: Uint32Array | undefined;

  /** Use `broad(scene)` or `scene.candidates()`. */
  constructor(
    /** @internal */
    readonly question: Question,
    /** @internal */
    readonly asker: Asker,
    rows?: Uint32Array,
    /** Which are kept, where the rows are not known yet. @internal */
    readonly keep?: (a: Body, b: Body) => boolean,
    /** Whether a filter left some out. @internal */
    readonly isFiltered = keep !== undefined,
  ) {
    this.#rows = rows;
  }

  get length(): number {
    return this.rows.length / 2;
  }
  /** (a.index, b.index) of every pair. */
  get indices(): Uint32Array {
    return indicesAt(this.rows, this.question.bodies);
  }
  *[Symbol.iterator](): Iterator<[Body, Body]> {
    const { bodies } = this.question;
    const { rows } = this;
    for (let c = 0; c < rows.length; c += 2) yield [bodies[rows[c]], bodies[rows[c + 1]]];
  }
  /** Those that a filter keeps. */
  filter(filter: PairFilter): Candidates {
    checkOptions(filter, filterRules, 'candidates', 'filter');
    return this.less(filter);
  }

  /** The same of options that have been looked at. @internal */
  less(filter: PairFilter): Candidates {
    const keep = pairPredicate(filter, this.question.bodies);
    if (!keep) return this;
    // Boxes of positions or poses that are on the GPU alone are known there: the engine finds the candidates, to be filtered then.
    if (this.#rows === undefined && (this.question.isHeld || this.question.isPoseHeld)) {
      return new Candidates(this.question, this.asker, undefined, keep);
    }
    const rows = filterCandidates(this.rows, this.question.bodies, keep);
    return new Candidates(this.question, this.asker, rows, undefined, true);
  }

  /** Places in the question's bodies, two a pair. Looked for when they are first needed. @internal */
  get rows(): Uint32Array {
    const { question, asker, keep } = this;
    if (this.#rows !== undefined) return this.#rows;
    const found = broadSync(asker.cpu, question.seenBy(asker.cpu));
    return (this.#rows = keep ? filterCandidates(found, question.bodies, keep) : found);
  }
  /**
   * The same, undefined while nobody has needed them: an engine then finds them itself, on its way to the triangles.
   * @internal
   */
  get rowsKnown(): Uint32Array | undefined {
    return this.#rows;
  }
}

/** Nothing false is reported, and nothing is promised about what is missed. */
const unreliable: Reliability = { mayMissBelow: Infinity, mayReportWithin: 0, complete: false };

/** Pairs of triangles of candidates as an engine leaves them: those that certainly meet, and those that may. */
export class TrianglePairs {
  readonly #raw: RawAnswer;
  readonly #asked: Candidates;

  /** Use `narrow(candidates)`. */
  constructor(
    asked: Candidates,
    raw: RawAnswer,
    readonly detail: Detail,
    readonly backend: 'cpu' | 'gpu',
    readonly method: NarrowMethod,
    /** False where the method may have missed some. */
    readonly complete: boolean,
  ) {
    this.#asked = asked;
    this.#raw = raw;
  }

  /** The pairs of bodies whose places the records give. */
  get candidates(): Candidates {
    return new Candidates(this.#asked.question, this.#asked.asker, this.#raw.candidates);
  }
  /**
   * Records of three numbers, in any order: the candidate's place, the triangle of a, the triangle of b. With detail
   * 'any' at least one of each candidate that certainly has one; with 'count' none.
   */
  get certain(): Uint32Array {
    return this.#raw.certain;
  }
  /** The same of pairs that arithmetic with an error bound could not decide. */
  get unsure(): Uint32Array {
    return this.#raw.unsure;
  }
  /** With detail 'count': how many certain pairs each candidate has. */
  get counts(): Uint32Array | undefined {
    return this.#raw.counts;
  }
  get stats(): RawAnswer['stats'] {
    return this.#raw.stats;
  }

  /** Called by `exact`. @internal */
  decide(): Interferences {
    const { question, asker } = this.#asked;
    const found = findPairs(this.#raw, question, this.detail, asker.cpu);
    const reliability = this.complete ? exactly : unreliable;
    return new Interferences(found, asker.cpu, this.method, this.backend, this.#raw.stats, reliability);
  }
}

/** scene ─▶ candidates. Pairs of bodies whose world boxes meet, less those a filter leaves out. */
export function broad(scene: Scene, filter?: PairFilter): Candidates {
  if (!isScene(scene)) throw wrong('broad: scene', 'what nf.scene() gives', scene);
  return scene.candidates(filter);
}

/** candidates ─▶ pairs of triangles, certain and unsure. Of a whole scene, its engine finds the candidates on the way. */
export async function narrow(from: Candidates | Scene, options: NarrowOptions = {}): Promise<TrianglePairs> {
  if (!(from instanceof Candidates || isScene(from))) {
    throw wrong('narrow: from', 'a scene, or candidates that broad gives', from);
  }
  checkOptions(options, narrowRules, 'narrow');
  const candidates = from instanceof Candidates ? from : from.unsought();
  candidates.asker.checkUnchanged(candidates.question);
  return narrowThen(candidates, options, false, pairs => {
    // Candidates keep what they saw. What was seen of a whole scene is kept now, since bodies may move before `exact`.
    if (from !== candidates) keepSeen(candidates, pairs);
    return pairs;
  });
}

/** By what only scenes have: the class itself is made of these functions. */
const isScene = (given: unknown): given is Scene =>
  isObject(given) && typeof (given as Partial<Scene>).unsought === 'function';

function checkCandidates(given: unknown, question: string): void {
  if (given instanceof Candidates) return;
  throw wrong(`${question}: candidates`, 'what broad(scene) gives', given);
}

/** As `scene.candidates()` keeps it: poses of bodies in pairs, or of all where images of the whole scene may be asked for. */
function keepSeen({ question, asker: { engine, cpu, table } }: Candidates, pairs: TrianglePairs): void {
  const rows = engine === cpu ? pairs.candidates.rows : Uint32Array.from(question.bodies, (_, row) => row);
  question.keepOnly(rows, table);
}

/** The same without waiting: of a scene of the CPU backend. Others are refused ('unsupported'). */
export function narrowSync(candidates: Candidates, options: NarrowOptions = {}): TrianglePairs {
  checkCandidates(candidates, 'narrowSync');
  checkOptions(options, narrowRules, 'narrowSync');
  candidates.asker.checkSync('narrowSync');
  candidates.asker.checkUnchanged(candidates.question);
  return narrowNow(candidates, options, false);
}

/** pairs of triangles ─▶ answer: what was unsure is decided by exact arithmetic, and everything put in order. */
export function exact(pairs: TrianglePairs): Interferences {
  if (!(pairs instanceof TrianglePairs)) throw wrong('exact: pairs', 'what narrow gives', pairs);
  return pairs.decide();
}

/** What `narrow` found, as it can go from one thread to another: the records of a `TrianglePairs` with detail 'list'. */
export interface FoundRecords {
  readonly certain: Uint32Array;
  readonly unsure: Uint32Array;
  readonly backend: 'cpu' | 'gpu';
}

/**
 * The same of records that were found elsewhere, of the same bodies at the same poses, whose first numbers are places among these
 * candidates. In a page the GPU is asked on the main thread, where nothing may take long; a worker that holds the bodies
 * too decides, in slices, and can be cancelled.
 */
export async function exactOf(
  candidates: Candidates,
  records: FoundRecords,
  limits: Limits = {},
): Promise<Interferences> {
  checkCandidates(candidates, 'exactOf');
  if (!isObject(records)) throw wrong('exactOf: records', 'what narrow found', records);
  const { certain, unsure, backend } = records;
  oneOf('cpu', 'gpu')(backend, 'exactOf: backend');
  checkOptions(limits, limitRules, 'exactOf', 'limits');
  const { question, asker } = candidates;
  asker.checkUnchanged(question);
  if (question.isHeld) {
    throw new NearfieldError('unsupported', 'exactOf needs positions that the processor has');
  }
  checkRecords(candidates, arrayOf(certain, 'certain', Uint32Array));
  checkRecords(candidates, arrayOf(unsure, 'unsure', Uint32Array));
  const stats = {
    ...{ triangleTests: (certain.length + unsure.length) / 3, unsure: unsure.length / 3 },
    ...{ boxTests: 0, dispatches: 0, growths: 0 },
  };
  const raw = { candidates: candidates.rows, certain, unsure, stats };
  const ask = async (own: Limits) => {
    throwIfAborted(own);
    return raw;
  };
  const decided = await asker.whileOpen(() => askAndDecide(ask, limits, question.readableAt));
  return new TrianglePairs(candidates, decided, 'list', backend, 'hierarchy', true).decide();
}

/** Records come from outside: each names a candidate and triangles that its bodies have. */
function checkRecords({ question, rows }: Candidates, records: Uint32Array): void {
  const { forms } = question.seen;
  const refuse = (message: string) => {
    throw new NearfieldError('bad-array', message);
  };
  if (records.length % 3 !== 0)
    refuse(`expected 3 numbers per record, so a multiple of 3; got ${records.length}`);
  for (let r = 0; r < records.length; r += 3) {
    const candidate = records[r];
    if (2 * candidate >= rows.length)
      refuse(`there are ${rows.length / 2} candidates, and none ${candidate}`);
    for (let side = 0; side < 2; side++) {
      const body = rows[2 * candidate + side];
      const count = forms[body].mesh.triangleCount;
      if (records[r + 1 + side] < count) continue;
      refuse(`${question.bodies[body].name} has ${count} triangles, and none ${records[r + 1 + side]}`);
    }
  }
}

/**
 * Narrow, and what is made of it at once, before any body can change. Only then may the engine be hasty: stop at the first
 * pair of a candidate that meets or may (engine.ts), since the question may have to be asked again.
 */
export function narrowThen<A>(
  candidates: Candidates,
  options: NarrowOptions,
  hasty: boolean,
  next: (pairs: TrianglePairs) => A,
): Promise<A> {
  const { question, asker } = candidates;
  const request = requestOf(candidates, options, hasty);
  return askTriangles(
    asker,
    question,
    options,
    async engine => {
      if (request.visibility !== undefined && engine.backend !== 'gpu') throw withoutGpu('visibility');
      const ask = async (limits: Limits) => {
        // What is not decided at once is kept, poses and all.
        if (!hasty && question.isPoseHeld) await question.readPoses();
        const raw = await interfere(engine, question.seenBy(engine), { ...request, ...limits });
        if (raw.unsure.length > 0 && question.isPoseHeld) {
          await question.readPoses(rowsToRead(raw, question));
        }
        const { keep } = candidates;
        return keep && request.candidates === undefined ? filterAnswer(raw, question.bodies, keep) : raw;
      };
      // Where one pair is enough, or the exact stage is not asked for, there is nothing to be decided ahead of it.
      return hasty && request.detail !== 'any'
        ? askAndDecide(ask, request, question.readableAt)
        : ask(request);
    },
    (raw, engine) => next(pairsOf(candidates, raw, request, engine.backend)),
  );
}

export function narrowNow(candidates: Candidates, options: NarrowOptions, hasty: boolean): TrianglePairs {
  const { question, asker } = candidates;
  const request = requestOf(candidates, options, hasty);
  if (request.visibility !== undefined) throw withoutGpu('visibility');
  const raw = cpuPairs(asker.cpu).interfereSync(question.seen, request);
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

function requestOf(candidates: Candidates, options: NarrowOptions, hasty: boolean): InterfereRequest {
  const { method = 'auto', detail = 'list', traversal = 'auto', signal, progress } = options;
  checkNotSampling(hasty ? 'this question' : 'narrow', options);
  const visibility = visibilityOf(options, method);
  return { detail, traversal, signal, progress, candidates: candidates.rowsKnown, hasty, visibility };
}

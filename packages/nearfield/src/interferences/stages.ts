// The stages of a question, one function for each arrow of the flow: `broad` finds the candidates, `narrow` the
// triangles of theirs that meet as far as an engine can tell, `exact` (or `exactOf`, of another thread's) decides the rest. `scene.interferences` is the three
// in one. Called one by one they let an application look at what lies between, leave candidates out, or ask about the
// same candidates again. An answer is about the bodies as `broad` saw them, wherever they have moved since.

import { Candidates, candidatesOf } from '../candidates/candidates.ts';
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
import { BareScene, coreOf } from '../questions/bare-scene.ts';
import { exactly, Interferences, type Reliability } from './answer.ts';
import { askTriangles } from './ask.ts';
import { interfere } from './driver.ts';
import { askAndDecide } from './exact.ts';
import { filterAnswer } from './filter-answer.ts';
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
    return new Candidates(this.#asked.question, this.#asked.core, this.#raw.candidates);
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
    const { question, core } = this.#asked;
    const found = findPairs(this.#raw, question, this.detail, core.cpu);
    const reliability = this.complete ? exactly : unreliable;
    return new Interferences(found, core.cpu, this.method, this.backend, this.#raw.stats, reliability);
  }
}

/** candidates ─▶ pairs of triangles, certain and unsure. Of a whole scene, its engine finds the candidates on the way. */
export async function narrow(
  from: Candidates | BareScene,
  options: NarrowOptions = {},
): Promise<TrianglePairs> {
  if (!(from instanceof Candidates || from instanceof BareScene)) {
    throw wrong('narrow: from', 'a scene, or candidates that broad gives', from);
  }
  checkOptions(options, narrowRules, 'narrow');
  const candidates = from instanceof Candidates ? from : candidatesOf(coreOf(from), {});
  candidates.core.checkUnchanged(candidates.question);
  return narrowThen(candidates, options, false, pairs => {
    // Candidates keep what they saw. What was seen of a whole scene is kept now, since bodies may move before `exact`.
    if (from !== candidates) keepSeen(candidates, pairs);
    return pairs;
  });
}

function checkCandidates(given: unknown, question: string): void {
  if (given instanceof Candidates) return;
  throw wrong(`${question}: candidates`, 'what broad(scene) gives', given);
}

/** As `broad` keeps it: poses of bodies in pairs, or of all where images of the whole scene may be asked for. */
function keepSeen({ question, core: { engine, cpu, table } }: Candidates, pairs: TrianglePairs): void {
  const rows = engine === cpu ? pairs.candidates.rows : Uint32Array.from(question.bodies, (_, row) => row);
  question.keepOnly(rows, table);
}

/** The same without waiting: of a scene of the CPU backend. Others are refused ('unsupported'). */
export function narrowSync(candidates: Candidates<'cpu'>, options: NarrowOptions = {}): TrianglePairs {
  checkCandidates(candidates, 'narrowSync');
  checkOptions(options, narrowRules, 'narrowSync');
  candidates.core.checkSync('narrowSync');
  candidates.core.checkUnchanged(candidates.question);
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
  const { question, core } = candidates;
  core.checkUnchanged(question);
  if (question.arePositionsOnGpu) {
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
  const decided = await core.whileOpen(() => askAndDecide(ask, limits, question.readableAt));
  return new TrianglePairs(candidates, decided, 'list', backend, 'hierarchy', true).decide();
}

/** Records come from outside: each names a candidate and triangles that its bodies have. */
function checkRecords({ question, rows }: Candidates, records: Uint32Array): void {
  const { shapeStates } = question.seen;
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
      const count = shapeStates[body].mesh.triangleCount;
      if (records[r + 1 + side] < count) continue;
      refuse(`${question.bodies[body].name} has ${count} triangles, and none ${records[r + 1 + side]}`);
    }
  }
}

/**
 * Narrow, and what is made of it at once, before any body can change. Only then may the engine stop at the first
 * pair of a candidate that meets or may (engine.ts), since the question may have to be asked again.
 */
export function narrowThen<A>(
  candidates: Candidates,
  options: NarrowOptions,
  stopAtFirst: boolean,
  next: (pairs: TrianglePairs) => A,
): Promise<A> {
  const { question, core } = candidates;
  const request = requestOf(candidates, options, stopAtFirst);
  return askTriangles(
    core,
    question,
    options,
    async engine => {
      if (request.visibility !== undefined && engine.backend !== 'gpu') throw withoutGpu('visibility');
      const ask = async (limits: Limits) => {
        // What is not decided at once is kept, poses and all.
        if (!stopAtFirst && question.arePosesOnGpu) await question.readPoses();
        const raw = await interfere(engine, question.seenBy(engine), { ...request, ...limits });
        if (raw.unsure.length > 0 && question.arePosesOnGpu) {
          await question.readPoses(rowsToRead(raw, question));
        }
        const { keep } = candidates;
        return keep && request.candidates === undefined ? filterAnswer(raw, question.bodies, keep) : raw;
      };
      // Where one pair is enough, or the exact stage is not asked for, there is nothing to be decided ahead of it.
      return stopAtFirst && request.detail !== 'any'
        ? askAndDecide(ask, request, question.readableAt)
        : ask(request);
    },
    (raw, engine) => next(pairsOf(candidates, raw, request, engine.backend)),
  );
}

export function narrowNow(
  candidates: Candidates,
  options: NarrowOptions,
  stopAtFirst: boolean,
): TrianglePairs {
  const { question, core } = candidates;
  const request = requestOf(candidates, options, stopAtFirst);
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

function requestOf(candidates: Candidates, options: NarrowOptions, stopAtFirst: boolean): InterfereRequest {
  const { method = 'auto', detail = 'list', traversal = 'auto', signal, progress } = options;
  checkNotSampling(stopAtFirst ? 'this question' : 'narrow', options);
  const visibility = visibilityOf(options, method);
  return { detail, traversal, signal, progress, candidates: candidates.rowsKnown, stopAtFirst, visibility };
}

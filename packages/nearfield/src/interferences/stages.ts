// The stages of `scene.interferences`, one function each. `broad` finds the candidates. `narrow` finds their triangle
// pairs that meet, as far as an engine can tell. `exact` decides the rest (`exactOf` if another thread did the narrow
// phase). An application may call them one by one to inspect intermediate results, to leave candidates out, or to ask
// about the same candidates again. The answer is about the bodies as `broad` saw them, even if they have moved since.

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

/** Methods that `narrow` accepts. */
export type NarrowMethod = 'hierarchy' | 'visibility';

/** By which method triangles are found, and how much is told of them. */
export interface NarrowOptions extends Limits, VisibilityOptions {
  /**
   * All methods give the same answer. 'hierarchy' searches trees, on any backend. 'visibility', on a GPU, first
   * excludes what images of the scene show to be clear of everything else, and searches trees for the rest. 'auto'
   * (default) chooses 'hierarchy'.
   */
  readonly method?: 'auto' | NarrowMethod | undefined;
  /** 'list' (default): every triangle pair. 'count': the number of pairs. 'any': only which bodies share a point. */
  readonly detail?: Detail | undefined;
  /**
   * How triangle pairs are found; all ways give the same answer. 'walk': on the CPU depth first through pairs of nodes,
   * on the GPU one thread per leaf through the other tree. 'breadth-first': both trees level by level (Gress and
   * Zachmann, section 4). 'brute-force': every triangle against every triangle, without trees, as a baseline (their
   * section 3). 'auto' (default): the fastest, which on the CPU is 'walk'.
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
    readonly detail: Detail,
    readonly backend: 'cpu' | 'gpu',
    readonly method: NarrowMethod,
    /** False if the method may have missed pairs. */
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
  get stats(): RawAnswer['stats'] {
    return this.#raw.stats;
  }

  /** Called by `exact`. @internal */
  decide(): Interferences {
    const { question, core } = this.#candidates;
    const found = findPairs(this.#raw, question, this.detail, core.cpu);
    const reliability = this.complete ? exactly : unreliable;
    return new Interferences(found, core.cpu, this.method, this.backend, this.#raw.stats, reliability);
  }
}

/**
 * The narrow phase: candidates ─▶ triangle pairs, certain and unsure. Given a scene, the engine finds the candidates on
 * the way. Throws 'stale' if a body was deformed or removed since `broad`.
 */
export async function narrow(
  from: Candidates | BareScene,
  options: NarrowOptions = {},
): Promise<TrianglePairs> {
  if (!(from instanceof Candidates || from instanceof BareScene)) {
    throw wrong('narrow: from', 'a scene, or candidates from broad(scene)', from);
  }
  checkOptions(options, narrowRules, 'narrow');
  const candidates = from instanceof Candidates ? from : candidatesOf(coreOf(from), {});
  candidates.core.checkUnchanged(candidates.question);
  return narrowThen(candidates, options, false, pairs => {
    // Candidates keep their snapshot. For a whole scene it must be kept now, since bodies may move before `exact`.
    if (from !== candidates) keepSeen(candidates, pairs);
    return pairs;
  });
}

function checkCandidates(given: unknown, question: string): void {
  if (given instanceof Candidates) return;
  throw wrong(`${question}: candidates`, 'what broad(scene) returns', given);
}

/**
 * Keeps what `broad` would keep: the poses of the candidates' bodies, or of all bodies if images of the whole scene may
 * be needed.
 */
function keepSeen({ question, core: { engine, cpu, table } }: Candidates, pairs: TrianglePairs): void {
  const rows = engine === cpu ? pairs.candidates.rows : Uint32Array.from(question.bodies, (_, row) => row);
  question.keepOnly(rows, table);
}

/** The synchronous form of `narrow`. Throws 'unsupported' unless the scene is on the CPU backend. */
export function narrowSync(candidates: Candidates<'cpu'>, options: NarrowOptions = {}): TrianglePairs {
  checkCandidates(candidates, 'narrowSync');
  checkOptions(options, narrowRules, 'narrowSync');
  candidates.core.checkSync('narrowSync');
  candidates.core.checkUnchanged(candidates.question);
  return narrowNow(candidates, options, false);
}

/**
 * The exact stage: triangle pairs ─▶ answer. Unsure pairs are decided by exact arithmetic, and everything is sorted.
 */
export function exact(pairs: TrianglePairs): Interferences {
  if (!(pairs instanceof TrianglePairs)) throw wrong('exact: pairs', 'what narrow returns', pairs);
  return pairs.decide();
}

/** The records of a `TrianglePairs` with detail 'list', as plain data that can be sent to another thread. */
export interface FoundRecords {
  readonly certain: Uint32Array;
  readonly unsure: Uint32Array;
  readonly backend: 'cpu' | 'gpu';
}

/**
 * The exact stage for records that were found elsewhere, about the same bodies at the same poses. The first number of a
 * record is an index into `candidates`. Use: a page asks the GPU on its main thread, which must not block. A worker
 * that has the same bodies decides the unsure pairs, in time slices, and can be cancelled. Throws 'bad-array' for
 * records that cannot belong to the candidates, 'stale' if a body changed since `broad`.
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
    throw new NearfieldError('unsupported', 'exactOf needs positions on the CPU, not in a GPUBuffer');
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

/** Records come from the caller: checks that each names an existing candidate and existing triangles. */
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
      refuse(`there is no candidate ${candidate}: there are ${rows.length / 2}`);
    for (let side = 0; side < 2; side++) {
      const body = rows[2 * candidate + side];
      const count = shapeStates[body].mesh.triangleCount;
      if (records[r + 1 + side] < count) continue;
      refuse(`${question.bodies[body].name} has no triangle ${records[r + 1 + side]}: it has ${count}`);
    }
  }
}

/**
 * Runs the narrow phase, and `next` on its result before any body can change. Only with such a `next` may the engine
 * stop at a candidate's first pair that meets or may meet (`InterfereRequest.stopAtFirst`): the search may have to be
 * repeated.
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
        // If the pairs are not decided at once, they keep the poses, so all of them must be read back.
        if (!stopAtFirst && question.arePosesOnGpu) await question.readPoses();
        const raw = await interfere(engine, question.seenBy(engine), { ...request, ...limits });
        if (raw.unsure.length > 0 && question.arePosesOnGpu) {
          await question.readPoses(rowsToRead(raw, question));
        }
        const { keep } = candidates;
        return keep && request.candidates === undefined ? filterAnswer(raw, question.bodies, keep) : raw;
      };
      // With detail 'any' one pair is enough, and `narrow` alone leaves unsure pairs undecided: nothing to do in
      // slices.
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

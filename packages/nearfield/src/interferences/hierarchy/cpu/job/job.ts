// One question about triangles in progress: the remaining work and the results so far, in the kernels' memory. Jobs are
// kept and reused. A waiting question (the asynchronous form) keeps its own job, so that others can be asked meanwhile.

import type { CpuPairFront } from '../../../../candidates/cpu/pair-front.ts';
import { NearfieldError, TooManyPairs } from '../../../../core/errors.ts';
import type { EngineStats } from '../../../../core/stats.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import type { Detail, RawAnswer, Traversal } from '../../../request.ts';
import * as layout from '../kernels.layout.ts';
import { type PairKernels, pairKernels } from '../kernels.ts';
import type { LevelSearch } from '../level-search.ts';

const none = new Uint32Array(0);
/**
 * Larger counts are refused: with the pairs that the exact stage adds, which fit in memory, the sum must stay below
 * 2^32.
 */
const mostPairs = 0xe0000000;
/** As in job.as.ts. */
const traversals = { auto: 0, walk: 0, 'brute-force': 1, 'breadth-first': 2 } as const;
const modes = { list: 0, count: 1, any: 2, first: 3 } as const;

export class Job {
  readonly #kernels: PairKernels;
  /** Addresses of the job and of its stack. */
  readonly at: number;
  readonly #stack: number;
  /** One word per candidate: whether its bodies are apart. */
  #apart = 0;
  #apartCapacity = 0;
  #certain: number;
  #certainCapacity = 4096;
  #unsure: number;
  #unsureCapacity = 1024;
  #counts = 0;
  #growths = 0;
  /** The bodies and candidates of the question. A job that joins another has none. */
  #front: CpuPairFront | undefined;
  /** Whether the question is about one body against itself. */
  #self = false;
  /** How many pairs are worth listing. */
  #most = Infinity;
  /** Set if the question is searched level by level. */
  levels: LevelSearch | undefined;

  constructor(engine: CpuEngine) {
    const { memory } = (this.#kernels = engine.kernels(pairKernels));
    this.at = memory.allocate(layout.jobBytes, 'a job');
    memory.u32.fill(0, this.at / 4, (this.at + layout.jobBytes) / 4);
    this.#stack = memory.allocate(layout.stackEntries * layout.stackEntryBytes, 'a job');
    this.#certain = memory.allocate(this.#certainCapacity * 12, 'a list of pairs');
    this.#unsure = memory.allocate(this.#unsureCapacity * 12, 'a list of pairs');
  }

  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.at + offset) >>> 2] = value;
  }
  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.at + offset) >>> 2];
  }

  /** Prepares the outputs for the candidates of a front, which lie at `candidates` (`CpuPairFront.place`). */
  begin(
    front: CpuPairFront,
    candidates: number,
    detail: keyof typeof modes,
    traversal: Traversal,
    most = Infinity,
  ): void {
    const { memory } = this.#kernels;
    const count = front.candidateCount;
    this.#most = most;
    if (count > this.#apartCapacity) {
      this.#apart = memory.replace(this.#apart, count * 4, `a list of ${count} candidates`);
      this.#apartCapacity = count;
    }
    if (count > 0) memory.u32.fill(0, this.#apart / 4, this.#apart / 4 + count);
    this.#set(layout.Job.apart, this.#apart);
    this.#set(layout.Job.candidates, candidates);
    this.#start(front, detail, traversal);
  }

  #start(front: CpuPairFront, detail: keyof typeof modes, traversal: Traversal): void {
    this.#front = front;
    this.#growths = 0;
    this.#self = false;
    this.#set(layout.Job.table, front.rows.table);
    this.#set(layout.Job.candidateCount, front.candidateCount);
    this.#set(layout.Job.candidate, 0);
    this.#set(layout.Job.mode, modes[detail]);
    this.#set(layout.Job.traversal, traversals[traversal]);
    this.#resetOutputs(this.#countCount);
  }

  /** Empties the stack and the lists, and sets `countCount` counts to 0. */
  #resetOutputs(countCount: number): void {
    const { memory } = this.#kernels;
    if (countCount > 0) {
      this.#counts = memory.allocate(countCount * 4, 'counts');
      memory.u32.fill(0, this.#counts / 4, this.#counts / 4 + countCount);
    }
    this.#set(layout.Job.stack, this.#stack);
    this.#set(layout.Job.stackCount, 0);
    this.#set(layout.Job.certainCount, 0);
    this.#set(layout.Job.unsureCount, 0);
    this.#set(layout.Job.counts, this.#counts);
    const f64 = memory.f64;
    f64[(this.at + layout.Job.triangleTests) / 8] = 0;
    f64[(this.at + layout.Job.boxTests) / 8] = 0;
    this.#pointOutputs();
  }

  /** Prepares a self-intersection of the one body of a front. */
  beginSelf(front: CpuPairFront): void {
    this.#most = Infinity;
    front.candidateCount = front.boxTests = front.growths = 0;
    this.#start(front, 'list', 'walk');
    this.#self = true;
    this.#kernels.call.startSelf(this.at);
  }

  /** Restarts the question with nothing found. */
  again(): void {
    const { memory } = this.#kernels;
    if (this.#counts !== 0) memory.free(this.#counts);
    this.#counts = 0;
    this.#growths = 0;
    this.#set(layout.Job.candidate, 0);
    this.#resetOutputs(this.#countCount);
    if (this.#self) this.#kernels.call.startSelf(this.at);
  }

  /** How many counts the question needs: one per candidate, or none. */
  get #countCount(): number {
    return this.#get(layout.Job.mode) === modes.count ? this.#get(layout.Job.candidateCount) : 0;
  }

  /** The number of tests so far. Grows with every step. */
  get testsDone(): number {
    const { memory } = this.#kernels;
    const { f64 } = memory;
    return f64[(this.at + layout.Job.boxTests) / 8] + f64[(this.at + layout.Job.triangleTests) / 8];
  }

  #pointOutputs(): void {
    this.#set(layout.Job.certain, this.#certain);
    this.#set(layout.Job.certainCapacity, this.#certainCapacity);
    this.#set(layout.Job.unsure, this.#unsure);
    this.#set(layout.Job.unsureCapacity, this.#unsureCapacity);
  }

  /** Whether the remaining work can be divided. It cannot if the first pair found ends it, or without trees. */
  get divisible(): boolean {
    return this.#get(layout.Job.mode) < modes.any && this.#get(layout.Job.traversal) === traversals.walk;
  }

  /**
   * Turns the remaining work into tasks (tasks.as.ts) at `tasks`, with their entries at `entries`, and returns their
   * number. This job's stack is then empty.
   */
  divide(tasks: number, entries: number, self: boolean): number {
    const { call, memory } = this.#kernels;
    call.widenStack(this.at, self);
    const u32 = memory.u32;
    const count = this.#get(layout.Job.stackCount);
    const words = count * (layout.stackEntryBytes / 4);
    u32.copyWithin(entries / 4, this.#stack / 4, this.#stack / 4 + words);
    u32[(tasks + layout.Tasks.next) >>> 2] = 0;
    u32[(tasks + layout.Tasks.entryCount) >>> 2] = count;
    u32[(tasks + layout.Tasks.entries) >>> 2] = entries;
    u32[(tasks + layout.Tasks.candidate) >>> 2] = this.#get(layout.Job.candidate);
    u32[(tasks + layout.Tasks.stop) >>> 2] = 0;
    u32[(tasks + layout.Tasks.self) >>> 2] = self ? 1 : 0;
    this.#set(layout.Job.stackCount, 0);
    if (self) return count;
    const next = this.#get(layout.Job.candidate) + 1;
    call.invertCandidates(this.at, next);
    return count + this.#get(layout.Job.candidateCount) - next;
  }

  /** Makes this job a second one for the question of `other`, with nothing found yet. */
  join(other: Job): void {
    const { memory } = this.#kernels;
    const serial = this.#get(layout.Job.serial);
    memory.u32.copyWithin(this.at / 4, other.at / 4, (other.at + layout.jobLeafScratch) / 4);
    this.#set(layout.Job.serial, serial);
    this.#kernels.call.renewSerial(this.at);
    this.#most = other.#most;
    this.#growths = 0;
    this.#front = undefined;
    this.#resetOutputs(this.#countCount);
  }

  /** Doubles the outputs that are nearly full. Throws `TooManyPairs` if they have more pairs than are worth listing. */
  grow(): void {
    const { memory } = this.#kernels;
    this.#checkMost();
    this.#growths++;
    if (this.#get(layout.Job.certainCount) + layout.stepRecords > this.#certainCapacity) {
      this.#certain = memory.enlarge(this.#certain, this.#certainCapacity * 24, 'a list of pairs');
      this.#certainCapacity *= 2;
    }
    if (this.#get(layout.Job.unsureCount) + layout.stepRecords > this.#unsureCapacity) {
      this.#unsure = memory.enlarge(this.#unsure, this.#unsureCapacity * 24, 'a list of pairs');
      this.#unsureCapacity *= 2;
    }
    this.#pointOutputs();
  }

  #checkMost(): void {
    const found = this.#get(layout.Job.certainCount) + this.#get(layout.Job.unsureCount);
    if (found > this.#most) throw new TooManyPairs(this.#most);
  }

  /** The fraction done, 0 to 1. It never decreases: opening a pair of nodes never increases the weight of the stack. */
  progress(): number {
    const { memory } = this.#kernels;
    const count = Math.max(1, this.#get(layout.Job.candidateCount));
    const entries = this.#get(layout.Job.stackCount);
    const words = layout.stackEntryBytes / 4;
    let left = 0;
    for (let i = 0; i < entries; i++) {
      const at = this.#stack / 4 + i * words;
      left += 4 ** -((memory.u32[at] >>> 28) + (memory.u32[at + 1] >>> 28));
    }
    return Math.min(1, (this.#get(layout.Job.candidate) + 1 - left) / count);
  }

  /** The results of this job and of a second one that joined it. */
  answer(detail: Detail, self: boolean, second: Job | undefined): RawAnswer {
    this.#checkMost();
    const candidateCount = this.#get(layout.Job.candidateCount);
    const stats = this.#stats();
    let certain = this.#records(layout.Job.certain, layout.Job.certainCount);
    let unsure = this.#records(layout.Job.unsure, layout.Job.unsureCount);
    const counts = detail === 'count' ? this.#copy(this.#counts, candidateCount) : undefined;
    if (second !== undefined) {
      certain = concatenate(certain, second.#records(layout.Job.certain, layout.Job.certainCount));
      unsure = concatenate(unsure, second.#records(layout.Job.unsure, layout.Job.unsureCount));
      const more = second.#stats();
      stats.triangleTests += more.triangleTests;
      stats.unsure += more.unsure;
      stats.boxTests += more.boxTests;
      stats.growths += more.growths;
      if (counts !== undefined) {
        const others = second.#copy(second.#counts, candidateCount);
        for (let i = 0; i < candidateCount; i++) counts[i] = Math.min(counts[i] + others[i], mostPairs);
      }
    }
    const many = counts?.findIndex(count => count >= mostPairs) ?? -1;
    if (many >= 0) {
      throw new NearfieldError(
        'unsupported',
        `candidate ${many} has ${mostPairs} pairs of triangles or more`,
      );
    }
    if (self) return { candidates: none, certain, counts, unsure, stats };
    const apart = this.#copy(this.#apart, candidateCount);
    return { candidates: this.#front!.candidates(), certain, counts, unsure, apart, stats };
  }

  #copy(at: number, words: number): Uint32Array {
    return words === 0 ? none : this.#kernels.memory.u32.slice(at / 4, at / 4 + words);
  }

  #records(list: number, count: number): Uint32Array {
    return this.#copy(this.#get(list), this.#get(count) * 3);
  }

  #stats(): EngineStats {
    const { memory } = this.#kernels;
    return {
      triangleTests: memory.f64[(this.at + layout.Job.triangleTests) / 8],
      unsure: this.#get(layout.Job.unsureCount),
      boxTests: memory.f64[(this.at + layout.Job.boxTests) / 8] + (this.#front?.boxTests ?? 0),
      dispatches: 0,
      growths: this.#growths + (this.#front?.growths ?? 0),
    };
  }

  /** Frees what only this question needed. */
  finish(): void {
    if (this.#counts !== 0) this.#kernels.memory.free(this.#counts);
    this.#counts = 0;
    this.levels?.finish();
    this.levels = undefined;
  }
}

function concatenate(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (b.length === 0) return a;
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

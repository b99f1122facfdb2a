// One question about triangles in progress: the remaining work and the results so far, in the kernels' memory. Jobs are
// kept and reused. A waiting question (the asynchronous form) keeps its own job, so that others can be asked meanwhile.

import type { ListInMemory } from '../../../../bvh/cpu/sort/group-lists.ts';
import type { GroupedRecords } from '../../../../bvh/cpu/sort/records.ts';
import type { CpuPairFront } from '../../../../candidates/cpu/pair-front.ts';
import { NearfieldError, TooManyPairs } from '../../../../core/errors.ts';
import type { EngineStats } from '../../../../core/stats.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import { joinLists } from '../../../../cpu/threads/crew.ts';
import type { Detail, RawAnswer, Traversal } from '../../../request.ts';
import * as layout from '../kernels.layout.ts';
import { type PairKernels, pairKernels } from '../kernels.ts';
import type { LevelSearch } from '../level-search.ts';
import { RecordBlocks } from './record-blocks.ts';

const none = new Uint32Array(0);
/**
 * Larger counts are refused: with the pairs that the exact stage adds, which fit in memory, the sum must stay below
 * 2^32.
 */
const mostPairs = 0xe0000000;
/** Fewer certain records than this are grouped in the exact stage, in one thread: that takes some milliseconds. */
const leastToGroup = 1 << 17;
/** As in job.as.ts. */
const traversals = { auto: 0, walk: 0, 'brute-force': 1, 'breadth-first': 2 } as const;
const modes = { list: 0, count: 1, any: 2, first: 3 } as const;

export class Job {
  readonly #kernels: PairKernels;
  /** Addresses of the job and of its stack. */
  readonly at: number;
  readonly #stack: number;
  /** One word per candidate: what is known of its bodies; then one word each: which are outside each other (job.as.ts). */
  #known = 0;
  #knownCapacity = 0;
  readonly #certain: RecordBlocks;
  readonly #unsure: RecordBlocks;
  #counts = 0;
  #growths = 0;
  /** The bodies and candidates of the question. A job that joins another has none. */
  #front: CpuPairFront | undefined;
  /** Puts a self-intersection on the stack; undefined if the question is about pairs of bodies. */
  #startSelf: ((job: number) => void) | undefined;
  /** How many pairs are worth listing. */
  #most = Infinity;
  /** Set if the question is searched level by level. */
  levels: LevelSearch | undefined;

  constructor(engine: CpuEngine) {
    const { memory } = (this.#kernels = engine.kernels(pairKernels));
    this.at = memory.allocate(layout.jobBytes, 'a job');
    memory.u32.fill(0, this.at / 4, (this.at + layout.jobBytes) / 4);
    this.#stack = memory.allocate(layout.stackEntries * layout.stackEntryBytes, 'a job');
    this.#certain = new RecordBlocks(memory, 4096);
    this.#unsure = new RecordBlocks(memory, 1024);
  }

  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.at + offset) >>> 2] = value;
  }
  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.at + offset) >>> 2];
  }

  /**
   * Prepares the outputs for the candidates of a front, which lie at `candidates` (`CpuPairFront.place`). `oneSided` is 1 per
   * row whose body is certainly a star-shaped or embedded solid: if two of them are found to cross, their pairs of triangles are only
   * counted.
   */
  begin(
    front: CpuPairFront,
    candidates: number,
    detail: keyof typeof modes,
    traversal: Traversal,
    most = Infinity,
    oneSided?: Uint8Array,
  ): void {
    const { memory } = this.#kernels;
    const count = front.candidateCount;
    this.#most = most;
    if (count > this.#knownCapacity) {
      this.#known = memory.replace(this.#known, count * 8, `a list of ${count} candidates`);
      this.#knownCapacity = count;
    }
    const known = memory.u32.subarray(this.#known / 4, this.#known / 4 + 2 * count);
    known.fill(0);
    if (oneSided) front.mark(known, oneSided, layout.oneSidedPair);
    this.#set(layout.Job.known, this.#known);
    this.#set(layout.Job.outside, this.#known + 4 * count);
    this.#set(layout.Job.candidates, candidates);
    this.#start(front, detail, traversal, oneSided && true);
  }

  #start(
    front: CpuPairFront,
    detail: keyof typeof modes,
    traversal: Traversal,
    isCounted = detail === 'count',
  ): void {
    this.#front = front;
    this.#growths = 0;
    this.#startSelf = undefined;
    this.#set(layout.Job.table, front.rows.table);
    this.#set(layout.Job.candidateCount, front.candidateCount);
    this.#set(layout.Job.candidate, 0);
    this.#set(layout.Job.mode, modes[detail]);
    this.#set(layout.Job.traversal, traversals[traversal]);
    this.#set(layout.Job.shared, 0);
    const { candidateCount } = front;
    if (isCounted && candidateCount > 0)
      this.#counts = this.#kernels.memory.allocate(candidateCount * 4, 'counts');
    this.#set(layout.Job.counts, this.#counts);
    this.#resetCounts();
    this.#resetOutputs();
  }

  /** Sets all counts to 0, if the question needs them. */
  #resetCounts(): void {
    const from = this.#counts / 4;
    if (from > 0) this.#kernels.memory.u32.fill(0, from, from + this.#get(layout.Job.candidateCount));
  }

  /** Empties the stack and the lists. */
  #resetOutputs(): void {
    const { memory } = this.#kernels;
    this.#set(layout.Job.stack, this.#stack);
    this.#set(layout.Job.stackCount, 0);
    this.#certain.clear();
    this.#unsure.clear();
    this.#set(layout.Job.certainCount, 0);
    this.#set(layout.Job.unsureCount, 0);
    const f64 = memory.f64;
    f64[(this.at + layout.Job.triangleTests) / 8] = 0;
    f64[(this.at + layout.Job.boxTests) / 8] = 0;
    this.#pointOutputs();
  }

  /** Prepares a self-intersection of the one body of a front, which `startSelf` puts on the stack. */
  beginSelf(front: CpuPairFront, startSelf: (job: number) => void): void {
    this.#most = Infinity;
    front.candidateCount = front.boxTests = front.growths = 0;
    this.#start(front, 'list', 'walk');
    this.#startSelf = startSelf;
    startSelf(this.at);
  }

  /** Restarts the question with nothing found. */
  again(): void {
    this.#growths = 0;
    this.#set(layout.Job.candidate, 0);
    this.#set(layout.Job.shared, 0);
    this.#resetCounts();
    this.#resetOutputs();
    this.#startSelf?.(this.at);
  }

  /** The number of tests so far. Grows with every step. */
  get testsDone(): number {
    const { memory } = this.#kernels;
    const { f64 } = memory;
    return f64[(this.at + layout.Job.boxTests) / 8] + f64[(this.at + layout.Job.triangleTests) / 8];
  }

  #pointOutputs(): void {
    this.#set(layout.Job.certain, this.#certain.at);
    this.#set(layout.Job.certainCapacity, this.#certain.capacity);
    this.#set(layout.Job.unsure, this.#unsure.at);
    this.#set(layout.Job.unsureCapacity, this.#unsure.capacity);
  }

  /** Whether other threads can take candidates or parts of the stack. */
  get isDivisible(): boolean {
    if (this.#get(layout.Job.traversal) === traversals['breadth-first']) return false;
    return this.dividesStack || this.#get(layout.Job.candidate) + 1 < this.#get(layout.Job.candidateCount);
  }

  /** Whether a stack can be divided. It cannot if the first pair found ends it, or without trees. */
  get dividesStack(): boolean {
    return this.#get(layout.Job.mode) < modes.any && this.#get(layout.Job.traversal) === traversals.walk;
  }

  /** How many candidates there are; 1 for a body against itself. */
  get candidateCount(): number {
    return Math.max(1, this.#get(layout.Job.candidateCount));
  }

  /** Prepares the job for other threads. Returns the first candidate that they may take. */
  share(): number {
    this.#beginTasks();
    return this.#startSelf ? 1 : this.#get(layout.Job.candidate) + 1;
  }

  #beginTasks(): void {
    this.#set(layout.Job.chunkNext, 0);
    this.#set(layout.Job.chunkEnd, 0);
    this.#set(layout.Job.hungry, 0);
    this.#set(layout.Job.shared, 1);
  }

  /** Makes this job another one for the question of `leader`, with nothing found yet. They share their counts. */
  join(leader: Job): void {
    const { memory } = this.#kernels;
    const serial = this.#get(layout.Job.serial);
    memory.u32.copyWithin(this.at / 4, leader.at / 4, (leader.at + layout.jobLeafScratch) / 4);
    this.#set(layout.Job.serial, serial);
    this.#kernels.call.renewSerial(this.at);
    this.#most = leader.#most;
    this.#startSelf = leader.#startSelf;
    this.#growths = 0;
    this.#front = undefined;
    this.#beginTasks();
    this.#resetOutputs();
  }

  /** Gives the outputs that are nearly full another block. Throws `TooManyPairs` if there are more pairs than are worth listing. */
  grow(): void {
    this.#checkMost();
    this.#growths++;
    this.#growIfFull(this.#certain, layout.Job.certainCount);
    this.#growIfFull(this.#unsure, layout.Job.unsureCount);
    this.#pointOutputs();
  }

  #growIfFull(blocks: RecordBlocks, count: number): void {
    const written = this.#get(count);
    if (written + layout.stepRecords <= blocks.capacity) return;
    blocks.grow(written);
    this.#set(count, 0);
  }

  get #certainLists(): ListInMemory[] {
    return this.#certain.lists(this.#get(layout.Job.certainCount));
  }
  get #unsureLists(): ListInMemory[] {
    return this.#unsure.lists(this.#get(layout.Job.unsureCount));
  }
  get #certainTotal(): number {
    return this.#certain.total(this.#get(layout.Job.certainCount));
  }
  get #unsureTotal(): number {
    return this.#unsure.total(this.#get(layout.Job.unsureCount));
  }

  /** How many pairs it has listed. */
  get #found(): number {
    return this.#certainTotal + this.#unsureTotal;
  }

  #checkMost(): void {
    if (this.#found > this.#most) throw new TooManyPairs(this.#most);
  }

  /** The fraction done, 0 to 1. It never decreases: opening a pair of nodes never increases the weight of the stack. */
  progress(): number {
    return Math.min(1, (this.#get(layout.Job.candidate) + 1 - this.left()) / this.candidateCount);
  }

  /** How much of its candidate is left to do, by the levels of the nodes on the stack: 1 for a pair of roots. */
  left(): number {
    const { u32 } = this.#kernels.memory;
    const entries = Math.min(layout.stackEntries, this.#get(layout.Job.stackCount));
    const words = (this.#startSelf ? layout.selfEntryBytes : layout.stackEntryBytes) / 4;
    let left = 0;
    for (let at = this.#stack / 4, end = at + entries * words; at < end; at += words) {
      const level = u32[at] >>> layout.levelShift;
      left += 4 ** -(level + (this.#startSelf ? level : u32[at + 1] >>> layout.levelShift));
    }
    return left;
  }

  /**
   * The lists of certain records of this job and of those that joined it, if they are many, and most records are
   * certain.
   */
  listsToGroup(others: readonly Job[]): ListInMemory[] | undefined {
    if (this.#startSelf || this.#get(layout.Job.mode) !== modes.list) return undefined;
    const jobs = [this, ...others];
    const certain = jobs.reduce((sum, job) => sum + job.#certainTotal, 0);
    const unsure = jobs.reduce((sum, job) => sum + job.#unsureTotal, 0);
    if (certain < leastToGroup || certain < 8 * unsure) return undefined;
    return jobs.flatMap(job => job.#certainLists);
  }

  /**
   * The results of this job and of those that joined it. If their certain records were grouped, they are not copied.
   */
  answer(detail: Detail, others: readonly Job[], grouped?: GroupedRecords): RawAnswer {
    const candidateCount = this.#get(layout.Job.candidateCount);
    const stats = this.#stats();
    let found = this.#found;
    for (const job of others) {
      const more = job.#stats();
      found += job.#found;
      stats.triangleTests += more.triangleTests;
      stats.unsure += more.unsure;
      stats.boxTests += more.boxTests;
      stats.growths += more.growths;
    }
    if (found > this.#most) throw new TooManyPairs(this.#most);
    const jobs = [this, ...others];
    const certain = grouped === undefined ? this.#records(jobs.flatMap(job => job.#certainLists)) : none;
    const unsure = this.#records(jobs.flatMap(job => job.#unsureLists));
    const counts =
      detail === 'count' || this.#counts !== 0 ? this.#copy(this.#counts, candidateCount) : undefined;
    const tooMany = detail === 'count' ? counts!.findIndex(count => count >= mostPairs) : -1;
    if (tooMany >= 0) {
      throw new NearfieldError(
        'unsupported',
        `candidate ${tooMany} has ${mostPairs} pairs of triangles or more`,
      );
    }
    if (this.#startSelf) return { candidates: none, certain, counts, unsure, stats };
    const known = this.#copy(this.#known, candidateCount);
    const outside = this.#copy(this.#known + 4 * candidateCount, candidateCount);
    const candidates = this.#front!.candidates();
    const stoppedAtFirst = this.#get(layout.Job.mode) === modes.first;
    return { candidates, certain, grouped, counts, unsure, known, outside, stoppedAtFirst, stats };
  }

  #copy(at: number, words: number): Uint32Array {
    return words === 0 ? none : this.#kernels.memory.u32.slice(at / 4, at / 4 + words);
  }

  /** A copy of lists of records, one after the other. */
  #records(lists: readonly ListInMemory[]): Uint32Array {
    if (lists.length === 1) return this.#copy(lists[0].at, lists[0].count * 3);
    const { u32 } = this.#kernels.memory;
    return joinLists(lists.map(({ at, count }) => u32.subarray(at / 4, at / 4 + count * 3)));
  }

  #stats(): EngineStats {
    const { memory } = this.#kernels;
    return {
      triangleTests: memory.f64[(this.at + layout.Job.triangleTests) / 8],
      unsure: this.#unsureTotal,
      boxTests: memory.f64[(this.at + layout.Job.boxTests) / 8] + (this.#front?.boxTests ?? 0),
      dispatches: 0,
      growths: this.#growths + (this.#front?.growths ?? 0),
    };
  }

  /** Frees what only this question needed. */
  finish(): void {
    if (this.#counts !== 0) this.#kernels.memory.free(this.#counts);
    this.#counts = 0;
    this.#certain.clear();
    this.#unsure.clear();
    this.levels?.finish();
    this.levels = undefined;
  }
}

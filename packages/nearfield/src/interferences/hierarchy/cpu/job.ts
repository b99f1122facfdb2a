// One question in progress: its bodies, candidates and outputs in the kernels' memory. Jobs are kept and used again; a
// question that waits (the asynchronous form) keeps its own job, so others can be asked meanwhile.

import { BodyRows } from '../../../bvh/cpu/body-rows.ts';
import type { Tree, Trees } from '../../../bvh/cpu/trees.ts';
import { NearfieldError } from '../../../core/errors.ts';
import { full, type Kernels } from '../../../cpu/kernels.ts';
import { type Detail, type EngineStats, type RawAnswer, TooManyPairs, type Traversal } from '../../engine.ts';
import { Levels } from './levels.ts';

const none = new Uint32Array(0);
/** More are not counted: what the exact stage adds, which is held in memory, must not pass 2^32. */
const mostPairs = 0xe0000000;
/** As in job.as.ts. */
const traversals = { auto: 0, walk: 0, 'brute-force': 1, 'breadth-first': 2 } as const;
const modes = { list: 0, count: 1, any: 2, first: 3 } as const;

export class Job {
  readonly #kernels: Kernels;
  readonly #trees: Trees;
  /** Addresses of the job, the broad phase, the job's stack. */
  readonly at: number;
  readonly #broad: number;
  readonly #stack: number;
  #pairs: number;
  #pairCapacity = 64;
  /** The pairs by their bodies' places among those that were placed. */
  #placedPairs = 0;
  /** By candidate, whether it is apart: a word each. */
  #apart = 0;
  #placedCapacity = 0;
  #certain: number;
  #certainCapacity = 4096;
  #unsure: number;
  #unsureCapacity = 1024;
  #counts = 0;
  #growths = 0;
  #broadTests = 0;
  /** The broad phase's tree and the number of bodies it has room for; kept, since its order serves again. */
  #broadScratch = 0;
  #broadBodies = 0;
  readonly #rows: BodyRows;
  readonly #held: Tree[] = [];
  readonly #levels: Levels;
  /** Whether the question is about one body against itself. */
  #self = false;
  /** Pairs that are worth listing. */
  #most = Infinity;

  constructor(kernels: Kernels, trees: Trees) {
    this.#kernels = kernels;
    this.#trees = trees;
    const { layout, memory } = kernels;
    this.at = memory.allocate(layout.jobBytes, 'a job');
    this.#levels = new Levels(kernels, this.at);
    memory.u32.fill(0, this.at / 4, (this.at + layout.jobBytes) / 4);
    this.#broad = memory.allocate(layout.broadBytes, 'a job');
    this.#stack = memory.allocate(layout.stackEntries * layout.stackEntryBytes, 'a job');
    this.#rows = new BodyRows(kernels, trees);
    this.#pairs = memory.allocate(this.#pairCapacity * 8, 'a list of candidates');
    this.#certain = memory.allocate(this.#certainCapacity * 12, 'a list of pairs');
    this.#unsure = memory.allocate(this.#unsureCapacity * 12, 'a list of pairs');
  }

  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.at + offset) >>> 2] = value;
  }
  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.at + offset) >>> 2];
  }

  /** The bodies it was last asked about. */
  get rows(): BodyRows {
    return this.#rows;
  }

  /** Keeps the trees of the bodies as they are until `finish`. */
  hold(): void {
    for (const tree of this.#rows.trees()) {
      this.#trees.hold(tree);
      this.#held.push(tree);
    }
  }

  /**
   * Finds the candidates: those given whose boxes meet, or all pairs of bodies whose boxes meet; the rows' boxes, unless
   * others are given.
   */
  findCandidates(bodyCount: number, given: Uint32Array | undefined, boxes = this.#rows.boxes): void {
    const { call, layout, memory } = this.#kernels;
    this.#growths = 0;
    this.#broadTests = 0;
    let count: number;
    if (given !== undefined) {
      this.#roomForPairs(given.length / 2);
      memory.u32.set(given, this.#pairs / 4);
      count = call.keepMeeting(boxes, this.#pairs, given.length / 2);
      this.#broadTests = given.length / 2;
    } else {
      count = this.#runBroad(bodyCount, boxes);
    }
    this.#set(layout.jobCandidateCount, count);
  }

  /** The candidates found. */
  candidates(): Uint32Array {
    const count = this.#get(this.#kernels.layout.jobCandidateCount);
    return this.#kernels.memory.u32.slice(this.#pairs / 4, this.#pairs / 4 + count * 2);
  }

  #runBroad(bodyCount: number, boxes: number): number {
    const { call, layout, memory } = this.#kernels;
    const broad = this.#broad;
    const set = (offset: number, value: number) => {
      memory.u32[(broad + offset) >>> 2] = value;
    };
    set(layout.broadBoxes, boxes);
    set(layout.broadBodyCount, bodyCount);
    set(layout.broadUsedCount, this.#rows.usedCount);
    const few = bodyCount <= layout.fewBodies;
    this.#roomForPairs(few ? (bodyCount * (bodyCount - 1)) / 2 : bodyCount);
    if (!few && bodyCount !== this.#broadBodies) {
      const bytes = call.broadScratchBytes(bodyCount);
      this.#broadScratch = memory.replace(this.#broadScratch, bytes, `a tree of ${bodyCount} bodies`);
      this.#broadBodies = bodyCount;
      set(layout.broadOrderCount, 0);
    }
    call.startBroad(broad, this.#broadScratch);
    for (;;) {
      set(layout.broadPairs, this.#pairs);
      set(layout.broadPairCapacity, this.#pairCapacity);
      if (call.runBroad(broad) !== full) break;
      this.#pairs = memory.enlarge(this.#pairs, this.#pairCapacity * 16, 'a list of candidates');
      this.#pairCapacity *= 2;
      this.#growths++;
    }
    this.#broadTests = few
      ? (bodyCount * (bodyCount - 1)) / 2
      : 16 * memory.u32[(broad + layout.broadOpened) >>> 2];
    const count = memory.u32[(broad + layout.broadPairCount) >>> 2];
    if (!few && count > 1) this.#sortPairs(count, 32 - Math.clz32(bodyCount));
    return count;
  }

  #sortPairs(count: number, bits: number): void {
    const { call, layout, memory } = this.#kernels;
    const scratch = memory.allocate(count * 8 + layout.counterBytes, 'sorting candidates');
    const at = call.sortPairs(this.#pairs, scratch, scratch + count * 8, count, bits) >>> 0;
    if (at !== this.#pairs) memory.u32.copyWithin(this.#pairs / 4, at / 4, at / 4 + count * 2);
    memory.free(scratch);
  }

  #roomForPairs(count: number): void {
    if (count <= this.#pairCapacity) return;
    const { memory } = this.#kernels;
    this.#pairs = memory.replace(this.#pairs, count * 8, `a list of ${count} candidates`);
    this.#pairCapacity = count;
  }

  /** Readies the outputs; the candidates must have been found. */
  begin(detail: keyof typeof modes, traversal: Traversal, most = Infinity): void {
    const { layout } = this.#kernels;
    this.#most = most;
    const count = this.#get(layout.jobCandidateCount);
    if (count > 0) this.#placeCandidates(count);
    this.#set(layout.jobCandidate, 0);
    this.#set(layout.jobMode, modes[detail]);
    this.#set(layout.jobTraversal, traversals[traversal]);
    if (traversal === 'breadth-first') this.#levels.begin();
    this.#self = false;
    this.#resetOutputs(this.#countCount);
  }

  #placeCandidates(count: number): void {
    const { layout, memory } = this.#kernels;
    if (count > this.#placedCapacity) {
      const capacity = this.#pairCapacity;
      const what = `a list of ${count} candidates`;
      this.#placedPairs = memory.replace(this.#placedPairs, capacity * 12, what);
      this.#placedCapacity = capacity;
      this.#apart = this.#placedPairs + capacity * 8;
    }
    memory.u32.fill(0, this.#apart / 4, this.#apart / 4 + count);
    this.#set(layout.jobApart, this.#apart);
    this.#rows.placePairs(this.#pairs, count, this.#placedPairs);
    this.#set(layout.jobTable, this.#rows.table);
    this.#set(layout.jobCandidates, this.#placedPairs);
  }

  /** An empty stack, empty lists, and as many counts of 0 as asked for. */
  #resetOutputs(countCount: number): void {
    const { layout, memory } = this.#kernels;
    if (countCount > 0) {
      this.#counts = memory.allocate(countCount * 4, 'counts');
      memory.u32.fill(0, this.#counts / 4, this.#counts / 4 + countCount);
    }
    this.#set(layout.jobStack, this.#stack);
    this.#set(layout.jobStackCount, 0);
    this.#set(layout.jobCertainCount, 0);
    this.#set(layout.jobUnsureCount, 0);
    this.#set(layout.jobCounts, this.#counts);
    const f64 = memory.f64;
    f64[(this.at + layout.jobTriangleTests) / 8] = 0;
    f64[(this.at + layout.jobBoxTests) / 8] = 0;
    this.#pointOutputs();
  }

  /** Readies a self-intersection of body 0. */
  beginSelf(): void {
    const { layout } = this.#kernels;
    this.#growths = 0;
    this.#broadTests = 0;
    this.#set(layout.jobTable, this.#rows.table);
    this.#set(layout.jobCandidates, this.#pairs);
    this.#set(layout.jobCandidateCount, 0);
    this.begin('list', 'walk');
    this.#self = true;
    this.#kernels.call.startSelf(this.at);
  }

  /** Starts the question anew, with nothing found. */
  again(): void {
    const { layout, memory } = this.#kernels;
    if (this.#counts !== 0) memory.free(this.#counts);
    this.#counts = 0;
    this.#growths = 0;
    this.#set(layout.jobCandidate, 0);
    this.#resetOutputs(this.#countCount);
    if (this.#self) this.#kernels.call.startSelf(this.at);
  }

  /** How many counts the question wants: one a candidate, or none. */
  get #countCount(): number {
    const { layout } = this.#kernels;
    return this.#get(layout.jobMode) === modes.count ? this.#get(layout.jobCandidateCount) : 0;
  }

  /** Grows with every step. */
  get testsDone(): number {
    const { layout, memory } = this.#kernels;
    const { f64 } = memory;
    return f64[(this.at + layout.jobBoxTests) / 8] + f64[(this.at + layout.jobTriangleTests) / 8];
  }

  #pointOutputs(): void {
    const { layout } = this.#kernels;
    this.#set(layout.jobCertain, this.#certain);
    this.#set(layout.jobCertainCapacity, this.#certainCapacity);
    this.#set(layout.jobUnsure, this.#unsure);
    this.#set(layout.jobUnsureCapacity, this.#unsureCapacity);
  }

  /** Whether the work left can be divided: not where the first pair found ends it, nor without trees. */
  get divisible(): boolean {
    const { layout } = this.#kernels;
    return this.#get(layout.jobMode) < modes.any && this.#get(layout.jobTraversal) === traversals.walk;
  }

  /**
   * Turns what is left into tasks (tasks.as.ts) at `tasks`, their entries at `entries`, and says how many. This job's stack
   * is then empty.
   */
  divide(tasks: number, entries: number, self: boolean): number {
    const { call, layout, memory } = this.#kernels;
    call.widenStack(this.at, self);
    const u32 = memory.u32;
    const count = this.#get(layout.jobStackCount);
    const words = count * (layout.stackEntryBytes / 4);
    u32.copyWithin(entries / 4, this.#stack / 4, this.#stack / 4 + words);
    u32[(tasks + layout.taskNext) >>> 2] = 0;
    u32[(tasks + layout.taskEntryCount) >>> 2] = count;
    u32[(tasks + layout.taskEntries) >>> 2] = entries;
    u32[(tasks + layout.taskCandidate) >>> 2] = this.#get(layout.jobCandidate);
    u32[(tasks + layout.taskStop) >>> 2] = 0;
    u32[(tasks + layout.taskSelf) >>> 2] = self ? 1 : 0;
    this.#set(layout.jobStackCount, 0);
    if (self) return count;
    const next = this.#get(layout.jobCandidate) + 1;
    call.invertCandidates(this.at, next);
    return count + this.#get(layout.jobCandidateCount) - next;
  }

  /** Makes this job a second one for the question of `other`, with nothing found yet. */
  join(other: Job): void {
    const { layout, memory } = this.#kernels;
    const serial = this.#get(layout.jobSerial);
    memory.u32.copyWithin(this.at / 4, other.at / 4, (other.at + layout.jobLeafScratch) / 4);
    this.#set(layout.jobSerial, serial);
    this.#kernels.call.renewSerial(this.at);
    this.#most = other.#most;
    this.#growths = 0;
    this.#broadTests = 0;
    this.#resetOutputs(this.#countCount);
  }

  /** Doubles the outputs that are nearly full. Throws where they hold more than is worth listing. */
  grow(): void {
    const { layout, memory } = this.#kernels;
    this.#checkMost();
    this.#growths++;
    if (this.#get(layout.jobTraversal) === traversals['breadth-first']) this.#levels.grow();
    if (this.#get(layout.jobCertainCount) + layout.stepRecords > this.#certainCapacity) {
      this.#certain = memory.enlarge(this.#certain, this.#certainCapacity * 24, 'a list of pairs');
      this.#certainCapacity *= 2;
    }
    if (this.#get(layout.jobUnsureCount) + layout.stepRecords > this.#unsureCapacity) {
      this.#unsure = memory.enlarge(this.#unsure, this.#unsureCapacity * 24, 'a list of pairs');
      this.#unsureCapacity *= 2;
    }
    this.#pointOutputs();
  }

  #checkMost(): void {
    const { layout } = this.#kernels;
    const found = this.#get(layout.jobCertainCount) + this.#get(layout.jobUnsureCount);
    if (found > this.#most) throw new TooManyPairs(this.#most);
  }

  /** The share done, 0 to 1: opening a pair of nodes never makes the pairs on the stack weigh more. */
  progress(): number {
    const { layout, memory } = this.#kernels;
    const count = Math.max(1, this.#get(layout.jobCandidateCount));
    const entries = this.#get(layout.jobStackCount);
    const words = layout.stackEntryBytes / 4;
    let left = 0;
    for (let i = 0; i < entries; i++) {
      const at = this.#stack / 4 + i * words;
      left += 4 ** -((memory.u32[at] >>> 28) + (memory.u32[at + 1] >>> 28));
    }
    return Math.min(1, (this.#get(layout.jobCandidate) + 1 - left) / count);
  }

  /** What was found, by this job and by a second one that joined it. */
  answer(detail: Detail, self: boolean, second: Job | undefined): RawAnswer {
    const { layout } = this.#kernels;
    this.#checkMost();
    const candidateCount = this.#get(layout.jobCandidateCount);
    const stats = this.#stats();
    let certain = this.#records(layout.jobCertain, layout.jobCertainCount);
    let unsure = this.#records(layout.jobUnsure, layout.jobUnsureCount);
    const counts = detail === 'count' ? this.#copy(this.#counts, candidateCount) : undefined;
    if (second !== undefined) {
      certain = concatenate(certain, second.#records(layout.jobCertain, layout.jobCertainCount));
      unsure = concatenate(unsure, second.#records(layout.jobUnsure, layout.jobUnsureCount));
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
    return { candidates: this.candidates(), certain, counts, unsure, apart, stats };
  }

  #copy(at: number, words: number): Uint32Array {
    return words === 0 ? none : this.#kernels.memory.u32.slice(at / 4, at / 4 + words);
  }

  #records(list: number, count: number): Uint32Array {
    return this.#copy(this.#get(list), this.#get(count) * 3);
  }

  #stats(): EngineStats {
    const { layout, memory } = this.#kernels;
    return {
      triangleTests: memory.f64[(this.at + layout.jobTriangleTests) / 8],
      unsure: this.#get(layout.jobUnsureCount),
      boxTests: memory.f64[(this.at + layout.jobBoxTests) / 8] + this.#broadTests,
      dispatches: 0,
      growths: this.#growths,
    };
  }

  /** Lets go of the trees and of what only this question needed. */
  finish(): void {
    for (const tree of this.#held) this.#trees.release(tree);
    this.#held.length = 0;
    if (this.#counts !== 0) this.#kernels.memory.free(this.#counts);
    this.#counts = 0;
    this.#levels.finish();
  }
}

function concatenate(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (b.length === 0) return a;
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

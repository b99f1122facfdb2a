// Runs the breadth-first traversal (levels.as.ts) for a job: candidate by candidate, with lists that grow with the widest
// level. Level searches are kept and reused; a waiting question keeps its own.

import type { Snapshot } from '../../../../bodies/snapshot/snapshot.ts';
import type { CpuPairFront } from '../../../../candidates/cpu/pair-front.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import { done } from '../../../../cpu/kernels.ts';
import type { InterfereRequest, LevelCoherence } from '../../../request.ts';
import type { Job } from '../job/job.ts';
import * as jobLayout from '../kernels.layout.ts';
import type { LevelSearch, LevelSearches } from '../level-search.ts';
import { type BinaryTree, binaryTreesOf } from './binary-trees.ts';
import { Coherence, nextLevel, type Remembered } from './coherence.ts';
import * as layout from './kernels.layout.ts';
import { type LevelKernels, levelKernels } from './kernels.ts';

const fewPairs = 4096;
/** Lists longer than this are freed after the question. */
const keptPairs = 1 << 17;
/** A candidate costs about as much as this many pairs of nodes before any is tested. */
const candidateCost = 64;

/** The breadth-first traversal of an engine. */
export const levelSearchesOf = (engine: CpuEngine): LevelSearches => engine.part(createSearches);

const createSearches = (engine: CpuEngine): Searches => new Searches(engine);

class Searches implements LevelSearches {
  readonly #engine: CpuEngine;
  readonly #coherence = new Coherence();
  readonly #idle: Levels[] = [];

  constructor(engine: CpuEngine) {
    this.#engine = engine;
  }

  begin(job: Job, front: CpuPairFront, bodies: Snapshot, request: InterfereRequest): LevelSearch {
    const engine = this.#engine;
    const levels = this.#idle.pop() ?? engine.memory.orNothing(() => new Levels(engine, this.#coherence));
    const finish = () => {
      levels.finish();
      if (!engine.closed) this.#idle.push(levels);
    };
    try {
      levels.begin(job, front, bodies, request);
    } catch (error) {
      finish();
      throw error;
    }
    return { kernel: (_, budget) => levels.run(budget), finish };
  }

  close(): void {
    this.#coherence.clear();
    this.#idle.length = 0;
  }
}

class Levels {
  readonly #engine: CpuEngine;
  readonly #kernels: LevelKernels;
  readonly #coherence: Coherence;
  readonly #at: number;
  #capacity = 0;
  #frontCapacity = 0;
  /** The job, and its candidates as pairs of rows. */
  #job = 0;
  #candidates: Uint32Array = new Uint32Array(0);
  #table = 0;
  #way: LevelCoherence = 'none';
  #wantsFronts = false;
  /** The binary trees of rows that candidates have. */
  readonly #trees = new Map<number, BinaryTree>();
  /** What is remembered of the candidate at hand; undefined between candidates, and without coherence. */
  #known: Remembered | undefined;
  #isUnderWay = false;
  /** The level where the candidate's trees were entered, and the box tests before that. */
  #entered = 0;
  #testsBefore = 0;
  /** Numbers the questions, so that another quarter of a front is tried in each. */
  #round = 0;

  constructor(engine: CpuEngine, coherence: Coherence) {
    const { memory } = (this.#kernels = engine.kernels(levelKernels));
    this.#engine = engine;
    this.#coherence = coherence;
    this.#at = memory.allocate(layout.levelsBytes, 'a breadth-first traversal');
    memory.u32.fill(0, this.#at / 4, (this.#at + layout.levelsBytes) / 4);
  }

  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.#at + offset) >>> 2];
  }
  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.#at + offset) >>> 2] = value;
  }
  #ofJob(offset: number): number {
    return this.#kernels.memory.u32[(this.#job + offset) >>> 2];
  }
  get #boxTests(): number {
    return this.#kernels.memory.f64[(this.#job + jobLayout.Job.boxTests) / 8];
  }

  /** Takes the trees of all candidates now: bodies may deform while the question waits. */
  begin(job: Job, front: CpuPairFront, bodies: Snapshot, request: InterfereRequest): void {
    const { volumes = 'boxes', coherence = 'level', leaves = 'splits' } = request.levels ?? {};
    this.#job = job.at;
    this.#isUnderWay = false;
    this.#known = undefined;
    this.#candidates = front.candidates();
    this.#table = bodies.table;
    this.#way = coherence;
    this.#round++;
    this.#coherence.begin();
    // A front is whole only if the traversal ends by itself.
    this.#wantsFronts = coherence === 'front' && request.detail !== 'any';
    this.#reserve(fewPairs);
    const trees = binaryTreesOf(this.#engine);
    for (const row of this.#candidates) {
      const { shape } = bodies.shapeStates[row];
      if (shape.mesh.triangleCount > 0 && !this.#trees.has(row))
        this.#trees.set(row, trees.take(shape, volumes, leaves));
    }
  }

  /** As a kernel: works until it is done, an output is full, or about `budget` pairs of nodes are dealt with. */
  run(budget: number): number {
    const { call, memory } = this.#kernels;
    const candidateAt = (this.#job + jobLayout.Job.candidate) >>> 2;
    const count = this.#ofJob(jobLayout.Job.candidateCount);
    this.#growLists();
    let left = budget;
    while (memory.u32[candidateAt] < count) {
      if (this.#isUnderWay || this.#enter()) {
        const before = this.#boxTests;
        const state = call.traverseLevels(this.#at, this.#job, left);
        if (state !== done) return state;
        left -= this.#boxTests - before;
        this.#leave();
      }
      memory.u32[candidateAt]++;
      left = Math.max(1, left - candidateCost);
    }
    return done;
  }

  finish(): void {
    if (!this.#engine.closed) {
      const trees = binaryTreesOf(this.#engine);
      for (const tree of this.#trees.values()) trees.release(tree);
      if (this.#capacity > keptPairs || this.#frontCapacity > keptPairs) this.#freeLists();
    }
    this.#trees.clear();
    this.#known = undefined;
  }

  /** Begins the job's candidate. False if there is nothing to traverse. */
  #enter(): boolean {
    const { call, memory } = this.#kernels;
    const at = 2 * this.#ofJob(jobLayout.Job.candidate);
    const [rowA, rowB] = [this.#candidates[at], this.#candidates[at + 1]];
    const [a, b] = [this.#trees.get(rowA), this.#trees.get(rowB)];
    if (a === undefined || b === undefined) return false;
    this.#set(layout.Levels.treeA, a.at);
    this.#set(layout.Levels.treeB, b.at);
    this.#testsBefore = this.#boxTests;
    if (!call.startLevels(this.#at, this.#job)) return false;
    this.#known =
      this.#way === 'none'
        ? undefined
        : this.#coherence.of(`${this.#table} ${rowA} ${rowB}`, a.leafCount, b.leafCount);
    const { frontCount = 0, front, level = 0, rest = 0 } = this.#known ?? {};
    if (rest > 0) this.#known!.rest--;
    this.#set(layout.Levels.wantsFront, this.#wantsFronts && rest === 0 ? 1 : 0);
    if (this.#way === 'front' && frontCount > 0) {
      this.#reserve(frontCount);
      memory.u32.set(front!.subarray(0, 2 * frontCount), this.#get(layout.Levels.pairs) / 4);
      call.enterFront(this.#at, frontCount);
    } else {
      this.#entered = this.#way === 'level' ? level : 0;
      this.#reserve(call.entriesAt(a.at, b.at, this.#entered));
      call.enterLevel(this.#at, this.#entered);
    }
    this.#isUnderWay = true;
    return true;
  }

  /** Remembers what the candidate's traversal has shown. */
  #leave(): void {
    this.#isUnderWay = false;
    const known = this.#known;
    if (known === undefined) return;
    const { call, memory } = this.#kernels;
    if (this.#way === 'level') {
      const [a, b] = [this.#get(layout.Levels.treeA), this.#get(layout.Levels.treeB)];
      const levelCount = Math.max(depthOf(known.leavesA), depthOf(known.leavesB));
      const entriesAt = (level: number) =>
        level < 0 || level > levelCount ? undefined : call.entriesAt(a, b, level);
      known.level = nextLevel(this.#entered, this.#get(layout.Levels.overlapped), entriesAt);
    } else if (this.#get(layout.Levels.wantsFront) === 1) {
      if (known.frontCount > 0) call.shortenFront(this.#at, this.#job, this.#round);
      const front = this.#get(layout.Levels.front) / 4;
      const pairs = memory.u32.subarray(front, front + 2 * this.#get(layout.Levels.frontCount));
      this.#coherence.keepFront(known, pairs, this.#boxTests - this.#testsBefore);
    }
  }

  /** Makes room for what the kernel said was too much: the next level's list, or the front. */
  #growLists(): void {
    if (!this.#isUnderWay) return;
    const wanted = this.#get(layout.Levels.nextCount);
    if (wanted > this.#capacity) this.#reserve(Math.ceil(1.5 * wanted));
    if (this.#get(layout.Levels.wantsFront) === 0) return;
    const mostFront = this.#get(layout.Levels.frontCount) + this.#get(layout.Levels.pairCount);
    if (mostFront > this.#frontCapacity) this.#reserveFront(Math.ceil(1.5 * mostFront));
  }

  /** Makes room for a number of pairs of nodes per list. */
  #reserve(pairs: number): void {
    if (pairs <= this.#capacity) return;
    const bytes = pairs * layout.nodePairBytes;
    this.#enlarge(layout.Levels.pairs, bytes);
    this.#enlarge(layout.Levels.next, bytes);
    this.#enlarge(layout.Levels.overlaps, 4 * pairs + 4);
    this.#capacity = pairs;
    this.#set(layout.Levels.capacity, pairs);
  }

  #reserveFront(pairs: number): void {
    this.#enlarge(layout.Levels.front, pairs * layout.nodePairBytes);
    this.#frontCapacity = pairs;
    this.#set(layout.Levels.frontCapacity, pairs);
  }

  #enlarge(list: number, bytes: number): void {
    const { memory } = this.#kernels;
    const at = this.#get(list);
    const what = 'a level of pairs';
    this.#set(list, at === 0 ? memory.allocate(bytes, what) : memory.enlarge(at, bytes, what));
  }

  #freeLists(): void {
    for (const list of [
      layout.Levels.pairs,
      layout.Levels.next,
      layout.Levels.overlaps,
      layout.Levels.front,
    ]) {
      this.#kernels.memory.free(this.#get(list));
      this.#set(list, 0);
    }
    this.#capacity = this.#frontCapacity = 0;
    this.#set(layout.Levels.capacity, 0);
    this.#set(layout.Levels.frontCapacity, 0);
  }
}

/** The level of the leaves of a binary tree. */
const depthOf = (leafCount: number): number => Math.ceil(Math.log2(leafCount));

// The first part of every question about pairs of bodies on the CPU: it puts the bodies into the kernels' memory and
// runs the broad phase. Fronts are kept and reused. A waiting question keeps its own front, so that others can be asked
// meanwhile.

import type { Snapshot, SnapshotSource } from '../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../bodies/snapshot/snapshot-of.ts';
import { type Tree, type Trees, treesOf } from '../../bvh/cpu/build/trees.ts';
import { PlacedBodies } from '../../bvh/cpu/place/placed-bodies.ts';
import type { Limits } from '../../core/limits.ts';
import { throwIfAborted, toEnd } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { full } from '../../cpu/kernels.ts';
import * as layout from './kernels.layout.ts';
import { type BroadKernels, broadKernels } from './kernels.ts';

/** A front with more rows than `fewRows` stays with its scene unless `mostIdle` fronts are idle. */
const fewRows = 256;
const mostIdle = 4;
/**
 * More candidates than this are better left in the order of the broad phase's tree, if the caller does not mind: the next
 * candidate has bodies nearby, which were just read. In order of their rows, the bodies of a scene that is larger than the
 * processor's cache are fetched from memory for every candidate, which takes a sixth of the time of a million boxes.
 */
const manyCandidates = 1 << 14;

/** Pairs of rows (a, b), a < b, sorted, whose world boxes meet or are nearer than the clearance. A new array. */
export const broadSync = (engine: CpuEngine, list: SnapshotSource, clearance = 0): Uint32Array =>
  toEnd(broadInSteps(engine, list, clearance));

/** The same in steps. */
export function* broadInSteps(
  engine: CpuEngine,
  list: SnapshotSource,
  clearance: number,
): Generator<number, Uint32Array> {
  const bodies = snapshotOf(list);
  const front = frontsOf(engine).take({}, bodies.table);
  let boxes = 0;
  try {
    yield* front.take(bodies);
    yield 0;
    if (clearance > 0) boxes = enlargedBoxes(front, clearance);
    front.findCandidates(bodies.count, undefined, false, boxes || undefined);
    return front.candidates();
  } finally {
    if (boxes !== 0) engine.memory.free(boxes);
    frontsOf(engine).giveBack(front);
  }
}

/**
 * World boxes enlarged so that boxes of bodies nearer than the clearance meet, with an ulp or two more for rounding.
 * They stay finite for every clearance. The boxes of bodies without triangles are infinite and stay unchanged.
 */
function enlargedBoxes({ rows, memory }: CpuPairFront, clearance: number): number {
  const at = memory.allocate(rows.count * 48, 'enlarged boxes');
  const boxes = memory.f64.subarray(rows.boxes / 8, rows.boxes / 8 + 6 * rows.count);
  const out = memory.f64.subarray(at / 8, at / 8 + 6 * rows.count);
  const half = clearance / 2;
  for (let i = 0; i < boxes.length; i++) {
    const more = half + 2 ** -51 * (Math.abs(boxes[i]) + half);
    const edge = i % 6 < 3 ? boxes[i] - more : boxes[i] + more;
    out[i] = Number.isFinite(boxes[i])
      ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, edge))
      : boxes[i];
  }
  return at;
}

/** The fronts of an engine. */
export const frontsOf = (engine: CpuEngine): CpuPairFronts => engine.part(createFronts);

const createFronts = (engine: CpuEngine): CpuPairFronts => new CpuPairFronts(engine);

export class CpuPairFronts {
  readonly #engine: CpuEngine;
  readonly #idle: CpuPairFront[] = [];

  constructor(engine: CpuEngine) {
    this.#engine = engine;
  }

  /**
   * A front that has seen the table before, else the smallest: a question about two bodies must not take a scene's
   * large front.
   */
  take(limits: Limits, table = 0): CpuPairFront {
    this.#engine.checkOpen();
    throwIfAborted(limits);
    const idle = this.#idle;
    let best = -1;
    for (let i = 0; i < idle.length; i++) {
      const { number, count } = idle[i].rows;
      if (table > 0 && number === table) {
        best = i;
        break;
      }
      if (best < 0 || count < idle[best].rows.count) best = i;
    }
    const wanted = best >= 0 && idle[best].rows.number === table;
    if (best < 0 || (!wanted && idle.length < mostIdle && idle[best].rows.count > fewRows)) {
      return this.#engine.memory.orNothing(() => new CpuPairFront(this.#engine));
    }
    return idle.splice(best, 1)[0];
  }

  /** Call this when the question is answered. */
  giveBack(front: CpuPairFront): void {
    front.release();
    if (!this.#engine.closed) this.#idle.push(front);
  }

  close(): void {
    this.#idle.length = 0;
  }
}

export class CpuPairFront {
  /** The bodies of the last question. */
  readonly rows: PlacedBodies;
  readonly #kernels: BroadKernels;
  readonly #trees: Trees;
  /** Address of the broad phase's record. */
  readonly #broad: number;
  #pairs: number;
  #pairCapacity = 64;
  /** Address of the candidates as indices into the placed bodies. */
  #placedPairs = 0;
  #placedCapacity = 0;
  /** The broad phase's tree and its capacity in bodies. Kept between questions, since the order of bodies is reused. */
  #broadScratch = 0;
  #broadBodies = 0;
  #held: readonly Tree[] = [];
  /** Statistics of the last question: candidates found, box tests made, and how often the list of candidates grew. */
  candidateCount = 0;
  boxTests = 0;
  growths = 0;

  constructor(engine: CpuEngine) {
    const { memory } = (this.#kernels = engine.kernels(broadKernels));
    this.#trees = treesOf(engine);
    this.rows = new PlacedBodies(engine);
    this.#broad = memory.allocate(layout.broadBytes, 'a broad phase');
    memory.u32.fill(0, this.#broad / 4, (this.#broad + layout.broadBytes) / 4);
    this.#pairs = memory.allocate(this.#pairCapacity * 8, 'a list of candidates');
  }

  get memory(): BroadKernels['memory'] {
    return this.#kernels.memory;
  }

  /** Takes the bodies of a question. Their trees stay unchanged until `release`. Yields 0 while trees are built. */
  *take(bodies: Snapshot): Generator<number, void> {
    yield* this.rows.update(bodies);
    this.hold();
  }

  /** Keeps the trees of the rows unchanged until `release`. */
  hold(): void {
    this.#held = this.rows.trees();
    for (const tree of this.#held) this.#trees.hold(tree);
  }

  release(): void {
    for (const tree of this.#held) this.#trees.release(tree);
    this.#held = [];
  }

  /**
   * Finds the candidates: all pairs whose boxes meet, or those among `given`. They are sorted, unless they may be `inAnyOrder` and
   * are many. Uses the rows' boxes unless others are given.
   */
  findCandidates(
    bodyCount: number,
    given: Uint32Array | undefined,
    inAnyOrder = false,
    boxes = this.rows.boxes,
  ): void {
    const { call, memory } = this.#kernels;
    this.growths = 0;
    this.boxTests = 0;
    if (given === undefined) {
      this.candidateCount = this.#runBroad(bodyCount, boxes);
      const isSorted = bodyCount <= layout.fewBodies || (inAnyOrder && this.candidateCount > manyCandidates);
      if (!isSorted) this.#sortPairs(this.candidateCount, 32 - Math.clz32(bodyCount));
      return;
    }
    const count = given.length / 2;
    this.#roomForPairs(count);
    memory.u32.set(given, this.#pairs / 4);
    this.candidateCount = call.keepMeeting(boxes, this.#pairs, count);
    this.boxTests = count;
  }

  /** The candidates found. */
  candidates(): Uint32Array {
    return this.memory.u32.slice(this.#pairs / 4, this.#pairs / 4 + this.candidateCount * 2);
  }

  /** Sets a word per candidate to `value` if both of its rows are 1 in `isMarked`, else to 0. */
  mark(words: Uint32Array, isMarked: Uint8Array, value: number): void {
    const pairs = this.memory.u32.subarray(this.#pairs / 4, this.#pairs / 4 + this.candidateCount * 2);
    for (let c = 0; c < this.candidateCount; c++)
      words[c] = value * (isMarked[pairs[2 * c]] & isMarked[pairs[2 * c + 1]]);
  }

  /** Places the candidates' bodies. Returns the address of the candidates as indices into the placed bodies. */
  place(): number {
    const count = this.candidateCount;
    if (count > this.#placedCapacity) {
      // A little more than that, so that a few more candidates in the next question fit.
      const capacity = Math.min(this.#pairCapacity, count + (count >> 3));
      const what = `a list of ${count} candidates`;
      this.#placedPairs = this.memory.replace(this.#placedPairs, capacity * 8, what);
      this.#placedCapacity = capacity;
    }
    if (count > 0) this.rows.placePairs(this.#pairs, count, this.#placedPairs);
    return this.#placedPairs;
  }

  #runBroad(bodyCount: number, boxes: number): number {
    const { call, memory } = this.#kernels;
    const broad = this.#broad;
    const set = (offset: number, value: number) => {
      memory.u32[(broad + offset) >>> 2] = value;
    };
    set(layout.Broad.boxes, boxes);
    set(layout.Broad.bodyCount, bodyCount);
    set(layout.Broad.usedCount, this.rows.usedCount);
    const few = bodyCount <= layout.fewBodies;
    this.#roomForPairs(few ? (bodyCount * (bodyCount - 1)) / 2 : bodyCount);
    if (!few && bodyCount !== this.#broadBodies) {
      const bytes = call.broadScratchBytes(bodyCount);
      this.#broadScratch = memory.replace(this.#broadScratch, bytes, `a tree of ${bodyCount} bodies`);
      this.#broadBodies = bodyCount;
      set(layout.Broad.orderCount, 0);
    }
    call.startBroad(broad, this.#broadScratch);
    for (;;) {
      set(layout.Broad.pairs, this.#pairs);
      set(layout.Broad.pairCapacity, this.#pairCapacity);
      if (call.runBroad(broad) !== full) break;
      this.#pairs = memory.enlarge(this.#pairs, this.#pairCapacity * 16, 'a list of candidates');
      this.#pairCapacity *= 2;
      this.growths++;
    }
    this.boxTests = few
      ? (bodyCount * (bodyCount - 1)) / 2
      : 16 * memory.u32[(broad + layout.Broad.opened) >>> 2];
    return memory.u32[(broad + layout.Broad.pairCount) >>> 2];
  }

  #sortPairs(count: number, bits: number): void {
    if (count < 2) return;
    const { call, memory } = this.#kernels;
    const scratch = memory.allocate(count * 8 + layout.counterBytes, 'sorting candidates');
    const at = call.sortPairs(this.#pairs, scratch, scratch + count * 8, count, bits) >>> 0;
    if (at !== this.#pairs) memory.u32.copyWithin(this.#pairs / 4, at / 4, at / 4 + count * 2);
    memory.free(scratch);
  }

  #roomForPairs(count: number): void {
    if (count <= this.#pairCapacity) return;
    this.#pairs = this.memory.replace(this.#pairs, count * 8, `a list of ${count} candidates`);
    this.#pairCapacity = count;
  }
}

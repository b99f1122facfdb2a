// The hierarchy method on the GPU (Greß and Zachmann): poses → body table → candidates → pair frames → leaf pairs →
// triangle tests → records. Usually this is one submission and one read-back. If a list overflows, it grows and the
// question is run again; what was not read with the counts is read after them.

import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { GpuPairFront } from '../../../candidates/gpu/pair-front.ts';
import { NearfieldError, TooManyPairs } from '../../../core/errors.ts';
import { type EngineStats, newStats } from '../../../core/stats.ts';
import { largestBinding } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { ReadList } from '../../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../../gpu/device/device.ts';
import { GpuQuery, type Groups, Opening, type Views } from '../../../gpu/gpu-query.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import type { RawAnswer } from '../../request.ts';
import type { HierarchyKernels } from './kernels.ts';
import { bruteForceRun, neverEnough, Result } from './layouts.ts';
import { countedBy, createPairLists, type PairListName, type Room } from './lists.ts';
import { NarrowPhase } from './narrow-phase.ts';
import { enoughFor, type HierarchyOptions } from './options.ts';
import {
  countsIn,
  countsOf,
  createReaders,
  cutShort,
  joined,
  type Listed,
  notMeeting,
  type Outcome,
  outcomeOf,
} from './outcome.ts';

export type { HierarchyOptions } from './options.ts';

/** The workgroups of kernels that loop over a list whose length only the GPU knows. */
const hardwareGroups = 4096;
/** With a limit on pairs of triangles, more than this many leaf pairs per pair count as too many too. */
const leavesPerPair = 16;

export class Hierarchy {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #query: GpuQuery;
  readonly #readers: Readonly<Record<Listed, ReadList>>;
  readonly #stopwatch: Stopwatch;
  readonly #narrow: NarrowPhase;
  readonly #threads: number;
  readonly #wrapAt: number;
  /** Places the bodies and pairs them. Methods that go on with the candidates themselves use it too. */
  readonly front: GpuPairFront<PairListName>;

  constructor(
    device: GPUDevice,
    { front, waysOut }: HierarchyKernels,
    trees: GpuTrees,
    stopwatch: Stopwatch,
    { software, room, orderFrom }: { software: boolean; room: Room; orderFrom?: number | undefined },
  ) {
    const groups = software ? softwareGroups : hardwareGroups;
    const { candidates, atOnce, nodePairs, wrapAt = 2 ** 32 } = room;
    this.#device = device;
    this.#trees = trees;
    this.#stopwatch = stopwatch;
    this.#threads = 64 * groups;
    this.#wrapAt = wrapAt;
    const lists = createPairLists(device, room);
    this.front = new GpuPairFront(device, front, trees, lists, { groups, candidates, atOnce, orderFrom });
    this.#narrow = new NarrowPhase(device, waysOut, this.front, groups, nodePairs);
    this.#query = new GpuQuery(device, stopwatch);
    this.#readers = createReaders(this.front);
  }

  /**
   * Finds every two triangles of different bodies that meet or may meet. The trees of the bodies' shapes must be up
   * to date.
   */
  async run(bodies: Snapshot, options: HierarchyOptions): Promise<RawAnswer> {
    const stats = newStats();
    if (!this.#narrow.isReady(options)) await this.#narrow.prepare(options);
    if (!this.front.isReady(bodies)) await this.front.prepare(bodies);
    // Poses need not be read back if nothing but pairs is asked for.
    if (options.candidates ?? options.culling) await bodies.onGpu?.read();
    const opening = new Opening(options.preparation);
    let answer = await this.#answer(bodies, options, stats, opening);
    if (answer === undefined) {
      // It is too much for one submission: find the candidates alone, then take them in halves.
      stats.growths++;
      const candidates = options.candidates ?? (await this.#findCandidates(bodies, options, stats));
      answer = await this.#answerInHalves(bodies, { ...options, candidates }, stats);
    }
    const enough = enoughFor(options);
    if (enough === undefined || answer.unsure.length === 0) return answer;
    return { ...answer, stoppedAtFirst: cutShort(answer, enough) };
  }

  destroy(): void {
    this.#query.destroy();
    this.#narrow.destroy();
    this.front.destroy();
  }

  /** Undefined if one submission is not enough, however large the lists. */
  async #answer(
    bodies: Snapshot,
    options: HierarchyOptions,
    stats: EngineStats,
    opening: Opening,
  ): Promise<RawAnswer | undefined> {
    const { candidates: given, onGpu, self } = options;
    const { front } = this;
    if (given !== undefined && given.length / 2 > front.mostAtOnce) {
      // Only build the trees now, since the question takes more than one submission anyway.
      await this.#query.run({ stats, opening, encode: () => undefined, take: () => undefined });
      return undefined;
    }
    const names: Listed[] = ['certain', 'unsure'];
    // The words follow the head in its buffer, so that they are copied together.
    if (!self) names.unshift('words');
    // Two bodies have one pair or none, so their candidates need not be read back: one copy less to wait for.
    if (given === undefined && bodies.count > 2) names.push('candidates');
    if (onGpu) names.push('corners');
    const found = await this.#query.run({
      stats,
      opening,
      checkpoint: options.checkpoint,
      encode: encoder =>
        front.updateThen(bodies, encoder, () => this.#record(encoder, bodies, options, names, stats)),
      checkSubmission: ([[head]]) => front.checkSubmission(head),
      take: views => this.#take(bodies, options, names, views),
    });
    if (found === 'too much') return undefined;
    const lists = this.#query.rest(...found.lists);
    const outcome = outcomeOf(found, names, lists instanceof Promise ? await lists : lists);
    return this.#found(bodies, options, outcome, stats);
  }

  /** Records the question once the table is up to date. Returns what is to be read back. */
  #record(
    encoder: GPUCommandEncoder,
    bodies: Snapshot,
    options: HierarchyOptions,
    names: readonly Listed[],
    stats: EngineStats,
  ): Groups {
    const { factPieces } = this.front.table;
    stats.dispatches += factPieces.length + this.#encode(encoder, bodies, options);
    const steps = this.#narrow.pieceOf(options);
    return [this.#pieces(names), factPieces, options.culling?.pieces ?? none, steps ? [steps] : none];
  }

  #pieces(names: readonly Listed[]): Piece[] {
    const pieces = [this.front.headPiece];
    for (const name of names) pieces.push(this.#readers[name].piece);
    return pieces;
  }

  /** Takes what was read back of a question. Undefined if a list overflowed and has grown. */
  #take(bodies: Snapshot, options: HierarchyOptions, names: readonly Listed[], views: Views) {
    const { front } = this;
    const [[head, ...lists], factsRead, culled, [steps]] = views;
    const { culling, most = Infinity } = options;
    if (!front.table.acceptFacts(factsRead)) return undefined;
    front.check(head);
    if (head[Result.certain] + head[Result.unsure] > most || head[Result.leafPairs] > leavesPerPair * most)
      throw new TooManyPairs(most);
    if (this.#tooMuch(bodies, options, head)) return 'too much';
    const boxTests = this.#narrow.accept(options, steps);
    const grownCulling = culling !== undefined && !culling.accept(culled.map(view => view.slice()));
    const grownCandidates = front.grow(head);
    const grownLists = front.growOwn(countedBy(head)) || grownCandidates;
    if (boxTests === undefined || grownCulling || grownLists) return undefined;
    return { head: head.slice(), boxTests, lists: this.#takeLists(names, head, lists) };
  }

  #takeLists(names: readonly Listed[], head: Uint32Array, views: readonly Uint32Array[]) {
    const counts = countsIn(head);
    return names.map((name, i) => this.#readers[name].take(views[i], counts[name]));
  }

  /** Records the question. Returns how many dispatches. */
  #encode(encoder: GPUCommandEncoder, bodies: Snapshot, options: HierarchyOptions): number {
    const { candidates: given, culling } = options;
    const { front } = this;
    front.reserve(bodies.count, given);
    this.#narrow.reserve(encoder, options);
    this.#write(bodies, options);
    culling?.reserve(bodies, front.room, front.table.scene);
    let pass = encoder.beginComputePass(this.#stopwatch.passOf(unnamed, culling && 'first'));
    const few = culling === undefined && front.isFew(bodies.count, given);
    const culls = culling?.findsCandidates === true && given === undefined;
    let dispatches =
      culling === undefined
        ? front.encode(pass, bodies.count, given)
        : culls
          ? front.encodePlaces(pass, bodies.count)
          : front.encodeCandidates(pass, bodies.count, given);
    if (culling !== undefined) {
      pass.end();
      dispatches += culling.encode(encoder, culls);
      pass = encoder.beginComputePass(this.#stopwatch.passOf(unnamed, 'last'));
      dispatches += front.encodeFrames(pass, culling.frames);
    }
    dispatches += this.#narrow.encode(pass, options, few, this.#trees.mostLeaves);
    pass.end();
    this.#stopwatch.encode(encoder);
    return dispatches;
  }

  #write(bodies: Snapshot, options: HierarchyOptions): void {
    this.front.write(bodies.count, options, {
      selfTest: options.self ? 1 : 0,
      threads: this.#threads,
      bruteForce: options.traversal === 'brute-force' ? 1 : 0,
      enough: enoughFor(options) ?? neverEnough,
    });
  }

  #found(bodies: Snapshot, options: HierarchyOptions, outcome: Outcome, stats: EngineStats): RawAnswer {
    const { head, certain, unsure, corners: unsureCorners, words } = outcome;
    const { detail, self } = options;
    const candidates = options.candidates ?? outcome.candidates ?? onlyPair(head[Result.candidates]);
    stats.boxTests += outcome.boxTests + head[Result.boxTests];
    if (self && options.culling === undefined)
      this.#trees.noteTests(bodies.shapeStates[0].shape, head[Result.boxTests]);
    stats.unsure += head[Result.unsure];
    if (detail === 'any') stats.triangleTests += head[Result.triangleTests];
    else if (options.traversal !== 'brute-force') stats.triangleTests += head[Result.leafPairs];
    else stats.triangleTests += this.#bruteForceTests(bodies, candidates, self === true);
    const counts = detail === 'count' ? countsOf(words) : undefined;
    if (self) return { candidates, certain, unsure, unsureCorners, counts, stats };
    const { known, outside } = notMeeting(words);
    return { candidates, certain, unsure, unsureCorners, counts, known, outside, stats };
  }

  /** Whether a counter may have wrapped, or a list would not fit the device at any size. */
  #tooMuch(bodies: Snapshot, { traversal, culling }: HierarchyOptions, head: Uint32Array): boolean {
    const isBrute = traversal === 'brute-force' && culling === undefined;
    const mayWrap = (leaves: number) => {
      const runs = isBrute ? Math.ceil(leaves / bruteForceRun) : (culling?.itemsPerLeaf ?? 1);
      return head[Result.candidates] * leaves * runs >= this.#wrapAt;
    };
    if (head[Result.candidates] > this.front.mostAtOnce) return true;
    if (12 * head[Result.leafPairs] > largestBinding(this.#device)) return true;
    // The largest tree of the session may belong to another scene.
    return mayWrap(this.#trees.mostLeaves) && mayWrap(this.#mostLeavesOf(bodies));
  }

  #mostLeavesOf({ shapeStates }: Snapshot): number {
    let most = 0;
    for (const { shape } of shapeStates) most = Math.max(most, this.#trees.entryOf(shape).leafCount);
    return most;
  }

  async #answerInHalves(
    bodies: Snapshot,
    options: HierarchyOptions & { candidates: Uint32Array },
    stats: EngineStats,
  ): Promise<RawAnswer> {
    const { candidates } = options;
    // A mesh against itself is one candidate, which cannot be split.
    if (candidates.length <= 2 || options.self) {
      const message =
        'a single pair of bodies has more overlapping triangle boxes than this device has room for';
      throw new NearfieldError('out-of-memory', message);
    }
    const middle = 2 * Math.ceil(candidates.length / 4);
    const answers: RawAnswer[] = [];
    for (const half of [candidates.slice(0, middle), candidates.slice(middle)]) {
      options.checkpoint?.(answers.length / 2);
      const part = { ...options, candidates: half };
      const whole = await this.#answer(bodies, part, stats, new Opening());
      answers.push(whole ?? (await this.#answerInHalves(bodies, part, stats)));
    }
    const [first, second] = answers;
    for (const records of [second.certain, second.unsure]) {
      for (let i = 0; i < records.length; i += 3) records[i] += middle / 2;
    }
    return {
      candidates,
      certain: joined(first.certain, second.certain),
      unsure: joined(first.unsure, second.unsure),
      unsureCorners: options.onGpu ? joined(first.unsureCorners!, second.unsureCorners!) : undefined,
      counts: options.detail === 'count' ? joined(first.counts!, second.counts!) : undefined,
      known: options.self ? undefined : joined(first.known!, second.known!),
      outside: options.self ? undefined : joined(first.outside!, second.outside!),
      stats,
    };
  }

  async #findCandidates(
    bodies: Snapshot,
    options: HierarchyOptions,
    stats: EngineStats,
  ): Promise<Uint32Array> {
    const { front } = this;
    const found = await this.#query.run({
      stats,
      label: broadLabel,
      encode: encoder => {
        front.reserve(bodies.count, undefined);
        this.#write(bodies, { ...options, candidates: undefined });
        const pass = encoder.beginComputePass(broadLabel);
        stats.dispatches += front.encodeCandidates(pass, bodies.count, undefined);
        pass.end();
        return [this.#pieces(['candidates'])];
      },
      checkSubmission: ([[head]]) => front.checkSubmission(head),
      take: ([[head, list]]) =>
        front.grow(head, false) ? undefined : this.#takeLists(['candidates'], head, [list]),
    });
    return (await this.#query.rest(...found))[0];
  }

  #bruteForceTests(bodies: Snapshot, candidates: Uint32Array, self: boolean): number {
    let tests = 0;
    for (let i = 0; i < candidates.length; i += 2) {
      const a = this.#trees.entryOf(bodies.shapeStates[candidates[i]].shape).leafCount;
      const b = this.#trees.entryOf(bodies.shapeStates[candidates[i + 1]].shape).leafCount;
      tests += self ? (a * (a - 1)) / 2 : a * b;
    }
    return tests;
  }
}

const none: readonly Piece[] = [];
const onlyPair = (count: number): Uint32Array => new Uint32Array(count === 0 ? [] : [0, 1]);

/** A label is a string that has to leave JavaScript, which takes microseconds. */
const unnamed = {};
const broadLabel = { label: 'broad phase' };

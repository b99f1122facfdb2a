// The hierarchy method on the GPU (Greß and Zachmann): poses → body table → candidates → pair frames → leaf pairs
// → triangle tests → records, in one submission and one read-back.

import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { PairFront } from '../../../candidates/gpu/pair-front.ts';
import { NearfieldError, TooManyPairs } from '../../../core/errors.ts';
import type { EngineStats } from '../../../core/stats.ts';
import { largestBinding } from '../../../gpu/buffers/buffers.ts';
import { softwareGroups } from '../../../gpu/device.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import type { RawAnswer } from '../../request.ts';
import type { HierarchyKernels } from './kernels.ts';
import { bruteForceRun, neverEnough, Result } from './layouts.ts';
import { countedBy, createPairLists, type PairListName, type Room } from './lists.ts';
import { NarrowPhase } from './narrow-phase.ts';
import { Opening } from './opening.ts';
import { enoughFor, type HierarchyOptions } from './options.ts';
import { countsOf, cutShort, joined, notMeeting, type Outcome, OutcomeReader } from './outcome.ts';

export type { HierarchyOptions } from './options.ts';

/** Workgroups of the kernels that loop over a list whose length only the GPU knows. */
const hardwareGroups = 4096;
/** Leaves of two trees that are near each other, for every pair of triangles that is worth listing: more are too many as well. */
const leavesPerPair = 16;

export class Hierarchy {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #reader: OutcomeReader;
  readonly #stopwatch: Stopwatch;
  readonly #narrow: NarrowPhase;
  readonly #threads: number;
  /** Places the bodies and pairs them: also for methods that go on with the candidates themselves. */
  readonly front: PairFront<PairListName>;

  constructor(
    device: GPUDevice,
    { front, waysOut }: HierarchyKernels,
    trees: GpuTrees,
    stopwatch: Stopwatch,
    { software, room, orderFrom }: { software: boolean; room: Room; orderFrom?: number | undefined },
  ) {
    const groups = software ? softwareGroups : hardwareGroups;
    const { candidates, atOnce, nodePairs } = room;
    this.#device = device;
    this.#trees = trees;
    this.#stopwatch = stopwatch;
    this.#threads = 64 * groups;
    const lists = createPairLists(device, room);
    this.front = new PairFront(device, front, trees, lists, { groups, candidates, atOnce, orderFrom });
    this.#narrow = new NarrowPhase(device, waysOut, this.front, groups, nodePairs);
    this.#reader = new OutcomeReader(device, { ...this.front.lists.buffers, ...lists.buffers });
  }

  /** Every two triangles of different bodies that meet or may. Trees of the bodies' shapes must be up to date. */
  async run(bodies: Snapshot, options: HierarchyOptions): Promise<RawAnswer> {
    const stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
    if (!this.#narrow.isReady(options)) await this.#narrow.prepare(options);
    if (!this.front.isReady(bodies)) await this.front.prepare(bodies);
    // Poses on the GPU are enough where nothing but pairs is asked for.
    if (options.candidates ?? options.culling) await bodies.onGpu?.read();
    const opening = new Opening(options.preparation);
    let answer = await this.#answer(bodies, options, stats, opening);
    if (answer === undefined) {
      // Too much for one go: the candidates alone, then they in halves.
      stats.growths++;
      const candidates = options.candidates ?? (await this.#findCandidates(bodies, options, stats));
      answer = await this.#answerInHalves(bodies, { ...options, candidates }, stats);
    }
    const enough = enoughFor(options);
    if (enough === undefined || answer.unsure.length === 0) return answer;
    return { ...answer, stoppedAtFirst: cutShort(answer, enough) };
  }

  destroy(): void {
    this.#reader.destroy();
    this.#narrow.destroy();
    this.front.destroy();
  }

  /** Undefined where one go is not enough, however large the lists. */
  async #answer(
    bodies: Snapshot,
    options: HierarchyOptions,
    stats: EngineStats,
    opening: Opening,
  ): Promise<RawAnswer | undefined> {
    const { candidates: given, culling } = options;
    const { front } = this;
    if (given !== undefined && given.length / 2 > front.mostAtOnce) {
      await this.#openAlone(opening, stats);
      return undefined;
    }
    for (;;) {
      const encoder = this.#device.createCommandEncoder();
      stats.dispatches += opening.encode(encoder);
      const reading = front.update(bodies, encoder);
      if (reading !== undefined) await reading;
      const { heldPieces } = front.table;
      stats.dispatches += heldPieces.length;
      stats.dispatches += this.#encode(encoder, bodies, options);
      const outcome = await this.#reader.submit(encoder, front.serial, {
        candidates: given === undefined && bodies.count > 2,
        words: !options.self,
        steps: this.#narrow.pieceOf(options),
        times: this.#stopwatch.piece,
        corners: options.held === true,
        extra: [...heldPieces, ...(culling?.pieces ?? []), ...opening.pieces],
      });
      front.table.submitted();
      this.#stopwatch.take(outcome.times);
      const { head } = outcome;
      const heldRead = outcome.extra.splice(0, heldPieces.length);
      const culled = culling?.pieces.length ?? 0;
      if (!opening.accept(outcome.extra.slice(culled))) {
        stats.growths++;
        continue;
      }
      if (!front.table.acceptHeld(heldRead)) continue;
      front.check(head);
      const { most = Infinity } = options;
      if (head[Result.certain] + head[Result.unsure] > most || head[Result.leafPairs] > leavesPerPair * most)
        throw new TooManyPairs(most);
      if (this.#tooMuch(options, head)) return undefined;
      const boxTests = this.#narrow.accept(options, outcome.steps);
      const grownCulling = culling !== undefined && !culling.accept(outcome.extra.slice(0, culled));
      const grownCandidates = front.grow(head);
      const grownLists = front.growOwn(countedBy(head)) || grownCandidates;
      if (boxTests !== undefined && !grownCulling && !grownLists) {
        stats.boxTests += boxTests;
        return this.#found(bodies, options, outcome, stats);
      }
      stats.growths++;
      options.checkpoint?.(0);
    }
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
    let dispatches =
      culling === undefined
        ? front.encode(pass, bodies.count, given)
        : front.encodeCandidates(pass, bodies.count, given);
    if (culling !== undefined) {
      pass.end();
      dispatches += culling.encode(encoder);
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
    const { head, certain, unsure, unsureCorners, words } = outcome;
    const { detail, self } = options;
    // Of two bodies there is one pair or none, and a copy less to wait for.
    const found = bodies.count > 2 ? outcome.candidates : onlyPair(head[Result.candidates]);
    const candidates = options.candidates ?? found;
    stats.boxTests += head[Result.boxTests];
    if (self && options.culling === undefined)
      this.#trees.noteTests(bodies.shapeStates[0].shape, head[Result.boxTests]);
    stats.unsure += head[Result.unsure];
    if (detail === 'any') stats.triangleTests += head[Result.triangleTests];
    else if (options.traversal !== 'brute-force') stats.triangleTests += head[Result.leafPairs];
    else stats.triangleTests += this.#bruteForceTests(bodies, candidates, self === true);
    const counts = detail === 'count' ? countsOf(words) : undefined;
    if (self) return { candidates, certain, unsure, unsureCorners, counts, stats };
    const { apart, outside } = notMeeting(words);
    return { candidates, certain, unsure, unsureCorners, counts, apart, outside, stats };
  }

  /** Trees alone, where the question takes more than one submission anyway. */
  async #openAlone(opening: Opening, stats: EngineStats): Promise<void> {
    while (!opening.isDone) {
      const encoder = this.#device.createCommandEncoder(hierarchyLabel);
      stats.dispatches += opening.encode(encoder);
      opening.accept(await this.#reader.readPieces(encoder, opening.pieces));
    }
  }

  /** Whether a counter may have wrapped, or a list would not fit the device at any size. */
  #tooMuch({ traversal }: HierarchyOptions, head: Uint32Array): boolean {
    const { mostLeaves } = this.#trees;
    const runs = traversal === 'brute-force' ? Math.ceil(mostLeaves / bruteForceRun) : 1;
    const mostItems = head[Result.candidates] * mostLeaves * runs;
    if (head[Result.candidates] > this.front.mostAtOnce) return true;
    return mostItems >= 2 ** 32 || 12 * head[Result.leafPairs] > largestBinding(this.#device);
  }

  async #answerInHalves(
    bodies: Snapshot,
    options: HierarchyOptions & { candidates: Uint32Array },
    stats: EngineStats,
  ): Promise<RawAnswer> {
    const { candidates } = options;
    // The parts of one mesh against itself are told apart by their place.
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
      const whole = await this.#answer(bodies, part, stats, new Opening(undefined));
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
      unsureCorners: options.held ? joined(first.unsureCorners!, second.unsureCorners!) : undefined,
      counts: options.detail === 'count' ? joined(first.counts!, second.counts!) : undefined,
      apart: options.self ? undefined : joined(first.apart!, second.apart!),
      outside: options.self ? undefined : joined(first.outside!, second.outside!),
      stats,
    };
  }

  async #findCandidates(
    bodies: Snapshot,
    options: HierarchyOptions,
    stats: EngineStats,
  ): Promise<Uint32Array> {
    for (;;) {
      this.front.reserve(bodies.count, undefined);
      this.#write(bodies, { ...options, candidates: undefined });
      const encoder = this.#device.createCommandEncoder(broadLabel);
      const pass = encoder.beginComputePass(broadLabel);
      stats.dispatches += this.front.encodeCandidates(pass, bodies.count, undefined);
      pass.end();
      const wanted = { candidates: true, words: false };
      const outcome = await this.#reader.submit(encoder, this.front.serial, wanted);
      if (!this.front.grow(outcome.head, false)) return outcome.candidates;
      stats.growths++;
    }
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

const onlyPair = (count: number): Uint32Array => new Uint32Array(count === 0 ? [] : [0, 1]);

/** Names are strings that leave JavaScript, microseconds each. */
const unnamed = {};
const hierarchyLabel = { label: 'hierarchy' };
const broadLabel = { label: 'broad phase' };

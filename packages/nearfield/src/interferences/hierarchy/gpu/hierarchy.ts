// The hierarchy method on the GPU (Greß and Zachmann): poses → body table → candidates → pair frames → leaf pairs
// → triangle tests → records, in one submission and one read-back.

import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import { BodyTable } from '../../../bvh/gpu/bodies/body-table.ts';
import { sameWords } from '../../../bvh/gpu/build/jobs.ts';
import type { Entry, GpuTrees } from '../../../bvh/gpu/trees.ts';
import { BroadPhase } from '../../../candidates/gpu/broad/broad-phase.ts';
import { resultHead } from '../../../candidates/gpu/layouts.ts';
import { NearfieldError, TooManyPairs } from '../../../core/errors.ts';
import type { EngineStats } from '../../../core/stats.ts';
import { buffersReplaced, largestBinding } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { softwareGroups } from '../../../gpu/device.ts';
import { Resources } from '../../../gpu/kernel.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import type { RawAnswer } from '../../request.ts';
import type { HierarchyKernels } from './kernels.ts';
import { bruteForceRun, Result } from './layouts.ts';
import { QueryLists, type Room } from './lists.ts';
import { NarrowPhase } from './narrow-phase.ts';
import { Opening } from './opening.ts';
import { enoughFor, type HierarchyOptions } from './options.ts';
import { countsOf, cutShort, joined, notMeeting, type Outcome, OutcomeReader } from './outcome.ts';
import { QueryBuffer } from './query.ts';

export type { HierarchyOptions } from './options.ts';

/** Workgroups of the kernels that loop over a list whose length only the GPU knows. */
const hardwareGroups = 4096;
/** Leaves of two trees that are near each other, for every pair of triangles that is worth listing: more are too many as well. */
const leavesPerPair = 16;

export class Hierarchy {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #table: BodyTable;
  readonly #reader: OutcomeReader;
  readonly #stopwatch: Stopwatch;
  readonly #query: QueryBuffer;
  readonly #lists: QueryLists;
  readonly #resources = new Resources();
  readonly #broad: BroadPhase;
  readonly #narrow: NarrowPhase;
  /** What `buffersReplaced` said when buffers were last bound. */
  #boundAt = -1;
  /** Candidates that lie in their list because a question gave them, where they are few. */
  #given: { readonly words: Uint32Array; readonly buffer: GPUBuffer } | undefined;

  constructor(
    device: GPUDevice,
    kernels: HierarchyKernels,
    trees: GpuTrees,
    stopwatch: Stopwatch,
    options: { software: boolean; room: Room; orderFrom?: number | undefined },
  ) {
    const groups = options.software ? softwareGroups : hardwareGroups;
    this.#device = device;
    this.#trees = trees;
    this.#table = new BodyTable(device);
    this.#stopwatch = stopwatch;
    this.#query = new QueryBuffer(device, this.#resources, 64 * groups);
    this.#lists = new QueryLists(device, options.room);
    this.#broad = new BroadPhase(device, kernels.front, this.#resources, options.orderFrom);
    this.#narrow = new NarrowPhase(device, kernels, this.#resources, this.#lists, groups);
    this.#reader = new OutcomeReader(device, this.#lists.buffers);
  }

  /** What the kernels of a culling read beside their own. */
  get resources(): Resources {
    return this.#resources;
  }

  /** Every two triangles of different bodies that meet or may. Trees of the bodies' shapes must be up to date. */
  async run(bodies: Snapshot, options: HierarchyOptions): Promise<RawAnswer> {
    const stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
    if (!this.#narrow.isReady(options)) await this.#narrow.prepare(options);
    if (!this.#broad.isReady(bodies.count)) await this.#broad.prepare(bodies.count);
    if (!this.#table.isReady(bodies)) await this.#table.prepare(bodies);
    // Poses on the GPU are enough where nothing but pairs is asked for.
    if (options.candidates ?? options.culling) await bodies.onGpu?.read();
    const opening = new Opening(options.preparation, encoder => {
      stats.dispatches += options.preparation?.encode(encoder) ?? 0;
      this.#table.update(bodies, this.#trees, encoder);
    });
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

  /** For methods that find candidates here and go on with them themselves. Compiles what so many bodies need first. */
  prepareCandidates(bodyCount: number): Promise<void> {
    return this.#broad.prepare(bodyCount);
  }

  /** After trees were encoded, whose frames the table goes by. */
  updateTable(bodies: Snapshot, encoder: GPUCommandEncoder): void {
    this.#table.update(bodies, this.#trees, encoder);
  }

  /** Once the encoder was submitted. */
  tableSubmitted(): void {
    this.#table.submitted();
  }

  /** Of the table's bodies: every shape once, and the origin their boxes are counted from. */
  get entries(): ReadonlySet<Entry> {
    return this.#table.entries;
  }
  get sceneOrigin(): Float64Array {
    return this.#table.scene.origin;
  }

  /** Writes the query and makes the room there is; candidates are found unless they are given. */
  reserveCandidates(bodies: Snapshot, given: Uint32Array | undefined): void {
    if (given !== undefined) this.#lists.needCandidates(given.length / 2);
    this.#lists.reserve(bodies.count);
    this.#query.write(bodies.count, this.#table.scene, {
      detail: 'any',
      traversal: 'walk',
      candidates: given,
    });
    this.#writeGiven(given);
    this.#bind();
  }

  /** Places the bodies and finds their candidates. Returns how many dispatches. */
  encodeCandidates(pass: GPUComputePassEncoder, bodies: Snapshot, find: boolean): number {
    return this.#broad.encode(pass, bodies.count, find);
  }

  /** The results' head (Result), to be read back. */
  get headPiece(): Piece {
    return { buffer: this.#lists.buffers.results.buffer, offset: 0, bytes: 4 * resultHead };
  }

  /** Looks at the head that was read; false where there was not room for all candidates, and now is. */
  acceptCandidates(head: Uint32Array): boolean {
    if (head[Result.serial] !== this.#query.serial) {
      throw new NearfieldError('out-of-memory', 'the GPU refused the work: most likely it is out of memory');
    }
    if (head[Result.misfit] === this.#query.serial) throw new Error('a shape left its local frame unseen');
    return !this.#lists.grow(head, true);
  }

  destroy(): void {
    this.#table.destroy();
    this.#reader.destroy();
    this.#narrow.destroy();
    this.#broad.destroy();
    this.#query.destroy();
    this.#lists.destroy();
  }

  /** Undefined where one go is not enough, however large the lists. */
  async #answer(
    bodies: Snapshot,
    options: HierarchyOptions,
    stats: EngineStats,
    opening?: Opening,
  ): Promise<RawAnswer | undefined> {
    const { candidates: given, culling } = options;
    if (given !== undefined) {
      if (given.length / 2 > this.#lists.mostAtOnce) {
        if (opening !== undefined) await this.#openAlone(opening);
        return undefined;
      }
      this.#lists.needCandidates(given.length / 2);
    }
    for (;;) {
      const encoder = this.#device.createCommandEncoder();
      opening?.encode(encoder);
      if (this.#table.lacksPoses) {
        await bodies.onGpu!.read();
        this.#table.update(bodies, this.#trees, encoder);
      }
      const { heldPieces } = this.#table;
      stats.dispatches += heldPieces.length;
      stats.dispatches += this.#encode(encoder, bodies, options);
      const outcome = await this.#reader.submit(encoder, this.#query.serial, {
        candidates: given === undefined && bodies.count > 2,
        words: !options.self,
        steps: this.#narrow.pieceOf(options),
        times: this.#stopwatch.piece,
        corners: options.held === true,
        extra: [...heldPieces, ...(culling?.pieces ?? []), ...(opening?.pieces ?? [])],
      });
      this.#table.submitted();
      this.#stopwatch.take(outcome.times);
      const { head } = outcome;
      const heldRead = outcome.extra.splice(0, heldPieces.length);
      const culled = culling?.pieces.length ?? 0;
      if (opening !== undefined && !opening.accept(outcome.extra.slice(culled))) {
        stats.growths++;
        continue;
      }
      if (!this.#table.acceptHeld(heldRead)) continue;
      if (head[Result.misfit] === this.#query.serial) throw new Error('a shape left its local frame unseen');
      const { most = Infinity } = options;
      if (head[Result.certain] + head[Result.unsure] > most || head[Result.leafPairs] > leavesPerPair * most)
        throw new TooManyPairs(most);
      if (this.#tooMuch(options, head)) return undefined;
      const boxTests = this.#narrow.accept(options, outcome.steps);
      const grownCulling = culling !== undefined && !culling.accept(outcome.extra.slice(0, culled));
      const grownLists = this.#lists.grow(head);
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
    this.#lists.reserve(bodies.count);
    this.#query.write(bodies.count, this.#table.scene, options);
    this.#writeGiven(given);
    this.#narrow.reserve(encoder, options);
    this.#bind();
    culling?.reserve(bodies, this.#lists.room.candidates, this.#table.scene);
    let pass = encoder.beginComputePass(this.#stopwatch.passOf(unnamed, culling && 'first'));
    const few = culling === undefined && this.#broad.isFew(bodies.count, given);
    let dispatches = few
      ? this.#broad.encodeFew(pass)
      : this.#broad.encode(pass, bodies.count, given === undefined);
    if (culling !== undefined) {
      pass.end();
      dispatches += culling.encode(encoder);
      pass = encoder.beginComputePass(this.#stopwatch.passOf(unnamed, 'last'));
    }
    dispatches += this.#narrow.encode(pass, options, few, this.#trees.mostLeaves);
    pass.end();
    this.#stopwatch.encode(encoder);
    return dispatches;
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

  /** Trees and table alone, where the question takes more than one submission anyway. */
  async #openAlone(opening: Opening): Promise<void> {
    let extra: Uint32Array[];
    do {
      const encoder = this.#device.createCommandEncoder(hierarchyLabel);
      opening.encode(encoder);
      extra = await this.#reader.readPieces(encoder, opening.pieces);
      this.#table.submitted();
    } while (!opening.accept(extra));
  }

  /** Whether a counter may have wrapped, or a list would not fit the device at any size. */
  #tooMuch({ traversal }: HierarchyOptions, head: Uint32Array): boolean {
    const { mostLeaves } = this.#trees;
    const runs = traversal === 'brute-force' ? Math.ceil(mostLeaves / bruteForceRun) : 1;
    const mostItems = head[Result.candidates] * mostLeaves * runs;
    if (head[Result.candidates] > this.#lists.mostAtOnce) return true;
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
      const whole = await this.#answer(bodies, part, stats);
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
      this.#lists.reserve(bodies.count);
      this.#query.write(bodies.count, this.#table.scene, { ...options, candidates: undefined });
      this.#writeGiven(undefined);
      this.#bind();
      const encoder = this.#device.createCommandEncoder(broadLabel);
      const pass = encoder.beginComputePass(broadLabel);
      stats.dispatches += this.#broad.encode(pass, bodies.count, true);
      pass.end();
      const wanted = { candidates: true, words: false };
      const outcome = await this.#reader.submit(encoder, this.#query.serial, wanted);
      if (!this.#lists.grow(outcome.head, true)) return outcome.candidates;
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

  /** Writes the candidates that a question gives, unless they are there: one body asked about itself again and again. */
  #writeGiven(given: Uint32Array | undefined): void {
    const { buffer } = this.#lists.buffers.candidates;
    const last = this.#given;
    if (given !== undefined && last?.buffer === buffer && sameWords(last.words, given)) return;
    this.#given = undefined;
    if (given === undefined) return;
    this.#device.queue.writeBuffer(buffer, 0, given as Uint32Array<ArrayBuffer>);
    if (given.length <= 4) this.#given = { words: given.slice(), buffer };
  }

  /** Lists, table and trees may lie elsewhere since the last query. */
  #bind(): void {
    if (this.#boundAt === buffersReplaced()) return;
    this.#trees.bind(this.#resources);
    this.#table.bind(this.#resources);
    this.#lists.bind(this.#resources);
    this.#boundAt = buffersReplaced();
  }
}

const onlyPair = (count: number): Uint32Array => new Uint32Array(count === 0 ? [] : [0, 1]);

/** Names are strings that leave JavaScript, microseconds each. */
const unnamed = {};
const hierarchyLabel = { label: 'hierarchy' };
const broadLabel = { label: 'broad phase' };

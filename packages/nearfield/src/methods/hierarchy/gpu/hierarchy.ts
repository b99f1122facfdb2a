// The hierarchy method on the GPU (Greß and Zachmann): poses → body table → candidates → pair frames → leaf pairs
// → triangle tests → records, in one submission and one read-back.

import { depthOf } from '../../../bvh/gpu-layouts.ts';
import type { GpuTrees, Preparation } from '../../../bvh/gpu-trees.ts';
import { NearfieldError } from '../../../errors.ts';
import { largestBinding } from '../../../gpu/buffers.ts';
import { type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import type { Bodies, Detail, EngineStats, RawAnswer, Shape } from '../../../scene/engine.ts';
import { BodyTable } from './bodies/body-table.ts';
import { OrderedBroad } from './bodies/ordered-broad.ts';
import type { Culling } from './culling.ts';
import {
  createBreadthFirstKernels,
  createCornersKernel,
  createNarrowKernels,
  createOrderedBroadKernels,
  type HierarchyKernels,
  type Traversal,
} from './kernels.ts';
import { bruteForceRun, noneGiven, QueryLayout, Result } from './layouts.ts';
import { QueryLists, type Room } from './lists.ts';
import { Opening } from './opening.ts';
import { joined, type Outcome, OutcomeReader, withoutWork } from './outcome.ts';
import { BreadthFirst, levelCounts, nextEntrance } from './traverse/breadth-first.ts';

export interface HierarchyOptions {
  readonly detail: Detail;
  readonly traversal: Traversal;
  /** Pairs of body indices; the broad phase finds them where they are left out. */
  readonly candidates?: Uint32Array | undefined;
  /** Triangles of the one body against themselves. */
  readonly self?: boolean;
  /** Called between submissions, where there is more than one; throws to stop. */
  readonly checkpoint?: (done: number) => void;
  /** What must come first in the same submission. */
  readonly preparation?: Preparation | undefined;
  /** Whether some positions are on the GPU alone: then the corners of unsure triangles come with the answer. */
  readonly held?: boolean | undefined;
  /** Bodies that are nearer than this are candidates, where they need not meet. World units. */
  readonly clearance?: number | undefined;
  /** What leaves bodies and triangles out before the walk. */
  readonly culling?: Culling | undefined;
}

/** Workgroups of the kernels that loop over a list whose length only the GPU knows. */
const hardwareGroups = 4096;
const softwareGroups = 32;

/** From this many bodies on, the broad phase puts them in order first: ten dispatches instead of all pairs. */
const usualOrderFrom = 16384;

/** Up to this many bodies, and as many given candidates, one workgroup places, pairs and frames them. */
const fewBodies = 24;
const fewCandidates = 256;

/** The most node pairs the breadth-first traversal may begin with. */
const mostEntries = 2 ** 20;

/** The kernels that find and test leaf pairs, in the order of their dispatches. */
interface Narrow {
  readonly launches: readonly Launch[];
  readonly breadthFirst: BreadthFirst | undefined;
  readonly depth: number;
  entrance: number;
}

export class Hierarchy {
  readonly #device: GPUDevice;
  readonly #launches: Record<Exclude<keyof HierarchyKernels, 'few'>, Launch>;
  readonly #few: Launch | undefined;
  #corners: Launch | undefined;
  readonly #trees: GpuTrees;
  readonly #table: BodyTable;
  readonly #reader: OutcomeReader;
  readonly #stopwatch: Stopwatch;
  readonly #groups: number;
  readonly #query: GPUBuffer;
  readonly #lists: QueryLists;
  readonly #resources = new Resources();
  readonly #narrowLaunches = new Map<string, readonly Launch[]>();
  readonly #queryWords = new Uint32Array(QueryLayout.words);
  readonly #orderFrom: number;
  #breadthFirst: BreadthFirst | undefined;
  #orderedBroad: OrderedBroad | undefined;
  #serial = 0;
  /** The level that paid last time (G5), by the shape of the query's first body. */
  readonly #entrances = new WeakMap<Shape, number>();

  constructor(
    device: GPUDevice,
    kernels: HierarchyKernels,
    trees: GpuTrees,
    stopwatch: Stopwatch,
    options: { software: boolean; room: Room; orderFrom?: number | undefined },
  ) {
    this.#device = device;
    this.#trees = trees;
    this.#table = new BodyTable(device);
    this.#stopwatch = stopwatch;
    this.#orderFrom = options.orderFrom ?? usualOrderFrom;
    this.#groups = options.software ? softwareGroups : hardwareGroups;
    this.#query = device.createBuffer({
      label: 'query',
      size: QueryLayout.bytes,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    this.#resources.set('query', this.#query);
    const launch = (kernel: Kernel) => new Launch(device, kernel, this.#resources);
    this.#launches = {
      place: launch(kernels.place),
      broad: launch(kernels.broad),
      frames: launch(kernels.frames),
      scanWork: launch(kernels.scanWork),
    };
    this.#few = kernels.few && launch(kernels.few);
    this.#lists = new QueryLists(device, options.room);
    this.#reader = new OutcomeReader(device, this.#lists.buffers);
  }

  /** What the kernels of a culling read beside their own. */
  get resources(): Resources {
    return this.#resources;
  }

  /** Every two triangles of different bodies that meet or may. Trees of the bodies' shapes must be up to date. */
  async run(bodies: Bodies, options: HierarchyOptions): Promise<RawAnswer> {
    const stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
    const launches =
      options.culling?.narrow ?? this.#narrowLaunches.get(keyOf(options)) ?? (await this.#prepare(options));
    if (bodies.count >= this.#orderFrom && this.#orderedBroad === undefined) {
      const kernels = await createOrderedBroadKernels(this.#device);
      this.#orderedBroad = new OrderedBroad(this.#device, kernels, this.#resources);
    }
    if (options.held && this.#corners === undefined) {
      const kernel = await createCornersKernel(this.#device);
      this.#corners = new Launch(this.#device, kernel, this.#resources);
    }
    const opening = new Opening(options.preparation, encoder => {
      stats.dispatches += options.preparation?.encode(encoder) ?? 0;
      this.#table.update(bodies, this.#trees);
    });
    const narrow = this.#narrowOf(bodies, options, launches);
    const answer = await this.#answer(bodies, options, narrow, stats, opening);
    if (answer !== undefined) return answer;
    // Too much for one go: the candidates alone, then they in halves.
    stats.growths++;
    const candidates = options.candidates ?? (await this.#findCandidates(bodies, options, stats));
    return this.#answerInHalves(bodies, { ...options, candidates }, narrow, stats);
  }

  destroy(): void {
    this.#table.destroy();
    this.#reader.destroy();
    this.#breadthFirst?.destroy();
    this.#orderedBroad?.destroy();
    this.#query.destroy();
    this.#lists.destroy();
  }

  /** Compiles what this kind of question is the first to need. */
  async #prepare(options: HierarchyOptions): Promise<readonly Launch[]> {
    const { detail, traversal, self = false } = options;
    const kernels = await createNarrowKernels(this.#device, traversal, detail, self);
    if (traversal === 'breadth-first' && this.#breadthFirst === undefined) {
      const levelKernels = await createBreadthFirstKernels(this.#device);
      this.#breadthFirst = new BreadthFirst(this.#device, levelKernels, this.#resources);
    }
    const launches = kernels.map(kernel => new Launch(this.#device, kernel, this.#resources));
    this.#narrowLaunches.set(keyOf(options), launches);
    return launches;
  }

  #narrowOf(bodies: Bodies, { traversal }: HierarchyOptions, launches: readonly Launch[]): Narrow {
    if (traversal !== 'breadth-first') return { launches, breadthFirst: undefined, depth: 0, entrance: 0 };
    const depth = depthOf(this.#trees.mostLeaves);
    const remembered = bodies.count === 0 ? 0 : (this.#entrances.get(bodies.forms[0].shape) ?? 0);
    return { launches, breadthFirst: this.#breadthFirst, depth, entrance: Math.min(remembered, depth) };
  }

  /** Undefined where one go is not enough, however large the lists. */
  async #answer(
    bodies: Bodies,
    options: HierarchyOptions,
    narrow: Narrow,
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
      const encoder = this.#device.createCommandEncoder(hierarchyLabel);
      opening?.encode(encoder);
      this.#lists.reserve(bodies.count);
      narrow.breadthFirst?.reserve(this.#lists.room.nodePairs);
      this.#writeQuery(bodies.count, options, narrow.entrance);
      if (given !== undefined) {
        this.#device.queue.writeBuffer(
          this.#lists.buffers.candidates.buffer,
          0,
          given as Uint32Array<ArrayBuffer>,
        );
      }
      if (options.held) this.#lists.reserveCorners();
      this.#bind();
      culling?.reserve(bodies, this.#lists.room.candidates);
      narrow.breadthFirst?.encodeReset(encoder);
      let pass = encoder.beginComputePass(this.#stopwatch.passOf(hierarchyLabel, culling && 'first'));
      const few = culling === undefined && this.#isFew(bodies.count, given);
      if (few) this.#few!.encode(pass, 1);
      stats.dispatches += few ? 1 : this.#encodeBroad(pass, bodies.count, given === undefined);
      if (culling !== undefined) {
        pass.end();
        stats.dispatches += culling.encode(encoder);
        pass = encoder.beginComputePass(this.#stopwatch.passOf(hierarchyLabel, 'last'));
      }
      stats.dispatches += this.#encodeNarrow(pass, narrow, few, culling?.frames);
      if (options.held) this.#corners!.encode(pass, 16);
      stats.dispatches += options.held ? 1 : 0;
      pass.end();
      this.#stopwatch.encode(encoder);
      const outcome = await this.#reader.submit(encoder, this.#serial, {
        candidates: given === undefined,
        counts: options.detail === 'count',
        levels: narrow.breadthFirst?.piece,
        times: this.#stopwatch.piece,
        corners: options.held === true,
        work: !options.self,
        extra: [...(culling?.pieces ?? []), ...(opening?.pieces ?? [])],
      });
      this.#stopwatch.take(outcome.times);
      const { head } = outcome;
      const culled = culling?.pieces.length ?? 0;
      if (opening !== undefined && !opening.accept(outcome.extra.slice(culled))) {
        stats.growths++;
        continue;
      }
      if (head[Result.misfit] === this.#serial) throw new Error('a shape left its local frame unseen');
      if (this.#tooMuch(options, head)) return undefined;
      const grownNodes = this.#growNodePairs(bodies, narrow, outcome, stats);
      const grownCulling = culling !== undefined && !culling.accept(outcome.extra.slice(0, culled));
      const grownLists = this.#lists.grow(head);
      if (!grownNodes && !grownCulling && !grownLists) {
        const candidates = given ?? outcome.candidates;
        stats.boxTests += head[Result.boxTests];
        stats.triangleTests +=
          options.traversal === 'brute-force'
            ? this.#bruteForceTests(bodies, candidates, options.self === true)
            : head[Result.leafPairs] + head[Result.triangleTests];
        stats.unsure += head[Result.unsure];
        const counts = options.detail === 'count' ? outcome.counts : undefined;
        const { certain, unsure, unsureCorners } = outcome;
        const apart = options.self ? undefined : withoutWork(outcome.work, head[Result.workItems]);
        return { candidates, certain, unsure, unsureCorners, counts, apart, stats };
      }
      stats.growths++;
      options.checkpoint?.(0);
    }
  }

  /** Trees and table alone, where the question takes more than one submission anyway. */
  async #openAlone(opening: Opening): Promise<void> {
    let extra: Uint32Array[];
    do {
      const encoder = this.#device.createCommandEncoder(hierarchyLabel);
      opening.encode(encoder);
      extra = await this.#reader.readPieces(encoder, opening.pieces);
    } while (!opening.accept(extra));
  }

  #isFew(bodyCount: number, given: Uint32Array | undefined): boolean {
    if (this.#few === undefined || bodyCount > fewBodies) return false;
    return given === undefined || given.length / 2 <= fewCandidates;
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
    bodies: Bodies,
    options: HierarchyOptions & { candidates: Uint32Array },
    narrow: Narrow,
    stats: EngineStats,
  ): Promise<RawAnswer> {
    const { candidates } = options;
    if (candidates.length <= 2) {
      const message =
        'a single pair of bodies has more overlapping triangle boxes than this device has room for';
      throw new NearfieldError('out-of-memory', message);
    }
    const middle = 2 * Math.ceil(candidates.length / 4);
    const answers: RawAnswer[] = [];
    for (const half of [candidates.slice(0, middle), candidates.slice(middle)]) {
      options.checkpoint?.(answers.length / 2);
      const part = { ...options, candidates: half };
      const whole = await this.#answer(bodies, part, narrow, stats);
      answers.push(whole ?? (await this.#answerInHalves(bodies, part, narrow, stats)));
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
      stats,
    };
  }

  async #findCandidates(bodies: Bodies, options: HierarchyOptions, stats: EngineStats): Promise<Uint32Array> {
    for (;;) {
      this.#lists.reserve(bodies.count);
      this.#writeQuery(bodies.count, { ...options, candidates: undefined }, 0);
      this.#bind();
      const encoder = this.#device.createCommandEncoder(broadLabel);
      const pass = encoder.beginComputePass(broadLabel);
      stats.dispatches += this.#encodeBroad(pass, bodies.count, true);
      pass.end();
      const outcome = await this.#reader.submit(encoder, this.#serial, { candidates: true, counts: false });
      if (!this.#lists.grow(outcome.head, true)) return outcome.candidates;
      stats.growths++;
    }
  }

  /** Makes room for the breadth-first traversal, whose levels also say where to enter next time. */
  #growNodePairs(bodies: Bodies, narrow: Narrow, outcome: Outcome, stats: EngineStats): boolean {
    const { breadthFirst, entrance, depth } = narrow;
    if (breadthFirst === undefined) return false;
    const candidates = Math.max(1, outcome.head[Result.candidates]);
    if (candidates * 4 ** entrance > mostEntries && entrance > 0) {
      // There were fewer candidates when this level was chosen; from the roots it is then.
      narrow.entrance = 0;
      return true;
    }
    const counts = levelCounts(outcome.levels!);
    const most = counts.reduce((found, { tested }) => Math.max(found, tested), 0);
    if (most > breadthFirst.room) {
      this.#lists.needNodePairs(most);
      return true;
    }
    breadthFirst.expect(counts);
    for (const { tested } of counts) stats.boxTests += tested;
    const deepest = Math.min(depth, Math.max(0, Math.floor(Math.log2(mostEntries / candidates) / 2)));
    this.#entrances.set(bodies.forms[0].shape, nextEntrance(entrance, counts, deepest));
    return false;
  }

  #bruteForceTests(bodies: Bodies, candidates: Uint32Array, self: boolean): number {
    let tests = 0;
    for (let i = 0; i < candidates.length; i += 2) {
      const a = this.#trees.entryOf(bodies.forms[candidates[i]].shape).leafCount;
      const b = this.#trees.entryOf(bodies.forms[candidates[i + 1]].shape).leafCount;
      tests += self ? (a * (a - 1)) / 2 : a * b;
    }
    return tests;
  }

  #writeQuery(bodyCount: number, options: HierarchyOptions, entrance: number): void {
    const { origin, exponent } = this.#table.scene;
    const words = this.#queryWords;
    const { at } = QueryLayout;
    originDoubles.set(origin);
    for (let axis = 0; axis < 3; axis++) {
      words[at.originLow + axis] = originBits[2 * axis];
      words[at.originHigh + axis] = originBits[2 * axis + 1];
    }
    words[at.originLow + 3] = exponent;
    words[at.bodyCount] = bodyCount;
    words[at.givenCandidates] = options.candidates === undefined ? noneGiven : options.candidates.length / 2;
    words[at.selfTest] = options.self ? 1 : 0;
    words[at.threads] = 64 * this.#groups;
    words[at.bruteForce] = options.traversal === 'brute-force' ? 1 : 0;
    words[at.entrance] = entrance;
    words[at.serial] = ++this.#serial;
    // Half as much on every side of both boxes, rounded up.
    const margin = ((options.clearance ?? 0) / 2) * 2 ** -exponent * (1 + 2 ** -20);
    margins[0] = Math.min(Number.isNaN(margin) ? Infinity : margin, 2 ** 61);
    words[at.margin] = marginBits[0];
    this.#device.queue.writeBuffer(this.#query, 0, words);
  }

  /** Lists, table and trees may lie elsewhere since the last query. */
  #bind(): void {
    this.#trees.bind(this.#resources);
    this.#table.bind(this.#resources);
    this.#lists.bind(this.#resources);
  }

  /** Places the bodies and, unless candidates are given, finds them. Returns how many dispatches. */
  #encodeBroad(pass: GPUComputePassEncoder, bodyCount: number, find: boolean): number {
    this.#launches.place.encode(pass, Math.ceil(bodyCount / 64));
    if (!find) return 1;
    if (this.#orderedBroad !== undefined && bodyCount >= this.#orderFrom) {
      return 1 + this.#orderedBroad.encode(pass, bodyCount);
    }
    const tiles = Math.ceil(bodyCount / 256);
    this.#launches.broad.encode(pass, (tiles * (tiles + 1)) / 2);
    return 2;
  }

  #encodeNarrow(
    pass: GPUComputePassEncoder,
    narrow: Narrow,
    framed: boolean,
    frames = this.#launches.frames,
  ): number {
    let dispatches = narrow.launches.length;
    if (!framed) {
      const mostCandidates = Math.min(this.#lists.room.candidates, this.#lists.mostAtOnce);
      frames.encode(pass, Math.min(this.#groups, Math.ceil(mostCandidates / 64)));
      this.#launches.scanWork.encode(pass, 1);
      dispatches += 2;
    }
    if (narrow.breadthFirst !== undefined) {
      dispatches += narrow.breadthFirst.encode(pass, narrow.entrance, narrow.depth, this.#groups);
    }
    for (const launch of narrow.launches) launch.encode(pass, this.#groups);
    return dispatches;
  }
}

const hierarchyLabel = { label: 'hierarchy' };
const broadLabel = { label: 'broad phase' };
const margins = new Float32Array(1);
const marginBits = new Uint32Array(margins.buffer);
const originDoubles = new Float64Array(3);
const originBits = new Uint32Array(originDoubles.buffer);

const keyOf = ({ traversal, detail, self }: HierarchyOptions): string =>
  `${traversal} ${detail} ${self ? 'self' : 'pairs'}`;

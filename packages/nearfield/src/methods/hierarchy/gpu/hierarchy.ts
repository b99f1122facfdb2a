// The hierarchy method on the GPU (Greß and Zachmann): poses → body table → candidates → pair frames → leaf pairs
// → triangle tests → records, in one submission and one read-back.

import type { GpuTrees } from '../../../bvh/gpu-trees.ts';
import { NearfieldError } from '../../../errors.ts';
import { GrowingBuffer, largestBinding } from '../../../gpu/buffers.ts';
import { Binding, type Kernel, type Resource } from '../../../gpu/kernel.ts';
import { type Piece, ReadBack } from '../../../gpu/read-back.ts';
import type { Detail, EngineStats, Placed, RawAnswer } from '../../../scene/engine.ts';
import { BodyTable } from './body-table.ts';
import { createTestKernel, type HierarchyKernels } from './kernels.ts';
import { BodyLayout, FrameLayout, noneGiven, QueryLayout, Result, resultHead } from './layouts.ts';

export interface HierarchyOptions {
  readonly detail: Detail;
  /** Pairs of body indices; the broad phase finds them where they are left out. */
  readonly candidates?: Uint32Array | undefined;
  /** Triangles of the one body against themselves. */
  readonly self?: boolean;
}

/** Workgroups of the kernels that loop over a list whose length only the GPU knows. */
const hardwareGroups = 2048;
const softwareGroups = 32;

/** Records there is room for at first. Lists grow to what a query asked for and stay there. */
export interface Room {
  candidates: number;
  leafPairs: number;
  certain: number;
  unsure: number;
}

export class Hierarchy {
  readonly #device: GPUDevice;
  readonly #kernels: HierarchyKernels;
  readonly #trees: GpuTrees;
  readonly #table: BodyTable;
  readonly #readBack: ReadBack;
  readonly #groups: number;
  readonly #query: GPUBuffer;
  readonly #room: Room;
  /** How many records the last answer had: the next read-back takes as many at once, and some more. */
  readonly #expected = { candidates: 0, certain: 0, unsure: 0 };
  readonly #lists: Record<
    | 'bodies'
    | 'boxes'
    | 'candidates'
    | 'frames'
    | 'workItems'
    | 'leafPairs'
    | 'certainPairs'
    | 'unsurePairs'
    | 'results',
    GrowingBuffer
  >;
  readonly #bindings = new Map<Kernel, Binding>();

  constructor(device: GPUDevice, kernels: HierarchyKernels, trees: GpuTrees, software: boolean, room: Room) {
    this.#device = device;
    this.#kernels = kernels;
    this.#trees = trees;
    this.#table = new BodyTable(device);
    this.#readBack = new ReadBack(device);
    this.#groups = software ? softwareGroups : hardwareGroups;
    this.#room = { ...room };
    this.#query = device.createBuffer({
      label: 'query',
      size: QueryLayout.bytes,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const list = (label: string) => new GrowingBuffer(device, label);
    this.#lists = {
      bodies: list('bodies'),
      boxes: list('body boxes'),
      candidates: list('candidates'),
      frames: list('pair frames'),
      workItems: list('work items'),
      leafPairs: list('leaf pairs'),
      certainPairs: list('certain pairs'),
      unsurePairs: list('unsure pairs'),
      results: list('results'),
    };
  }
  /** Every two triangles of different bodies that meet or may. Trees of the bodies' shapes must be up to date. */
  async run(bodies: readonly Placed[], options: HierarchyOptions): Promise<RawAnswer> {
    const stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
    const tests = await createTestKernel(this.#device, options.detail);
    this.#table.update(bodies, this.#trees);
    const answer = await this.#answer(bodies, options, tests, stats);
    if (answer !== undefined) return answer;
    // Too much for one go: the candidates alone, then they in halves.
    stats.growths++;
    const candidates = options.candidates ?? (await this.#findCandidates(bodies, stats));
    return this.#answerInHalves(bodies, { ...options, candidates }, tests, stats);
  }

  destroy(): void {
    this.#table.destroy();
    this.#readBack.destroy();
    this.#query.destroy();
    for (const list of Object.values(this.#lists)) list.destroy();
  }

  /** Undefined where one go is not enough, however large the lists. */
  async #answer(
    bodies: readonly Placed[],
    options: HierarchyOptions,
    tests: Kernel,
    stats: EngineStats,
  ): Promise<RawAnswer | undefined> {
    const given = options.candidates;
    if (given !== undefined) this.#room.candidates = Math.max(this.#room.candidates, given.length / 2);
    for (;;) {
      this.#reserve(bodies.length);
      this.#writeQuery(bodies.length, options);
      if (given !== undefined)
        this.#device.queue.writeBuffer(this.#lists.candidates.buffer, 0, given as Uint32Array<ArrayBuffer>);
      const encoder = this.#device.createCommandEncoder({ label: 'hierarchy' });
      const pass = encoder.beginComputePass({ label: 'hierarchy' });
      stats.dispatches += this.#encode(pass, bodies.length, options, tests);
      pass.end();
      const outcome = await this.#submit(encoder, options);
      const { head } = outcome;
      stats.boxTests += head[Result.boxTests];
      if (this.#tooMuch(bodies, head)) return undefined;
      if (!this.#grow(head)) {
        stats.triangleTests += head[Result.leafPairs];
        stats.unsure += head[Result.unsure];
        return {
          candidates: given ?? outcome.candidates,
          certain: outcome.certain,
          unsure: outcome.unsure,
          ...(options.detail === 'count' ? { counts: outcome.counts } : {}),
          stats,
        };
      }
      stats.growths++;
    }
  }

  /** Whether a counter may have wrapped, or a list would not fit the device at any size. */
  #tooMuch(bodies: readonly Placed[], head: Uint32Array): boolean {
    let mostLeaves = 0;
    for (const body of bodies) mostLeaves = Math.max(mostLeaves, this.#trees.entryOf(body.shape).leafCount);
    const mostItems = head[Result.candidates] * mostLeaves;
    return mostItems >= 2 ** 32 || 12 * head[Result.leafPairs] > largestBinding(this.#device);
  }

  async #answerInHalves(
    bodies: readonly Placed[],
    options: HierarchyOptions & { candidates: Uint32Array },
    tests: Kernel,
    stats: EngineStats,
  ): Promise<RawAnswer> {
    const { candidates } = options;
    if (candidates.length <= 2) {
      const message =
        'a single pair of bodies has more overlapping triangle boxes than this device has room for';
      throw new NearfieldError('out-of-memory', message);
    }
    const middle = 2 * Math.ceil(candidates.length / 4);
    const halves = [candidates.slice(0, middle), candidates.slice(middle)];
    const answers: RawAnswer[] = [];
    for (const half of halves) {
      const part = { ...options, candidates: half };
      answers.push(
        (await this.#answer(bodies, part, tests, stats)) ??
          (await this.#answerInHalves(bodies, part, tests, stats)),
      );
    }
    const [first, second] = answers;
    for (const records of [second.certain, second.unsure]) {
      for (let i = 0; i < records.length; i += 3) records[i] += middle / 2;
    }
    return {
      candidates,
      certain: joined(first.certain, second.certain),
      unsure: joined(first.unsure, second.unsure),
      ...(options.detail === 'count' ? { counts: joined(first.counts!, second.counts!) } : {}),
      stats,
    };
  }

  async #findCandidates(bodies: readonly Placed[], stats: EngineStats): Promise<Uint32Array> {
    const options: HierarchyOptions = { detail: 'list' };
    for (;;) {
      this.#reserve(bodies.length);
      this.#writeQuery(bodies.length, options);
      const encoder = this.#device.createCommandEncoder({ label: 'broad phase' });
      const pass = encoder.beginComputePass({ label: 'broad phase' });
      stats.dispatches += this.#encodeBroad(pass, bodies.length, true);
      pass.end();
      const { head, candidates } = await this.#submit(encoder, options);
      if (!this.#grow(head)) return candidates;
      stats.growths++;
    }
  }

  /** Makes room for what the lists were found to need. */
  #grow(head: Uint32Array): boolean {
    let grown = false;
    const need = { candidates: 8, leafPairs: 12, certain: 12, unsure: 12 };
    const lists = {
      candidates: this.#lists.candidates,
      leafPairs: this.#lists.leafPairs,
      certain: this.#lists.certainPairs,
      unsure: this.#lists.unsurePairs,
    };
    for (const name of Object.keys(need) as (keyof Room)[]) {
      const count = head[Result[name]];
      if (count <= Math.floor(lists[name].bytes / need[name])) continue;
      const most = Math.floor(largestBinding(this.#device) / need[name]);
      this.#room[name] = Math.max(count, Math.min(most, Math.ceil(1.25 * count)));
      grown = true;
    }
    return grown;
  }

  #reserve(bodyCount: number): void {
    const lists = this.#lists;
    lists.bodies.reserve(BodyLayout.bytes * bodyCount);
    lists.boxes.reserve(32 * bodyCount);
    lists.candidates.reserve(8 * this.#room.candidates);
    // A kernel goes by the length of the candidate list: what runs beside it must be as long.
    const candidates = Math.floor(lists.candidates.bytes / 8);
    lists.frames.reserve(FrameLayout.bytes * candidates);
    lists.workItems.reserve(4 * candidates);
    lists.results.reserve(4 * (resultHead + candidates));
    lists.leafPairs.reserve(12 * this.#room.leafPairs);
    lists.certainPairs.reserve(12 * this.#room.certain);
    lists.unsurePairs.reserve(12 * this.#room.unsure);
  }

  #writeQuery(bodyCount: number, options: HierarchyOptions): void {
    const { origin, exponent } = this.#table.scene;
    const bits = new Uint32Array(origin.buffer);
    const words = new Uint32Array(QueryLayout.words);
    const { at } = QueryLayout;
    words.set([bits[0], bits[2], bits[4], exponent], at.originLow);
    words.set([bits[1], bits[3], bits[5]], at.originHigh);
    words[at.bodyCount] = bodyCount;
    words[at.givenCandidates] = options.candidates === undefined ? noneGiven : options.candidates.length / 2;
    words[at.selfTest] = options.self ? 1 : 0;
    words[at.threads] = 64 * this.#groups;
    this.#device.queue.writeBuffer(this.#query, 0, words);
  }

  #encode(pass: GPUComputePassEncoder, bodyCount: number, options: HierarchyOptions, tests: Kernel): number {
    let dispatches = this.#encodeBroad(pass, bodyCount, options.candidates === undefined);
    const resources = this.#resources();
    this.#dispatch(pass, this.#kernels.frames, resources, this.#groups);
    this.#dispatch(pass, this.#kernels.scanWork, resources, 1);
    this.#dispatch(pass, this.#kernels.walk, resources, this.#groups);
    this.#dispatch(pass, tests, resources, this.#groups);
    dispatches += 4;
    return dispatches;
  }

  /** Places the bodies and, unless candidates are given, finds them. */
  #encodeBroad(pass: GPUComputePassEncoder, bodyCount: number, find: boolean): number {
    const resources = this.#resources();
    this.#dispatch(pass, this.#kernels.place, resources, Math.min(65535, Math.ceil(bodyCount / 64)));
    if (!find) return 1;
    const tiles = Math.ceil(bodyCount / 256);
    this.#dispatch(pass, this.#kernels.broad, resources, Math.min(65535, (tiles * (tiles + 1)) / 2));
    return 2;
  }

  #resources(): Record<string, Resource> {
    const lists = this.#lists;
    const resources: Record<string, Resource> = {
      query: this.#query,
      ...this.#trees.buffers,
      ...this.#table.buffers,
    };
    for (const [name, list] of Object.entries(lists)) resources[name] = list.buffer;
    resources['scanState'] = lists.results.buffer;
    resources['scanValues'] = lists.workItems.buffer;
    return resources;
  }

  #dispatch(
    pass: GPUComputePassEncoder,
    kernel: Kernel,
    resources: Record<string, Resource>,
    groups: number,
  ): void {
    let binding = this.#bindings.get(kernel);
    if (binding === undefined) this.#bindings.set(kernel, (binding = new Binding(kernel)));
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, binding.get(this.#device, resources));
    pass.dispatchWorkgroups(Math.max(1, groups));
  }

  /** Submits, waits, and takes out what was found. Lists that overflowed come back short. */
  async #submit(encoder: GPUCommandEncoder, options: HierarchyOptions): Promise<Outcome> {
    const { results, candidates, certainPairs, unsurePairs } = this.#lists;
    const expected = this.#expected;
    const given = options.candidates !== undefined;
    const counted = options.detail === 'count';
    const pieces = (from: Expected, to: Expected): Piece[] => [
      piece(results.buffer, 4, 0, resultHead),
      piece(candidates.buffer, 8, given ? 0 : from.candidates, given ? 0 : to.candidates),
      piece(certainPairs.buffer, 12, from.certain, to.certain),
      piece(unsurePairs.buffer, 12, from.unsure, to.unsure),
      piece(
        results.buffer,
        4,
        resultHead + (counted ? from.candidates : 0),
        resultHead + (counted ? to.candidates : 0),
      ),
    ];
    const nothing = { candidates: 0, certain: 0, unsure: 0 };
    const guess: Expected = {
      candidates: Math.min(Math.floor(candidates.bytes / 8), Math.max(64, expected.candidates)),
      certain: Math.min(Math.floor(certainPairs.bytes / 12), Math.max(64, expected.certain)),
      unsure: Math.min(Math.floor(unsurePairs.bytes / 12), Math.max(64, expected.unsure)),
    };
    const firstPieces = pieces(nothing, guess);
    this.#readBack.encode(encoder, firstPieces);
    this.#device.queue.submit([encoder.finish()]);
    const outcome = await this.#readBack.read(firstPieces, views => takeOut(views, nothing, guess));
    const { head } = outcome;
    const there: Expected = {
      candidates: Math.min(head[Result.candidates], Math.floor(candidates.bytes / 8)),
      certain: Math.min(head[Result.certain], Math.floor(certainPairs.bytes / 12)),
      unsure: Math.min(head[Result.unsure], Math.floor(unsurePairs.bytes / 12)),
    };
    const missing =
      there.candidates > guess.candidates || there.certain > guess.certain || there.unsure > guess.unsure;
    if (missing) {
      const rest: Expected = {
        candidates: Math.max(there.candidates, guess.candidates),
        certain: Math.max(there.certain, guess.certain),
        unsure: Math.max(there.unsure, guess.unsure),
      };
      const restPieces = pieces(guess, rest);
      const copies = this.#device.createCommandEncoder({ label: 'rest' });
      this.#readBack.encode(copies, restPieces);
      this.#device.queue.submit([copies.finish()]);
      const more = await this.#readBack.read(restPieces, views => takeOut(views, guess, there));
      for (const name of ['candidates', 'certain', 'unsure', 'counts'] as const) {
        outcome[name] = joined(outcome[name], more[name]);
      }
    }
    for (const name of ['candidates', 'certain', 'unsure'] as const)
      expected[name] = Math.ceil(1.25 * there[name]);
    return outcome;
  }
}

type Expected = { candidates: number; certain: number; unsure: number };

interface Outcome {
  readonly head: Uint32Array;
  candidates: Uint32Array;
  certain: Uint32Array;
  unsure: Uint32Array;
  counts: Uint32Array;
}

/** Copies of what is really there, up to `to`, of pieces that start at `from`. */
function takeOut(views: readonly Uint32Array[], from: Expected, to: Expected): Outcome {
  const head = views[0].slice();
  const length = (name: keyof Expected) => Math.max(0, Math.min(head[Result[name]], to[name]) - from[name]);
  return {
    head,
    candidates: views[1].slice(0, 2 * length('candidates')),
    certain: views[2].slice(0, 3 * length('certain')),
    unsure: views[3].slice(0, 3 * length('unsure')),
    counts: views[4].slice(0, length('candidates')),
  };
}

const piece = (buffer: GPUBuffer, bytes: number, from: number, to: number): Piece => ({
  buffer,
  offset: bytes * from,
  bytes: bytes * (to - from),
});

function joined(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

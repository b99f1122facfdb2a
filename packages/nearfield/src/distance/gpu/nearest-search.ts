// Which triangles of pairs of bodies may be the nearest? On the GPU, in one submission and one read-back: poses → body table
// → candidates nearer than asked for by their boxes → pair frames; then for all candidates together
//   1. one leaf of every block of 64 looks a little for its nearest in the other tree: a first bound,
//   2. blocks of the one and of the other tree that come as near are paired,
//   3. in every pair of blocks each leaf measures the leaf that looks nearest: a bound that is nearly right,
//   4. then all that are within the bound, which it lists, and goes on lowering it (branch and bound after Larsen,
//      Gottschalk, Lin, Manocha, Fast Proximity Queries with Swept Sphere Volumes, 1999),
//   5. where those are many they are measured once more, with three times the digits,
//   6. and the ones that may still be the nearest remain.
// A thread that looked for its nearest alone would walk far: where the gap is wide beside the triangles, hundreds of
// boxes are about as near. In pairs of blocks that is shared work.
// The exact stage decides among those listed. Lower bounds never exceed the true distance and the bound is never below
// it (triangle-distance.wgsl, walk-nearest.wgsl), so the nearest pair is always listed, and all that are as near.

import type { Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../bvh/gpu/trees.ts';
import { PairFront } from '../../candidates/gpu/pair-front.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { EngineStats } from '../../core/stats.ts';
import { type Piece, ReadBack } from '../../gpu/buffers/read-back.ts';
import { softwareGroups } from '../../gpu/device.ts';
import type { Preparation } from '../../gpu/gpu-query.ts';
import { Launch } from '../../gpu/kernel.ts';
import type { Stopwatch } from '../../gpu/stopwatch.ts';
import { submit } from '../../gpu/submit.ts';
import type { RawNearest } from '../request.ts';
import { nearState } from '../request.ts';
import { createRefineKernel, type DistanceKernels } from './kernels.ts';
import { blockLeaves, DistanceResult } from './layouts.ts';
import {
  countedBy,
  createDistanceLists,
  type DistanceLists,
  type DistanceRoom,
  mostOfOne,
  mostPairs,
  usualDistanceRoom,
} from './lists.ts';

export interface NearestOptions {
  /** Pairs of body indices; found by their boxes where they are left out. */
  readonly candidates?: Uint32Array | undefined;
  readonly upTo: number;
  /** What must come first in the same submission. */
  readonly preparation?: Preparation | undefined;
  /** Called between submissions, where there is more than one; throws to stop. */
  readonly checkpoint?: (done: number) => void;
}

/** Workgroups of the kernels that loop over a list whose length only the GPU knows. */
const hardwareGroups = 4096;
/** So few triangle pairs, in all or of every candidate, are left to the exact stage as they are. */
const fewPairs = 64;
const fewOfEach = 16;

type Launches = Record<Exclude<keyof DistanceKernels, 'front'>, Launch>;

export class NearestSearch {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #stopwatch: Stopwatch;
  readonly #front: PairFront;
  readonly #lists: DistanceLists;
  readonly #readBack: ReadBack;
  readonly #launches: Launches;
  /** Made when it is first needed, on devices that can. */
  #refine: Launch | undefined;
  readonly #groups: number;
  /** Records the last question had, and some more: what is read at once. */
  #expected = { candidates: 64, nearPairs: 128 };

  constructor(
    device: GPUDevice,
    { front, ...kernels }: DistanceKernels,
    trees: GpuTrees,
    stopwatch: Stopwatch,
    options: { software: boolean; room?: DistanceRoom | undefined; orderFrom?: number | undefined },
  ) {
    const { software, room = usualDistanceRoom, orderFrom } = options;
    const groups = software ? softwareGroups : hardwareGroups;
    this.#device = device;
    this.#trees = trees;
    this.#stopwatch = stopwatch;
    this.#lists = createDistanceLists(device, room);
    const { candidates } = room;
    this.#front = new PairFront(device, front, trees, this.#lists, { groups, candidates, orderFrom });
    this.#readBack = new ReadBack(device);
    this.#groups = groups;
    const launches = Object.entries(kernels).map(([name, kernel]) => {
      return [name, new Launch(device, kernel, this.#front.resources)] as const;
    });
    this.#launches = Object.fromEntries(launches) as Launches;
  }

  /** States have 8 added where the CPU is to take the pair. Trees of the bodies' shapes must be up to date or prepared. */
  async run(bodies: Snapshot, options: NearestOptions): Promise<RawNearest> {
    const stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
    const given = options.candidates;
    if (bodies.count === 0 || given?.length === 0) return nothing(given, stats);
    const front = this.#front;
    if (given !== undefined && given.length / 2 > front.mostAtOnce) return allLeft(given, stats);
    await bodies.held?.read();
    if (!front.isReady(bodies)) await front.prepare(bodies);
    let { preparation } = options;
    for (;;) {
      const encoder = this.#device.createCommandEncoder({ label: 'distances' });
      stats.dispatches += preparation?.encode(encoder) ?? 0;
      const reading = front.update(bodies, encoder);
      if (reading !== undefined) await reading;
      stats.dispatches += this.#encode(encoder, bodies, options);
      const pieces = this.#pieces(given);
      let found = await this.#read(encoder, pieces, preparation?.pieces ?? []);
      let { head } = found;
      front.submitted(head);
      if (preparation !== undefined) {
        if (!preparation.accept(found.extra)) {
          stats.growths++;
          continue;
        }
        preparation = undefined;
      }
      front.check(head);
      if (head[DistanceResult.candidates] > front.mostAtOnce) {
        throw new NearfieldError(
          'out-of-memory',
          `${head[DistanceResult.candidates]} candidates do not fit this device`,
        );
      }
      const few = Math.max(fewPairs, fewOfEach * head[DistanceResult.candidates]);
      if (head[DistanceResult.nearPairs] > few && this.#hadRoom(head)) {
        const again = await this.#refineListed(given);
        if (again !== undefined) {
          stats.dispatches += 2;
          found = again;
          head = again.head;
        }
      }
      const grownCandidates = front.grow(head);
      if (front.growOwn(countedBy(head)) || grownCandidates) {
        stats.growths++;
        options.checkpoint?.(0);
        continue;
      }
      stats.boxTests += head[DistanceResult.boxTests];
      stats.triangleTests += head[DistanceResult.triangleTests];
      const all = await this.#rest(found, given);
      const listed = Math.max(head[DistanceResult.listed], head[DistanceResult.nearPairs]);
      return arrange(given ?? all.candidates, all.states, all.nearPairs, listed, stats);
    }
  }

  destroy(): void {
    this.#front.destroy();
    this.#readBack.destroy();
  }

  /** Returns how many dispatches. */
  #encode(encoder: GPUCommandEncoder, bodies: Snapshot, { candidates, upTo }: NearestOptions): number {
    const front = this.#front;
    front.reserve(bodies.count, candidates);
    for (const name of ['states', 'gains'] as const)
      this.#lists.lengthen(name, front.lists.capacity('frames'));
    upToDouble[0] = upTo;
    const [upToLow, upToHigh] = upToBits;
    front.write(bodies.count, { candidates, clearance: upTo }, { upToLow, upToHigh });
    const { firstBound, pairBlocks, tighten, list, settle } = this.#launches;
    const pass = encoder.beginComputePass(this.#stopwatch.passOf({ label: 'distances' }));
    const dispatches = 5 + front.encode(pass, bodies.count, candidates);
    // What there is to do at most, where that is known without looking far. A workgroup costs a software GPU a third of a millisecond.
    const most = front.isFew(bodies.count, candidates) ? this.#mostWork(bodies, candidates) : undefined;
    const groups = (items: number | undefined, itemsEach: number): number =>
      Math.min(this.#groups, items === undefined ? Infinity : Math.ceil(items / itemsEach));
    firstBound.encode(pass, groups(most?.blocks, 64));
    pairBlocks.encode(pass, groups(most?.blocks, 2));
    tighten.encode(pass, groups(most?.blockPairs, 1));
    list.encode(pass, groups(most?.blockPairs, 1));
    // Also where no triangle has another: what is known of the candidates would be of another question.
    const framed = Math.ceil(front.mostFrames / 64);
    settle.encode(pass, Math.max(1, Math.min(groups(most?.blockPairs, 1), Math.max(framed, 64))));
    pass.end();
    this.#stopwatch.encode(encoder);
    return dispatches;
  }

  /** Whether there was room for what was counted, up to the pairs that matter in the end. */
  #hadRoom(head: Uint32Array): boolean {
    const { blockPairs, listed } = countedBy(head);
    const isListed =
      blockPairs <= this.#lists.capacity('blockPairs') && listed <= this.#lists.capacity('listed');
    return isListed && head[DistanceResult.candidates] <= this.#front.capacity;
  }

  /** No fewer blocks, and pairs of them, than the candidates have. */
  #mostWork(
    { count, shapeStates }: Snapshot,
    given: Uint32Array | undefined,
  ): { blocks: number; blockPairs: number } {
    const blocksOf = (row: number) =>
      Math.ceil(this.#trees.entryOf(shapeStates[row].shape).leafCount / blockLeaves);
    let blocks = 0;
    let blockPairs = 0;
    const add = (a: number, b: number) => {
      blocks += Math.max(blocksOf(a), blocksOf(b));
      blockPairs += blocksOf(a) * blocksOf(b);
    };
    if (given) for (let c = 0; c < given.length; c += 2) add(given[c], given[c + 1]);
    else for (let b = 1; b < count; b++) for (let a = 0; a < b; a++) add(a, b);
    return { blocks, blockPairs };
  }

  /** What the listed pairs are when they have been measured once more. Undefined where the device cannot. */
  async #refineListed(given: Uint32Array | undefined): Promise<Found | undefined> {
    const launch = (this.#refine ??= await this.#createRefine());
    if (launch === undefined) return undefined;
    const { gains } = this.#lists.buffers;
    const { results } = this.#front.lists.buffers;
    const encoder = this.#device.createCommandEncoder({ label: 'refine distances' });
    encoder.clearBuffer(results.buffer, 4 * DistanceResult.nearPairs, 4);
    encoder.clearBuffer(gains.buffer);
    const pass = encoder.beginComputePass(this.#stopwatch.passOf({ label: 'refine distances' }));
    launch.encode(pass, this.#groups);
    this.#launches.settle.encode(pass, this.#groups);
    pass.end();
    this.#stopwatch.encode(encoder);
    return this.#read(encoder, this.#pieces(given), []);
  }

  async #createRefine(): Promise<Launch | undefined> {
    const kernel = await createRefineKernel(this.#device);
    return kernel && new Launch(this.#device, kernel, this.#front.resources);
  }

  #pieces(given: Uint32Array | undefined): Piece[] {
    const { states, nearPairs } = this.#lists.buffers;
    const { candidates } = this.#front.lists.buffers;
    const count = Math.min(this.#front.capacity, given ? given.length / 2 : this.#expected.candidates);
    const pairs = Math.min(this.#lists.capacity('nearPairs'), this.#expected.nearPairs);
    return [
      this.#front.headPiece,
      { buffer: states.buffer, offset: 0, bytes: 4 * count },
      { buffer: nearPairs.buffer, offset: 0, bytes: 12 * pairs },
      { buffer: candidates.buffer, offset: 0, bytes: given ? 0 : 8 * count },
    ];
  }

  async #read(encoder: GPUCommandEncoder, own: readonly Piece[], extra: readonly Piece[]): Promise<Found> {
    const times = this.#stopwatch.piece;
    const pieces = [...own, ...extra, ...(times ? [times] : [])];
    this.#readBack.encode(encoder, pieces);
    submit(this.#device, encoder);
    return this.#readBack.read(pieces, views => {
      if (times) this.#stopwatch.take(views[views.length - 1]);
      const [head, states, nearPairs, candidates] = views.slice(0, 4).map(view => view.slice());
      const more = views.slice(4, 4 + extra.length).map(view => view.slice());
      return { head, states, nearPairs, candidates, extra: more };
    });
  }

  /** Reads what was more than expected. */
  async #rest(found: Found, given: Uint32Array | undefined): Promise<Found> {
    const { head } = found;
    const listed = Math.min(head[DistanceResult.nearPairs], this.#lists.capacity('nearPairs'));
    const count = head[DistanceResult.candidates];
    this.#expected = {
      candidates: Math.max(64, Math.ceil(1.25 * count)),
      nearPairs: Math.max(128, Math.ceil(1.25 * Math.min(listed, mostPairs))),
    };
    const whole = head[DistanceResult.nearPairs] <= mostPairs;
    let all = found;
    if (found.states.length < count || (whole && found.nearPairs.length < 3 * listed)) {
      const encoder = this.#device.createCommandEncoder({ label: 'rest of the pairs' });
      const times = this.#stopwatch.running;
      this.#stopwatch.running = false;
      all = await this.#read(encoder, this.#pieces(given), []);
      this.#stopwatch.running = times;
    }
    return {
      head,
      states: all.states.subarray(0, count),
      nearPairs: all.nearPairs.subarray(0, 3 * listed),
      candidates: all.candidates.subarray(0, 2 * count),
      extra: [],
    };
  }
}

interface Found {
  readonly head: Uint32Array;
  readonly states: Uint32Array;
  readonly nearPairs: Uint32Array;
  readonly candidates: Uint32Array;
  readonly extra: readonly Uint32Array[];
}

const upToDouble = new Float64Array(1);
const upToBits = new Uint32Array(upToDouble.buffer);

const nothing = (given: Uint32Array | undefined, stats: EngineStats): RawNearest => ({
  candidates: given ?? new Uint32Array(),
  start: new Uint32Array(1),
  triangles: new Uint32Array(),
  states: new Uint8Array(),
  stats,
});

const allLeft = (candidates: Uint32Array, stats: EngineStats): RawNearest => ({
  candidates,
  start: new Uint32Array(candidates.length / 2 + 1),
  triangles: new Uint32Array(),
  states: new Uint8Array(candidates.length / 2).fill(nearState.leftToCpu),
  stats,
});

/** Candidates in order, and the pairs of each together. */
function arrange(
  candidates: Uint32Array,
  states: Uint32Array,
  pairs: Uint32Array,
  listed: number,
  stats: EngineStats,
): RawNearest {
  if (listed > mostPairs) return allLeft(candidates, stats);
  const count = candidates.length / 2;
  const places = Uint32Array.from({ length: count }, (_, c) => c);
  const inOrder = (c: number, d: number): number =>
    candidates[2 * c] - candidates[2 * d] || candidates[2 * c + 1] - candidates[2 * d + 1];
  if (count > 1) places.sort(inOrder);
  const sorted = new Uint32Array(2 * count);
  const sortedStates = new Uint8Array(count);
  const placeOf = new Uint32Array(count);
  places.forEach((c, place) => {
    sorted[2 * place] = candidates[2 * c];
    sorted[2 * place + 1] = candidates[2 * c + 1];
    sortedStates[place] = states[c];
    placeOf[c] = place;
  });
  const start = new Uint32Array(count + 1);
  for (let i = 0; i < pairs.length; i += 3) start[placeOf[pairs[i]] + 1]++;
  for (let c = 0; c < count; c++) {
    if (start[c + 1] > mostOfOne) {
      sortedStates[c] |= nearState.leftToCpu;
      start[c + 1] = 0;
    }
    start[c + 1] += start[c];
  }
  const next = start.slice();
  const triangles = new Uint32Array(2 * start[count]);
  for (let i = 0; i < pairs.length; i += 3) {
    const place = placeOf[pairs[i]];
    if ((sortedStates[place] & nearState.leftToCpu) !== 0) continue;
    const at = 2 * next[place]++;
    triangles[at] = pairs[i + 1];
    triangles[at + 1] = pairs[i + 2];
  }
  return { candidates: sorted, start, triangles, states: sortedStates, stats };
}

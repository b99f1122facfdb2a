// Finds the triangles of pairs of bodies that may be the nearest, on the GPU. Usually this is one submission and one
// read-back; a list that overflows, or many pairs that have to be measured again, take more. Poses become the body
// table; bodies whose boxes are nearer than asked become candidates, and each gets a pair frame. Then, for all
// candidates together:
//   1. One leaf of every block of 64 goes straight down the other tree and measures the leaf there: a first bound.
//   2. Blocks of the one and of the other tree that are that near are paired.
//   3. In every pair of blocks, each leaf measures the leaf that looks nearest: a bound that is nearly right.
//   4. Then each leaf measures and lists all leaves within the bound, and goes on lowering it (branch and bound after
//      Larsen, Gottschalk, Lin, Manocha, Fast Proximity Queries with Swept Sphere Volumes, 1999).
//   5. If many are listed, they are measured once more, with three times the digits.
//   6. Those that may still be the nearest remain.
// A thread that searched for its nearest alone would walk far: if the gap is wide compared with the triangles,
// hundreds of boxes are about equally near. Pairs of blocks share that work. The exact stage decides among the listed
// pairs. Lower bounds never exceed the true distance, and the bound is never below it (triangle-distance.wgsl,
// walk-nearest.wgsl). So the nearest pair is always listed, and all that are equally near.

import type { Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../bvh/gpu/trees.ts';
import { GpuPairFront } from '../../candidates/gpu/pair-front.ts';
import { NearfieldError } from '../../core/errors.ts';
import { type EngineStats, newStats } from '../../core/stats.ts';
import type { PartlyRead, ReadList } from '../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../gpu/device/device.ts';
import { GpuQuery, type Groups, Opening, type Preparation, type Views } from '../../gpu/gpu-query.ts';
import { Launch } from '../../gpu/kernel.ts';
import type { Stopwatch } from '../../gpu/stopwatch.ts';
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
  /** Pairs of body indices. Without them, the boxes of the bodies give the candidates. */
  readonly candidates?: Uint32Array | undefined;
  readonly upTo: number;
  /** The work that must come first in the same submission. */
  readonly preparation?: Preparation | undefined;
  /** Called between submissions, if there is more than one. It throws to stop. */
  readonly checkpoint?: (done: number) => void;
}

/** The workgroups of kernels that loop over a list whose length only the GPU knows. */
const hardwareGroups = 4096;
/** Up to this many triangle pairs, in all or per candidate, go to the exact stage without being measured again. */
const fewPairs = 64;
const fewOfEach = 16;

type Launches = Record<Exclude<keyof DistanceKernels, 'front'>, Launch>;

export class NearestSearch {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #stopwatch: Stopwatch;
  readonly #front: GpuPairFront;
  readonly #lists: DistanceLists;
  readonly #query: GpuQuery;
  readonly #readers: Readonly<Record<'states' | 'nearPairs' | 'candidates', ReadList>>;
  readonly #launches: Launches;
  /** Created when first needed, on devices that can run it. */
  #refine: Launch | undefined;
  readonly #groups: number;

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
    this.#front = new GpuPairFront(device, front, trees, this.#lists, { groups, candidates, orderFrom });
    this.#query = new GpuQuery(device, stopwatch);
    this.#readers = {
      states: this.#lists.reader('states'),
      nearPairs: this.#lists.reader('nearPairs'),
      candidates: this.#front.lists.reader('candidates'),
    };
    this.#groups = groups;
    const launches = Object.entries(kernels).map(([name, kernel]) => {
      return [name, new Launch(device, kernel, this.#front.resources)] as const;
    });
    this.#launches = Object.fromEntries(launches) as Launches;
  }

  /**
   * A pair that the CPU has to search has the flag `nearState.leftToCpu`. The trees of the bodies' shapes must be up
   * to date or prepared.
   */
  async run(bodies: Snapshot, options: NearestOptions): Promise<RawNearest> {
    const stats = newStats();
    const given = options.candidates;
    if (bodies.count === 0 || given?.length === 0) return nothing(given, stats);
    const front = this.#front;
    if (given !== undefined && given.length / 2 > front.mostAtOnce) return allLeft(given, stats);
    await bodies.onGpu?.read();
    if (!front.isReady(bodies)) await front.prepare(bodies);
    const opening = new Opening(options.preparation);
    for (;;) {
      let found = await this.#query.run({
        stats,
        opening,
        label: distancesLabel,
        checkpoint: options.checkpoint,
        encode: encoder =>
          front.updateThen(bodies, encoder, () => {
            stats.dispatches += this.#encode(encoder, bodies, options);
            return this.#pieces(given);
          }),
        checkSubmission: ([[head]]) => front.checkSubmission(head),
        take: views => {
          const [[head]] = views;
          front.check(head);
          const count = head[DistanceResult.candidates];
          if (count > front.mostAtOnce)
            throw new NearfieldError('out-of-memory', `${count} candidates do not fit this device`);
          return this.#areMany(head) || !this.#isGrown(head) ? this.#found(views) : undefined;
        },
      });
      if (this.#areMany(found.head)) {
        found = (await this.#refineListed(given, stats)) ?? found;
        if (this.#isGrown(found.head)) {
          stats.growths++;
          options.checkpoint?.(0);
          continue;
        }
      }
      const { head } = found;
      stats.boxTests += head[DistanceResult.boxTests];
      stats.triangleTests += head[DistanceResult.triangleTests];
      const lists = this.#query.rest(...found.lists);
      const [states, nearPairs, candidates] = lists instanceof Promise ? await lists : lists;
      const listed = Math.max(head[DistanceResult.listed], head[DistanceResult.nearPairs]);
      return arrange(given ?? candidates, bodies.count, { states, nearPairs, listed }, stats);
    }
  }

  destroy(): void {
    this.#front.destroy();
    this.#query.destroy();
  }

  /** Returns the number of dispatches. */
  #encode(encoder: GPUCommandEncoder, bodies: Snapshot, { candidates, upTo }: NearestOptions): number {
    const front = this.#front;
    front.reserve(bodies.count, candidates);
    for (const name of ['states', 'gains'] as const)
      this.#lists.lengthen(name, front.lists.capacity('frames'));
    upToDouble[0] = upTo;
    const [upToLow, upToHigh] = upToBits;
    front.write(bodies.count, { candidates, clearance: upTo }, { upToLow, upToHigh });
    const { firstBound, pairBlocks, tighten, list, collectNear } = this.#launches;
    const pass = encoder.beginComputePass(this.#stopwatch.passOf(distancesLabel));
    const dispatches = 5 + front.encode(pass, bodies.count, candidates);
    // An upper bound on the work, if it is cheap to compute. A workgroup costs a software GPU a third of a
    // millisecond.
    const most = front.isFew(bodies.count, candidates) ? this.#mostWork(bodies, candidates) : undefined;
    const groups = (items: number | undefined, itemsEach: number): number =>
      Math.min(this.#groups, items === undefined ? Infinity : Math.ceil(items / itemsEach));
    firstBound.encode(pass, groups(most?.blocks, 64));
    // Up to 16 workgroups share the work of a block.
    pairBlocks.encode(pass, groups(most?.blocks, 1 / 16));
    tighten.encode(pass, groups(most?.blockPairs, 1));
    list.encode(pass, groups(most?.blockPairs, 1));
    // This runs even if no triangle has a partner: otherwise the states would be those of an earlier question.
    const framed = Math.ceil(front.mostFrames / 64);
    collectNear.encode(pass, Math.max(1, Math.min(groups(most?.blockPairs, 1), Math.max(framed, 64))));
    pass.end();
    this.#stopwatch.encode(encoder);
    return dispatches;
  }

  #pieces(given: Uint32Array | undefined): Groups {
    const { states, nearPairs, candidates } = this.#readers;
    const lists = [states.piece, nearPairs.piece];
    return [[this.#front.headPiece, ...lists], given === undefined ? [candidates.piece] : []];
  }

  /** Takes what was read back. */
  #found([[head, states, nearPairs], [candidates]]: Views): Found {
    const count = head[DistanceResult.candidates];
    const pairs = head[DistanceResult.nearPairs];
    const readers = this.#readers;
    // If there are more pairs than that, they are left to the CPU.
    const lists = [
      readers.states.take(states, count),
      readers.nearPairs.take(nearPairs, pairs > mostPairs ? 0 : pairs),
    ];
    if (candidates !== undefined) lists.push(readers.candidates.take(candidates, count));
    return { head: head.slice(), lists };
  }

  /**
   * Whether so many pairs may be the nearest that they are measured once more. That needs lists that did not
   * overflow.
   */
  #areMany(head: Uint32Array): boolean {
    const { blockPairs, listed } = countedBy(head);
    const count = head[DistanceResult.candidates];
    if (head[DistanceResult.nearPairs] <= Math.max(fewPairs, fewOfEach * count)) return false;
    const areListed =
      blockPairs <= this.#lists.capacity('blockPairs') && listed <= this.#lists.capacity('listed');
    return areListed && count <= this.#front.capacity;
  }

  #isGrown(head: Uint32Array): boolean {
    const grownCandidates = this.#front.grow(head);
    return this.#front.growOwn(countedBy(head)) || grownCandidates;
  }

  /** Upper bounds on the numbers of blocks and of pairs of blocks that the candidates have. */
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

  /** Measures the listed pairs once more, and reads the result back. Undefined if the device cannot. */
  async #refineListed(given: Uint32Array | undefined, stats: EngineStats): Promise<Found | undefined> {
    const launch = (this.#refine ??= await this.#createRefine());
    if (launch === undefined) return undefined;
    const { gains } = this.#lists.buffers;
    const { results } = this.#front.lists.buffers;
    return this.#query.run({
      stats,
      label: refineLabel,
      encode: encoder => {
        encoder.clearBuffer(results.buffer, 4 * DistanceResult.nearPairs, 4);
        encoder.clearBuffer(gains.buffer);
        const pass = encoder.beginComputePass(this.#stopwatch.passOf(refineLabel));
        launch.encode(pass, this.#groups);
        this.#launches.collectNear.encode(pass, this.#groups);
        pass.end();
        this.#stopwatch.encode(encoder);
        stats.dispatches += 2;
        return this.#pieces(given);
      },
      take: views => this.#found(views),
    });
  }

  async #createRefine(): Promise<Launch | undefined> {
    const kernel = await createRefineKernel(this.#device);
    return kernel && new Launch(this.#device, kernel, this.#front.resources);
  }
}

interface Found {
  readonly head: Uint32Array;
  /** States, near pairs, and candidates unless they were given. */
  readonly lists: readonly PartlyRead[];
}

const distancesLabel = { label: 'distances' };
const refineLabel = { label: 'refine distances' };
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

/** Sorts the candidates among `bodyCount` bodies, and groups the pairs by candidate. */
function arrange(
  candidates: Uint32Array,
  bodyCount: number,
  { states, nearPairs, listed }: { states: Uint32Array; nearPairs: Uint32Array; listed: number },
  stats: EngineStats,
): RawNearest {
  if (listed > mostPairs) return allLeft(candidates, stats);
  const count = candidates.length / 2;
  const order = orderOf(candidates, bodyCount);
  const sorted = new Uint32Array(2 * count);
  const sortedStates = new Uint8Array(count);
  const placeOf = new Uint32Array(count);
  for (let place = 0; place < count; place++) {
    const c = order[place];
    sorted[2 * place] = candidates[2 * c];
    sorted[2 * place + 1] = candidates[2 * c + 1];
    sortedStates[place] = states[c];
    placeOf[c] = place;
  }
  const start = new Uint32Array(count + 1);
  for (let i = 0; i < nearPairs.length; i += 3) start[placeOf[nearPairs[i]] + 1]++;
  for (let c = 0; c < count; c++) {
    if (start[c + 1] > mostOfOne) {
      sortedStates[c] |= nearState.leftToCpu;
      start[c + 1] = 0;
    }
    start[c + 1] += start[c];
  }
  const next = start.slice();
  const triangles = new Uint32Array(2 * start[count]);
  for (let i = 0; i < nearPairs.length; i += 3) {
    const place = placeOf[nearPairs[i]];
    if ((sortedStates[place] & nearState.leftToCpu) !== 0) continue;
    const at = 2 * next[place]++;
    triangles[at] = nearPairs[i + 1];
    triangles[at + 1] = nearPairs[i + 2];
  }
  return { candidates: sorted, start, triangles, states: sortedStates, stats };
}

/** The candidates in order of a, then b: sorted by b, then by a, each time by counting. */
function orderOf(candidates: Uint32Array, bodyCount: number): Uint32Array {
  const count = candidates.length / 2;
  let order = new Uint32Array(count);
  for (let c = 0; c < count; c++) order[c] = c;
  for (let side = 1; side >= 0; side--) {
    const next = new Uint32Array(bodyCount + 1);
    for (let i = side; i < 2 * count; i += 2) next[candidates[i] + 1]++;
    for (let row = 1; row < bodyCount; row++) next[row] += next[row - 1];
    const sorted = new Uint32Array(count);
    for (let k = 0; k < count; k++) {
      const c = order[k];
      sorted[next[candidates[2 * c + side]]++] = c;
    }
    order = sorted;
  }
  return order;
}

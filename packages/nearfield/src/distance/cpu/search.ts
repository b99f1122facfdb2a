// The CPU search behind distances. It runs the kernels for one pair of bodies after another and for arrays of points,
// and collects what they leave to the exact stage.

import { bake, comfortableScale, mayBeRounded, needsBaking } from '../../bodies/snapshot/baked.ts';
import type { Placed, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../bodies/snapshot/snapshot-of.ts';
import { slotsOfTriangles } from '../../bvh/cpu/build/given-slots.ts';
import { type Tree, type Trees, treesOf } from '../../bvh/cpu/build/trees.ts';
import { PlacedBodies } from '../../bvh/cpu/place/placed-bodies.ts';
import type { CpuPairFront } from '../../candidates/cpu/pair-front.ts';
import { TooManyPairs } from '../../core/errors.ts';
import type { EngineStats } from '../../core/stats.ts';
import { toEnd } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { done, full } from '../../cpu/kernels.ts';
import {
  type NearestRequest,
  type NearTriangles,
  nearState,
  type RawClosest,
  type RawNearest,
  settledNumbers,
} from '../request.ts';
import { Numbers, Pairs } from './growing-lists.ts';
import * as layout from './kernels.layout.ts';
import { type DistanceKernels, distanceKernels } from './kernels.ts';
import { orientedBoxes } from './points/packet/oriented.ts';
import { PointsRoom } from './points/points-room.ts';
import { type GivenNear, runPoints } from './points/run-points.ts';
import { orderPoints } from './points/spatial-order.ts';

/** The node pairs that are processed before the clock is read again. */
const nodePairs = 4000;
/** From this many points on, they are sorted so that neighbours follow each other. */
const manyPoints = 256;

/**
 * Asks for single precision: distances are coarse, and the answer has vectors to the nearest points instead of the
 * points.
 */
export interface CoarseSearch {
  /** How far to search from each point. Replaces the one bound for all points. */
  readonly bounds?: ArrayLike<number> | undefined;
}

/** What else a question about points may bring. */
interface PointsExtras {
  /** What a GPU found. Then only that is measured. */
  readonly near?: NearTriangles | undefined;
  readonly coarse?: CoarseSearch | undefined;
  /** The room for the points, if it was prepared before. */
  readonly room?: PointsRoom | undefined;
}

export class DistanceSearch {
  readonly #engine: CpuEngine;
  readonly #kernels: DistanceKernels;
  readonly #trees: Trees;
  readonly #at: number;
  readonly #rows: PlacedBodies;
  readonly #pair: number;
  #list: number;
  #capacity = 4096;
  #growths = 0;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    const { memory } = (this.#kernels = engine.kernels(distanceKernels));
    this.#trees = treesOf(engine);
    this.#at = memory.allocate(layout.distanceBytes, 'a distance');
    memory.u32.fill(0, this.#at / 4, (this.#at + layout.distanceBytes) / 4);
    const stack = memory.allocate(layout.distanceEntries * layout.QueueEntry.bytes, 'a distance');
    this.#list = memory.allocate(this.#capacity * layout.PairRecord.bytes, 'a list of pairs');
    this.#pair = memory.allocate(8, 'a distance');
    memory.u32[this.#pair / 4] = 0;
    memory.u32[this.#pair / 4 + 1] = 1;
    this.#rows = new PlacedBodies(engine);
    this.#set(layout.DistanceJob.stack, stack);
  }

  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.#at + offset) >>> 2] = value;
  }
  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.#at + offset) >>> 2];
  }

  /**
   * For each candidate, finds the triangle pairs that may be the nearest. The front has placed the bodies. Yields the
   * share done.
   */
  *nearest(front: CpuPairFront, bodies: Snapshot, request: NearestRequest): Generator<number, RawNearest> {
    const { memory } = this.#kernels;
    const { candidates, upTo } = request;
    const count = candidates.length / 2;
    const start = new Uint32Array(count + 1);
    const states = new Uint8Array(count);
    const settledPlaces = new Uint32Array(count);
    const settled = new Numbers();
    const found = new Pairs();
    const held: Tree[] = [];
    this.#growths = 0;
    memory.f64[(this.#at + layout.DistanceJob.boxTests) / 8] = 0;
    memory.f64[(this.#at + layout.DistanceJob.triangleTests) / 8] = 0;
    const { listAll } = request;
    this.#set(layout.DistanceJob.stopAtMeeting, request.evenIfMeeting || listAll !== undefined ? 0 : 1);
    this.#set(layout.DistanceJob.listAll, listAll === undefined ? 0 : 1);
    const places = this.#place(front, candidates);
    const plain = new PlainBodies(front, bodies);
    try {
      for (let c = 0; c < count; c++) {
        let scale = 1;
        if (plain.has(candidates[2 * c]) && plain.has(candidates[2 * c + 1]))
          this.#setBodies(front.rows.table, places[2 * c], places[2 * c + 1]);
        else scale = this.#choose(front, bodies, candidates, places, c, held);
        memory.f64[(this.#at + layout.DistanceJob.best) / 8] = upTo * scale;
        this.#set(layout.DistanceJob.started, 0);
        while (!this.#isDone(listAll)) yield c / count;
        const best = memory.f64[(this.#at + layout.DistanceJob.best) / 8];
        const meets = this.#get(layout.DistanceJob.meets);
        const nearer = meets === 2 || best < upTo * scale;
        states[c] =
          (nearer ? nearState.nearer : 0) +
          (meets > 0 ? nearState.mayMeet : 0) +
          (meets === 2 ? nearState.meets : 0);
        settledPlaces[c] = settled.length / settledNumbers;
        if (nearer && scale === 1 && this.#get(layout.DistanceJob.settled) === 1) {
          states[c] += nearState.settled;
          const place = settled.add(settledNumbers);
          this.#copySettled(settled.values, place);
        } else {
          const records = (this.#list + layout.PairRecord.a) / 4;
          const step = layout.PairRecord.bytes / 4;
          found.append(memory.u32, records, step, this.#get(layout.DistanceJob.listCount));
        }
        start[c + 1] = found.length / 2;
        if (c % 64 === 63) yield c / count;
      }
    } finally {
      for (const tree of held) this.#trees.release(tree);
    }
    return {
      candidates,
      start,
      triangles: found.all(),
      states,
      settled: { places: settledPlaces, numbers: settled.all() },
      stats: this.#stats(),
    };
  }

  /** Copies distance, points and triangles in the order of `RawNearest.settled`. */
  #copySettled(out: Float64Array, to: number): void {
    const { memory } = this.#kernels;
    const { f64 } = memory;
    const pointA = (this.#at + layout.DistanceJob.pointAX) >>> 3;
    const pointB = (this.#at + layout.DistanceJob.pointBX) >>> 3;
    out[to] = f64[(this.#at + layout.DistanceJob.distance) >>> 3];
    for (let axis = 0; axis < 3; axis++) {
      out[to + 1 + axis] = f64[pointA + axis];
      out[to + 4 + axis] = f64[pointB + axis];
    }
    out[to + 7] = this.#get(layout.DistanceJob.triangleA);
    out[to + 8] = this.#get(layout.DistanceJob.triangleB);
  }

  /** Places the candidates' bodies. Returns where in the rows' table each of them is. */
  #place({ rows }: CpuPairFront, candidates: Uint32Array): Uint32Array {
    const { memory } = this.#kernels;
    const pairs = memory.allocate(candidates.length * 4, `${candidates.length / 2} candidates`);
    try {
      memory.u32.set(candidates, pairs / 4);
      rows.placePairs(pairs, candidates.length / 2, pairs);
      return memory.u32.slice(pairs / 4, pairs / 4 + candidates.length);
    } finally {
      memory.free(pairs);
    }
  }

  /** Goes on with the search for a candidate. Returns whether it is done. */
  #isDone(most = Infinity): boolean {
    const { call, memory } = this.#kernels;
    this.#set(layout.DistanceJob.list, this.#list);
    // Up to 16 pairs are listed at a time.
    this.#set(layout.DistanceJob.listCapacity, Math.min(this.#capacity, most + 16));
    const state = call.runDistance(this.#at, nodePairs);
    if (state === full) {
      if (this.#capacity >= most + 16) throw new TooManyPairs(most);
      const bytes = 2 * this.#capacity * layout.PairRecord.bytes;
      this.#list = memory.enlarge(this.#list, bytes, 'a list of pairs');
      this.#capacity *= 2;
      this.#growths++;
    }
    return state === done;
  }

  /**
   * Tells the kernel which two bodies to compare: as they are placed, or baked. Returns the factor by which their
   * coordinates were multiplied.
   */
  #choose(
    { rows }: CpuPairFront,
    bodies: Snapshot,
    candidates: Uint32Array,
    places: Uint32Array,
    c: number,
    held: Tree[],
  ): number {
    const { memory } = this.#kernels;
    const a = candidates[2 * c];
    const b = candidates[2 * c + 1];
    const { f64 } = memory;
    const boxes = rows.boxes / 8;
    let reach = 0;
    for (let i = 0; i < 6; i++)
      reach = Math.max(reach, Math.abs(f64[boxes + 6 * a + i]), Math.abs(f64[boxes + 6 * b + i]));
    const scale = comfortableScale(reach);
    const { shapeStates, poses } = bodies;
    const bakesA = scale !== 1 || needsBaking(poses, 16 * a, shapeStates[a].mesh.triangleCount);
    const bakesB = scale !== 1 || needsBaking(poses, 16 * b, shapeStates[b].mesh.triangleCount);
    let table = rows.table;
    let first = places[2 * c];
    let second = places[2 * c + 1];
    if (bakesA || bakesB) {
      const bakes = [bakesA, bakesB];
      const pair = [a, b].map((row, i) => {
        const { shape } = shapeStates[row];
        const pose = poses.slice(16 * row, 16 * row + 16);
        const placed: Placed = { shape, pose, poseRevision: 0 };
        return bakes[i] ? bake(placed, scale) : placed;
      });
      for (const { shape } of pair) {
        const tree = this.#trees.of(shape);
        this.#trees.hold(tree);
        held.push(tree);
      }
      toEnd(this.#rows.update(snapshotOf(pair)));
      this.#rows.placePairs(this.#pair, 1, this.#pair);
      table = this.#rows.table;
      first = 0;
      second = 1;
    }
    this.#setBodies(table, first, second);
    return scale;
  }

  #setBodies(table: number, first: number, second: number): void {
    this.#set(layout.DistanceJob.a, table + first * layout.bodyBytes);
    this.#set(layout.DistanceJob.b, table + second * layout.bodyBytes);
  }

  #stats(): EngineStats {
    const { memory } = this.#kernels;
    return {
      triangleTests: memory.f64[(this.#at + layout.DistanceJob.triangleTests) / 8],
      unsure: 0,
      boxTests: memory.f64[(this.#at + layout.DistanceJob.boxTests) / 8],
      dispatches: 0,
      growths: this.#growths,
    };
  }

  /** For each world point (three doubles), finds the nearest triangle of a body. Yields the share done. Releases the room. */
  *closest(
    body: Placed,
    points: Float64Array,
    upTo: number,
    { near, coarse, room = new PointsRoom(this.#kernels, points) }: PointsExtras = {},
  ): Generator<number, RawClosest> {
    const { memory } = this.#kernels;
    const { reserve } = room;
    let held: Tree | undefined;
    try {
      yield* this.#trees.makeNew([body]);
      this.#rows.single(body);
      const { points: from, answers, reach } = room.prepare();
      const box = memory.f64.subarray(this.#rows.boxes / 8, this.#rows.boxes / 8 + 6);
      const scale = comfortableScale(Math.max(reach, reachOf(box)));
      const bakes = scale !== 1 || needsBaking(body.pose, 0, body.shape.mesh.triangleCount);
      const seen = bakes ? bake(body, scale) : body;
      // The exact stage gets the points and positions as they were before rounding.
      const rounded =
        mayBeRounded(scale, points) || (scale < 1 && mayBeRounded(scale, bake(body, 1).shape.positions));
      if (bakes) yield* this.#trees.makeNew([seen]);
      const tree = this.#trees.of(seen.shape);
      this.#trees.hold(tree);
      held = tree;
      const count = points.length / 3;
      if (scale !== 1) for (let i = 0; i < points.length; i++) memory.f64[from / 8 + i] *= scale;
      const isSearched = near === undefined && coarse === undefined;
      const order = isSearched ? yield* this.#orderOf(from, count, reserve) : 0;
      const boxes = isSearched ? yield* orientedBoxes(this.#kernels, tree, count) : 0;
      const unsure = yield* runPoints(this.#engine, {
        body: this.#rows.single(seen),
        points: from,
        order,
        answers,
        count,
        upTo: upTo * scale,
        rounded,
        coarse: coarse && this.#coarse(coarse, scale, reserve),
        given: near && this.#near(tree, near, reserve),
        boxes,
        reserve,
        answered: end => room.copyTo(end),
      });
      const raw = room.read(unsure);
      if (scale !== 1) unscale(raw, scale);
      return raw;
    } finally {
      room.release();
      if (held !== undefined) this.#trees.release(held);
    }
  }

  #coarse({ bounds }: CoarseSearch, scale: number, reserve: (bytes: number) => number): { bounds: number } {
    if (bounds === undefined) return { bounds: 0 };
    const at = reserve(8 * bounds.length);
    const { f64 } = this.#kernels.memory;
    for (let i = 0; i < bounds.length; i++) f64[at / 8 + i] = bounds[i] * scale;
    return { bounds: at };
  }

  *#orderOf(points: number, count: number, reserve: (bytes: number) => number): Generator<number, number> {
    if (count < manyPoints) return 0;
    return yield* orderPoints(this.#engine, { points, count }, reserve);
  }

  #words(words: Uint32Array, reserve: (bytes: number) => number): number {
    const at = reserve(Math.max(8, words.byteLength));
    this.#kernels.memory.u32.set(words, at / 4);
    return at;
  }

  #near(tree: Tree, { answers, triangles }: NearTriangles, reserve: (bytes: number) => number): GivenNear {
    const slotOf = slotsOfTriangles(this.#kernels.memory, tree);
    return {
      answers: this.#words(answers, reserve),
      triangles: this.#words(triangles, reserve),
      slotOf: this.#words(slotOf, reserve),
      listed: triangles.length,
    };
  }
}

function unscale({ distances, points }: RawClosest, scale: number): void {
  for (let i = 0; i < distances.length; i++) {
    // A distance too small for a double must not become 0, since 0 means that the point lies on the surface.
    if (distances[i] > 0) distances[i] = distances[i] / scale || Number.MIN_VALUE;
  }
  for (let k = 0; k < points.length; k++) points[k] /= scale;
}

/**
 * Which bodies need neither scaling nor baking. Two such bodies are compared as they are placed. A body is in many
 * candidates, so what is found about it is kept.
 */
class PlainBodies {
  /** Per body: 0 if not known, 1 if plain, 2 if not. */
  readonly #known: Uint8Array;
  readonly #front: CpuPairFront;
  readonly #bodies: Snapshot;

  constructor(front: CpuPairFront, bodies: Snapshot) {
    this.#known = new Uint8Array(bodies.count);
    this.#front = front;
    this.#bodies = bodies;
  }

  has(body: number): boolean {
    if (this.#known[body] === 0) this.#known[body] = this.#isPlain(body) ? 1 : 2;
    return this.#known[body] === 1;
  }

  /** If two reaches need no scale, the larger of them needs none. */
  #isPlain(body: number): boolean {
    const { rows, memory } = this.#front;
    const box = rows.boxes / 8 + 6 * body;
    let reach = 0;
    for (let i = box; i < box + 6; i++) reach = Math.max(reach, Math.abs(memory.f64[i]));
    const { shapeStates, poses } = this.#bodies;
    const { triangleCount } = shapeStates[body].mesh;
    return comfortableScale(reach) === 1 && !needsBaking(poses, 16 * body, triangleCount);
  }
}

/** The largest magnitude among the coordinates of a box. An empty box contributes nothing. */
function reachOf(box: Float64Array): number {
  let reach = 0;
  for (const value of box) if (Number.isFinite(value)) reach = Math.max(reach, Math.abs(value));
  return reach;
}

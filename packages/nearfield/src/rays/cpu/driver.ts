// Casts rays on the CPU: runs the kernel over one body after another, and collects the hits that are certain and those
// that the exact stage has to decide. If there are many bodies, a tree of their boxes says which rays each of them gets.

import { bake, comfortableScale, mayBeRounded } from '../../bodies/snapshot/baked.ts';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { boxAround } from '../../bodies/snapshot/world.ts';
import { writeGiven } from '../../bvh/cpu/build/given-slots.ts';
import { treesOf } from '../../bvh/cpu/build/trees.ts';
import { PlacedBodies } from '../../bvh/cpu/place/placed-bodies.ts';
import { bodyOfBoxes } from '../../bvh/cpu/walk/body-of-boxes.ts';
import { Walks } from '../../bvh/cpu/walk/walks.ts';
import type { GivenTriangles } from '../../bvh/given-triangles.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { Limits } from '../../core/limits.ts';
import { inSlices } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { done, full } from '../../cpu/kernels.ts';
import { type Box, isEmptyBox } from '../../math/box.ts';
import * as layout from './kernels.layout.ts';
import { type RayKernels, rayKernels } from './kernels.ts';

/** What rays to cast. */
export interface RayRequest {
  /** Six doubles per ray: origin and direction. */
  readonly rays: Float64Array;
  /** The latest time wanted, as a multiple of the direction. */
  readonly upTo: number;
  /** Whether only the first hit of each ray is wanted. */
  readonly first: boolean;
}

/** The records of one body (`HitRecord` in cast.as.ts), in order of the rays: the same bytes as doubles and as words. */
export interface BodyHits {
  readonly body: number;
  readonly count: number;
  readonly doubles: Float64Array;
  readonly words: Uint32Array;
}

export interface FoundHits {
  readonly found: readonly BodyHits[];
  /** Per ray, the factor by which the times of its records have to be multiplied. */
  readonly factors: Float64Array;
}

/** How many rays to cast between two looks at the clock. */
const raysAtOnce = 500;
/** From this many bodies on, a tree of their boxes is used. */
const manyBodies = 8;

/** The engine's part that casts rays. */
export const cpuRays = (engine: CpuEngine): CpuRays => engine.part(createRays);

const createRays = (engine: CpuEngine): CpuRays => new CpuRays(engine);

class CpuRays {
  readonly #engine: CpuEngine;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
  }

  /** Casts all rays. Yields the share done. */
  *steps(bodies: readonly Placed[], request: RayRequest): Generator<number, FoundHits> {
    this.#engine.checkOpen();
    const chosen = yield* chooseRays(this.#engine, bodies, request);
    return yield* castAll(this.#engine, bodies, request, chosen);
  }

  /** Which rays each body gets; undefined if all bodies get all. */
  async choose(
    bodies: readonly Placed[],
    request: RayRequest,
    limits: Limits,
  ): Promise<readonly Uint32Array[] | undefined> {
    this.#engine.checkOpen();
    return inSlices(chooseRays(this.#engine, bodies, request), limits, this.#engine.checkOpen);
  }

  /** Casts those rays. What another engine found of a body is only tested. */
  async cast(
    bodies: readonly Placed[],
    request: RayRequest,
    chosen: readonly Uint32Array[] | undefined,
    given: readonly (GivenTriangles | undefined)[],
    limits: Limits,
  ): Promise<FoundHits> {
    this.#engine.checkOpen();
    return inSlices(castAll(this.#engine, bodies, request, chosen, given), limits, this.#engine.checkOpen);
  }
}

function* chooseRays(
  engine: CpuEngine,
  bodies: readonly Placed[],
  { rays }: RayRequest,
): Generator<number, readonly Uint32Array[] | undefined> {
  return bodies.length < manyBodies ? undefined : yield* raysByBody(engine, bodies.map(boxAround), rays);
}

function* castAll(
  engine: CpuEngine,
  bodies: readonly Placed[],
  { rays, upTo, first }: RayRequest,
  raysOf: readonly Uint32Array[] | undefined,
  given: readonly (GivenTriangles | undefined)[] = [],
): Generator<number, FoundHits> {
  const kernels = engine.kernels(rayKernels);
  const { memory } = kernels;
  const count = rays.length / 6;
  const boxes = bodies.map(boxAround);
  const bad = boxes.findIndex(box => box[0] <= box[3] && !box.every(Number.isFinite));
  if (bad >= 0)
    throw new NearfieldError('not-finite', `body ${bad}: its world positions do not fit in doubles`);
  const scale = comfortableScale(reachOf(boxes, rays));
  const seen = scale === 1 ? bodies : bodies.map(body => bake(body, scale));
  let isRounded = scale < 1 && bodies.some(body => mayBeRounded(scale, bake(body, 1).shape.positions));
  const blocks: number[] = [];
  const reserve = (bytes: number): number => {
    const at = memory.allocate(Math.max(8, bytes), `${count} rays`);
    blocks.push(at);
    return at;
  };
  try {
    const at = reserve(layout.raysBytes);
    const rayAt = reserve(48 * count);
    const bounds = reserve(8 * count);
    const chosen = reserve(4 * count);
    const { factors, mayRound } = copyRays(rays, scale, memory.f64, rayAt / 8);
    isRounded ||= mayRound;
    for (let i = 0; i < count; i++)
      memory.f64[bounds / 8 + i] = Math.max(upTo / factors[i], Number.MIN_VALUE);
    const job = new Job(kernels, engine, at, reserve);
    job.set(layout.RaysJob.rays, rayAt);
    job.set(layout.RaysJob.bounds, bounds);
    job.set(layout.RaysJob.chosen, chosen);
    job.set(layout.RaysJob.first, first ? 1 : 0);
    job.set(layout.RaysJob.rounded, isRounded ? 1 : 0);
    const found: BodyHits[] = [];
    for (let i = 0; i < count; i++) memory.u32[chosen / 4 + i] = i;
    for (let body = 0; body < seen.length; body++) {
      const own = raysOf?.[body];
      if (own !== undefined) memory.u32.set(own, chosen / 4);
      const share = body / seen.length;
      const asked = { count: own?.length ?? count, given: given[body] };
      const { doubles, words } = yield* job.run(seen[body], asked, share, 1 / seen.length);
      found.push({ body, count: words.length / recordWords, doubles, words });
    }
    return { found, factors };
  } finally {
    for (const block of blocks) memory.free(block);
  }
}

const recordWords = layout.HitRecord.bytes / 4;

/** The kernel's job for one body after another. */
class Job {
  readonly #kernels: RayKernels;
  readonly #engine: CpuEngine;
  readonly #rows: PlacedBodies;
  readonly #at: number;
  readonly #reserve: (bytes: number) => number;
  #capacity = 1024;
  #list: number;

  constructor(kernels: RayKernels, engine: CpuEngine, at: number, reserve: (bytes: number) => number) {
    this.#kernels = kernels;
    this.#engine = engine;
    this.#rows = engine.part(createRows);
    this.#at = at;
    this.#reserve = reserve;
    this.#list = reserve(this.#capacity * layout.HitRecord.bytes);
  }

  set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.#at + offset) >>> 2] = value;
  }

  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.#at + offset) >>> 2];
  }

  /** Casts the chosen rays at one body. Yields the share of all work that is done: `begun`, and up to `part` more. */
  *run(
    body: Placed,
    { count, given }: { readonly count: number; readonly given: GivenTriangles | undefined },
    begun: number,
    part: number,
  ): Generator<number, { doubles: Float64Array; words: Uint32Array }> {
    const { call, memory } = this.#kernels;
    const trees = treesOf(this.#engine);
    for (const _ of trees.make(body.shape)) yield begun;
    const tree = trees.of(body.shape);
    trees.hold(tree);
    let givenAt: readonly number[] = [];
    try {
      if (given !== undefined) givenAt = writeGiven(memory, tree, given);
      this.set(layout.RaysJob.given, givenAt[0] ?? 0);
      this.set(layout.RaysJob.givenWords, givenAt[1] ?? 0);
      this.set(layout.RaysJob.count, count);
      this.set(layout.RaysJob.next, 0);
      this.set(layout.RaysJob.listCount, 0);
      for (;;) {
        // Another question may have placed another body here since the last slice.
        this.set(layout.RaysJob.body, this.#rows.single(body));
        this.set(layout.RaysJob.list, this.#list);
        this.set(layout.RaysJob.listCapacity, this.#capacity);
        const state = call.castRays(this.#at, raysAtOnce);
        const listed = this.#get(layout.RaysJob.listCount);
        if (state === done) {
          const bytes = listed * layout.HitRecord.bytes;
          const copy = memory.u32.slice(this.#list / 4, (this.#list + bytes) / 4).buffer;
          return { doubles: new Float64Array(copy), words: new Uint32Array(copy) };
        }
        if (state === full) this.#grow(listed);
        yield begun + part * (this.#get(layout.RaysJob.next) / count);
      }
    } finally {
      trees.release(tree);
      for (const block of givenAt) memory.free(block);
    }
  }

  /** Doubles the list. */
  #grow(listed: number): void {
    const { memory } = this.#kernels;
    this.#capacity *= 2;
    const larger = this.#reserve(this.#capacity * layout.HitRecord.bytes);
    memory.u32.copyWithin(larger / 4, this.#list / 4, this.#list / 4 + listed * recordWords);
    this.#list = larger;
  }
}

const createRows = (engine: CpuEngine): PlacedBodies => new PlacedBodies(engine);
const createWalks = (engine: CpuEngine): Walks => new Walks(engine);

/** Which rays meet the box of each body, and maybe others, by a walk through a tree of the boxes. */
function* raysByBody(
  engine: CpuEngine,
  boxes: readonly Box[],
  rays: Float64Array,
): Generator<number, readonly Uint32Array[]> {
  const lists: number[][] = boxes.map(() => []);
  const { placed, rows } = bodyOfBoxes(boxes);
  const walks = engine.part(createWalks);
  try {
    for (let i = 0; i < rays.length / 6; i++) {
      const met = walks.onRay(
        placed,
        rays.subarray(6 * i, 6 * i + 3),
        rays.subarray(6 * i + 3, 6 * i + 6),
        0,
      );
      for (const box of met) lists[rows[box]].push(i);
      if (i % raysAtOnce === raysAtOnce - 1) yield 0;
    }
  } finally {
    engine.forget(placed.shape);
  }
  return lists.map(list => Uint32Array.from(list));
}

/**
 * Writes the rays at f64[at], origins times `scale`, directions times powers of two that make them neither large nor small. Returns, per
 * ray, the factor by which its times have to be multiplied, and whether any number may have been rounded.
 */
function copyRays(rays: Float64Array, scale: number, f64: Float64Array, at: number) {
  const factors = new Float64Array(rays.length / 6).fill(1 / scale);
  let mayRound = false;
  f64.set(rays, at);
  if (scale !== 1) {
    for (let i = 0; i < rays.length; i += 6) {
      for (let k = i; k < i + 3; k++) f64[at + k] *= scale;
      mayRound ||= mayBeRounded(scale, rays.subarray(i, i + 3));
    }
  }
  for (let i = 0; i < factors.length; i++) {
    const from = 6 * i + 3;
    const unit = unitFor(Math.max(Math.abs(rays[from]), Math.abs(rays[from + 1]), Math.abs(rays[from + 2])));
    if (unit === 1) continue;
    for (let k = from; k < from + 3; k++) f64[at + k] *= unit;
    mayRound ||= mayBeRounded(unit, rays.subarray(from, from + 3));
    factors[i] = unit / scale;
  }
  return { factors, mayRound };
}

/** 1, or if the largest component of a direction is large or small (ray-triangle.as.ts), a power of two that brings it to about 1. */
function unitFor(size: number): number {
  if (size >= 2 ** -10 && size <= 2 ** 10) return 1;
  return 2 ** Math.max(-1022, Math.min(1000, -Math.round(Math.log2(size))));
}

/** The largest magnitude among the coordinates of boxes and origins. Empty boxes contribute nothing. */
function reachOf(boxes: readonly Box[], rays: Float64Array): number {
  let reach = 0;
  for (const box of boxes) {
    if (!isEmptyBox(box)) for (const value of box) reach = Math.max(reach, Math.abs(value));
  }
  for (let i = 0; i < rays.length; i += 6) {
    reach = Math.max(reach, Math.abs(rays[i]), Math.abs(rays[i + 1]), Math.abs(rays[i + 2]));
  }
  return reach;
}

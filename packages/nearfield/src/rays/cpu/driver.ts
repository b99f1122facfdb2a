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
import { inSlices, shareOf } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { KeptCopies } from '../../cpu/kept-copies.ts';
import { type Box, isEmptyBox } from '../../math/box.ts';
import * as layout from './kernels.layout.ts';
import { rayKernels } from './kernels.ts';
import { runRays } from './run-rays.ts';

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

/** How many rays to look up in a tree of boxes between two looks at the clock. */
const raysAtOnce = 500;
/** From this many bodies on, a tree of their boxes is used. */
const manyBodies = 8;

/** The engine's part that casts rays. */
export const cpuRays = (engine: CpuEngine): CpuRays => engine.part(createRays);

const createRays = (engine: CpuEngine): CpuRays => new CpuRays(engine);

class CpuRays {
  readonly #engine: CpuEngine;
  /** Places for a body. Each question has one for itself, since other threads may read the body while it is asked. */
  readonly #idle: PlacedBodies[] = [];
  /** Copies of the rays of questions. */
  readonly copies: KeptCopies;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.copies = new KeptCopies(engine.threads.count > 1);
  }

  /** Casts all rays. Yields the share done. */
  *steps(bodies: readonly Placed[], request: RayRequest): Generator<number, FoundHits> {
    this.#engine.checkOpen();
    const chosen = yield* chooseRays(this.#engine, bodies, request);
    return yield* this.#castAll(bodies, request, chosen);
  }

  *#castAll(...asked: Asked): Generator<number, FoundHits> {
    const rows = this.#idle.pop() ?? new PlacedBodies(this.#engine);
    try {
      return yield* castAll(this.#engine, rows, ...asked);
    } finally {
      this.#idle.push(rows);
    }
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
    return inSlices(this.#castAll(bodies, request, chosen, given), limits, this.#engine.checkOpen);
  }
}

function* chooseRays(
  engine: CpuEngine,
  bodies: readonly Placed[],
  { rays }: RayRequest,
): Generator<number, readonly Uint32Array[] | undefined> {
  return bodies.length < manyBodies ? undefined : yield* raysByBody(engine, bodies.map(boxAround), rays);
}

/** Bodies, rays, which of them each body gets, and what another engine found of each body. */
type Asked = [
  bodies: readonly Placed[],
  request: RayRequest,
  raysOf: readonly Uint32Array[] | undefined,
  given?: readonly (GivenTriangles | undefined)[],
];

function* castAll(
  engine: CpuEngine,
  rows: PlacedBodies,
  ...[bodies, { rays, upTo, first }, raysOf, given = []]: Asked
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
  const freeAll = (kept = 0) => {
    for (const block of blocks.splice(kept)) memory.free(block);
  };
  try {
    const rayAt = reserve(48 * count);
    const bounds = reserve(8 * count);
    const chosen = reserve(4 * count);
    const { factors, mayRound } = copyRays(rays, scale, memory.f64, rayAt / 8);
    isRounded ||= mayRound;
    for (let i = 0; i < count; i++)
      memory.f64[bounds / 8 + i] = Math.max(upTo / factors[i], Number.MIN_VALUE);
    const found: BodyHits[] = [];
    const trees = treesOf(engine);
    for (let i = 0; i < count; i++) memory.u32[chosen / 4 + i] = i;
    for (let body = 0; body < seen.length; body++) {
      const own = raysOf?.[body];
      if (own !== undefined) memory.u32.set(own, chosen / 4);
      const share = body / seen.length;
      for (const _ of trees.make(seen[body].shape)) yield share;
      const tree = trees.of(seen[body].shape);
      trees.hold(tree);
      const kept = blocks.length;
      try {
        const known = given[body];
        const [ranges, givenWords] = known === undefined ? [0, 0] : writeGiven(memory, tree, known);
        if (known !== undefined) blocks.push(ranges, givenWords);
        const question = {
          ...{ body: rows.single(seen[body]), rays: rayAt, bounds, chosen, count: own?.length ?? count },
          ...{ first, rounded: isRounded, given: ranges, givenWords, reserve },
        };
        const words = yield* shareOf(runRays(engine, question), share, share + 1 / seen.length);
        const doubles = new Float64Array(words.buffer);
        found.push({ body, count: words.length / recordWords, doubles, words });
      } finally {
        trees.release(tree);
        freeAll(kept);
      }
    }
    return { found, factors };
  } finally {
    freeAll();
  }
}

const recordWords = layout.HitRecord.bytes / 4;

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

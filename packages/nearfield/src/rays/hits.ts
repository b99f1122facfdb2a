// The answer about rays, from what the kernel found: what it left open is decided exactly, hits are put in order, and
// those that are not wanted are left out.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../bodies/snapshot/world.ts';
import { mirrors } from '../math/pose.ts';
import type { FoundHits, RayRequest } from './cpu/driver.ts';
import { HitRecord } from './cpu/kernels.layout.ts';
import { compareTimes, type ExactHit, isLater, meetExactly, timeOf, weightsOf } from './exact.ts';

/**
 * The hits of many rays, in order of ray, time, body and triangle. A ray hits a triangle if they have a point in common, edges and
 * corners included. If a ray lies in the plane of a triangle, the hit is its first point there.
 */
export interface RayHits {
  /** The number of hits; the arrays have one entry per hit unless they say otherwise. */
  readonly count: number;
  /** Which ray. */
  readonly rays: Uint32Array;
  /** Which body, as an index into the bodies asked about. */
  readonly bodies: Uint32Array;
  /** Which triangle of the body. */
  readonly triangles: Uint32Array;
  /** The hit is the point origin + time · direction. The relative error is at most 2^-40; hits are ordered and bounded exactly. */
  readonly times: Float64Array;
  /** Two numbers per hit: the weights of the triangle's second and third corner at the hit. The error is at most 2^-40. */
  readonly weights: Float64Array;
  /**
   * 1 where the ray leaves through the triangle, along its normal; −1 where it enters; 0 where it only touches. A ray counts as moved by
   * (ε, ε², ε³), with ε smaller than any number involved. So if it passes through an edge or a corner, exactly one of the triangles
   * there counts, or equally many ways in and out: the sum of all crossings of a ray is how often a closed surface winds around its origin.
   * Normals of a mirrored body are mirrored too.
   */
  readonly crossings: Int8Array;
  /** One entry per ray: the place of its first hit in these arrays, or −1. */
  readonly firsts: Int32Array;
  /** 'gpu' if a GPU found the triangles that rays may hit; the CPU decides among them. */
  readonly backend: 'cpu' | 'gpu';
}

/** Times of certain hits are off by less than this, relatively (cpu/ray-triangle.as.ts). */
const timeError = 2 ** -40;
/** The cost of a step between two looks at the clock: a ray whose hits are clear costs 1, every record that is decided `exactCost` more. */
const costPerStep = 4096;
const exactCost = 16;
/** Records of one ray that are decided, or compared with others, in a step. */
const decidedPerStep = costPerStep / exactCost;
/** Rays with more records are sorted as a whole. */
const mostSorted = 16;

const words = HitRecord.bytes / 4;
const doubles = HitRecord.bytes / 8;
const word = {
  ray: HitRecord.ray / 4,
  triangle: HitRecord.triangle / 4,
  certain: HitRecord.certain / 4,
  crossing: HitRecord.crossing / 4,
};

/** Decides the hits of rays. Yields the share done. */
export function* decideHits(
  { found, factors }: FoundHits,
  bodies: readonly Placed[],
  { rays, upTo, first }: RayRequest,
  backend: 'cpu' | 'gpu',
): Generator<number, RayHits> {
  const records = new Records(found, bodies, rays, factors);
  const rayCount = rays.length / 6;
  const hits = new HitList(first ? rayCount : records.count, rayCount);
  const { starts, order } = records.byRay(rayCount);
  const signs = bodies.map(({ pose }) => (mirrors(pose) ? -1 : 1));
  let cost = 0;
  for (let ray = 0; ray < rayCount; ray++) {
    if (++cost >= costPerStep) {
      cost = 0;
      yield ray / rayCount;
    }
    const [from, to] = [starts[ray], starts[ray + 1]];
    if (from === to) continue;
    // The hits of most rays are certain, and clearly apart.
    if (records.areClear(order, from, to, upTo)) {
      for (let i = from; i < (first ? from + 1 : to); i++) records.addTo(hits, ray, order[i], signs);
      continue;
    }
    cost += exactCost * (to - from);
    const decided = yield* records.decide(order.subarray(from, to), upTo, first, ray / rayCount);
    for (const hit of decided) {
      const { body, triangle, time, second, third, crossing } = hit;
      hits.add(ray, body, triangle, time, second, third, crossing * signs[body]);
    }
  }
  return hits.answer(backend);
}

/** A hit that is known well enough to be compared with others. */
interface Hit {
  readonly body: number;
  readonly triangle: number;
  readonly time: number;
  readonly second: number;
  readonly third: number;
  readonly crossing: number;
  /** The exact hit; found when first needed if the kernel was certain. */
  exact(): ExactHit;
}

/** The kernel's records of all bodies, numbered through. */
class Records {
  readonly count: number;
  /** The number of the first record of each body. */
  readonly begins: number[] = [];
  readonly #corners = new Float64Array(9);

  constructor(
    readonly found: FoundHits['found'],
    readonly bodies: readonly Placed[],
    readonly rays: Float64Array,
    readonly factors: Float64Array,
  ) {
    let count = 0;
    for (const { count: own } of found) {
      this.begins.push(count);
      count += own;
    }
    this.count = count;
  }

  /** The body of a record. */
  bodyOf(record: number): number {
    let low = 0;
    let high = this.begins.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.begins[middle] <= record) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The records in order of rays, those of one ray in order of bodies, and where each ray begins. */
  byRay(rayCount: number): { starts: Uint32Array; order: Uint32Array } {
    const starts = new Uint32Array(rayCount + 1);
    for (const { count, words: u32 } of this.found) {
      for (let i = 0, at = word.ray; i < count; i++, at += words) starts[u32[at] + 1]++;
    }
    for (let ray = 0; ray < rayCount; ray++) starts[ray + 1] += starts[ray];
    const next = starts.slice();
    const order = new Uint32Array(this.count);
    let record = 0;
    for (const { count, words: u32 } of this.found) {
      for (let i = 0, at = word.ray; i < count; i++, at += words) order[next[u32[at]]++] = record++;
    }
    return { starts, order };
  }

  /**
   * Sorts the records order[from … end) of one ray by time. Returns whether all are certain hits, clearly apart, and
   * clearly not later than `upTo`. Returns false, too, if there are many records: their order is then undefined.
   */
  areClear(order: Uint32Array, from: number, end: number, upTo: number): boolean {
    if (end - from > mostSorted) return false;
    for (let i = from; i < end; i++) {
      const record = order[i];
      const time = this.#certainTime(record);
      if (!(upTo === Infinity ? time >= 0 : time * (1 + timeError) < upTo)) return false;
      let at = i;
      for (; at > from && this.#certainTime(order[at - 1]) > time; at--) order[at] = order[at - 1];
      order[at] = record;
    }
    for (let i = from + 1; i < end; i++)
      if (!areApart(this.#certainTime(order[i - 1]), this.#certainTime(order[i]))) return false;
    return true;
  }

  /** The time of a certain hit; NaN for other records. */
  #certainTime(record: number): number {
    const body = this.bodyOf(record);
    const at = record - this.begins[body];
    const { words: u32, doubles: f64 } = this.found[body];
    if (u32[at * words + word.certain] === 0) return Number.NaN;
    return f64[at * doubles] * this.factors[u32[at * words + word.ray]];
  }

  /** Adds the certain hit of a record. */
  addTo(hits: HitList, ray: number, record: number, signs: readonly number[]): void {
    const body = this.bodyOf(record);
    const at = record - this.begins[body];
    const { words: u32, doubles: f64 } = this.found[body];
    const crossing = (u32[at * words + word.crossing] | 0) * signs[body];
    const time = f64[at * doubles] * this.factors[ray];
    const triangle = u32[at * words + word.triangle];
    hits.add(ray, body, triangle, time, f64[at * doubles + 1], f64[at * doubles + 2], crossing);
  }

  /**
   * The hits among the records of one ray, in order, without those later than `upTo`; the earliest alone if `first`. There may be
   * a million records, so `share` is yielded between them.
   */
  *decide(records: Uint32Array, upTo: number, first: boolean, share: number): Generator<number, Hit[]> {
    const hits: Hit[] = [];
    for (let i = 0; i < records.length; i++) {
      if (i % decidedPerStep === decidedPerStep - 1) yield share;
      const hit = this.#hitAt(records[i]);
      if (hit === undefined) continue;
      const isClearlyBy = upTo === Infinity || hit.time * (1 + timeError) < upTo;
      if (!isClearlyBy && isLater(hit.exact(), upTo)) continue;
      if (!first || hits.length === 0) hits.push(hit);
      else if (compareHits(hit, hits[0]) < 0) hits[0] = hit;
    }
    return yield* inOrder(hits, share);
  }

  #hitAt(record: number): Hit | undefined {
    const body = this.bodyOf(record);
    const at = record - this.begins[body];
    const { words: u32, doubles: f64 } = this.found[body];
    const ray = u32[at * words + word.ray];
    const triangle = u32[at * words + word.triangle];
    if (u32[at * words + word.certain] === 0) {
      const exact = this.#meet(body, triangle, ray);
      if (exact === undefined) return undefined;
      const [second, third] = weightsOf(exact);
      return {
        body,
        triangle,
        time: timeOf(exact),
        second,
        third,
        crossing: exact.crossing,
        exact: () => exact,
      };
    }
    let known: ExactHit | undefined;
    return {
      body,
      triangle,
      time: f64[at * doubles] * this.factors[ray],
      second: f64[at * doubles + 1],
      third: f64[at * doubles + 2],
      crossing: u32[at * words + word.crossing] | 0,
      exact: () => (known ??= this.#meet(body, triangle, ray)!),
    };
  }

  #meet(body: number, triangle: number, ray: number): ExactHit | undefined {
    placeCorners(this.bodies[body], triangle, this.#corners, 0);
    return meetExactly(this.rays, 6 * ray, this.#corners);
  }
}

/** Whether one time is certainly before another. */
const areApart = (a: number, b: number): boolean => b - a > 4 * timeError * Math.max(a, b);

function compareHits(a: Hit, b: Hit): number {
  if (areApart(a.time, b.time) || areApart(b.time, a.time)) return a.time - b.time;
  return compareTimes(a.exact(), b.exact()) || a.body - b.body || a.triangle - b.triangle;
}

/** Sorts the hits of a ray in steps: short runs first, which are then merged. */
function* inOrder(hits: Hit[], share: number): Generator<number, Hit[]> {
  if (hits.length <= decidedPerStep) return hits.sort(compareHits);
  const middle = hits.length >> 1;
  const one = yield* inOrder(hits.slice(0, middle), share);
  const other = yield* inOrder(hits.slice(middle), share);
  yield share;
  for (let at = 0, i = 0, j = 0; at < hits.length; at++) {
    if (at % decidedPerStep === 0) yield share;
    const isOne = j === other.length || (i < one.length && compareHits(one[i], other[j]) <= 0);
    hits[at] = isOne ? one[i++] : other[j++];
  }
  return hits;
}

/** The arrays of an answer while they are filled. */
class HitList {
  #count = 0;
  readonly #rays: Uint32Array;
  readonly #bodies: Uint32Array;
  readonly #triangles: Uint32Array;
  readonly #times: Float64Array;
  readonly #weights: Float64Array;
  readonly #crossings: Int8Array;
  readonly #firsts: Int32Array;

  constructor(most: number, rayCount: number) {
    this.#rays = new Uint32Array(most);
    this.#bodies = new Uint32Array(most);
    this.#triangles = new Uint32Array(most);
    this.#times = new Float64Array(most);
    this.#weights = new Float64Array(2 * most);
    this.#crossings = new Int8Array(most);
    this.#firsts = new Int32Array(rayCount).fill(-1);
  }

  add(
    ray: number,
    body: number,
    triangle: number,
    time: number,
    second: number,
    third: number,
    crossing: number,
  ): void {
    const i = this.#count++;
    if (this.#firsts[ray] < 0) this.#firsts[ray] = i;
    this.#rays[i] = ray;
    this.#bodies[i] = body;
    this.#triangles[i] = triangle;
    this.#times[i] = time;
    this.#weights[2 * i] = second;
    this.#weights[2 * i + 1] = third;
    this.#crossings[i] = crossing;
  }

  answer(backend: 'cpu' | 'gpu'): RayHits {
    const count = this.#count;
    return {
      count,
      rays: this.#rays.slice(0, count),
      bodies: this.#bodies.slice(0, count),
      triangles: this.#triangles.slice(0, count),
      times: this.#times.slice(0, count),
      weights: this.#weights.slice(0, 2 * count),
      crossings: this.#crossings.slice(0, count),
      firsts: this.#firsts,
      backend,
    };
  }
}

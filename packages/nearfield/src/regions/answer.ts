// The answer about boxes and spheres, from what an engine found: what it left open is decided exactly, and everything
// is put in order.

import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { placeCorners } from '../bodies/snapshot/world.ts';
import { wholeNumber } from '../core/arguments.ts';
import type { EngineStats } from '../core/stats.ts';
import { boxMeets, sphereMeets } from './exact.ts';
import type { BodyRegions, FoundRegions, RegionRequest } from './request.ts';

/** A box or sphere and a body that it meets. */
export interface RegionHit {
  /** Which box or sphere. */
  readonly region: number;
  /** Which body, as an index into the bodies asked about. */
  readonly body: number;
  /** How many of its triangles the region meets; undefined with detail 'any'. */
  readonly triangleCount: number | undefined;
  /** These triangles, in ascending order; undefined unless the detail is 'list'. */
  readonly triangles: Uint32Array | undefined;
}

/**
 * What many boxes or spheres meet: one hit per region and body that have a point in common, in order of region and
 * body. The arrays hold everything; objects are made only when hits are looked at one by one.
 */
export class RegionHits implements Iterable<RegionHit> {
  /** Created by `inBox` and `inSphere`. */
  constructor(
    /** One entry per hit: which region. */
    readonly regions: Uint32Array,
    /** One entry per hit: which body, as an index into the bodies asked about. */
    readonly bodies: Uint32Array,
    /** The hits of region i are those from starts[i] up to starts[i + 1]: one entry per region, and one more. */
    readonly starts: Uint32Array,
    /**
     * Hit i has triangleStarts[i + 1] − triangleStarts[i] triangles, in `triangles` from triangleStarts[i] on: one entry per hit, and
     * one more. Undefined with detail 'any'.
     */
    readonly triangleStarts: Uint32Array | undefined,
    /** The triangles of all hits, those of one hit in ascending order. Undefined unless the detail is 'list'. */
    readonly triangles: Uint32Array | undefined,
    /** Where candidates were searched. */
    readonly backend: 'cpu' | 'gpu',
    /** What the search took; `unsure` triangle tests were decided in exact arithmetic. */
    readonly stats: EngineStats,
  ) {}

  /** The number of hits. */
  get length(): number {
    return this.regions.length;
  }

  /** One hit, by its place in the arrays. Throws 'bad-option' if there is none. */
  at(place: number): RegionHit {
    wholeNumber(0, this.length - 1)(place, 'place');
    const { triangleStarts: starts } = this;
    return {
      region: this.regions[place],
      body: this.bodies[place],
      triangleCount: starts && starts[place + 1] - starts[place],
      triangles: starts && this.triangles?.subarray(starts[place], starts[place + 1]),
    };
  }

  /** The hits, in order. */
  *[Symbol.iterator](): Iterator<RegionHit> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

/** How many triangles are decided exactly between two looks at the clock. */
const decidedAtOnce = 256;

/** Decides what is open and orders the hits. Yields the share done. */
export function* decideRegions(
  { found, stats }: FoundRegions,
  bodies: readonly SnapshotBody[],
  request: RegionRequest,
  backend: 'cpu' | 'gpu',
): Generator<number, RegionHits> {
  const starts = new Uint32Array(request.count + 1);
  let triangleCount = 0;
  for (const [i, own] of found.entries()) {
    const body = bodies[own.body];
    for (const _ of decideBody(own, body, request)) yield i / found.length;
    const { chosen, records } = own;
    for (let k = 0; k < chosen.length; k++) {
      if (records[3 * k] === 0) continue;
      starts[chosen[k] + 1]++;
      triangleCount += records[3 * k];
    }
  }
  for (let region = 0; region < request.count; region++) starts[region + 1] += starts[region];
  const hits = starts[request.count];
  const [regions, hitBodies] = [new Uint32Array(hits), new Uint32Array(hits)];
  // Where the triangles of each hit lie: their list and the place of the first in it.
  const lists = new Uint32Array(hits);
  const places = new Uint32Array(hits);
  const counts = new Uint32Array(hits);
  const next = starts.slice();
  for (const [i, { body, chosen, records }] of found.entries()) {
    for (let k = 0; k < chosen.length; k++) {
      if (records[3 * k] === 0) continue;
      const hit = next[chosen[k]]++;
      regions[hit] = chosen[k];
      hitBodies[hit] = body;
      lists[hit] = i;
      places[hit] = records[3 * k + 1];
      counts[hit] = records[3 * k];
    }
  }
  if (request.detail === 'any')
    return new RegionHits(regions, hitBodies, starts, undefined, undefined, backend, stats);
  const triangleStarts = new Uint32Array(hits + 1);
  for (let hit = 0; hit < hits; hit++) triangleStarts[hit + 1] = triangleStarts[hit] + counts[hit];
  if (request.detail === 'count')
    return new RegionHits(regions, hitBodies, starts, triangleStarts, undefined, backend, stats);
  const triangles = new Uint32Array(triangleCount);
  for (let hit = 0, to = 0; hit < hits; hit++) {
    const { list } = found[lists[hit]];
    for (let from = places[hit], end = from + counts[hit]; from < end; from++) triangles[to++] = list[from];
  }
  return new RegionHits(regions, hitBodies, starts, triangleStarts, triangles, backend, stats);
}

/**
 * Decides what is open about one body. Afterwards the first word of each record is how many triangles are met (with detail 'any', 0 if
 * none is), and with detail 'list' so many words of the list, from the record's first on, are these triangles. Yields now and then.
 */
function* decideBody(
  { chosen, records, list }: BodyRegions,
  body: SnapshotBody,
  { regions, spheres, detail }: RegionRequest,
): Generator<void, void> {
  const corners = new Float64Array(9);
  const meets = (region: number, triangle: number): boolean => {
    if (spheres) return sphereMeets(regions, 4 * region, body, triangle);
    placeCorners(body, triangle, corners, 0);
    return boxMeets(regions, 6 * region, corners);
  };
  let decided = 0;
  for (let k = 0; k < chosen.length; k++) {
    const first = records[3 * k + 1];
    const end = first + records[3 * k + 2];
    let to = first;
    let count = records[3 * k];
    for (let at = first; at < end; at++) {
      const triangle = list[at] >>> 1;
      if ((list[at] & 1) === 1) {
        if (detail === 'any' && count > 0) break;
        if (++decided % decidedAtOnce === 0) yield;
        if (!meets(chosen[k], triangle)) continue;
        count++;
      }
      list[to++] = triangle;
    }
    records[3 * k] = count;
  }
}

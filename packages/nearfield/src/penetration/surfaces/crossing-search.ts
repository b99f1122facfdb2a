// Bounds a depth from both sides by triangles that cross. The shortest translation of b that is not known to be forbidden is
// examined, again and again (bounds/frontier.ts). If two triangles cross after it, every translation in their difference
// is forbidden. If none do, and the exact predicates confirm that the bodies are then apart, its length is the depth.
//
// Few triangles, as of walls, beams and boxes, settle that within some steps, in microseconds each. Nothing is assumed of
// the bodies but their triangles, so open ones are searched like solids. What the search does not find out by itself is
// whether one body lies within the other without crossing it: `within` may tell it.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { worldBox } from '../../bodies/snapshot/world.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { cpuPairs } from '../../interferences/hierarchy/cpu/driver.ts';
import { thePair } from '../../interferences/request.ts';
import { placeTriangle } from '../../math/pose.ts';
import { Frontier, mostPlanes, type Region } from '../bounds/frontier.ts';
import { awayFrom } from '../bounds/upper.ts';
import { moved, onGrid, roundedUpLength } from '../overlapping-pair.ts';
import { uncovered } from './covered.ts';
import { flatPatches } from './flat-patches.ts';
import {
  type Forbidding,
  middleOfCrossing,
  patchDifference,
  roomOf,
  roomWithin,
  triangleDifference,
  unitNormal,
} from './triangle-difference.ts';

/** A translation of b in the world, verified to leave the pair without depth, and its length, rounded up. */
export interface Free {
  readonly translation: Float64Array;
  readonly length: number;
}

/** What a search asks about two bodies. */
export interface Judge {
  /** Whether both are solids: then surfaces alone do not count, only what they bound. */
  readonly areSolid: boolean;
  /**
   * The triangles that cover a triangle of a (side 0) or b (side 1), nine world coordinates each: there it does not bound
   * its solid.
   */
  coversOf(side: 0 | 1, triangle: number): readonly Float64Array[];
  /** Whether b moved by a translation, and a moved by its opposite, are free of one another by the exact predicates. */
  isFree(translation: Float64Array): boolean;
  /**
   * Translations that are forbidden because one body then lies within the other, among them this one; undefined if
   * nothing is known. Lengths are times `scale`; `number` is that of the first plane. `near` are world points, some of
   * which may lie in both then, three numbers each. `thorough` asks for more than a quick look.
   */
  within(
    translation: Float64Array,
    scale: number,
    number: number,
    near: Float64Array,
    thorough: boolean,
  ): Forbidding | undefined;
}

/** Crossing pairs of triangles that are compared per translation. */
const mostCompared = 200;
/** Crossing pairs whose differences are tried. */
const mostTried = 6;
/** Crossing pairs between which points of an overlap are looked for. */
const mostCorners = 4;
/** Pairs whose quadrangles are compared, if no triangles do. */
const mostPatches = 24;
/**
 * How far a translation must lie within forbidden ones, as a share of its length: the regions beyond have to be farther
 * than it is (frontier.ts). To keep clear of a plane along the translation by r makes it longer by r²/2, which doubles
 * can tell from 0 for r = 2^-23.
 */
const clear = 2 ** -23;
/** A translation that is not forbidden, but not free either, is lengthened by at most this share. */
const mostBeyond = 0.05;

const corners = new Float64Array(18);

/** Two triangles that cross after a translation, and how far it lies within their difference. */
interface Crossing {
  readonly room: number;
  readonly i: number;
  readonly j: number;
}

export class CrossingSearch {
  readonly #engine: CpuEngine;
  readonly #a: SnapshotBody;
  readonly #b: SnapshotBody;
  readonly #judge: Judge;
  readonly #frontier = new Frontier();
  readonly #pieces: Forbidding[] = [];
  #planeCount = 0;
  /** A power of two: lengths times this are near 1. */
  readonly #scale: number;
  /** The last places of world positions, as a length. */
  readonly #unit: number;
  /** No translation that is at least as long is of interest, in world units. */
  #limit: number;
  #ended = false;
  /** The shortest translation known to be free. */
  best: Free | undefined;
  /** No shorter translation is free. */
  lower = 0;
  /** Pairs of triangles and pieces examined: what takes the time. */
  work = 0;

  constructor(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody, judge: Judge, limit: number) {
    this.#engine = engine;
    this.#a = a;
    this.#b = b;
    this.#judge = judge;
    this.#limit = limit;
    const [p, q] = [worldBox(a), worldBox(b)];
    let [size, reach] = [0, 0];
    for (const box of [p, q]) {
      for (let axis = 0; axis < 3; axis++) {
        size = Math.max(size, box[axis + 3] - box[axis]);
        reach = Math.max(reach, Math.abs(box[axis]), Math.abs(box[axis + 3]));
      }
    }
    this.#scale = 2 ** -Math.round(Math.log2(size));
    this.#unit = 2 ** -52 * reach;
    // Beyond these, squares and cubes do not fit in doubles.
    if (!(size > 1e-90 && size < 1e90)) this.#ended = true;
  }

  /** From now on no translation that is at least as long is of interest. */
  shorten(limit: number): void {
    if (limit < this.#limit) this.#limit = limit;
  }

  /** Examines one translation. Returns false if nothing more can be found. */
  step(): boolean {
    if (this.#ended) return false;
    const { nearest } = this.#frontier;
    if (nearest === undefined) return this.#end();
    const piece = this.#knownAt(nearest) ?? this.#newAt(nearest);
    if (piece === undefined) return this.#end();
    this.#frontier.divide(piece.planes, this.#scale * this.#limit);
    this.#settle();
    return this.#frontier.nearest !== undefined && this.#frontier.nearest.length <= this.#frontier.floor;
  }

  #end(): false {
    this.#ended = true;
    return false;
  }

  #settle(): void {
    const { nearest, floor } = this.#frontier;
    const bound = Math.min(nearest?.length ?? Infinity, floor, this.#scale * this.#limit);
    this.lower = Math.max(this.lower, (bound / this.#scale) * (1 - 2 ** -40));
  }

  /** Known forbidden translations around the nearest one of a region. */
  #knownAt({ x, y, z, length }: Region): Forbidding | undefined {
    this.work += 1 + 0.2 * this.#pieces.length;
    let best: Forbidding | undefined;
    let most = clear * length;
    for (const piece of this.#pieces) {
      const room = roomWithin(piece, x, y, z);
      if (room > most) [best, most] = [piece, room];
    }
    return best;
  }

  /** The same, not known before; undefined if there are none. If that translation is free, or nearly, it is then known. */
  #newAt(region: Region): Forbidding | undefined {
    if (this.#planeCount > mostPlanes - 1000) return undefined;
    const { x, y, z } = region;
    const scale = this.#scale;
    const t = Float64Array.of(x / scale, y / scale, z / scale);
    const records = this.#meeting(t);
    this.work += 4 + 0.25 * records.length;
    const rooms = this.#roomsAt(t, records);
    const crossing = this.#crossingAt(t, rooms, region);
    if (crossing !== undefined) return crossing;
    const near = this.#cornersAt(t, rooms.slice(0, mostCorners));
    const quick = this.#withinAt(t, region, near, false);
    if (quick !== undefined) return quick;
    const patch = this.#patchAt(records, region);
    if (patch !== undefined) return patch;
    if (this.#isFreeNear(region)) return undefined;
    const within = this.#withinAt(t, region, near, true);
    if (within === undefined) this.#freeBeyond(region);
    return within;
  }

  #withinAt(t: Float64Array, region: Region, near: Float64Array, thorough: boolean): Forbidding | undefined {
    const piece = this.#judge.within(t, this.#scale, this.#planeCount, near, thorough);
    return piece && this.#add(piece, region) ? piece : undefined;
  }

  #add(piece: Forbidding, { x, y, z, length }: Region): boolean {
    if (!(roomWithin(piece, x, y, z) > clear * length)) return false;
    this.#pieces.push(piece);
    this.#planeCount += piece.planes.length;
    return true;
  }

  /** Pairs of triangles that cross after a translation, those first in whose difference it lies deepest. */
  #roomsAt(t: Float64Array, records: Uint32Array): Crossing[] {
    const rooms: Crossing[] = [];
    const every = 2 * Math.ceil(records.length / 2 / mostCompared);
    for (let r = 0; r < records.length; r += every) {
      this.#place(records[r], records[r + 1]);
      for (let k = 9; k < 18; k++) corners[k] += t[k % 3];
      const room = roomOf(corners);
      if (room > 0) rooms.push({ room, i: records[r], j: records[r + 1] });
    }
    return rooms.sort((p, q) => q.room - p.room);
  }

  /** The difference of two of them. Parts of triangles are tried only if no whole ones hold the translation. */
  #crossingAt(t: Float64Array, rooms: readonly Crossing[], region: Region): Forbidding | undefined {
    const isWhole = ({ i, j }: Crossing): boolean =>
      this.#judge.coversOf(0, i).length + this.#judge.coversOf(1, j).length === 0;
    const whole = rooms.find(isWhole);
    const some = rooms.slice(0, mostTried);
    for (const { i, j } of whole ? [whole, ...some] : some) {
      const piece = this.#differenceAt(t, i, j);
      if (piece !== undefined && this.#add(piece, region)) return piece;
    }
    return undefined;
  }

  /** Points in the four corners between triangles that cross after a translation. */
  #cornersAt(t: Float64Array, rooms: readonly Crossing[]): Float64Array {
    const points: number[] = [];
    for (const { room, i, j } of rooms) {
      this.#place(i, j);
      for (let k = 9; k < 18; k++) corners[k] += t[k % 3];
      const middle = middleOfCrossing(corners);
      if (middle === undefined) continue;
      const [m, n] = [unitNormal(corners, 0), unitNormal(corners, 9)];
      for (const [u, v] of [
        [1, 1],
        [1, -1],
        [-1, 1],
        [-1, -1],
      ]) {
        for (let k = 0; k < 3; k++) points.push(middle[k] + 0.3 * room * (u * m[k] + v * n[k]));
      }
    }
    return Float64Array.from(points);
  }

  /** The difference of two triangles that cross after a translation, as far as they bound solids around that place. */
  #differenceAt(t: Float64Array, i: number, j: number): Forbidding | undefined {
    const [overA, overB] = [this.#judge.coversOf(0, i), this.#judge.coversOf(1, j)];
    this.#place(i, j);
    if (overA.length === 0 && overB.length === 0)
      return triangleDifference(corners, this.#scale, this.#planeCount);
    const [p, q] = [corners.slice(0, 9), corners.slice(9)];
    for (let k = 9; k < 18; k++) corners[k] += t[k % 3];
    const middle = middleOfCrossing(corners);
    const leftA = middle && uncovered(p, overA, middle);
    const leftB =
      leftA &&
      uncovered(
        q,
        overB,
        middle.map((x, k) => x - t[k]),
      );
    return leftB && patchDifference(leftA, leftB, this.#scale, this.#planeCount);
  }

  /** The same of convex quadrangles, if the surfaces meet on edges inside faces. Solids have pieces for that. */
  #patchAt(records: Uint32Array, region: Region): Forbidding | undefined {
    if (this.#judge.areSolid) return undefined;
    const every = 2 * Math.ceil(records.length / 2 / mostPatches);
    for (let r = 0; r < records.length; r += every) {
      const [ofA, ofB] = [flatPatches(this.#a, records[r]), flatPatches(this.#b, records[r + 1])];
      for (const p of ofA) {
        for (const q of ofB) {
          const piece = patchDifference(p, q, this.#scale, this.#planeCount);
          if (piece !== undefined && this.#add(piece, region)) return piece;
        }
      }
    }
    return undefined;
  }

  #place(i: number, j: number): void {
    const [a, b] = [this.#a, this.#b];
    placeTriangle(a.pose, a.positions, a.mesh.indices, i, corners, 0);
    placeTriangle(b.pose, b.positions, b.mesh.indices, j, corners, 9);
  }

  /** Pairs of triangles that meet after a translation, or may meet. */
  #meeting(translation: Float64Array): Uint32Array {
    const bodies = [this.#a, moved(this.#b, translation)];
    const { certain, unsure } = cpuPairs(this.#engine).interfereSync(bodies, thePair);
    const pairs = new Uint32Array((2 * (certain.length + unsure.length)) / 3);
    let k = 0;
    for (const records of [certain, unsure]) {
      for (let r = 0; r < records.length; r += 3) {
        pairs[k++] = records[r + 1];
        pairs[k++] = records[r + 2];
      }
    }
    return pairs;
  }

  /**
   * Whether a translation is free that is longer than the nearest of a region by a thousandth: surfaces that do not meet
   * are compared fastest.
   */
  #isFreeNear(region: Region): boolean {
    const { x, y, z, length, planes } = region;
    const scale = this.#scale;
    const t = Float64Array.of(x / scale, y / scale, z / scale);
    if (planes.length === 0) return this.#offer(t);
    return this.#offer(beyond(t, pushFrom(region), 4 * this.#unit + 2 ** -10 * (length / scale)));
  }

  /**
   * Looks for a free translation next to the nearest of a region, or somewhat beyond. If that leads into a slot which b
   * fits exactly, only the translation itself is free; on a grid it has few binary digits.
   */
  #freeBeyond(region: Region): void {
    const { x, y, z, length, planes } = region;
    if (planes.length === 0) return;
    const scale = this.#scale;
    const t = Float64Array.of(x / scale, y / scale, z / scale);
    const world = length / scale;
    const push = pushFrom(region);
    const least = 4 * this.#unit + 2 ** -40 * world;
    if (this.#offer(beyond(t, push, least)) || this.#offer(onGrid(t, 64 * this.#unit))) return;
    const longest = Math.min(this.#limit, Math.max((1 + mostBeyond) * world, world + 600 * this.#unit));
    for (let by = 16 * least; ; by *= 16) {
      const at = beyond(t, push, by);
      if (roundedUpLength(at) > longest || this.#offer(at)) return;
    }
  }

  #offer(translation: Float64Array): boolean {
    const length = roundedUpLength(translation);
    if (this.best !== undefined && this.best.length <= length) return false;
    if (!this.#judge.isFree(translation)) return false;
    this.best = { translation, length };
    return true;
  }
}

/** A direction away from the planes that hold the nearest translation of a region. */
const pushFrom = ({ x, y, z, length, planes }: Region): readonly number[] =>
  awayFrom(planes) ?? [x / length, y / length, z / length];

const beyond = (t: Float64Array, push: readonly number[], by: number): Float64Array =>
  t.map((x, i) => x + by * push[i]);

// Collects the findings of all batches of a question, with the bounds that hold for them (proof.md).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../../core/stats.ts';
import type { Reliability } from '../../../interferences/answer/answer.ts';
import { crossingError } from '../../raster/exact/crossings.ts';
import { RasterState, TileLayout } from '../../raster/layouts.ts';
import type { Tile, TileBatch } from '../../raster/raster.ts';
import { Found, type OpenLine, type RawEdges, type RawRaycast, type RaycastTask } from '../sampling.ts';
import type { AxisTile } from './axis-tile.ts';
import { CastState, castStateWords } from './layouts.ts';
import { openLines } from './open-lines.ts';

/** The promise of lines one pixel apart if depths and vertices together are off by `error` pixels (proof.md). */
export const lineBounds = (pixel: number, error: number): Reliability => ({
  mayMissBelow: 2 * pixel * Math.sqrt(0.5 + (32 * error) ** 2),
  mayReportWithin: 2 * error * pixel,
  complete: true,
});

/** The findings of the batches so far. */
export class Collected {
  readonly stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
  readonly flags: Uint8Array;
  any = false;
  readonly #bodies: readonly Placed[];
  readonly #pixel: number;
  /** The largest error of a stretch's end, in pixels. */
  #error = 0;
  #fragments = 0;
  #edgeFragments = 0;
  readonly #hits: Uint32Array[] = [];
  /** Tiles with open lines, and the pixels of those lines. */
  readonly #open: { tile: Tile; pixels: Iterable<number> }[] = [];

  constructor(bodies: readonly Placed[], candidates: number, pixel: number) {
    this.#bodies = bodies;
    this.flags = new Uint8Array(candidates);
    this.#pixel = pixel;
  }

  add(
    batch: TileBatch,
    raster: Uint32Array,
    state: Uint32Array,
    error: number,
    hits: Uint32Array,
    unsure: Uint32Array,
  ): void {
    this.addFound(batch, raster, state, error, hits);
    this.stats.unsure += unsure.length;
    this.#listOpen(batch, unsure.sort());
  }

  /** The findings of a batch without its open lines. */
  addFound(
    batch: Pick<TileBatch, 'noise' | 'triangleCount'>,
    raster: Uint32Array,
    state: Uint32Array,
    error: number,
    hits: Uint32Array,
  ): void {
    for (let c = 0; c < this.flags.length; c++) this.flags[c] |= state[castStateWords + c];
    this.any ||= state[CastState.any] !== 0;
    this.#error = Math.max(this.#error, error + batch.noise);
    this.#fragments += raster[RasterState.fragments];
    this.#edgeFragments += state[CastState.edgeFragments];
    this.stats.triangleTests += batch.triangleCount;
    if (hits.length > 0) this.#hits.push(hits);
  }

  /** Leaves some lines of a candidate open, given by their pixels. */
  leaveLines(tile: Tile, pixels: readonly number[]): void {
    this.stats.unsure += pixels.length;
    this.#open.push({ tile, pixels });
  }

  /** Leaves all lines of a tile open. */
  leaveOpen(tile: AxisTile): void {
    const count = tile.pixelCount;
    const error = crossingError(tile.view, [this.#bodies[tile.a], this.#bodies[tile.b]]);
    this.#error = Math.max(this.#error, error / this.#pixel);
    this.stats.unsure += count;
    this.#open.push({ tile, pixels: Array.from({ length: count }, (_, i) => i) });
  }

  finish(task: RaycastTask, tiles: number): RawRaycast {
    const pixel = this.#pixel;
    const bounds = lineBounds(pixel, this.#error * (1 + 2 ** -20));
    const lines: OpenLine[] = this.#open.flatMap(({ tile, pixels }) =>
      openLines(this.#bodies, tile, pixels, bounds.mayReportWithin),
    );
    return {
      any: this.flags.some(flags => (flags & Found.ray) !== 0),
      found: this.flags,
      byPairs: true,
      penetrating: none,
      penetrated: none,
      notClosed: none,
      edges: new PointsRead(this.#hits),
      lines,
      ...bounds,
      raycast: {
        resolution: task.resolution,
        pixel,
        directions: task.views,
        tiles,
        fragments: this.#fragments,
        edgeFragments: this.#edgeFragments,
        recast: 0,
        byRaysAlone: 0,
        byEdgesAlone: 0,
        selfHits: 0,
        inSeveral: 0,
        early: task.ask === 'any' && this.any,
      },
      stats: this.stats,
    };
  }

  /** Adds the unsure pixels in order, tile by tile. */
  #listOpen({ tiles, tileWords }: TileBatch, unsure: Uint32Array): void {
    const firstPixel = (tile: number) => tileWords[TileLayout.words * tile + TileLayout.at.firstPixel];
    let tile = 0;
    for (let i = 0; i < unsure.length; ) {
      while (tile + 1 < tiles.length && firstPixel(tile + 1) <= unsure[i]) tile++;
      const from = i;
      const end = tile + 1 < tiles.length ? firstPixel(tile + 1) : Infinity;
      while (i < unsure.length && unsure[i] < end) i++;
      this.#open.push({
        tile: tiles[tile],
        pixels: unsure.slice(from, i).map(pixel => pixel - firstPixel(tile)),
      });
    }
  }
}

/**
 * Points of edges as they were read back, four words each (cast-edges.wgsl). There may be millions that no caller
 * reads, so they are decoded on request.
 */
class PointsRead implements RawEdges {
  readonly points = undefined;
  readonly #read: readonly Uint32Array[];
  #owners: Uint32Array | undefined;
  #along: Float32Array | undefined;

  constructor(read: readonly Uint32Array[]) {
    this.#read = read;
  }

  get owners(): Uint32Array {
    return (this.#owners ??= this.#take((words, i, out, at) => {
      out[2 * at] = words[i];
      out[2 * at + 1] = words[i + 1];
    }, 2));
  }
  get along(): Float32Array {
    return (this.#along ??= new Float32Array(
      this.#take((words, i, out, at) => {
        out[at] = words[i + 2];
      }, 1).buffer,
    ));
  }

  #take(
    copy: (words: Uint32Array, i: number, out: Uint32Array, at: number) => void,
    size: number,
  ): Uint32Array {
    const count = this.#read.reduce((sum, { length }) => sum + length / 4, 0);
    const out = new Uint32Array(size * count);
    let at = 0;
    for (const words of this.#read) for (let i = 0; i < words.length; i += 4) copy(words, i, out, at++);
    return out;
  }
}

const none = new Uint32Array(0);

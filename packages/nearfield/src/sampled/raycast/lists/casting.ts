// The raycast method by lists, with tiles laid out on the CPU. This way is used for `counting: 'lists'` if there are
// few tiles (at most 256 bodies, and at most 64 tiles or ask 'any'), if positions are on the GPU, if some body of the
// scene is not a solid, and whenever gpu-tiles/ gives no answer. The raster stores all faces in each pixel's list
// (sampled/raster); then every pixel's ray and every edge's samples are tested against them. There is one submission
// per batch of tiles. It reads back one word per candidate and the points asked for, never pixels.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { isOutOfMemory } from '../../../core/errors.ts';
import type { EngineStats } from '../../../core/stats.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { PartlyRead } from '../../../gpu/buffers/read-list.ts';
import { GpuQuery, type Opening } from '../../../gpu/gpu-query.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import { RasterState } from '../../raster/layouts.ts';
import type { Raster, TileBatch } from '../../raster/raster.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import { layEdges } from '../edges/lay-edges.ts';
import type { CastParts } from '../parts.ts';
import { Found, type RawRaycast, type RaycastTask } from '../sampling.ts';
import type { AxisTile } from './axis-tile.ts';
import { Collected } from './collected.ts';
import { CastState, castStateWords } from './layouts.ts';
import { type CastKernels, ListCast } from './list-cast.ts';
import { takeBatch, tilesOf } from './tiling.ts';

const label = { label: 'raycast' };
/** How many tiles are laid out on the CPU at once. */
const mostTiles = 2 ** 16;
/** The size of the first batch if one interference is enough. */
const firstTiles = 64;
/** If memory runs out, a batch of no more pixels than this is not cut further. */
const fewestPixels = 2 ** 12;

export class ListCasting {
  readonly #trees: GpuTrees;
  readonly #raster: Raster;
  readonly #edges: EdgeSource;
  readonly #stopwatch: Stopwatch;
  readonly #query: GpuQuery;
  readonly #lists: ListCast;
  /**
   * Whether rays alone settled everything last time. Then edges are cast only after rays fail to, because bodies move
   * little between questions.
   */
  #raysFirst = false;

  constructor(kernels: CastKernels, parts: CastParts) {
    const { device, trees, raster, edges, stopwatch, setup } = parts;
    this.#trees = trees;
    this.#raster = raster;
    this.#edges = edges;
    this.#stopwatch = stopwatch;
    this.#query = new GpuQuery(device, stopwatch);
    this.#lists = new ListCast(device, kernels, raster.resources, edges, setup);
  }

  async cast(
    bodies: readonly Placed[],
    task: RaycastTask,
    opening: Opening,
    checkpoint: (done: number) => void,
  ): Promise<RawRaycast> {
    const { tiles, pixel } = tilesOf(bodies, task);
    const found = new Collected(bodies, task.candidates.length / 2, pixel);
    const untilFirst = task.ask === 'any';
    let mostPixels = this.#raster.mostPixels;
    let left = tiles;
    while (left.length > 0) {
      const limit = untilFirst && left === tiles ? firstTiles : mostTiles;
      const next = takeBatch(left, mostPixels, limit);
      try {
        await this.#batch(bodies, task, next.batch, opening, found);
      } catch (error) {
        // Fewer pixels have fewer fragments, so a smaller batch may fit.
        const full = isOutOfMemory(error);
        const pixels = next.batch.reduce((sum, { pixelCount }) => sum + pixelCount, 0);
        if (!full || pixels <= fewestPixels) throw error;
        mostPixels = Math.ceil(pixels / 2);
        continue;
      }
      left = next.left;
      checkpoint(1 - left.length / tiles.length);
      if (untilFirst && found.any) break;
    }
    return found.finish(task, tiles.length);
  }

  destroy(): void {
    this.#query.destroy();
    this.#lists.destroy();
  }

  async #batch(
    bodies: readonly Placed[],
    task: RaycastTask,
    tiles: readonly AxisTile[],
    opening: Opening,
    found: Collected,
  ): Promise<void> {
    const { stats } = found;
    const raster = this.#raster;
    const lists = this.#lists;
    let withEdges = !this.#raysFirst || ListCast.isEveryEdge(task.ask);
    for (;;) {
      let batch: TileBatch | undefined;
      const read = await this.#query.run({
        stats,
        opening,
        label,
        encode: encoder => {
          batch = raster.lay(bodies, tiles);
          if (batch === undefined) return undefined;
          this.#encode(encoder, bodies, task, batch, withEdges, stats);
          return [[raster.statePiece, raster.unsure.piece], this.#castPieces(found.flags.length)];
        },
        take: ([[state, unsure], cast]) => {
          if (raster.accept(state) === 'again' || !lists.accept(cast[0])) return undefined;
          const listed = raster.unsure.take(unsure, state[RasterState.unsure]);
          return { raw: state.slice(), unsure: listed, ...this.#takeCast(cast) };
        },
      });
      if (read === undefined) return this.#apart(bodies, task, tiles, opening, found);
      this.#raysFirst = isSettled(read.state, tiles, task);
      let { state, hits } = read;
      if (!withEdges && !this.#raysFirst) {
        const edges = await this.#castEdges(bodies, task, batch!, stats);
        if (edges === 'again') {
          withEdges = true;
          stats.growths++;
          continue;
        }
        ({ state, hits } = edges);
      }
      const [points, unsure] = await this.#query.rest(hits, read.unsure);
      found.add(batch!, read.raw, state, raster.errorOf(read.raw), points, unsure);
      return;
    }
  }

  /**
   * For tiles that single precision cannot place together: places them one by one, and if that fails leaves every line
   * of the tile open.
   */
  async #apart(
    bodies: readonly Placed[],
    task: RaycastTask,
    tiles: readonly AxisTile[],
    opening: Opening,
    found: Collected,
  ): Promise<void> {
    if (tiles.length === 1) {
      found.leaveOpen(tiles[0]);
      return;
    }
    const middle = tiles.length >> 1;
    await this.#batch(bodies, task, tiles.slice(0, middle), opening, found);
    await this.#batch(bodies, task, tiles.slice(middle), opening, found);
  }

  #encode(
    encoder: GPUCommandEncoder,
    bodies: readonly Placed[],
    task: RaycastTask,
    batch: TileBatch,
    withEdges: boolean,
    stats: EngineStats,
  ): void {
    const [raster, lists] = [this.#raster, this.#lists];
    const edgeCount = withEdges ? this.#layEdges(bodies, batch) : 0;
    raster.write(batch, edgeCount);
    lists.reserve(task.candidates.length / 2, task.ask);
    raster.encodeClear(encoder, batch);
    lists.encodeClear(encoder);
    const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
    stats.dispatches += raster.encode(pass, batch) + lists.encodeRays(pass, batch.pixelCount);
    if (withEdges) stats.dispatches += lists.encodeEdges(pass, edgeCount);
    pass.end();
    this.#stopwatch.encode(encoder);
  }

  /**
   * Casts edges against the lists that are already made, after rays did not find everything. Returns the state and the
   * points of edges.
   */
  async #castEdges(
    bodies: readonly Placed[],
    task: RaycastTask,
    batch: TileBatch,
    stats: EngineStats,
  ): Promise<Cast | 'again'> {
    const [raster, lists] = [this.#raster, this.#lists];
    const edgeCount = this.#layEdges(bodies, batch);
    raster.writeInputs(batch, edgeCount);
    const candidates = task.candidates.length / 2;
    lists.reserve(candidates, task.ask);
    return this.#query.run({
      stats,
      label,
      encode: encoder => {
        const pass = encoder.beginComputePass(label);
        stats.dispatches += lists.encodeEdges(pass, edgeCount);
        pass.end();
        return [this.#castPieces(candidates)];
      },
      take: ([cast]) => (lists.accept(cast[0]) ? this.#takeCast(cast) : 'again'),
    });
  }

  #castPieces(candidates: number): Piece[] {
    return [this.#lists.statePiece(candidates), this.#lists.hits.piece];
  }

  #takeCast([state, hits]: readonly Uint32Array[]): Cast {
    return { state: state.slice(), hits: this.#lists.hits.take(hits, state[CastState.hits]) };
  }

  #layEdges(bodies: readonly Placed[], { tiles, sideWords }: TileBatch): number {
    const sides = tiles.flatMap(({ a, b }) => [bodies[a], bodies[b]]);
    return layEdges(this.#edges, this.#trees, sides, sideWords);
  }
}

/** The state of the casting, and the points of edges. */
interface Cast {
  readonly state: Uint32Array;
  readonly hits: PartlyRead;
}

/**
 * Tells whether rays leave nothing to edges: they found something in every candidate of the tiles, or in one if that is
 * enough.
 */
function isSettled(state: Uint32Array, tiles: readonly AxisTile[], { ask }: RaycastTask): boolean {
  const isFound = ({ candidate }: AxisTile) => (state[castStateWords + candidate] & Found.ray) !== 0;
  return ask === 'any' ? tiles.some(isFound) : tiles.every(isFound);
}

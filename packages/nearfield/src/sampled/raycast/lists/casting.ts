// The raycast method by lists, for few tiles (raycast.ts says when). The raster stores all faces in each pixel's list
// (sampled/raster); then every pixel's ray and every edge's samples are tested against them. There is one submission
// per batch of tiles. It reads back one word per candidate and the points asked for, never pixels.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { Entry, GpuTrees } from '../../../bvh/gpu/trees.ts';
import { NearfieldError } from '../../../core/errors.ts';
import type { EngineStats } from '../../../core/stats.ts';
import { type Piece, ReadBack } from '../../../gpu/buffers/read-back.ts';
import type { Preparation } from '../../../gpu/gpu-query.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import { RasterState, SideLayout, stateWords } from '../../raster/layouts.ts';
import type { Raster, TileBatch } from '../../raster/raster.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import { Found, type RawRaycast, type RaycastTask } from '../sampling.ts';
import type { AxisTile } from './axis-tile.ts';
import { Collected } from './collected.ts';
import { CastState, castStateWords } from './layouts.ts';
import { type CastKernels, type CastRoom, ListCast } from './list-cast.ts';
import { takeBatch, tilesOf } from './tiling.ts';

const label = { label: 'raycast' };
/** How many points are at least read back with the first answer. If there are more, a second read-back gets them. */
const leastHits = 64;
const leastUnsure = 64;
/** How many tiles are laid out on the CPU at once. */
const mostTiles = 2 ** 16;
/** The size of the first batch if one interference is enough. */
const firstTiles = 64;
/** If memory runs out, a batch of no more pixels than this is not cut further. */
const fewestPixels = 2 ** 12;

export class ListCasting {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #raster: Raster;
  readonly #edges: EdgeSource;
  readonly #stopwatch: Stopwatch;
  readonly #readBack: ReadBack;
  readonly #lists: ListCast;
  /** How many points to read back with the next answer: somewhat more than the last one had. */
  #hits = leastHits;
  #unsure = leastUnsure;
  /**
   * Whether rays alone settled everything last time. Then edges are cast only after rays fail to, because bodies move
   * little between questions.
   */
  #raysFirst = false;

  constructor(
    device: GPUDevice,
    kernels: CastKernels,
    trees: GpuTrees,
    raster: Raster,
    edges: EdgeSource,
    stopwatch: Stopwatch,
    options: { software: boolean; room?: CastRoom | undefined },
  ) {
    this.#device = device;
    this.#trees = trees;
    this.#raster = raster;
    this.#edges = edges;
    this.#stopwatch = stopwatch;
    this.#readBack = new ReadBack(device);
    this.#lists = new ListCast(device, kernels, raster.resources, edges, options);
  }

  async cast(
    bodies: readonly Placed[],
    task: RaycastTask,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<RawRaycast> {
    const { tiles, pixel } = tilesOf(bodies, task);
    const found = new Collected(bodies, task.candidates.length / 2, pixel);
    const untilFirst = task.ask === 'any';
    let pending = preparation;
    let mostPixels = this.#raster.mostPixels;
    let left = tiles;
    while (left.length > 0) {
      const limit = untilFirst && left === tiles ? firstTiles : mostTiles;
      const next = takeBatch(left, mostPixels, limit);
      try {
        await this.#batch(bodies, task, next.batch, pending, found);
        pending = undefined;
      } catch (error) {
        // Fewer pixels have fewer fragments, so a smaller batch may fit.
        const full = error instanceof NearfieldError && error.code === 'out-of-memory';
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
    this.#readBack.destroy();
    this.#lists.destroy();
  }

  async #batch(
    bodies: readonly Placed[],
    task: RaycastTask,
    tiles: readonly AxisTile[],
    preparation: Preparation | undefined,
    found: Collected,
  ): Promise<void> {
    const { stats } = found;
    const raster = this.#raster;
    let pending = preparation;
    let withEdges = !this.#raysFirst || ListCast.isEveryEdge(task.ask);
    for (;;) {
      const encoder = this.#device.createCommandEncoder(label);
      stats.dispatches += pending?.encode(encoder) ?? 0;
      const batch = raster.lay(bodies, tiles);
      if (batch === undefined && pending === undefined) {
        await this.#apart(bodies, task, tiles, found);
        return;
      }
      if (batch !== undefined) this.#encode(encoder, bodies, task, batch, withEdges, stats);
      const pieces = this.#pieces(batch, found.flags.length, pending?.pieces ?? []);
      const [raw, castState, castHits, times, ...extra] = await this.#readBack.submit(encoder, pieces);
      const unsure = raw.subarray(stateWords);
      const accepted = pending === undefined || pending.accept(extra);
      if (accepted) pending = undefined;
      if (batch === undefined) continue;
      this.#stopwatch.take(times.length > 0 ? times : undefined);
      const enough = raster.accept(raw) === 'ok' && this.#lists.accept(castState);
      if (!accepted || !enough) {
        stats.growths++;
        continue;
      }
      this.#raysFirst = isSettled(castState, tiles, task);
      let [state, hits] = [castState, castHits];
      if (!withEdges && !this.#raysFirst) {
        [state, hits] = await this.#castEdges(bodies, task, batch, stats);
        if (!this.#lists.accept(state)) {
          withEdges = true;
          stats.growths++;
          continue;
        }
      }
      const hitCount = state[CastState.hits];
      const unsureCount = raw[RasterState.unsure];
      this.#hits = Math.max(leastHits, Math.ceil(1.25 * hitCount));
      this.#unsure = Math.max(leastUnsure, Math.ceil(1.25 * unsureCount));
      found.add(
        batch,
        raw,
        state,
        raster.errorOf(raw),
        await this.#readBack.rest(hits, 4 * hitCount, this.#lists.hitPiece(hitCount)),
        await this.#readBack.rest(unsure, unsureCount, raster.unsurePiece(0, unsureCount)),
      );
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
    found: Collected,
  ): Promise<void> {
    if (tiles.length === 1) {
      found.leaveOpen(tiles[0]);
      return;
    }
    const middle = tiles.length >> 1;
    await this.#batch(bodies, task, tiles.slice(0, middle), undefined, found);
    await this.#batch(bodies, task, tiles.slice(middle), undefined, found);
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
  ): Promise<[Uint32Array, Uint32Array]> {
    const [raster, lists] = [this.#raster, this.#lists];
    const edgeCount = this.#layEdges(bodies, batch);
    raster.writeInputs(batch, edgeCount);
    const candidates = task.candidates.length / 2;
    lists.reserve(candidates, task.ask);
    const encoder = this.#device.createCommandEncoder(label);
    const pass = encoder.beginComputePass(label);
    stats.dispatches += lists.encodeEdges(pass, edgeCount);
    pass.end();
    const pieces = [lists.statePiece(candidates), lists.hitPiece(Math.min(this.#hits, lists.hitRoom))];
    const [state, hits] = await this.#readBack.submit(encoder, pieces);
    return [state, hits];
  }

  /** Writes to each side which edges it has. Returns how many there are. */
  #layEdges(bodies: readonly Placed[], { tiles, sideWords }: TileBatch): number {
    const { at, words } = SideLayout;
    const entries = new Set<Entry>();
    let [edgeCount, record] = [0, 0];
    const write = ({ shape }: Placed) => {
      const { offset, count } = this.#edges.recordsOf(shape.mesh);
      sideWords[record + at.firstEdge] = edgeCount;
      sideWords[record + at.edgeRecords] = offset;
      edgeCount += count;
      record += words;
      entries.add(this.#trees.entryOf(shape));
    };
    for (const { a, b } of tiles) {
      write(bodies[a]);
      write(bodies[b]);
    }
    this.#edges.bind(entries);
    return edgeCount;
  }

  /**
   * What to read back: the raster's state with unsure pixels, the casting's state, points of edges, times, and the
   * trees' pieces.
   */
  #pieces(batch: TileBatch | undefined, candidates: number, extra: readonly Piece[]): Piece[] {
    const raster = this.#raster;
    const lists = this.#lists;
    const nothing = lists.hitPiece(0);
    if (batch === undefined) return [nothing, nothing, nothing, nothing, ...extra];
    return [
      raster.statePieceWith(Math.min(this.#unsure, raster.unsureRoom)),
      lists.statePiece(candidates),
      lists.hitPiece(Math.min(this.#hits, lists.hitRoom)),
      this.#stopwatch.piece ?? nothing,
      ...extra,
    ];
  }
}

/**
 * Tells whether rays leave nothing to edges: they found something in every candidate of the tiles, or in one if that is
 * enough.
 */
function isSettled(state: Uint32Array, tiles: readonly AxisTile[], { ask }: RaycastTask): boolean {
  const isFound = ({ candidate }: AxisTile) => (state[castStateWords + candidate] & Found.ray) !== 0;
  return ask === 'any' ? tiles.some(isFound) : tiles.every(isFound);
}

// The raycast method by lists: all faces in each pixel's list (methods/raster), then every pixel's ray and every edge's samples
// against them. One submission a batch of tiles, and what comes back is a word a candidate and the points asked for, never
// pixels.

import type { Entry, GpuTrees, Preparation } from '../../../bvh/gpu-trees.ts';
import { NearfieldError } from '../../../errors.ts';
import { GrowingBuffer } from '../../../gpu/buffers.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { type Piece, ReadBack } from '../../../gpu/read-back.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import type { EngineStats, Placed } from '../../../scene/engine.ts';
import { coverageModules, listModules } from '../../raster/kernels.ts';
import { RasterState } from '../../raster/layouts.ts';
import { mostNoise, type Raster, type TileBatch } from '../../raster/raster.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import type { RawRaycast, RaycastTask } from '../sampling.ts';
import type { AxisTile } from './axis-tile.ts';
import castSource from './cast-edges.wgsl';
import { Collected } from './collected.ts';
import { layAxisTiles } from './lay-axis-tiles.ts';
import { CastLayout, CastState, castStateWords, castWgsl, EdgeSideLayout, PieceLayout } from './layouts.ts';
import placeSource from './place-edges.wgsl';
import raysSource from './rays.wgsl';
import { takeBatch, tilesOf } from './tiling.ts';

const label = { label: 'raycast' };
/** Read with the answer; where there are more, they are read after it. */
const hitsAtFirst = 256;
const unsureAtFirst = 64;
/** Tiles that are laid on the CPU at once. */
const mostTiles = 2 ** 16;
/** Where one interference is enough, so many at first. */
const firstTiles = 64;
/** A batch of no more than this is not cut further where memory runs out. */
const fewestPixels = 2 ** 12;

export interface CastKernels {
  readonly rays: Kernel;
  readonly place: Kernel;
  readonly cast: Kernel;
}

export async function createCastKernels(device: GPUDevice): Promise<CastKernels> {
  const [rays, place, cast] = await Promise.all([
    createKernel(device, 'rays', [...listModules, castWgsl, raysSource]),
    createKernel(device, 'place-edges', [...coverageModules, castWgsl, placeSource]),
    createKernel(device, 'cast-edges', [...listModules, castWgsl, castSource]),
  ]);
  return { rays, place, cast };
}

/** How much room there is at first, for tests of growth. */
export interface CastRoom {
  readonly pieces: number;
  readonly hits: number;
}

export class ListCasting {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #raster: Raster;
  readonly #edges: EdgeSource;
  readonly #stopwatch: Stopwatch;
  readonly #readBack: ReadBack;
  readonly #resources: Resources;
  readonly #launches: Record<keyof CastKernels, Launch>;
  readonly #parameters: GPUBuffer;
  readonly #buffers: Record<'castState' | 'edgePieces' | 'edgeHits' | 'edgeSides', GrowingBuffer>;
  readonly #room: { pieces: number; hits: number };
  readonly #groups: number;
  /** Edges of all sides of the batch that was last written. */
  #edgeCount = 0;

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
    this.#resources = new Resources(raster.resources);
    const launch = (kernel: Kernel) => new Launch(device, kernel, this.#resources);
    this.#launches = { rays: launch(kernels.rays), place: launch(kernels.place), cast: launch(kernels.cast) };
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#parameters = device.createBuffer({ label: 'cast', size: CastLayout.bytes, usage });
    this.#resources.set('casting', this.#parameters);
    const buffer = (name: string) => new GrowingBuffer(device, name);
    this.#buffers = {
      castState: buffer('cast state'),
      edgePieces: buffer('pieces of edges'),
      edgeHits: buffer('points of edges'),
      edgeSides: buffer('edges of sides'),
    };
    this.#room = { ...(options.room ?? { pieces: 2 ** 16, hits: 2 ** 14 }) };
    this.#groups = options.software ? 32 : 4096;
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
        // Fewer pixels have fewer fragments.
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
    this.#parameters.destroy();
    this.#readBack.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
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
    for (;;) {
      const encoder = this.#device.createCommandEncoder(label);
      stats.dispatches += pending?.encode(encoder) ?? 0;
      const batch = this.#lay(bodies, tiles);
      if (batch !== undefined) raster.write(batch);
      if (batch === undefined && pending === undefined) {
        await this.#apart(bodies, task, tiles, found);
        return;
      }
      if (batch !== undefined) this.#encode(encoder, bodies, task, batch, stats);
      const pieces = this.#pieces(batch, found.flags.length, pending?.pieces ?? []);
      const [raw, state, hits, unsure, times, ...extra] = await this.#submit(encoder, pieces);
      const accepted = pending === undefined || pending.accept(extra);
      if (accepted) pending = undefined;
      if (batch === undefined) continue;
      this.#stopwatch.take(times.length > 0 ? times : undefined);
      const enough = raster.accept(raw) === 'ok' && this.#hadRoom(state);
      if (!accepted || !enough) {
        stats.growths++;
        continue;
      }
      const hitCount = state[CastState.hits];
      const unsureCount = raw[RasterState.unsure];
      found.add(
        batch,
        raw,
        state,
        raster.errorOf(raw),
        await this.#rest(hits, 4 * hitCount, this.#hitPiece(hitCount)),
        await this.#rest(unsure, unsureCount, raster.unsurePiece(0, unsureCount)),
      );
      return;
    }
  }

  /** Undefined where single precision leaves too little certain: also where the noise is not a number. */
  #lay(bodies: readonly Placed[], tiles: readonly AxisTile[]): TileBatch | undefined {
    const batch = layAxisTiles(bodies, ({ shape }) => this.#trees.entryOf(shape), tiles);
    return batch.noise <= mostNoise ? batch : undefined;
  }

  /** What single precision cannot place together: tile by tile, and then every line of a tile. */
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
    stats: EngineStats,
  ): void {
    const raster = this.#raster;
    const { castState, edgePieces, edgeHits } = this.#buffers;
    const stateBytes = 4 * (castStateWords + task.candidates.length / 2);
    castState.reserve(stateBytes);
    edgePieces.reserve(PieceLayout.bytes * this.#room.pieces);
    edgeHits.reserve(16 * this.#room.hits);
    this.#write(bodies, task, batch);
    for (const [name, { buffer }] of Object.entries(this.#buffers)) this.#resources.set(name, buffer);
    for (const name of ['leafOf', 'edgeRecords']) {
      this.#resources.set(name, this.#edges.resources.get(name)!);
    }
    raster.encodeClear(encoder, batch);
    encoder.clearBuffer(castState.buffer, 0, stateBytes);
    const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
    stats.dispatches += raster.encode(pass, batch) + this.#edges.encode(pass) + 3;
    this.#launches.rays.encode(pass, Math.min(16 * this.#groups, Math.ceil(batch.pixelCount / 64)));
    this.#launches.place.encode(pass, Math.min(this.#groups, Math.ceil(this.#edgeCount / 64)));
    this.#launches.cast.encode(pass, Math.min(this.#groups, Math.ceil(this.#edgeCount / 64)));
    pass.end();
    this.#stopwatch.encode(encoder);
  }

  #write(bodies: readonly Placed[], { ask }: RaycastTask, batch: TileBatch): void {
    const words = new Uint32Array(EdgeSideLayout.words * 2 * batch.tiles.length);
    const entries = new Set<Entry>();
    let [edgeCount, side] = [0, 0];
    const write = ({ shape }: Placed) => {
      const { offset, count } = this.#edges.recordsOf(shape.mesh);
      words[EdgeSideLayout.words * side + EdgeSideLayout.at.first] = edgeCount;
      words[EdgeSideLayout.words * side + EdgeSideLayout.at.records] = offset;
      edgeCount += count;
      side++;
      entries.add(this.#trees.entryOf(shape));
    };
    for (const { a, b } of batch.tiles) {
      write(bodies[a]);
      write(bodies[b]);
    }
    this.#edgeCount = edgeCount;
    this.#edges.bind(entries);
    const { queue } = this.#device;
    queue.writeBuffer(this.#buffers.edgeSides.reserve(words.byteLength), 0, words);
    const cast = new Uint32Array(CastLayout.words);
    const { at } = CastLayout;
    cast[at.edgeCount] = edgeCount;
    new Float32Array(cast.buffer)[at.noise] = batch.noise * (1 + 2 ** -20);
    cast[at.untilFirst] = ask === 'any' ? 1 : 0;
    cast[at.everyEdge] = ask === 'any' || ask === 'pairs' ? 0 : 1;
    cast[at.pieceRoom] = this.#room.pieces;
    cast[at.hitRoom] = this.#room.hits;
    queue.writeBuffer(this.#parameters, 0, cast);
  }

  /** State of the raster, of the casting, points of edges, unsure pixels, times, and what trees want to be read. */
  #pieces(batch: TileBatch | undefined, candidates: number, extra: readonly Piece[]): Piece[] {
    const raster = this.#raster;
    const nothing: Piece = { buffer: this.#buffers.castState.buffer, offset: 0, bytes: 0 };
    if (batch === undefined) return [nothing, nothing, nothing, nothing, nothing, ...extra];
    const { castState } = this.#buffers;
    return [
      raster.statePiece,
      { buffer: castState.buffer, offset: 0, bytes: 4 * (castStateWords + candidates) },
      this.#hitPiece(Math.min(hitsAtFirst, this.#room.hits)),
      raster.unsurePiece(0, Math.min(unsureAtFirst, raster.unsureRoom)),
      this.#stopwatch.piece ?? nothing,
      ...extra,
    ];
  }

  #hitPiece(count: number): Piece {
    return { buffer: this.#buffers.edgeHits.buffer, offset: 0, bytes: 16 * count };
  }

  async #submit(encoder: GPUCommandEncoder, pieces: readonly Piece[]): Promise<Uint32Array[]> {
    this.#readBack.encode(encoder, pieces);
    this.#device.queue.submit([encoder.finish()]);
    return this.#readBack.read(pieces, views => views.map(view => view.slice()));
  }

  /** Words of a list of which some were read already. */
  async #rest(known: Uint32Array, words: number, piece: Piece): Promise<Uint32Array> {
    if (words <= known.length) return known.subarray(0, words);
    const encoder = this.#device.createCommandEncoder(label);
    return (await this.#submit(encoder, [piece]))[0];
  }

  #hadRoom(state: Uint32Array): boolean {
    const room = this.#room;
    const [pieces, hits] = [state[CastState.pieces], state[CastState.hits]];
    if (pieces <= room.pieces && hits <= room.hits) return true;
    if (pieces > room.pieces) room.pieces = Math.ceil(1.25 * pieces);
    if (hits > room.hits) room.hits = Math.ceil(1.25 * hits);
    return false;
  }
}

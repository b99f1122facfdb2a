// Tests the raster's lists: every pixel's ray, then every edge's samples. It is launched after the raster in the same
// pass. The caller that made the resources has laid out the tiles.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { ReadList } from '../../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../../gpu/device/device.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { coverageModules, listAndCoverageModules, sortedTileModules } from '../../raster/kernels.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import candidateModule from '../groups/candidate-of.wgsl';
import groupSampleModule from '../groups/cast-group-sample.wgsl';
import groupRaysSource from '../groups/group-rays.wgsl';
import type { Ask } from '../options.ts';
import castSource from './cast-edges.wgsl';
import pairSampleModule from './cast-pair-sample.wgsl';
import samplesModule from './edge-samples.wgsl';
import { CastLayout, CastState, castStateWords, castWgsl, PieceLayout } from './layouts.ts';
import placeSource from './place-edges.wgsl';
import raysSource from './rays.wgsl';

export interface CastKernels {
  readonly rays: Kernel;
  readonly place: Kernel;
  readonly cast: Kernel;
}

export async function createCastKernels(device: GPUDevice): Promise<CastKernels> {
  const [rays, place, cast] = await Promise.all([
    createKernel(device, 'rays', [...sortedTileModules, castWgsl, raysSource]),
    createKernel(device, 'place-edges', [...coverageModules, castWgsl, placeSource]),
    createKernel(device, 'cast-edges', [
      ...listAndCoverageModules,
      castWgsl,
      samplesModule,
      pairSampleModule,
      castSource,
    ]),
  ]);
  return { rays, place, cast };
}

/** The same for tiles of groups of bodies. */
export async function createGroupKernels(device: GPUDevice): Promise<CastKernels> {
  const isGrouped = { isGrouped: 1 };
  const grouped = [castWgsl, candidateModule];
  const [rays, place, cast] = await Promise.all([
    createKernel(device, 'group-rays', [...sortedTileModules, ...grouped, groupRaysSource], isGrouped),
    createKernel(device, 'place-edges', [...coverageModules, castWgsl, placeSource], { isOneCandidate: 0 }),
    createKernel(
      device,
      'cast-group-edges',
      [...listAndCoverageModules, ...grouped, samplesModule, groupSampleModule, castSource],
      isGrouped,
    ),
  ]);
  return { rays, place, cast };
}

/** Initial capacities, for tests of growth. */
export interface CastRoom {
  readonly pieces: number;
  readonly hits: number;
}

export class ListCast {
  /** casting, castState, edgePieces, edgeHits, and what they build on. */
  readonly resources: Resources;
  /** Points of edges, four words each (cast-edges.wgsl). */
  readonly hits: ReadList;
  readonly #device: GPUDevice;
  readonly #edges: EdgeSource;
  readonly #launches: Record<keyof CastKernels, Launch>;
  readonly #parameters: GPUBuffer;
  /** The parameters last written. */
  readonly #written = new Uint32Array(CastLayout.words);
  readonly #buffers: Record<'castState' | 'edgePieces' | 'edgeHits', GrowingBuffer>;
  readonly #room: { pieces: number; hits: number };
  readonly #groups: number;
  #stateBytes = 0;

  constructor(
    device: GPUDevice,
    kernels: CastKernels,
    raster: Resources,
    edges: EdgeSource,
    options: { readonly software: boolean; readonly room?: CastRoom | undefined },
  ) {
    this.#device = device;
    this.#edges = edges;
    this.resources = new Resources(raster);
    const launch = (kernel: Kernel) => new Launch(device, kernel, this.resources);
    this.#launches = { rays: launch(kernels.rays), place: launch(kernels.place), cast: launch(kernels.cast) };
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#parameters = device.createBuffer({ label: 'cast', size: CastLayout.bytes, usage });
    this.resources.set('casting', this.#parameters);
    const buffer = (name: string) => new GrowingBuffer(device, name);
    this.#buffers = {
      castState: buffer('cast state'),
      edgePieces: buffer('pieces of edges'),
      edgeHits: buffer('points of edges'),
    };
    const { edgeHits } = this.#buffers;
    this.hits = new ReadList(16, () => ({ buffer: edgeHits.buffer, room: Math.floor(edgeHits.bytes / 16) }));
    this.#room = { ...(options.room ?? { pieces: 2 ** 16, hits: 2 ** 14 }) };
    this.#groups = options.software ? softwareGroups : 4096;
  }

  /**
   * Allocates the current capacities for `candidates` candidates. `pairs` are their bodies, if tiles have groups of
   * bodies. To be called after the edges were bound.
   */
  reserve(candidates: number, ask: Ask, pairs?: Uint32Array<ArrayBuffer>): void {
    const { castState, edgePieces, edgeHits } = this.#buffers;
    this.#stateBytes = 4 * (castStateWords + candidates);
    castState.reserve(this.#stateBytes + (pairs?.byteLength ?? 0));
    if (pairs !== undefined) this.#device.queue.writeBuffer(castState.buffer, this.#stateBytes, pairs);
    edgePieces.reserve(PieceLayout.bytes * this.#room.pieces);
    edgeHits.reserve(16 * this.#room.hits);
    for (const [name, { buffer }] of Object.entries(this.#buffers)) this.resources.set(name, buffer);
    for (const name of ['leafOf', 'edgeRecords']) {
      this.resources.set(name, this.#edges.resources.get(name)!);
    }
    this.#write(ask, pairs === undefined ? 0 : candidates);
  }

  /** To be called before the pass. */
  encodeClear(encoder: GPUCommandEncoder): void {
    encoder.clearBuffer(this.#buffers.castState.buffer, 0, this.#stateBytes);
  }

  /** To be called after the raster, with the approximate number of pixels. Returns the number of dispatches. */
  encodeRays(pass: GPUComputePassEncoder, pixels: number): number {
    this.#launches.rays.encode(pass, Math.min(16 * this.#groups, Math.ceil(pixels / 64)));
    return 1;
  }

  /** To be called after the rays, with the approximate number of edges. Returns the number of dispatches. */
  encodeEdges(pass: GPUComputePassEncoder, edges: number): number {
    const { place, cast } = this.#launches;
    const dispatches = this.#edges.encode(pass);
    place.encode(pass, Math.min(this.#groups, Math.ceil(edges / 64)));
    cast.encode(pass, Math.min(this.#groups, Math.ceil(edges / 64)));
    return dispatches + 2;
  }

  /** The state's words (CastState), and the flags of `candidates` candidates. */
  statePiece(candidates: number): Piece {
    const { buffer } = this.#buffers.castState;
    return { buffer, offset: 0, bytes: 4 * (castStateWords + candidates) };
  }

  /** Checks the state that was read back. Returns false if a capacity was exceeded; it has then been enlarged. */
  accept(state: Uint32Array): boolean {
    const room = this.#room;
    const [pieces, hits] = [state[CastState.pieces], state[CastState.hits]];
    if (pieces <= room.pieces && hits <= room.hits) return true;
    if (pieces > room.pieces) room.pieces = Math.ceil(1.25 * pieces);
    if (hits > room.hits) room.hits = Math.ceil(1.25 * hits);
    return false;
  }

  destroy(): void {
    this.#parameters.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }

  /** Tells whether edges of all candidates are tested, or only of those in which rays found nothing. */
  static isEveryEdge(ask: Ask): boolean {
    return ask !== 'any' && ask !== 'pairs';
  }

  #write(ask: Ask, candidateCount: number): void {
    const words = new Uint32Array(CastLayout.words);
    const { at } = CastLayout;
    words[at.untilFirst] = ask === 'any' ? 1 : 0;
    words[at.everyEdge] = ListCast.isEveryEdge(ask) ? 1 : 0;
    words[at.pieceRoom] = this.#room.pieces;
    words[at.hitRoom] = this.#room.hits;
    words[at.candidateCount] = candidateCount;
    if (words.every((word, i) => word === this.#written[i])) return;
    this.#device.queue.writeBuffer(this.#parameters, 0, words);
    this.#written.set(words);
  }
}

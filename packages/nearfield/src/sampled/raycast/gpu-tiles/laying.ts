// Lays out tiles over candidates that are only known on the GPU, for the raster to sample in the same pass. If there
// are more than the capacity, none are laid out, and the counts say how many there are.

import type { Entry } from '../../../bvh/gpu/trees.ts';
import { GrowingBuffer, largestBinding } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { RasterLayout, SideLayout, TileLayout } from '../../raster/layouts.ts';
import { mostNoise, type Raster } from '../../raster/raster.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import type { LayingKernels } from './kernels.ts';
import { blockWords, LayState, layStateWords, mostBlocks, shapeWords, TilingLayout } from './layouts.ts';

/** Initial capacities, for tests of growth. */
export interface LayingRoom {
  readonly tiles: number;
  readonly pixels: number;
  /** The most workgroups that share the tiles. */
  readonly blocks?: number | undefined;
}

/** The totals of the tiles that were laid out, as far as they are known. */
export interface Laid {
  readonly candidates: number;
  readonly tiles: number;
  readonly pixels: number;
  readonly triangles: number;
  readonly edges: number;
  /** The side of a pixel in world units, and the largest error of a vertex in pixels. */
  readonly pixel: number;
  readonly noise: number;
}

export class TileLaying {
  readonly #device: GPUDevice;
  readonly #raster: Raster;
  readonly #edges: EdgeSource;
  readonly #resources: Resources;
  readonly #launches: Readonly<Record<'windows' | 'measure' | 'place', Launch>>;
  readonly #parameters: GPUBuffer;
  readonly #buffers: Record<'tiles' | 'sides' | 'tilePlaces' | 'layState' | 'shapeEdges', GrowingBuffer>;
  readonly #room: { tiles: number; pixels: number };
  readonly #mostBlocks: number;
  #question: GPUBufferBinding | undefined;

  /** `bodies` has the table, boxes and candidates. */
  constructor(
    device: GPUDevice,
    kernels: LayingKernels,
    raster: Raster,
    edges: EdgeSource,
    bodies: Resources,
    room: LayingRoom = { tiles: 2 ** 12, pixels: 2 ** 18 },
  ) {
    this.#device = device;
    this.#raster = raster;
    this.#edges = edges;
    this.#room = { tiles: room.tiles, pixels: room.pixels };
    this.#mostBlocks = Math.min(room.blocks ?? mostBlocks, mostBlocks);
    this.#resources = new Resources(bodies);
    const launch = (kernel: Kernel) => new Launch(device, kernel, this.#resources);
    this.#launches = {
      windows: launch(kernels.windows),
      measure: launch(kernels.measure),
      place: launch(kernels.place),
    };
    const { UNIFORM, COPY_DST } = GPUBufferUsage;
    const usage = UNIFORM | COPY_DST;
    this.#parameters = device.createBuffer({ label: 'tiling', size: TilingLayout.bytes, usage });
    this.#resources.set('tiling', this.#parameters);
    const buffer = (name: string, extra = 0) => new GrowingBuffer(device, name, extra);
    this.#buffers = {
      tiles: buffer('tiles'),
      sides: buffer('sides of tiles'),
      tilePlaces: buffer('places of tiles'),
      layState: buffer('state of laying', UNIFORM),
      shapeEdges: buffer('edges of shapes'),
    };
  }

  /** For tests. */
  get buffers(): { readonly tiles: GPUBuffer; readonly sides: GPUBuffer; readonly tilePlaces: GPUBuffer } {
    const { tiles, sides, tilePlaces } = this.#buffers;
    return { tiles: tiles.buffer, sides: sides.buffer, tilePlaces: tilePlaces.buffer };
  }

  /** The capacities for tiles and pixels. */
  get room(): Readonly<LayingRoom> {
    return this.#room;
  }

  /** Binds tiling and tilePlaces. The raster binds the rest. */
  bind(resources: Resources): void {
    resources.set('tiling', this.#parameters);
    resources.set('tilePlaces', this.#buffers.tilePlaces.buffer);
  }

  /**
   * Writes the kernels' parameters and allocates the current capacities. Candidates consist of bodies of these shapes.
   */
  reserve(entries: ReadonlySet<Entry>, resolution: number, views: number): void {
    const { tiles, sides, tilePlaces, layState } = this.#buffers;
    const room = this.#room;
    tiles.reserve(TileLayout.bytes * room.tiles);
    sides.reserve(SideLayout.bytes * 2 * room.tiles);
    tilePlaces.reserve(16 * room.tiles);
    layState.reserve(4 * (layStateWords + blockWords * mostBlocks));
    this.#writeShapes(entries);
    for (const [name, { buffer }] of Object.entries(this.#buffers)) this.#resources.set(name, buffer);
    const question = this.#raster.questionWords();
    const words = new Uint32Array(TilingLayout.words);
    const { at } = TilingLayout;
    words[at.resolution] = resolution;
    words[at.views] = views;
    words[at.tileRoom] = room.tiles;
    words[at.pixelRoom] = room.pixels;
    for (const name of ['fragmentRoom', 'stripRoom', 'unsureRoom', 'mostError'] as const) {
      words[at[name]] = question[RasterLayout.at[name]];
    }
    new Float32Array(words.buffer)[at.mostNoise] = mostNoise;
    this.#device.queue.writeBuffer(this.#parameters, 0, words);
    this.#raster.reserve(room.pixels);
    if (this.#question?.buffer !== layState.buffer) {
      this.#question = { buffer: layState.buffer, offset: 0, size: RasterLayout.bytes };
    }
    const laid = this.#raster.laidResources;
    laid.set('raster', this.#question);
    laid.set('tiles', tiles.buffer);
    laid.set('sides', sides.buffer);
  }

  /** To be called before the pass. */
  encodeClear(encoder: GPUCommandEncoder): void {
    encoder.clearBuffer(this.#buffers.layState.buffer, 0, 4 * layStateWords);
    this.#raster.encodeClear(encoder, { pixelCount: this.#room.pixels });
  }

  /**
   * To be called after the candidates were found in the same pass, and before the raster. Returns the number of
   * dispatches.
   */
  encode(pass: GPUComputePassEncoder): number {
    const { windows, measure, place } = this.#launches;
    const blocks = Math.max(1, Math.min(this.#mostBlocks, Math.ceil(this.#room.tiles / 256)));
    for (const launch of [windows, measure, place]) launch.encode(pass, blocks);
    return 3;
  }

  get statePiece(): Piece {
    return { buffer: this.#buffers.layState.buffer, offset: 0, bytes: 4 * layStateWords };
  }

  /**
   * Checks the state that was read back. Returns what was laid out; 'again' if a capacity was exceeded, which has then
   * been enlarged; 'unfit' if tiles cannot be laid out like this.
   */
  accept(state: Uint32Array, views: number): Laid | 'again' | 'unfit' {
    const floats = new Float32Array(state.buffer, state.byteOffset, layStateWords);
    const room = this.#room;
    const candidates = state[LayState.candidates];
    const tiles = views * candidates;
    const [pixels, triangles, edges] = [LayState.pixels, LayState.triangles, LayState.edges].map(
      at => floats[at],
    );
    const mostTiles = Math.floor(largestBinding(this.#device) / (2 * SideLayout.bytes));
    if (tiles > mostTiles) return 'unfit';
    if (tiles > room.tiles) {
      room.tiles = Math.min(mostTiles, Math.ceil(1.25 * tiles));
      return 'again';
    }
    if (state[LayState.unfit] !== 0 || Math.max(triangles, edges) >= 2 ** 31) return 'unfit';
    // The count is a rounded single; the factor exceeds its rounding.
    const wanted = Math.ceil(1.001 * pixels);
    if (wanted > this.#raster.mostPixels) return 'unfit';
    if (pixels > 0 && state[RasterLayout.at.tileCount] === 0) {
      room.pixels = Math.min(this.#raster.mostPixels, Math.ceil(1.25 * wanted));
      return 'again';
    }
    const pixel = 2 ** new Int32Array(state.buffer, state.byteOffset, layStateWords)[LayState.pixelExponent];
    const noise = floats[RasterLayout.at.noise];
    return { candidates, tiles, pixels, triangles, edges, pixel, noise };
  }

  destroy(): void {
    this.#parameters.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }

  #writeShapes(entries: ReadonlySet<Entry>): void {
    let count = 0;
    for (const { index } of entries) count = Math.max(count, index + 1);
    const words = new Uint32Array(shapeWords * count);
    for (const { index, shape, leafCount } of entries) {
      const records = this.#edges.recordsOf(shape.mesh);
      words.set([records.offset, records.count, leafCount], shapeWords * index);
    }
    this.#device.queue.writeBuffer(this.#buffers.shapeEdges.reserve(words.byteLength), 0, words);
  }
}

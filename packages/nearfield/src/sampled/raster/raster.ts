// Samples pairs of bodies along parallel lines. Every crossing of the line through a pixel's middle with a triangle of
// either body becomes a fragment of the pixel's list. Pixels that single precision cannot decide are marked and listed
// for the exact stage (cast-line.ts). The fixed-function raster is not used: its coverage and its rounding of depths
// are not specified, and a bound has to rest on something (proof.md).
//
// It is not slower for that. The figures below were measured on an H200, whose fixed-function raster is weak, from call
// to answer. They compare lists made here with the published passes on the render pipeline (raycast/drawn: edges,
// faces, own faces), run in turns. 3,614 polygons at 640 × 480 take 0.42 ms against 0.98 by the stencil and 1.59 by
// queries; at 256 × 256 they take 0.35 ms against 0.61 and 1.04. 160,000 polygons at 512² take 0.25 ms, and 1.15 with
// every edge, against 5.7. The kernels alone: 160,000 triangles with 428,000 fragments take 43 µs
// (raster-triangles.wgsl, one thread per triangle); 3,614 larger ones with 660,000 fragments take 36 µs, and 115 µs by
// strips (raster-strips.wgsl). So every method with a promise samples here, whatever the size of its triangles. The
// fixed-function raster only draws what is asked for as published.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../bvh/gpu/trees.ts';
import { GrowingBuffer, largestBinding } from '../../gpu/buffers/buffers.ts';
import type { Piece } from '../../gpu/buffers/read-back.ts';
import { ReadList } from '../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../gpu/device/device.ts';
import { Launch, Resources } from '../../gpu/kernel.ts';
import { throwIfRefused } from '../../gpu/submit.ts';
import { Inputs } from '../field/gpu/slices/inputs.ts';
import type { RasterKernels } from './kernels.ts';
import { fragmentWords, RasterLayout, RasterState, SideLayout, stateWords } from './layouts.ts';
import { type GroupTile, layGroups, layTiles, type Tile, type TileBatch } from './tiles.ts';

export type { GroupTile, Tile, TileBatch } from './tiles.ts';

/** Initial capacities, for tests of growth. */
export interface RasterRoom {
  readonly fragments: number;
  readonly strips: number;
  readonly unsure: number;
}

export interface RasterOptions {
  readonly software: boolean;
  readonly room?: RasterRoom | undefined;
}

const usualRoom: RasterRoom = { fragments: 2 ** 18, strips: 2 ** 14, unsure: 2 ** 12 };
/** If a vertex may be off by more than this share of a pixel, too little is certain. */
export const mostNoise = 1 / 16;
/** Depths less certain than this share of a pixel are not kept: their pixel is unsure. */
export const mostError = 1 / 64;

export class Raster {
  /**
   * raster, tiles, sides, heads, fragments, rasterState, strips; and the trees': leaves, order. Other kernels build on
   * them.
   */
  readonly resources = new Resources();
  /** The same for tiles laid out by a kernel: raster, tiles and sides then belong to the code that launches it. */
  readonly laidResources = new Resources(this.resources);
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #buffers: Record<'heads' | 'fragments' | 'rasterState' | 'strips', GrowingBuffer>;
  readonly #inputs: Inputs<'raster' | 'tiles' | 'sides'>;
  readonly #launches: RasterLaunches;
  readonly #laidLaunches: RasterLaunches;
  readonly #software: boolean;
  readonly #room: { fragments: number; strips: number; unsure: number };
  /** Unsure pixels, in no order. They follow the state, so one copy reads both. */
  readonly unsure: ReadList;
  #serial = 0;

  constructor(device: GPUDevice, kernels: RasterKernels, trees: GpuTrees, options: RasterOptions) {
    this.#device = device;
    this.#trees = trees;
    this.#software = options.software;
    this.#room = { ...(options.room ?? usualRoom) };
    const buffer = (label: string) => new GrowingBuffer(device, label);
    this.#buffers = {
      heads: buffer('heads of lists'),
      fragments: buffer('fragments'),
      rasterState: buffer('raster state'),
      strips: buffer('strips of large triangles'),
    };
    const { rasterState } = this.#buffers;
    this.unsure = new ReadList(4, () => {
      return { buffer: rasterState.buffer, offset: 4 * stateWords, room: this.#room.unsure };
    });
    this.#inputs = new Inputs(device, 'inputs of lines', ['raster', 'tiles', 'sides']);
    const launches = (resources: Resources): RasterLaunches => ({
      triangles: new Launch(device, kernels.triangles, resources),
      strips: new Launch(device, kernels.strips, resources),
    });
    this.#launches = launches(this.resources);
    this.#laidLaunches = launches(this.laidResources);
  }

  /** The most pixels one batch of tiles may have. */
  get mostPixels(): number {
    return Math.min(2 ** 27, Math.floor(largestBinding(this.#device) / 8));
  }

  /**
   * Lays out tiles over bodies whose trees are known. Undefined if single precision leaves too little certain. Call it
   * again after a preparation was not accepted: frames may have changed.
   */
  lay(bodies: readonly Placed[], tiles: readonly Tile[]): TileBatch | undefined {
    return this.#certain(layTiles(bodies, ({ shape }) => this.#trees.entryOf(shape), tiles));
  }

  /** The same for tiles of any number of bodies. */
  layGroups(bodies: readonly Placed[], tiles: readonly GroupTile[]): TileBatch<GroupTile> | undefined {
    return this.#certain(layGroups(bodies, ({ shape }) => this.#trees.entryOf(shape), tiles));
  }

  #certain<Kind>(batch: TileBatch<Kind>): TileBatch<Kind> | undefined {
    // Also undefined if it is NaN: the world is too small or too large for this.
    return batch.noise <= mostNoise ? batch : undefined;
  }

  /**
   * Writes the kernels' parameters and allocates the current capacities. To be called before `encode`, in the same
   * submission.
   */
  write(batch: TileBatch<unknown>, edgeCount = 0): void {
    this.writeInputs(batch, edgeCount);
    this.reserve(batch.pixelCount);
  }

  /** The same for kernels that read existing lists. */
  writeInputs(batch: TileBatch<unknown>, edgeCount: number): void {
    const { tileWords, sideWords } = batch;
    const raster = this.questionOf(batch, edgeCount);
    this.#inputs.write({ raster, tiles: tileWords, sides: sideWords }, this.resources);
  }

  /** The parameters of a batch (RasterLayout), also for kernels that sample it themselves. */
  questionOf(
    { tiles, sideWords, pixelCount, triangleCount, noise }: TileBatch<unknown>,
    edgeCount = 0,
  ): Uint32Array<ArrayBuffer> {
    const { at } = RasterLayout;
    const words = this.questionWords();
    words[at.tileCount] = tiles.length;
    words[at.sideCount] = sideWords.length / SideLayout.words;
    words[at.pixelCount] = pixelCount;
    words[at.triangleCount] = triangleCount;
    words[at.edgeCount] = edgeCount;
    new Float32Array(words.buffer)[at.noise] = noise * (1 + 2 ** -20);
    return words;
  }

  /** For kernels that make no lists: trees may have moved since the last question. */
  bindTrees(): void {
    this.#trees.bind(this.resources);
  }

  /** Parameters (RasterLayout) with the current capacities and no tiles. */
  questionWords(): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(RasterLayout.words);
    const { at } = RasterLayout;
    words[at.fragmentRoom] = this.#room.fragments;
    words[at.stripRoom] = this.#room.strips;
    words[at.unsureRoom] = this.#room.unsure;
    new Float32Array(words.buffer)[at.mostError] = mostError;
    return words;
  }

  /** Allocates the current capacities, for `pixelCount` pixels. */
  reserve(pixelCount: number): void {
    const { heads, fragments, rasterState, strips } = this.#buffers;
    const room = this.#room;
    heads.reserve(headBytes(pixelCount));
    fragments.reserve(4 * fragmentWords * room.fragments);
    strips.reserve(8 * room.strips);
    // If a submission was refused, an older one's state is read back. The serial number shows it.
    const start = new Uint32Array(stateWords);
    start[RasterState.serial] = ++this.#serial;
    this.#device.queue.writeBuffer(rasterState.reserve(4 * (stateWords + room.unsure)), 0, start);
    for (const [name, buffer] of Object.entries(this.#buffers)) this.resources.set(name, buffer.buffer);
    this.bindTrees();
  }

  /** Clears the lists of the pixels. To be called before the pass. */
  encodeClear(encoder: GPUCommandEncoder, { pixelCount }: { readonly pixelCount: number }): void {
    encoder.clearBuffer(this.#buffers.heads.buffer, 0, headBytes(pixelCount));
  }

  /** Makes the lists. Kernels that read them follow in the same pass. Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, { triangleCount }: TileBatch<unknown>): number {
    return this.#encode(pass, this.#launches, triangleCount);
  }

  /** Makes the lists for tiles that an earlier kernel of the pass lays out, with about `triangleCount` triangles. */
  encodeLaid(pass: GPUComputePassEncoder, triangleCount: number): number {
    return this.#encode(pass, this.#laidLaunches, triangleCount);
  }

  #encode(pass: GPUComputePassEncoder, { triangles, strips }: RasterLaunches, triangleCount: number): number {
    triangles.encode(
      pass,
      Math.min(Math.ceil(triangleCount / 128), this.#software ? softwareGroups : 2 ** 15),
    );
    strips.encode(pass, this.#software ? softwareGroups : 2048);
    return 2;
  }

  /** `stateWords` words (RasterState), to be read back with the answer. */
  get statePiece(): Piece {
    return { buffer: this.#buffers.rasterState.buffer, offset: 0, bytes: 4 * stateWords };
  }

  /** The current capacity for unsure pixels. */
  get unsureRoom(): number {
    return this.#room.unsure;
  }

  /** Checks the state that was read back. 'again' means that a capacity was exceeded; it has been enlarged. */
  accept(state: Uint32Array): 'ok' | 'again' {
    throwIfRefused(state[RasterState.serial], this.#serial);
    const room = this.#room;
    let enough = true;
    for (const [name, at] of [
      ['fragments', RasterState.fragments],
      ['strips', RasterState.strips],
      ['unsure', RasterState.unsure],
    ] as const) {
      if (state[at] <= room[name]) continue;
      room[name] = Math.ceil(1.25 * state[at]);
      enough = false;
    }
    return enough ? 'ok' : 'again';
  }

  /** The largest error of depths in the lists, in pixels. */
  errorOf(state: Uint32Array): number {
    return new Float32Array(state.buffer, state.byteOffset, stateWords)[RasterState.error];
  }

  destroy(): void {
    this.#inputs.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }
}

type RasterLaunches = Readonly<Record<'triangles' | 'strips', Launch>>;

/** One word and one bit per pixel. */
const headBytes = (pixelCount: number): number => 4 * (pixelCount + Math.ceil(pixelCount / 32));

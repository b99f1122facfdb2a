// Lines of a view through two bodies on the GPU, for distance maps: lists of fragments (raster.ts), then one thread per
// pixel. A view too large for the device's buffers is cut into bands of rows, one after the other.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { isOutOfMemory } from '../../core/errors.ts';
import { newStats } from '../../core/stats.ts';
import { GrowingBuffer, largestBinding } from '../../gpu/buffers/buffers.ts';
import { GpuQuery, Opening, type Preparation } from '../../gpu/gpu-query.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import type { Stopwatch } from '../../gpu/stopwatch.ts';
import type { Surfaces } from './exact/measure-line.ts';
import { sortedAndCoverageModules } from './kernels.ts';
import { RasterState, TileLayout } from './layouts.ts';
import type { Raster, TileBatch } from './raster.ts';
import type { RawLines } from './sampling.ts';
import type { View } from './view.ts';
import linesSource from './wgsl/lines.wgsl';

const label = { label: 'lines' };
/** `noDistance` (lines.wgsl). */
const noDistance = -(2 ** 31);
/** Words written per pixel. */
const lineWords = 5;

export interface LinesOptions {
  /** The most pixels per band, for tests. */
  readonly mostPixels?: number | undefined;
}

export class GpuLines {
  readonly #raster: Raster;
  readonly #stopwatch: Stopwatch;
  readonly #query: GpuQuery;
  readonly #results: GrowingBuffer;
  readonly #resources: Resources;
  readonly #launches: Record<Surfaces, Launch>;
  readonly #mostPixels: number;

  static async create(
    device: GPUDevice,
    raster: Raster,
    stopwatch: Stopwatch,
    options: LinesOptions = {},
  ): Promise<GpuLines> {
    const make = (facing: number) =>
      createKernel(device, 'lines', [...sortedAndCoverageModules, linesSource], { facing });
    const [solids, facing] = await Promise.all([make(0), make(1)]);
    return new GpuLines(device, { solids, facing }, raster, stopwatch, options);
  }

  constructor(
    device: GPUDevice,
    kernels: Record<Surfaces, Kernel>,
    raster: Raster,
    stopwatch: Stopwatch,
    options: LinesOptions,
  ) {
    this.#raster = raster;
    this.#stopwatch = stopwatch;
    this.#query = new GpuQuery(device, stopwatch);
    this.#results = new GrowingBuffer(device, 'lines');
    this.#resources = new Resources(raster.resources);
    this.#launches = {
      solids: new Launch(device, kernels.solids, this.#resources),
      facing: new Launch(device, kernels.facing, this.#resources),
    };
    this.#mostPixels =
      options.mostPixels ?? Math.min(raster.mostPixels, Math.floor(largestBinding(device) / (4 * lineWords)));
  }

  /** Undefined if single precision leaves too little certain. */
  async find(
    a: Placed,
    b: Placed,
    view: View,
    surfaces: Surfaces,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<RawLines | undefined> {
    const found = new Collected(view);
    const opening = new Opening(preparation);
    let height = Math.max(1, Math.floor(this.#mostPixels / view.columns));
    for (let first = 0; first < view.rows; ) {
      const end = Math.min(view.rows, first + height);
      try {
        if (!(await this.#band(a, b, view, { first, end }, surfaces, opening, found))) return undefined;
      } catch (error) {
        // Fewer rows have fewer fragments, so a smaller band may fit.
        const full = isOutOfMemory(error);
        if (!full || end - first === 1) throw error;
        height = Math.ceil((end - first) / 2);
        continue;
      }
      first = end;
      checkpoint(first / view.rows);
    }
    return found.finish();
  }

  /** False if single precision cannot place the bodies. */
  async #band(
    a: Placed,
    b: Placed,
    view: View,
    rows: { first: number; end: number },
    surfaces: Surfaces,
    opening: Opening,
    found: Collected,
  ): Promise<boolean> {
    const { stats } = found;
    const raster = this.#raster;
    let batch: TileBatch | undefined;
    const unsure = await this.#query.run({
      stats,
      opening,
      label,
      encode: encoder => {
        batch = raster.lay([a, b], [{ view, a: 0, b: 1, candidate: 0, rows }]);
        if (batch === undefined) return undefined;
        raster.write(batch);
        const bytes = 4 * lineWords * batch.pixelCount;
        const buffer = this.#results.reserve(bytes);
        this.#resources.set('lines', buffer);
        raster.encodeClear(encoder, batch);
        const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
        stats.dispatches += raster.encode(pass, batch) + 1;
        this.#launches[surfaces].encode(pass, Math.ceil(batch.pixelCount / 64));
        pass.end();
        this.#stopwatch.encode(encoder);
        return [[raster.statePiece, raster.unsure.piece, { buffer, offset: 0, bytes }]];
      },
      take: ([[state, listed, lines]]) => {
        if (raster.accept(state) === 'again') return undefined;
        const cellBits = batch!.tileWords[TileLayout.at.cellBits];
        found.add(lines, rows.first * view.columns, view.pixel * 2 ** -cellBits);
        return raster.unsure.take(listed, state[RasterState.unsure]);
      },
    });
    if (unsure === undefined) return false;
    stats.triangleTests += batch!.triangleCount;
    found.mark((await this.#query.rest(unsure))[0], rows.first * view.columns);
    return true;
  }

  destroy(): void {
    this.#results.destroy();
    this.#query.destroy();
  }
}

/** The lines that the bands have found so far. */
class Collected {
  readonly stats = newStats();
  readonly #distance: Float32Array;
  readonly #depth: Float32Array;
  readonly #triangleA: Uint32Array;
  readonly #triangleB: Uint32Array;
  readonly #bound: Float32Array;
  readonly #unsure: number[] = [];

  constructor(view: View) {
    const count = view.columns * view.rows;
    this.#distance = new Float32Array(count);
    this.#depth = new Float32Array(count);
    this.#triangleA = new Uint32Array(count);
    this.#triangleB = new Uint32Array(count);
    this.#bound = new Float32Array(count);
  }

  add(words: Uint32Array, first: number, unit: number): void {
    const whole = new Int32Array(words.buffer, words.byteOffset, words.length);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    for (let at = 0, pixel = first; at < words.length; at += lineWords, pixel++) {
      this.#distance[pixel] = whole[at] === noDistance ? Number.NaN : whole[at] * unit;
      this.#triangleA[pixel] = words[at + 2];
      this.#triangleB[pixel] = words[at + 3];
      this.#depth[pixel] = words[at + 2] === 0xffffffff ? Number.NaN : whole[at + 1] * unit;
      this.#bound[pixel] = floats[at + 4] * unit * (1 + 2 ** -20);
    }
  }

  mark(pixels: Uint32Array, first: number): void {
    for (const pixel of pixels) this.#unsure.push(first + pixel);
    this.stats.unsure += pixels.length;
  }

  finish(): RawLines {
    return {
      distance: this.#distance,
      depth: this.#depth,
      triangleA: this.#triangleA,
      triangleB: this.#triangleB,
      unsure: Uint32Array.from(this.#unsure).sort(),
      bound: this.#bound,
      stats: this.stats,
    };
  }
}

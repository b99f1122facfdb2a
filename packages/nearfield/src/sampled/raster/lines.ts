// Lines of a view through two bodies on the GPU, for distance maps: lists of fragments (raster.ts), then one thread per
// pixel. A view too large for the device's buffers is cut into bands of rows, one after the other.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { EngineStats } from '../../core/stats.ts';
import { GrowingBuffer, largestBinding } from '../../gpu/buffers/buffers.ts';
import { type Piece, ReadBack } from '../../gpu/buffers/read-back.ts';
import type { Preparation } from '../../gpu/gpu-query.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import type { Stopwatch } from '../../gpu/stopwatch.ts';
import { submit } from '../../gpu/submit.ts';
import type { Surfaces } from './exact/measure-line.ts';
import { listAndCoverageModules } from './kernels.ts';
import { RasterState, TileLayout } from './layouts.ts';
import type { Raster } from './raster.ts';
import type { RawLines } from './sampling.ts';
import type { View } from './view.ts';
import linesSource from './wgsl/lines.wgsl';

const label = { label: 'lines' };
/** How many unsure pixels are read back with the answer. */
const unsureAtFirst = 64;
/** `noDistance` (lines.wgsl). */
const noDistance = -(2 ** 31);
/** Words written per pixel. */
const lineWords = 5;

export interface LinesOptions {
  /** The most pixels per band, for tests. */
  readonly mostPixels?: number | undefined;
}

export class GpuLines {
  readonly #device: GPUDevice;
  readonly #raster: Raster;
  readonly #stopwatch: Stopwatch;
  readonly #readBack: ReadBack;
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
      createKernel(device, 'lines', [...listAndCoverageModules, linesSource], { facing });
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
    this.#device = device;
    this.#raster = raster;
    this.#stopwatch = stopwatch;
    this.#readBack = new ReadBack(device);
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
    let pending = preparation;
    let height = Math.max(1, Math.floor(this.#mostPixels / view.columns));
    for (let first = 0; first < view.rows; ) {
      const end = Math.min(view.rows, first + height);
      try {
        const answer = await this.#band(a, b, view, { first, end }, surfaces, pending, found);
        if (answer === 'unsure') return undefined;
        pending = undefined;
      } catch (error) {
        // Fewer rows have fewer fragments, so a smaller band may fit.
        const full = error instanceof NearfieldError && error.code === 'out-of-memory';
        if (!full || end - first === 1) throw error;
        height = Math.ceil((end - first) / 2);
        continue;
      }
      first = end;
      checkpoint(first / view.rows);
    }
    return found.finish();
  }

  async #band(
    a: Placed,
    b: Placed,
    view: View,
    rows: { first: number; end: number },
    surfaces: Surfaces,
    preparation: Preparation | undefined,
    found: Collected,
  ): Promise<'ok' | 'unsure'> {
    const { stats } = found;
    const raster = this.#raster;
    let pending = preparation;
    for (;;) {
      const encoder = this.#device.createCommandEncoder(label);
      stats.dispatches += pending?.encode(encoder) ?? 0;
      const batch = raster.lay([a, b], [{ view, a: 0, b: 1, candidate: 0, rows }]);
      if (batch === undefined) {
        // From here on the trees count as up to date, so the submission must happen.
        submit(this.#device, encoder);
        return 'unsure';
      }
      raster.write(batch);
      this.#resources.set('lines', this.#results.reserve(4 * lineWords * batch.pixelCount));
      raster.encodeClear(encoder, batch);
      const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
      stats.dispatches += raster.encode(pass, batch) + 1;
      this.#launches[surfaces].encode(pass, Math.ceil(batch.pixelCount / 64));
      pass.end();
      this.#stopwatch.encode(encoder);
      const unsureRead = Math.min(unsureAtFirst, raster.unsureRoom);
      const { piece: times } = this.#stopwatch;
      const pieces: Piece[] = [
        raster.statePiece,
        raster.unsurePiece(0, unsureRead),
        { buffer: this.#results.buffer, offset: 0, bytes: 4 * lineWords * batch.pixelCount },
        ...(times === undefined ? [] : [times]),
        ...(pending?.pieces ?? []),
      ];
      this.#readBack.encode(encoder, pieces);
      submit(this.#device, encoder);
      const cellBits = batch.tileWords[TileLayout.at.cellBits];
      const result = await this.#readBack.read(pieces, views => {
        if (times !== undefined) this.#stopwatch.take(views[3]);
        const extra = views.slice(times === undefined ? 3 : 4).map(view => view.slice());
        const state = views[0].slice();
        const accepted = pending === undefined || pending.accept(extra);
        if (!accepted || raster.accept(state) === 'again') return { state: undefined, accepted };
        found.add(views[2], rows.first * view.columns, view.pixel * 2 ** -cellBits);
        return {
          state,
          accepted,
          unsure: views[1].slice(0, Math.min(unsureRead, state[RasterState.unsure])),
        };
      });
      if (result.accepted) pending = undefined;
      if (result.state === undefined) {
        if (result.accepted) stats.growths++;
        continue;
      }
      stats.triangleTests += batch.triangleCount;
      const count = result.state[RasterState.unsure];
      const listed = count <= unsureRead ? result.unsure : await this.#read(raster.unsurePiece(0, count));
      found.mark(listed, rows.first * view.columns);
      return 'ok';
    }
  }

  async #read(piece: Piece): Promise<Uint32Array> {
    const encoder = this.#device.createCommandEncoder({ label: 'unsure pixels' });
    this.#readBack.encode(encoder, [piece]);
    submit(this.#device, encoder);
    return this.#readBack.read([piece], ([words]) => words.slice());
  }

  destroy(): void {
    this.#results.destroy();
    this.#readBack.destroy();
  }
}

/** What bands have found so far. */
class Collected {
  readonly stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
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

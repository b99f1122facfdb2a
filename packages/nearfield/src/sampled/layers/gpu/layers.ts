// The layers method on one device (Myszkowski, Okunev and Kunii 1995). question.ts says when the method is used. A is
// drawn into maps of its last and first layers, B is counted against them, and each pixel tells in which order its line
// passes the two. Pixels that counting does not decide are drawn again, in the rectangle around them alone. All their
// layers go into lists (sampled/raster), which are put in order. If these pixels are few, their lines are left to be
// cast exactly on the CPU. Many pairs are drawn in one submission, beside each other. A view too large for the device
// is cut into bands of rows.

import { isOutOfMemory } from '../../../core/errors.ts';
import { GrowingBuffer, largestBinding } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { ReadList } from '../../../gpu/buffers/read-list.ts';
import { GpuQuery, Opening, type Preparation } from '../../../gpu/gpu-query.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import type { Raster, Tile } from '../../raster/raster.ts';
import type { LayersPair, RawLayers } from '../sampling.ts';
import { mostSliceWords } from '../spikes/slices.ts';
import { Band, Collected } from './collected.ts';
import { Maps } from './kept-maps.ts';
import { createLayerKernels, type LayerKernels } from './kernels.ts';
import { castBit, LayerState, layerStateWords, testWords } from './layouts.ts';
import { Ordering } from './ordering.ts';
import { type Drawn, Passes } from './passes.ts';

const label = { label: 'layers' };
/** Undecided pixels are cast rather than ordered if there are at most this many, or at most this share of all. */
const fewPixels = 64;
const fewShare = 0.001;
/** The maximum number of bands per submission, and of their pixels together: 64 to 124 bytes each. */
const mostBands = 32;
const pixelsTogether = 2 ** 21;

export interface LayersSetup {
  readonly software: boolean;
  /** Limits for tests: the maximum number of pixels per band, and of bands per submission. */
  readonly mostPixels?: number | undefined;
  readonly mostBands?: number | undefined;
}

/** A pair in progress: the results of its bands so far, and its next row. */
interface OpenPair extends LayersPair {
  readonly found: Collected;
  answer: RawLayers | 'exchange' | undefined;
  firstRow: number;
  /** The maximum number of rows per band. */
  height: number;
}

/** The buffers of one band of a submission. */
interface Slot {
  readonly passes: Passes;
  readonly marked: ReadList;
  readonly spikes: ReadList;
  readonly scratch: GrowingBuffer;
}

/** A band that was placed, and the buffers into which it is drawn. */
interface LaidBand extends Drawn {
  readonly pair: OpenPair;
  readonly tile: Tile;
  readonly slot: Slot;
}

export class GpuLayers {
  readonly #device: GPUDevice;
  readonly #kernels: LayerKernels;
  readonly #raster: Raster;
  readonly #stopwatch: Stopwatch;
  readonly #query: GpuQuery;
  readonly #ordering: Ordering;
  readonly #maps: Maps;
  readonly #slots: Slot[] = [];
  readonly #software: boolean;
  readonly #mostPixels: number;
  #mostBands: number;

  static async create(
    device: GPUDevice,
    raster: Raster,
    stopwatch: Stopwatch,
    setup: LayersSetup,
  ): Promise<GpuLayers> {
    return new GpuLayers(device, await createLayerKernels(device), raster, stopwatch, setup);
  }

  constructor(
    device: GPUDevice,
    kernels: LayerKernels,
    raster: Raster,
    stopwatch: Stopwatch,
    setup: LayersSetup,
  ) {
    this.#device = device;
    this.#kernels = kernels;
    this.#raster = raster;
    this.#stopwatch = stopwatch;
    this.#software = setup.software;
    this.#query = new GpuQuery(device, stopwatch);
    this.#ordering = new Ordering(device, kernels.order, raster);
    this.#maps = new Maps(device);
    const binding = Math.floor(largestBinding(device) / (4 * (testWords + mostSliceWords)));
    this.#mostPixels = setup.mostPixels ?? Math.min(raster.mostPixels, binding, 2 ** 26);
    this.#mostBands = setup.mostBands ?? mostBands;
  }

  async find(
    pairs: readonly LayersPair[],
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<(RawLayers | 'exchange')[]> {
    const openPairs = pairs.map((pair): OpenPair => {
      const { view } = pair.task;
      const height = Math.max(1, Math.floor(this.#mostPixels / view.columns));
      return { ...pair, found: new Collected(view), answer: undefined, firstRow: 0, height };
    });
    const opening = new Opening(preparation);
    for (let left = openPairs; left.length > 0; left = left.filter(({ answer }) => answer === undefined)) {
      const batch = this.#batch(left);
      try {
        await this.#round(batch, opening);
      } catch (error) {
        if (!isOutOfMemory(error)) throw error;
        // Next attempt: one pair alone, and fewer rows of it, which have fewer layers.
        const [pair] = batch;
        if (batch.length > 1) this.#mostBands = Math.ceil(batch.length / 2);
        else if (rowsOf(pair) === 1) throw error;
        else pair.height = Math.ceil(rowsOf(pair) / 2);
        continue;
      }
      const done = openPairs.reduce((sum, { answer, task, firstRow }) => {
        return sum + (answer === undefined ? firstRow / task.view.rows : 1);
      }, 0);
      checkpoint(done / openPairs.length);
    }
    return openPairs.map(({ answer }) => answer!);
  }

  destroy(): void {
    for (const { passes, scratch } of this.#slots) {
      passes.destroy();
      scratch.destroy();
    }
    this.#ordering.destroy();
    this.#maps.destroy();
    this.#query.destroy();
  }

  /** The first of the remaining pairs, as many as a submission may have. Kept maps allow only one pair at a time. */
  #batch(left: readonly OpenPair[]): readonly OpenPair[] {
    let [count, pixels] = [0, 0];
    for (const pair of left) {
      pixels += rowsOf(pair) * pair.task.view.columns;
      const isKept = pair.task.keep !== undefined;
      if (count > 0 && (count === this.#mostBands || isKept || pixels > pixelsTogether)) break;
      count++;
      if (isKept) break;
    }
    return left.slice(0, count);
  }

  /** Draws the next band of every pair in one submission. */
  async #round(openPairs: readonly OpenPair[], opening: Opening): Promise<void> {
    let placed: LaidBand[] = [];
    const read = await this.#query.run({
      stats: openPairs[0].found.stats,
      opening,
      label,
      encode: encoder => {
        placed = openPairs.flatMap((pair, i) => this.#place(pair, this.#slotAt(i), !opening.isDone));
        if (placed.length === 0) return undefined;
        for (const band of placed) band.slot.passes.prepare(encoder, band);
        const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
        for (const band of placed) band.pair.found.stats.dispatches += band.slot.passes.encode(pass, band);
        pass.end();
        this.#stopwatch.encode(encoder);
        return placed.map(piecesOf);
      },
      take: views => views.map(band => band.map(view => view.slice())),
    });
    for (let i = 0; i < placed.length; i++) await this.#take(placed[i], read![i]);
  }

  /** Empty if single precision cannot place the bodies. All lines of the band are then left to be cast. */
  #place(pair: OpenPair, slot: Slot, mayChange: boolean): LaidBand[] {
    const { a, b, task, found, firstRow } = pair;
    const rows = { first: firstRow, end: firstRow + rowsOf(pair) };
    const tile: Tile = { view: task.view, a: 0, b: 1, candidate: 0, rows };
    const batch = this.#raster.lay([a, b], [tile]);
    if (batch !== undefined) {
      const kept = this.#maps.of(task, a.shape, batch, slot.scratch);
      return [{ pair, tile, slot, task, batch, kept }];
    }
    if (!mayChange) {
      found.leaveOpen(tile);
      advance(pair);
    }
    return [];
  }

  /** Takes what was read back for a band. If a list overflowed, the band is drawn again. */
  async #take(placed: LaidBand, read: readonly Uint32Array[]): Promise<void> {
    const { pair, tile, slot, task, batch, kept } = placed;
    const { passes } = slot;
    const { found, a, b } = pair;
    const { stats, counts } = found;
    const [state, cases, marked, spikes] = read;
    if (!passes.accept(state)) {
      stats.growths++;
      return;
    }
    stats.triangleTests += batch.triangleCount;
    const general = state[LayerState.marked] - state[LayerState.unsure];
    if (task.mayExchange && 2 * state[LayerState.exchange] > general) {
      pair.answer = 'exchange';
      return;
    }
    counts.reused ||= kept.isDrawn;
    const band = new Band(tile, batch, state, new Uint8Array(cases.buffer, cases.byteOffset));
    const [listed, markedPixels] = await this.#query.rest(
      slot.spikes.take(spikes, state[LayerState.spikes]),
      slot.marked.take(marked, state[LayerState.marked]),
    );
    band.spikes = kept.complete(state, listed);
    band.marked = markedPixels;
    const few = Math.max(fewPixels, fewShare * batch.pixelCount);
    if (general > 0 && (task.algorithm === 'general' || general > few)) {
      await this.#ordering.order([a, b], band, passes, task.layers, counts, stats);
    } else {
      // All these lines are cast.
      band.marked = band.marked.map(entry => (entry | castBit) >>> 0);
    }
    found.add(band, kept.error);
    advance(pair);
  }

  #slotAt(i: number): Slot {
    if (this.#slots.length <= i) {
      const passes = new Passes(this.#device, this.#kernels, this.#raster, this.#software);
      const scratch = new GrowingBuffer(this.#device, 'layers of A');
      this.#slots.push({ passes, scratch, marked: passes.reader('marked'), spikes: passes.reader('spikes') });
    }
    return this.#slots[i];
  }
}

/** The number of rows of the next band. */
const rowsOf = ({ task, firstRow, height }: OpenPair): number => Math.min(height, task.view.rows - firstRow);

/** Moves on to the next band, or finishes the answer. */
function advance(pair: OpenPair): void {
  pair.firstRow += rowsOf(pair);
  if (pair.firstRow === pair.task.view.rows) pair.answer = pair.found.finish();
}

/** The pieces to read back: the state, the cases, the marked pixels, the triangles that no line saw. */
const piecesOf = ({ slot: { passes, marked, spikes }, batch: { pixelCount } }: LaidBand): Piece[] => [
  passes.piece('layerState', layerStateWords),
  passes.piece('cases', Math.ceil(pixelCount / 4)),
  marked.piece,
  spikes.piece,
];

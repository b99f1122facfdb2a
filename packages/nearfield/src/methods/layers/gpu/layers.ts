// The layers method on one device (Myszkowski, Okunev and Kunii 1995): A is drawn into maps of its last and first layers, B is
// counted against them, and each pixel says how the two follow each other along its line. Pixels that counting does not decide
// are drawn again, in the rectangle around them alone, with all layers in lists (methods/raster) that are put in order; where
// they are few their lines are left to be cast exactly on the CPU. A view too large for the device is cut into bands of rows.

import type { Preparation } from '../../../bvh/gpu-trees.ts';
import { NearfieldError } from '../../../errors.ts';
import { largestBinding } from '../../../gpu/buffers.ts';
import { type Piece, ReadBack } from '../../../gpu/read-back.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import type { Placed } from '../../../scene/engine.ts';
import type { Raster, Tile, TileBatch } from '../../raster/raster.ts';
import type { LayersTask, RawLayers } from '../sampling.ts';
import { Band, Collected } from './collected.ts';
import { type KeptMaps, Maps } from './kept-maps.ts';
import type { LayerKernels } from './kernels.ts';
import { castBit, LayerState, layerStateWords, testWords } from './layouts.ts';
import { Ordering } from './ordering.ts';
import { Passes } from './passes.ts';

const label = { label: 'layers' };
/** Read with the answer; where there are more, they are read after it. */
const markedAtFirst = 1024;
const spikesAtFirst = 64;
/** Pixels left over that are cast rather than ordered: so many, or this part of all. */
const fewPixels = 64;
const fewShare = 0.001;

export interface LayersSetup {
  readonly software: boolean;
  /** The most pixels a band may have, for tests. */
  readonly mostPixels?: number | undefined;
}

export class GpuLayers {
  readonly #device: GPUDevice;
  readonly #raster: Raster;
  readonly #stopwatch: Stopwatch;
  readonly #readBack: ReadBack;
  readonly #passes: Passes;
  readonly #ordering: Ordering;
  readonly #maps: Maps;
  readonly #mostPixels: number;

  constructor(
    device: GPUDevice,
    kernels: LayerKernels,
    raster: Raster,
    stopwatch: Stopwatch,
    setup: LayersSetup,
  ) {
    this.#device = device;
    this.#raster = raster;
    this.#stopwatch = stopwatch;
    this.#readBack = new ReadBack(device);
    this.#passes = new Passes(device, kernels, raster, setup.software);
    this.#ordering = new Ordering(device, kernels.order, raster, this.#passes, this.#readBack);
    this.#maps = new Maps(device);
    const binding = Math.floor(largestBinding(device) / (4 * testWords));
    this.#mostPixels = setup.mostPixels ?? Math.min(raster.mostPixels, binding, 2 ** 26);
  }

  async find(
    a: Placed,
    b: Placed,
    task: LayersTask,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<RawLayers | 'exchange'> {
    const { view } = task;
    const found = new Collected(view);
    let pending = preparation;
    let height = Math.max(1, Math.floor(this.#mostPixels / view.columns));
    for (let first = 0; first < view.rows; ) {
      const end = Math.min(view.rows, first + height);
      const tile: Tile = { view, a: 0, b: 1, candidate: 0, rows: { first, end } };
      try {
        const answer = await this.#band([a, b], task, tile, pending, found);
        if (answer === 'exchange') return 'exchange';
        pending = undefined;
      } catch (error) {
        // Fewer rows have fewer layers.
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

  destroy(): void {
    this.#passes.destroy();
    this.#ordering.destroy();
    this.#maps.destroy();
    this.#readBack.destroy();
  }

  async #band(
    bodies: readonly Placed[],
    task: LayersTask,
    tile: Tile,
    preparation: Preparation | undefined,
    found: Collected,
  ): Promise<'ok' | 'exchange'> {
    const { stats, counts } = found;
    const raster = this.#raster;
    let pending = preparation;
    for (;;) {
      const encoder = this.#device.createCommandEncoder(label);
      stats.dispatches += pending?.encode(encoder) ?? 0;
      const batch = raster.lay(bodies, [tile]);
      if (batch === undefined && pending === undefined) {
        found.leaveOpen(tile);
        return 'ok';
      }
      let kept: KeptMaps | undefined;
      if (batch !== undefined) {
        raster.write(batch);
        kept = this.#maps.of(task, bodies[0].shape, batch);
        stats.dispatches += this.#passes.encode(encoder, task, batch, kept, this.#stopwatch);
      }
      const pieces = this.#pieces(batch, pending?.pieces ?? []);
      const [state, cases, marked, spikes, times, ...extra] = await this.#readBack.submit(encoder, pieces);
      const accepted = pending === undefined || pending.accept(extra);
      if (accepted) pending = undefined;
      if (batch === undefined || kept === undefined) continue;
      this.#stopwatch.take(times.length > 0 ? times : undefined);
      if (!this.#passes.accept(state) || !accepted) {
        if (accepted) stats.growths++;
        continue;
      }
      stats.triangleTests += batch.triangleCount;
      const general = state[LayerState.marked] - state[LayerState.unsure];
      if (task.mayExchange && 2 * state[LayerState.exchange] > general) return 'exchange';
      counts.reused ||= kept.isDrawn;
      const band = new Band(tile, batch, state, new Uint8Array(cases.buffer, cases.byteOffset));
      const spikeCount = state[LayerState.spikes];
      const listed = await this.#readBack.rest(spikes, spikeCount, this.#passes.piece('spikes', spikeCount));
      band.spikes = kept.complete(state, listed);
      const count = state[LayerState.marked];
      band.marked = await this.#readBack.rest(marked, count, this.#passes.piece('marked', count));
      const few = Math.max(fewPixels, fewShare * batch.pixelCount);
      if (general > 0 && (task.algorithm === 'general' || general > few)) {
        await this.#ordering.order(bodies, band, task.layers, counts, stats);
      } else {
        // All of them are cast.
        band.marked = band.marked.map(entry => (entry | castBit) >>> 0);
      }
      found.add(band, kept.error);
      return 'ok';
    }
  }

  /** State, cases, marked pixels, triangles no line saw, times, and what trees want to be read. */
  #pieces(batch: TileBatch | undefined, extra: readonly Piece[]): Piece[] {
    const passes = this.#passes;
    const nothing: Piece = passes.piece('layerState', 0);
    if (batch === undefined) return [nothing, nothing, nothing, nothing, nothing, ...extra];
    return [
      passes.piece('layerState', layerStateWords),
      passes.piece('cases', Math.ceil(batch.pixelCount / 4)),
      passes.piece('marked', Math.min(batch.pixelCount, markedAtFirst)),
      passes.piece('spikes', spikesAtFirst),
      this.#stopwatch.piece ?? nothing,
      ...extra,
    ];
  }
}

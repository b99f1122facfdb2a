// Puts in order the layers of the pixels that counting left open (Myszkowski et al., section 6). All layers in the
// rectangle around those pixels go into lists, and each list is followed front to back.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../../core/stats.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { GpuQuery } from '../../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { TileLayout } from '../../raster/layouts.ts';
import type { Raster, TileBatch } from '../../raster/raster.ts';
import { caseOfLayers } from '../cases.ts';
import type { LayersCounts } from '../sampling.ts';
import type { Band } from './collected.ts';
import { castBit, LayerState } from './layouts.ts';
import type { Passes } from './passes.ts';

const label = { label: 'ordered layers' };
/** The mark of order.wgsl for a pixel whose list is not certain. */
const undecided = 0xffffffff;

export class Ordering {
  readonly #raster: Raster;
  readonly #query: GpuQuery;
  readonly #resources: Resources;
  readonly #launch: Launch;
  readonly #ordered: GrowingBuffer;
  readonly #sequences: GrowingBuffer;
  readonly #sortSteps: GrowingBuffer;

  constructor(device: GPUDevice, kernel: Kernel, raster: Raster) {
    this.#raster = raster;
    this.#query = new GpuQuery(device);
    this.#resources = new Resources(raster.resources);
    this.#launch = new Launch(device, kernel, this.#resources);
    this.#ordered = new GrowingBuffer(device, 'ordered layers');
    this.#sequences = new GrowingBuffer(device, 'sequences');
    this.#sortSteps = new GrowingBuffer(device, 'sortSteps');
  }

  /**
   * Puts in order the marked pixels of a band that `passes` found: their cases and sequences. `layers` is the initial
   * capacity per line.
   */
  async order(
    bodies: readonly Placed[],
    band: Band,
    passes: Passes,
    layers: number,
    counts: LayersCounts,
    stats: EngineStats,
  ): Promise<void> {
    const raster = this.#raster;
    const { marked } = band;
    let stride = Math.ceil(layers / 32);
    let pixels = 0;
    await this.#query.run({
      stats,
      label,
      encode: encoder => {
        const narrow = this.#narrow(bodies, band);
        raster.write(narrow.batch);
        passes.write({
          markedCount: marked.length,
          sequenceWords: stride,
          noise: narrow.batch.noise * (1 + 2 ** -20),
          firstColumn: narrow.left,
          firstRow: narrow.low,
          columns: band.tile.view.columns,
        });
        passes.bind(this.#resources);
        const ordered = this.#ordered.reserve(4 * marked.length);
        const sequences = this.#sequences.reserve(4 * stride * marked.length);
        this.#resources.set('ordered', ordered);
        this.#resources.set('sequences', sequences);
        const sortSteps = this.#sortSteps.reserve(8);
        this.#resources.set('sortSteps', sortSteps);
        encoder.clearBuffer(sortSteps, 0, 8);
        raster.encodeClear(encoder, narrow.batch);
        const pass = encoder.beginComputePass(label);
        stats.dispatches += raster.encode(pass, narrow.batch) + 1;
        this.#launch.encode(pass, Math.ceil(marked.length / 64));
        pass.end();
        pixels = narrow.batch.pixelCount;
        return [
          [
            raster.statePiece,
            { buffer: ordered, offset: 0, bytes: 4 * marked.length },
            { buffer: sequences, offset: 0, bytes: 4 * stride * marked.length },
            { buffer: sortSteps, offset: 0, bytes: 8 },
          ],
        ];
      },
      take: ([[state, ordered, words, compared]]) => {
        if (raster.accept(state) === 'again') return undefined;
        counts.sortSteps += compared[0] + 2 ** 32 * compared[1];
        let most = 0;
        for (let i = 0; i < marked.length; i++) {
          if (marked[i] >= castBit) continue;
          // Either a layer is too thin, or the compiler arranged the arithmetic differently, so that a pixel decided
          // before is undecided now.
          if (ordered[i] === undecided) marked[i] += castBit;
          else most = Math.max(most, ordered[i] >>> 1);
        }
        if (most > 32 * stride) {
          stride = Math.ceil(most / 32);
          counts.overflows++;
          return undefined;
        }
        this.#take(band, ordered.slice(), words.slice(), stride);
        band.orderedError = raster.errorOf(state);
        counts.general += band.orderedCount;
        counts.window += pixels;
        return band;
      },
    });
  }

  destroy(): void {
    this.#query.destroy();
    this.#ordered.destroy();
    this.#sequences.destroy();
    this.#sortSteps.destroy();
  }

  /** The band, narrowed to the rectangle around its marked pixels. */
  #narrow(bodies: readonly Placed[], { tile, state }: Band): { batch: TileBatch; left: number; low: number } {
    const left = ~state[LayerState.left] >>> 0;
    const low = ~state[LayerState.low] >>> 0;
    const columns = state[LayerState.right] - left + 1;
    const first = tile.rows!.first + low;
    const rows = { first, end: tile.rows!.first + state[LayerState.high] + 1 };
    // The whole band could be placed, so a part of it can be, too.
    const batch = this.#raster.lay(bodies, [{ ...tile, rows }])!;
    const tileWords = batch.tileWords.slice();
    tileWords[TileLayout.at.firstColumn] = left;
    tileWords[TileLayout.at.columns] = columns;
    const pixelCount = columns * (rows.end - rows.first);
    return { batch: { ...batch, tileWords, pixelCount }, left, low };
  }

  #take(band: Band, ordered: Uint32Array, words: Uint32Array, stride: number): void {
    const { marked, cases } = band;
    let count = 0;
    for (let i = 0; i < marked.length; i++) {
      const pixel = marked[i];
      if (pixel >= castBit) continue;
      count++;
      cases[pixel] = caseOfLayers(ordered[i] >>> 1, words[stride * i], (ordered[i] & 1) === 1);
    }
    band.orderedCount = count;
    band.sequences = { first: 0, pixels: marked, ordered, words, stride };
  }
}

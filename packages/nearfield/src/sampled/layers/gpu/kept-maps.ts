// The maps of body A: those of one question, or those that are kept while B moves (keep.ts).

import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { TileLayout } from '../../raster/layouts.ts';
import type { TileBatch } from '../../raster/raster.ts';
import type { LayersKeep } from '../keep.ts';
import type { LayersTask } from '../sampling.ts';
import { LayerState } from './layouts.ts';

/** The maps of one body in one view. */
export class KeptMaps {
  readonly #buffer: GrowingBuffer;
  readonly #key: readonly unknown[];
  #isDrawn = false;
  #error = 0;
  #spikes = new Uint32Array(0);

  constructor(buffer: GrowingBuffer, key: readonly unknown[]) {
    this.#buffer = buffer;
    this.#key = key;
  }

  isOf(key: readonly unknown[]): boolean {
    return this.#isDrawn && key.every((part, i) => part === this.#key[i]);
  }

  /** Whether the maps are complete, so that A need not be drawn. */
  get isDrawn(): boolean {
    return this.#isDrawn;
  }

  /** The maximum error of both bodies' depths, in units. */
  get error(): number {
    return this.#error;
  }

  reserve(bytes: number): GPUBuffer {
    return this.#buffer.reserve(bytes);
  }

  /**
   * Stores what was found with the maps, after a question's work was accepted. Returns all triangles that no line saw.
   */
  complete(state: Uint32Array, spikes: Uint32Array): Uint32Array {
    const error = new Float32Array(Uint32Array.of(state[LayerState.error]).buffer)[0];
    this.#error = Math.max(this.#error, error);
    if (this.#isDrawn) {
      const both = new Uint32Array(this.#spikes.length + spikes.length);
      both.set(this.#spikes);
      both.set(spikes, this.#spikes.length);
      return both.sort();
    }
    this.#isDrawn = true;
    this.#spikes = spikes.filter(entry => entry % 2 === 0);
    return spikes.slice().sort();
  }
}

/** All maps that are kept on a device. */
export class Maps {
  readonly #device: GPUDevice;
  readonly #kept = new Map<LayersKeep, { readonly buffer: GrowingBuffer; maps: KeptMaps }>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** The maps for a question. If nothing is to be kept, they are in `scratch`. */
  of(
    { keep, view, spikes }: LayersTask,
    shape: Shape,
    { tileWords }: TileBatch,
    scratch: GrowingBuffer,
  ): KeptMaps {
    if (keep === undefined) return new KeptMaps(scratch, []);
    const { at } = TileLayout;
    // Depths are in units of the tile, which depend on both bodies.
    const key = [
      shape,
      shape.revision,
      view,
      spikes,
      tileWords[at.cellBits],
      tileWords[at.rows],
      tileWords[at.firstRow],
    ];
    let entry = this.#kept.get(keep);
    if (entry === undefined) {
      const buffer = new GrowingBuffer(this.#device, 'kept layers of A');
      entry = { buffer, maps: new KeptMaps(buffer, key) };
      this.#kept.set(keep, entry);
      keep.whenClosed(() => {
        buffer.destroy();
        this.#kept.delete(keep);
      });
    }
    if (!entry.maps.isOf(key)) entry.maps = new KeptMaps(entry.buffer, key);
    return entry.maps;
  }

  destroy(): void {
    for (const { buffer } of this.#kept.values()) buffer.destroy();
    this.#kept.clear();
  }
}

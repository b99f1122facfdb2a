// Merges the results of the bands of a view.

import { newStats } from '../../../core/stats.ts';
import { TileLayout } from '../../raster/layouts.ts';
import type { Tile, TileBatch } from '../../raster/raster.ts';
import type { View } from '../../raster/view.ts';
import type { LayersCounts, RawLayers } from '../sampling.ts';
import { type SequenceBlock, SequenceTable } from '../sequence.ts';
import { castBit, LayerState } from './layouts.ts';

/** The results read back for one band. Pixels are numbered from the band's first. */
export class Band {
  spikes: Uint32Array = new Uint32Array(0);
  marked: Uint32Array = new Uint32Array(0);
  sequences: SequenceBlock | undefined;
  orderedCount = 0;
  /** The maximum error of the depths of ordered layers, in pixels. */
  orderedError = 0;

  constructor(
    readonly tile: Tile,
    readonly batch: TileBatch,
    readonly state: Uint32Array,
    readonly cases: Uint8Array,
  ) {}
}

export class Collected {
  readonly stats = newStats();
  readonly counts: LayersCounts = {
    overlapped: 0,
    second: 0,
    convexA: 0,
    convexB: 0,
    general: 0,
    window: 0,
    sortSteps: 0,
    mostLayers: 0,
    overflows: 0,
    reused: false,
  };
  readonly #view: View;
  readonly #cases: Uint8Array;
  readonly #sequences = new SequenceTable();
  readonly #rays: number[] = [];
  readonly #spikes = new Set<number>();
  /** The maximum error, in pixels. */
  #error = 0;

  constructor(view: View) {
    this.#view = view;
    this.#cases = new Uint8Array(view.columns * view.rows);
  }

  /** Adds a band. `error` is the maximum error of the depths that were counted, in units. */
  add({ tile, batch, state, cases, marked, sequences, spikes, orderedError }: Band, error: number): void {
    const first = tile.rows!.first * this.#view.columns;
    this.#cases.set(cases.subarray(0, batch.pixelCount), first);
    for (const entry of marked) if (entry >= castBit) this.#rays.push(first + entry - castBit);
    for (const entry of spikes) this.#spikes.add(entry);
    if (sequences !== undefined) this.#sequences.add({ ...sequences, first });
    const counted = error * 2 ** -batch.tileWords[TileLayout.at.cellBits];
    this.#error = Math.max(this.#error, batch.noise + Math.max(counted, orderedError));
    const { counts } = this;
    counts.overlapped += state[LayerState.overlapped];
    counts.second += state[LayerState.second];
    counts.convexA += state[LayerState.convexA];
    counts.convexB += state[LayerState.convexB];
    counts.mostLayers = Math.max(counts.mostLayers, state[LayerState.mostLayers]);
    this.stats.unsure += state[LayerState.unsure];
  }

  /** Marks all lines of a band to be cast, because single precision cannot place the bodies. */
  leaveOpen({ rows }: Tile): void {
    const { columns } = this.#view;
    for (let pixel = rows!.first * columns; pixel < rows!.end * columns; pixel++) this.#rays.push(pixel);
    this.stats.unsure += (rows!.end - rows!.first) * columns;
  }

  finish(): RawLayers {
    return {
      cases: this.#cases,
      sequences: this.#sequences,
      rays: Uint32Array.from(this.#rays).sort(),
      spikes: Uint32Array.from(this.#spikes).sort(),
      error: this.#error * (1 + 2 ** -20) * this.#view.pixel,
      counts: this.counts,
      stats: this.stats,
    };
  }
}

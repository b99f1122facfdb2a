// The kernels that draw two bodies and classify each pixel in one pass, and the buffers between them. Each pair of
// bodies has its own buffers, so that many pairs can be drawn in one pass beside each other.

import { NearfieldError } from '../../../core/errors.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { ReadList } from '../../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../../gpu/device/device.ts';
import { Launch, Resources } from '../../../gpu/kernel.ts';
import { Inputs } from '../../field/gpu/slices/inputs.ts';
import { SideLayout, TileLayout } from '../../raster/layouts.ts';
import type { Raster, TileBatch } from '../../raster/raster.ts';
import { algorithms } from '../options.ts';
import type { LayersTask } from '../sampling.ts';
import { sliceParameters, slicesOf } from '../spikes/slices.ts';
import type { KeptMaps } from './kept-maps.ts';
import type { LayerKernels } from './kernels.ts';
import { LayerState, LayersLayout, layerStateWords, mapWords, testWords } from './layouts.ts';

type BufferName = 'layersB' | 'layerState' | 'layerStrips' | 'cases' | 'marked' | 'spikes';
type LaunchName = Exclude<keyof LayerKernels, 'order'>;

/** The kernels' parameters, by the names of `LayersLayout`. */
export type Parameters = Partial<Record<keyof typeof LayersLayout.at, number>>;

/** A tile to draw, as a batch of its own. */
export interface Drawn {
  readonly task: LayersTask;
  readonly batch: TileBatch;
  readonly kept: KeptMaps;
}

export class Passes {
  readonly #resources: Resources;
  readonly #device: GPUDevice;
  readonly #raster: Raster;
  readonly #inputs: Inputs<'raster' | 'tiles' | 'sides'>;
  readonly #buffers: Record<BufferName, GrowingBuffer>;
  readonly #parameters: GPUBuffer;
  readonly #launches: Record<LaunchName, Launch>;
  readonly #room = { strips: 2 ** 14, spikes: 2 ** 10, spikeStrips: 2 ** 10 };
  readonly #groups: number;
  #serial = 0;

  constructor(device: GPUDevice, kernels: LayerKernels, raster: Raster, software: boolean) {
    this.#device = device;
    this.#raster = raster;
    this.#resources = new Resources(raster.resources);
    this.#inputs = new Inputs(device, 'inputs of layers', ['raster', 'tiles', 'sides']);
    this.#groups = software ? softwareGroups : 2048;
    const buffer = (name: string) => new GrowingBuffer(device, name);
    this.#buffers = {
      layersB: buffer('layers of B'),
      layerState: buffer('state of layers'),
      layerStrips: buffer('strips of layers'),
      cases: buffer('cases'),
      marked: buffer('marked pixels'),
      spikes: buffer('spikes'),
    };
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#parameters = device.createBuffer({ label: 'layers', size: LayersLayout.bytes, usage });
    this.#resources.set('layering', this.#parameters);
    const launch = (name: LaunchName) => new Launch(device, kernels[name], this.#resources);
    this.#launches = {
      trianglesA: launch('trianglesA'),
      stripsA: launch('stripsA'),
      trianglesB: launch('trianglesB'),
      stripsB: launch('stripsB'),
      classify: launch('classify'),
      solid: launch('solid'),
      spikes: launch('spikes'),
      largeSpikes: launch('largeSpikes'),
    };
  }

  /** Sets `layering` and `marked` of what was drawn last, which is to be put in order. */
  bind(resources: Resources): void {
    resources.set('layering', this.#parameters);
    resources.set('marked', this.#buffers.marked.buffer);
  }

  /** Writes the parameters, reserves the buffers and clears them. To be called before the pass. */
  prepare(encoder: GPUCommandEncoder, { task, batch, kept }: Drawn): void {
    const { pixelCount, tileWords, sideWords } = batch;
    const room = this.#room;
    const { layersB, layerState, layerStrips, cases, marked, spikes } = this.#buffers;
    const sliceWords = task.spikes ? slicesOf(task.view).words : 0;
    const [bytesA, bytesB] = [mapWords, testWords].map(words => 4 * (words + sliceWords) * pixelCount);
    layersB.reserve(bytesB);
    layerState.reserve(4 * layerStateWords);
    layerStrips.reserve(8 * room.strips);
    cases.reserve(4 * Math.ceil(pixelCount / 4));
    marked.reserve(4 * pixelCount);
    spikes.reserve(4 * (room.spikes + 2 * room.spikeStrips));
    const resources = this.#resources;
    for (const [name, { buffer }] of Object.entries(this.#buffers)) resources.set(name, buffer);
    const mapsA = kept.reserve(bytesA);
    resources.set('layersA', mapsA);
    const raster = this.#raster.questionOf(batch);
    this.#inputs.write({ raster, tiles: tileWords, sides: sideWords }, resources);
    this.#raster.bindTrees();
    this.write({
      algorithm: algorithms.indexOf(task.algorithm),
      drawsA: kept.isDrawn ? 0 : 1,
      ...(task.spikes && sliceParameters(task.view, tileWords[TileLayout.at.cellBits])),
    });
    // If a submission is refused, an older one's state may be read back. The serial number tells.
    const start = new Uint32Array(layerStateWords);
    start[LayerState.serial] = ++this.#serial;
    this.#device.queue.writeBuffer(layerState.buffer, 0, start);
    if (!kept.isDrawn) encoder.clearBuffer(mapsA, 0, bytesA);
    encoder.clearBuffer(layersB.buffer, 0, bytesB);
  }

  /** Encodes the drawing that was prepared. Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, { task, batch, kept }: Drawn): number {
    const { pixelCount, sideWords } = batch;
    const triangles = (side: number) => sideWords[SideLayout.words * side + SideLayout.at.leafCount];
    const groups = (side: number) => Math.min(2 ** 15, Math.ceil(triangles(side) / 64));
    const launches = this.#launches;
    let dispatches = 3;
    if (!kept.isDrawn) {
      launches.trianglesA.encode(pass, groups(0));
      launches.stripsA.encode(pass, this.#groups);
      dispatches += 2;
    }
    launches.trianglesB.encode(pass, groups(1));
    launches.stripsB.encode(pass, this.#groups);
    launches.classify.encode(pass, Math.ceil(pixelCount / 256));
    if (task.spikes) {
      launches.solid.encode(pass, Math.ceil(pixelCount / 64));
      launches.spikes.encode(pass, groups(1) + (kept.isDrawn ? 0 : groups(0)));
      launches.largeSpikes.encode(pass, this.#groups);
      dispatches += 3;
    }
    return dispatches;
  }

  write(parameters: Parameters): void {
    const words = new Uint32Array(LayersLayout.words);
    const { at } = LayersLayout;
    for (const [name, value] of Object.entries(parameters)) words[at[name as keyof typeof at]] = value;
    words[at.stripRoom] = this.#room.strips;
    words[at.spikeRoom] = this.#room.spikes;
    words[at.spikeStripRoom] = this.#room.spikeStrips;
    new Float32Array(words.buffer)[at.noise] = parameters.noise ?? 0;
    this.#device.queue.writeBuffer(this.#parameters, 0, words);
  }

  /** The first words of a buffer, as a piece to read back. */
  piece(name: BufferName, words: number): Piece {
    return { buffer: this.#buffers[name].buffer, offset: 0, bytes: 4 * words };
  }

  /** A list that reads words of a buffer back. */
  reader(name: BufferName): ReadList {
    const list = this.#buffers[name];
    return new ReadList(4, () => ({ buffer: list.buffer, room: list.bytes / 4 }));
  }

  /** Whether all lists were large enough. If not, they are grown. */
  accept(state: Uint32Array): boolean {
    if (state[LayerState.serial] !== this.#serial) {
      throw new NearfieldError('out-of-memory', 'the GPU refused the work: most likely it is out of memory');
    }
    const room = this.#room;
    let isEnough = true;
    for (const name of ['strips', 'spikes', 'spikeStrips'] as const) {
      const count = state[LayerState[name]];
      if (count <= room[name]) continue;
      room[name] = Math.ceil(1.25 * count);
      isEnough = false;
    }
    return isEnough;
  }

  destroy(): void {
    this.#parameters.destroy();
    this.#inputs.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }
}

// Sweeps columns of samples through bodies on the GPU (Hoff et al., section 5.1), the first step of volumes and of
// signs of fields. It records the crossings, lists those that single precision could not decide, and has these decided
// exactly.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../../bodies/snapshot/world.ts';
import type { GpuTrees } from '../../../../bvh/gpu/trees.ts';
import { GrowingBuffer, largestBinding } from '../../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../../gpu/buffers/read-back.ts';
import { ReadList } from '../../../../gpu/buffers/read-list.ts';
import { Launch, Resources } from '../../../../gpu/kernel.ts';
import { throwIfRefused } from '../../../../gpu/submit.ts';
import { createCorners, firstAbove, passes } from '../../../../inside/crossing.ts';
import { type Grid, samplePosition, samplePositions, type Window } from '../../grid.ts';
import { type Stage, stage } from '../layers.ts';
import { Head, headWords, LayerLayout, SweepLayout, type SweepRule } from '../layouts.ts';
import { Inputs } from './inputs.ts';
import type { SliceKernels } from './kernels.ts';

/** A question's bodies over some windows of its grid. */
export interface Sweep {
  readonly bodies: readonly Placed[];
  readonly grid: Grid;
  readonly windows: readonly Window[];
  readonly stage: Stage;
  /** The maximum distance of interest, in the user's units; Infinity if there is none. */
  readonly upTo: number;
  /** Whether crossings flip a bit, slab by slab, instead of being counted. */
  readonly slabs: boolean;
}

/** The maximum number of unsure crossings that are decided one by one. */
export const mostUnsure = 2 ** 16;
const mostLanes = 1024;
/** If a vertex or sample may be off by more than this part of a cell, too little is certain. */
export const mostNoise = 1 / 16;

export class Sweeper {
  readonly resources = new Resources();
  /** The crossings that the exact stage has to decide, to be read back. */
  readonly unsure: ReadList;
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #buffers: Record<
    'counters' | 'head' | 'unsureEntries' | 'corrections' | 'columnStarts' | 'scanValues',
    GrowingBuffer
  >;
  readonly #inputs: Inputs<'sweep' | 'layers' | 'windows' | 'ticks'>;
  readonly #launches: Record<'cross' | 'correct' | 'sum' | 'scan', Launch>;
  #corrections = 0;
  #serial = 0;

  constructor(device: GPUDevice, trees: GpuTrees, kernels: SliceKernels) {
    this.#device = device;
    this.#trees = trees;
    const buffer = (label: string) => new GrowingBuffer(device, label);
    this.#buffers = {
      counters: buffer('counters'),
      head: buffer('sweep head'),
      unsureEntries: buffer('unsure crossings'),
      corrections: buffer('corrections'),
      columnStarts: buffer('column starts'),
      scanValues: buffer('blocks of columns'),
    };
    const { unsureEntries } = this.#buffers;
    this.unsure = new ReadList(4 * unsureWords, () => ({ buffer: unsureEntries.buffer, room: mostUnsure }));
    this.#inputs = new Inputs(device, 'sweep inputs', ['sweep', 'layers', 'windows', 'ticks']);
    const launch = (kernel: SliceKernels[keyof SliceKernels]) => new Launch(device, kernel, this.resources);
    this.#launches = {
      cross: launch(kernels.cross),
      correct: launch(kernels.correct),
      sum: launch(kernels.sum),
      scan: launch(kernels.scan),
    };
  }

  /** The maximum number of counters of one sweep. */
  get mostCounters(): number {
    return Math.min(2 ** 27, largestBinding(this.#device) / 4);
  }

  /** The bodies over windows, in the frames that their shapes have now. */
  prepare(
    bodies: readonly Placed[],
    grid: Grid,
    windows: readonly Window[],
    rule: SweepRule,
    { upTo = Infinity, brickBits = 0, slabs = false } = {},
  ): Sweep {
    const entries = bodies.map(({ shape }) => this.#trees.entryOf(shape));
    const staged = stage(bodies, entries, grid, windows, rule, brickBits);
    return { bodies, grid, windows, upTo, slabs, stage: staged };
  }

  /** Writes what the kernels read, with the corrections of an earlier attempt (a counter and ±1, two words each). */
  write(sweep: Sweep, corrections: Uint32Array<ArrayBuffer>, rowWords = 0): void {
    const { stage, windows, upTo, slabs } = sweep;
    const queue = this.#device.queue;
    const { counters, head, unsureEntries } = this.#buffers;
    const triangles = stage.firsts[stage.firsts.length - 1];
    const { at } = SweepLayout;
    const words = new Uint32Array(SweepLayout.words);
    words[at.triangles] = triangles;
    words[at.lanes] = lanesOf(sweep);
    words[at.layerCount] = stage.firsts.length - 1;
    words[at.windowCount] = windows.length;
    words[at.columns] = stage.columns;
    words[at.corrections] = corrections.length / 2;
    words[at.bricks] = stage.bricks;
    words[at.brickBits] = stage.brickBits;
    const reach = upTo < Infinity ? upTo / stage.unit : 0;
    const floats = new Float32Array(words.buffer);
    floats[at.upTo] = reach < 2 ** 39 ? reach : 0;
    floats[at.unit] = stage.unit;
    words[at.rowWords] = rowWords;
    words[at.slabs] = slabs ? 1 : 0;
    const inputs = { sweep: words, layers: stage.layers, windows: stage.windows, ticks: stage.ticks };
    this.#inputs.write(inputs, this.resources);
    if (corrections.length > 0) {
      queue.writeBuffer(this.#buffers.corrections.reserve(corrections.byteLength), 0, corrections);
    }
    this.#corrections = corrections.length / 2;
    const blocks = Math.ceil(stage.columns / 256);
    // If a submission is refused, an older one's head may be read back. The serial number tells.
    const start = new Uint32Array(headWords);
    start[Head.blocks] = blocks;
    start[Head.serial] = ++this.#serial;
    queue.writeBuffer(head.reserve(4 * headWords), 0, start);
    counters.reserve(4 * stage.counters);
    unsureEntries.reserve(16 * mostUnsure);
    this.#buffers.columnStarts.reserve(4 * stage.columns);
    this.#buffers.scanValues.reserve(4 * blocks);
    for (const [name, buffer] of Object.entries(this.#buffers)) this.resources.set(name, buffer.buffer);
    this.resources.set('scanState', head.buffer);
    this.#trees.bind(this.resources);
  }

  /** Clears the counters. To be called before the pass. */
  encodeClear(encoder: GPUCommandEncoder, { stage }: Sweep): void {
    encoder.clearBuffer(this.#buffers.counters.buffer, 0, 4 * stage.counters);
  }

  /**
   * Encodes crossings, corrections and winding numbers; with `place`, also where the points of each column go. Returns
   * the number of dispatches.
   */
  encode(pass: GPUComputePassEncoder, sweep: Sweep, place: boolean): number {
    const { stage } = sweep;
    const triangles = stage.firsts[stage.firsts.length - 1];
    this.#launches.cross.encode(pass, Math.ceil((triangles * lanesOf(sweep)) / 64));
    if (this.#corrections > 0) this.#launches.correct.encode(pass, Math.ceil(this.#corrections / 64));
    this.#launches.sum.encode(pass, Math.ceil(stage.columns / 256));
    if (place) this.#launches.scan.encode(pass, 1);
    return 2 + (this.#corrections > 0 ? 1 : 0) + (place ? 1 : 0);
  }

  /** Throws if the words read back are not the head of the last sweep written. */
  checkHead(head: Uint32Array): void {
    throwIfRefused(head[Head.serial], this.#serial);
  }

  get headPiece(): Piece {
    return { buffer: this.#buffers.head.buffer, offset: 0, bytes: 4 * headWords };
  }

  destroy(): void {
    this.#inputs.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }
}

/**
 * The number of threads that share a triangle: a power of two, about the number of columns it crosses if bodies fill
 * their windows.
 */
function lanesOf({ stage, bodies }: Sweep): number {
  const triangles = Math.max(1, stage.firsts[stage.firsts.length - 1]);
  const columns = (2 * stage.columns * bodies.length) / triangles;
  let lanes = 1;
  while (lanes < columns && lanes < mostLanes && 2 * lanes * triangles < 2 ** 31) lanes *= 2;
  return lanes;
}

/** Words per unsure entry: layer, column, triangle, and the assumption (cross-columns.wgsl). */
const unsureWords = 4;
const passesBy = 0xffffffff;

/**
 * Decides unsure crossings exactly (inside/crossing.ts). A wrong assumption gives corrections: a counter and ±1, two
 * words each.
 */
export function decideCrossings(sweep: Sweep, entries: Uint32Array): Uint32Array<ArrayBuffer> {
  const { bodies, grid, windows, stage } = sweep;
  const corners = createCorners();
  const heights = samplePositions(grid, 2);
  const found: number[] = [];
  for (let i = 0; i < entries.length; i += unsureWords) {
    const [layer, column, triangle, taken] = entries.subarray(i, i + unsureWords);
    const { low, high } = windows[Math.floor(layer / bodies.length)];
    const [nx, ny, nz] = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
    const [x, y] = [column % nx, Math.floor(column / nx)];
    placeCorners(bodies[layer % bodies.length], triangle, corners, 0);
    corners[9] = samplePosition(grid, 0, low[0] + x);
    corners[10] = samplePosition(grid, 1, low[1] + y);
    const turn = passes(corners);
    let actual = passesBy;
    if (turn !== 0) {
      const guess = low[2] + (taken === passesBy ? nz >> 1 : taken >> 1);
      const level = firstAbove(corners, turn, heights, low[2], high[2], guess) - low[2];
      actual = 2 * level + (turn < 0 ? 1 : 0);
    }
    if (actual === taken) continue;
    const first = stage.layers[LayerLayout.words * layer + LayerLayout.at.counters];
    const add = (crossing: number, sign: number) => {
      if (crossing === passesBy || crossing >> 1 >= nz) return;
      const step = sign * ((crossing & 1) === 1 ? 1 : -1);
      found.push(first + ((crossing >> 1) * ny + y) * nx + x, step > 0 ? 1 : 0xffffffff);
    };
    add(taken, -1);
    add(actual, 1);
  }
  return Uint32Array.from(found);
}

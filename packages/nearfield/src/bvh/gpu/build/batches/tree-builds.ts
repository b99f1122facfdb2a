// The records that describe a shape to the GPU: the one that questions read, and the one that the kernels which
// build or refit its tree read, together with those of its batch (TreeBuildLayout).

import type { Shape } from '../../../../bodies/snapshot/snapshot.ts';
import { GrowingBuffer } from '../../../../gpu/buffers/buffers.ts';
import type { Entry } from '../../entries.ts';
import { depthOf, ShapeLayout, TreeBuildLayout } from '../../layouts.ts';
import type { Round } from './batches.ts';

const originDoubles = new Float64Array(3);
const originBits = new Uint32Array(originDoubles.buffer);
const reachFloats = new Float32Array(3);
const reachBits = new Uint32Array(reachFloats.buffer);

/** Writes the facts about a shape that questions need, as the GPU reads them, from words[record] on. */
export function writeRecord(words: Uint32Array, record: number, entry: Entry): void {
  const { at } = ShapeLayout;
  const { originReach, exponent } = entry.frame;
  for (let axis = 0; axis < 3; axis++) {
    reachFloats[axis] = originReach[axis];
    words[record + at.originReach + axis] = reachBits[axis];
  }
  words[record + at.nodeOffset] = entry.nodeOffset;
  words[record + at.leafOffset] = entry.leafOffset;
  words[record + at.leafCount] = entry.leafCount;
  words[record + at.depth] = depthOf(entry.leafCount);
  words[record + at.exponent] = exponent;
  words[record + at.cornerOffset] = entry.cornerOffset;
  words[record + at.wordOffset] = entry.wordOffset;
  words[record + at.stride] = entry.stride;
  words[record + at.onGpu] = entry.shape.onGpu === undefined ? 0 : 1;
  entry.recordFrame = entry.frame;
  entry.recordNodeOffset = entry.nodeOffset;
  entry.recordWordOffset = entry.wordOffset;
  entry.recordStride = entry.stride;
  entry.recordOnGpu = entry.shape.onGpu !== undefined;
}

/**
 * Whether the record equals the last one written. Frames are replaced, never changed, and the rest of a record stays.
 */
export const isRecorded = (entry: Entry): boolean =>
  entry.recordFrame === entry.frame &&
  entry.recordNodeOffset === entry.nodeOffset &&
  entry.recordWordOffset === entry.wordOffset &&
  entry.recordStride === entry.stride &&
  entry.recordOnGpu === (entry.shape.onGpu !== undefined);

/** What the record of a tree's build says about the shape. */
export interface TreeBuildSource
  extends Pick<
    Entry,
    | 'frame'
    | 'nodeOffset'
    | 'leafOffset'
    | 'leafCount'
    | 'cornerOffset'
    | 'wordOffset'
    | 'stride'
    | 'weldOffset'
    | 'doubles'
    | 'welded'
    | 'weldsHold'
    | 'index'
    | 'vertexCount'
  > {
  readonly shape: Pick<Shape, 'onGpu'>;
}

/** One shape of a batch: its first triangle and vertex there, and where its parts lie. */
export function writeTreeBuild(
  words: Uint32Array,
  record: number,
  entry: TreeBuildSource,
  first: number,
  firstVertex: number,
): void {
  const { at } = TreeBuildLayout;
  const { origin } = entry.frame;
  for (let axis = 0; axis < 3; axis++) {
    originDoubles[axis] = origin[axis];
    words[record + at.originLow + axis] = originBits[2 * axis];
    words[record + at.originHigh + axis] = originBits[2 * axis + 1];
  }
  words[record + at.first] = first;
  words[record + at.firstVertex] = firstVertex;
  words[record + at.nodeOffset] = entry.nodeOffset;
  words[record + at.leafOffset] = entry.leafOffset;
  words[record + at.leafCount] = entry.leafCount;
  words[record + at.depth] = depthOf(entry.leafCount);
  words[record + at.cornerOffset] = entry.cornerOffset;
  words[record + at.wordOffset] = entry.wordOffset;
  words[record + at.stride] = entry.stride;
  words[record + at.weldOffset] = entry.weldOffset;
  words[record + at.exponent] = entry.frame.exponent;
  words[record + at.doubles] = entry.doubles ? 1 : 0;
  words[record + at.welded] = entry.welded && entry.weldsHold ? 1 : 0;
  words[record + at.unchecked] = entry.shape.onGpu === undefined ? 0 : 1;
  words[record + at.shape] = entry.index;
  words[record + at.vertexCount] = entry.vertexCount;
  words[record + at.positionsAt] = 0;
  words[record + at.indicesAt] = 0;
}

export function sameWords(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

interface Written {
  readonly treeBuilds: Uint32Array<ArrayBuffer>;
  readonly batch: Uint32Array;
  readonly rounds: readonly Round[];
  readonly chunks: GPUBuffer;
}

/** The records of a batch as its kernels read them. For a body that deforms again and again they are written once. */
export class BatchParameters {
  readonly batch: GPUBuffer;
  readonly treeBuilds: GrowingBuffer;
  readonly #chunks: GrowingBuffer;
  readonly #queue: GPUQueue;
  #written: Written | undefined;
  /** The previous records, to be overwritten. */
  #spare: Uint32Array<ArrayBuffer> | undefined;

  constructor(device: GPUDevice) {
    this.#queue = device.queue;
    this.treeBuilds = new GrowingBuffer(device, 'tree builds');
    this.#chunks = new GrowingBuffer(device, 'tree chunks');
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.batch = device.createBuffer({ label: 'tree batch', size: 64, usage });
  }

  /** An array for so many records. Write all of them. */
  takeTreeBuilds(count: number): Uint32Array<ArrayBuffer> {
    const words = TreeBuildLayout.words * count;
    const spare = this.#spare;
    this.#spare = undefined;
    return spare?.length === words ? spare : new Uint32Array(words);
  }

  /** Writes the words that differ from the last time. Returns the offset of the chunks. */
  write(
    treeBuilds: Uint32Array<ArrayBuffer>,
    batch: Uint32Array<ArrayBuffer>,
    rounds: readonly Round[],
  ): GPUBuffer {
    const queue = this.#queue;
    const chunks = this.#chunks.reserve(rounds.length === 0 ? 0 : rounds[rounds.length - 1].end);
    const last = this.#written;
    this.#written = { treeBuilds, batch, rounds, chunks };
    this.#spare = last?.treeBuilds;
    if (last === undefined || !sameWords(last.treeBuilds, treeBuilds)) {
      queue.writeBuffer(this.treeBuilds.reserve(treeBuilds.byteLength), 0, treeBuilds);
    }
    if (last === undefined || !sameWords(last.batch, batch)) queue.writeBuffer(this.batch, 0, batch);
    if (last?.rounds !== rounds || last.chunks !== chunks) {
      for (const round of rounds) queue.writeBuffer(chunks, round.start, round.words);
    }
    return chunks;
  }

  destroy(): void {
    this.batch.destroy();
    this.treeBuilds.destroy();
    this.#chunks.destroy();
  }
}

// Uploads small shapes: their records, followed by the positions and indices that are new, in one write. One
// workgroup per shape copies them to their places and builds the tree (build-small.wgsl). So hundreds of new pieces,
// or of leaves that bend in every frame, cost one write and one dispatch.

import { GrowingBuffer } from '../../../../gpu/buffers/buffers.ts';
import type { Staging } from '../../../../gpu/buffers/staging.ts';
import { type Kernel, Launch, Resources } from '../../../../gpu/kernel.ts';
import type { Entry } from '../../entries.ts';
import { mostSmall, TreeBuildLayout } from '../../layouts.ts';
import { writeTreeBuild } from '../batches/tree-builds.ts';

/** Whether an entry is built here. Shapes whose vertices must be checked, and welded ones, are not. */
export const isSmall = ({ leafCount, vertexCount, welded, shape }: Entry): boolean =>
  leafCount <= mostSmall && vertexCount <= 3 * mostSmall && !welded && shape.onGpu === undefined;

/** Limits of one write: words of positions and indices, and workgroups of a dispatch. */
const mostWords = 2 ** 23;
const mostBuilds = 65535;

/** Splits entries into groups, each as large as one write allows. */
export function* smallBatches(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let first = 0;
  let words = 0;
  for (let i = 0; i < entries.length; i++) {
    const own = wordsOf(entries[i]);
    if (i > first && (words + own > mostWords || i - first === mostBuilds)) {
      yield entries.slice(first, i);
      first = i;
      words = 0;
    }
    words += own;
  }
  if (first < entries.length) yield first === 0 ? entries : entries.slice(first);
}

export class SmallBuilds {
  readonly #queue: GPUQueue;
  readonly #staging: Staging;
  readonly #incoming: GrowingBuffer;
  readonly #resources: Resources;
  readonly #launch: Launch;
  /** The data to write: the same memory as words, singles and doubles. */
  #words = new Uint32Array(0);
  #singles = new Float32Array(0);
  #doubles = new Float64Array(0);

  constructor(device: GPUDevice, kernel: Kernel, resources: Resources, staging: Staging) {
    this.#queue = device.queue;
    this.#staging = staging;
    this.#incoming = new GrowingBuffer(device, 'small shapes');
    this.#resources = new Resources(resources);
    this.#launch = new Launch(device, kernel, this.#resources);
  }

  /** Writes the records of these shapes and their new data. Returns their total number of vertices. */
  write(encoder: GPUCommandEncoder, entries: readonly Entry[]): number {
    const words = this.#reserve(entries);
    const { at } = TreeBuildLayout;
    let end = TreeBuildLayout.words * entries.length;
    let vertexCount = 0;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i];
      const build = TreeBuildLayout.words * i;
      writeTreeBuild(words, build, entry, 0, vertexCount);
      vertexCount += entry.vertexCount;
      const { positions, mesh } = entry.shape;
      if (entry.uploaded !== positions) {
        end += end % 2;
        words[build + at.positionsAt] = end;
        if (positions instanceof Float32Array) this.#singles.set(positions, end);
        else this.#doubles.set(positions, end / 2);
        end += entry.stride * entry.vertexCount;
        entry.uploaded = positions;
      }
      if (!entry.indicesUploaded) {
        words[build + at.indicesAt] = end;
        words.set(mesh.indices, end);
        end += mesh.indices.length;
        entry.indicesUploaded = true;
      }
    }
    const buffer = this.#incoming.reserve(4 * end);
    if (!this.#staging.write(encoder, buffer, 0, words.subarray(0, end)))
      this.#queue.writeBuffer(buffer, 0, words, 0, end);
    return vertexCount;
  }

  /** Records the builds of the shapes that were written. */
  encode(pass: GPUComputePassEncoder, count: number): void {
    const { buffer } = this.#incoming;
    this.#resources.set('treeBuilds', buffer);
    this.#resources.set('incoming', buffer);
    this.#launch.encode(pass, count);
  }

  destroy(): void {
    this.#incoming.destroy();
  }

  /** Makes room for everything that these shapes may need. */
  #reserve(entries: readonly Entry[]): Uint32Array<ArrayBuffer> {
    let needed = 0;
    for (let i = 0; i < entries.length; i++) needed += wordsOf(entries[i]);
    if (needed > this.#words.length) {
      const bytes = new ArrayBuffer(4 * 2 ** Math.ceil(Math.log2(needed)));
      this.#words = new Uint32Array(bytes);
      this.#singles = new Float32Array(bytes);
      this.#doubles = new Float64Array(bytes);
    }
    return this.#words;
  }
}

/** The maximum number of words an entry takes in a write. Doubles begin at an even word. */
const wordsOf = ({ wordCount, leafCount }: Entry): number =>
  TreeBuildLayout.words + 1 + wordCount + 3 * leafCount;

// What is built or refitted together, and how its levels are cut into chunks that workgroups reduce.

import { NearfieldError } from '../errors.ts';
import type { Resources } from '../gpu/kernel.ts';
import { depthOf } from './gpu-layouts.ts';

/** What a tree needs of its shape to be put in a batch. */
export interface Sized {
  readonly leafCount: number;
  readonly nodeOffset: number;
}

/** Shapes built, or refitted where there are no cells, in one pass. */
export interface Batch<Entry> {
  readonly entries: readonly Entry[];
  readonly cellBits: number | undefined;
}

/** Shapes up to this size share batches of thousands: 64 cells along an axis tell their triangles apart. */
const smallShape = 4096;
const smallBatch = { jobs: 2 ** 14, cellBits: 6 };
const largeBatch = { jobs: 4, cellBits: 10 };
/** Triangles of one batch: bounds the memory of the sort. */
const batchTriangles = 2 ** 23;

export function* batches<Entry extends Sized>(entries: readonly Entry[]): Generator<Batch<Entry>> {
  const small = entries.filter(entry => entry.leafCount <= smallShape);
  const large = entries.filter(entry => entry.leafCount > smallShape);
  for (const [list, { jobs, cellBits }] of [[small, smallBatch] as const, [large, largeBatch] as const]) {
    let batch: Entry[] = [];
    let triangles = 0;
    for (const entry of list) {
      if (entry.leafCount > 2 ** 26) {
        const message = `a mesh of ${entry.leafCount} triangles is too large for the GPU`;
        throw new NearfieldError('out-of-memory', message);
      }
      if (batch.length > 0 && (batch.length === jobs || triangles + entry.leafCount > batchTriangles)) {
        yield { entries: batch, cellBits };
        batch = [];
        triangles = 0;
      }
      batch.push(entry);
      triangles += entry.leafCount;
    }
    if (batch.length > 0) yield { entries: batch, cellBits };
  }
}

/** Chunks of 512 nodes that one dispatch reduces. */
export class Round {
  #window: GPUBufferBinding | undefined;

  constructor(
    /** Where its chunks lie in the chunk list, in bytes. */
    readonly start: number,
    readonly end: number,
    readonly words: Uint32Array<ArrayBuffer>,
  ) {}

  bind(resources: Resources, buffer: GPUBuffer): void {
    if (this.#window?.buffer !== buffer) {
      this.#window = { buffer, offset: this.start, size: this.words.byteLength };
    }
    resources.set('chunks', this.#window);
  }
}

/** A round for each nine levels: first the chunks of the lowest levels, then of what is above. */
export function chunkRounds(entries: readonly Sized[]): Round[] {
  const rounds: Round[] = [];
  let start = 0;
  for (let climbed = 0; ; climbed += 9) {
    const words = new Uint32Array(4 * chunksAbove(entries, climbed));
    if (words.length === 0) return rounds;
    let at = 0;
    for (const { leafCount, nodeOffset } of entries) {
      const level = depthOf(leafCount) - climbed;
      if (level <= 0) continue;
      const count = Math.ceil(leafCount / 2 ** climbed);
      for (let chunk = 0; 512 * chunk < count; chunk++, at += 4) {
        words[at] = nodeOffset;
        words[at + 1] = level;
        words[at + 2] = count;
        words[at + 3] = chunk;
      }
    }
    const end = start + 256 * Math.ceil(words.byteLength / 256);
    rounds.push(new Round(start, end, words));
    start = end;
  }
}

/** Chunks of all entries that have levels above so many. */
function chunksAbove(entries: readonly Sized[], climbed: number): number {
  let chunks = 0;
  for (const { leafCount } of entries) {
    if (depthOf(leafCount) > climbed) chunks += Math.ceil(Math.ceil(leafCount / 2 ** climbed) / 512);
  }
  return chunks;
}

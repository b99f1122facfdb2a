// Which shapes are built or refitted together, and how their levels are cut into chunks that workgroups reduce.

import { NearfieldError } from '../../../../core/errors.ts';
import type { Resources } from '../../../../gpu/kernel.ts';
import { chunkTriangles, depthOf } from '../../layouts.ts';

/** The facts about a shape that decide its batch. */
export interface Sized {
  readonly leafCount: number;
  readonly nodeOffset: number;
}

/** Shapes that are built in one pass, or refitted if `cellBits` is undefined. */
export interface Batch<Entry> {
  readonly entries: readonly Entry[];
  readonly cellBits: number | undefined;
}

/** The maximum number of triangles per batch. It bounds the memory of the sort. */
const batchTriangles = 2 ** 23;
/** Bits of a key. The bits that distinguish the shapes of a batch reduce those for a triangle's place. */
const keyBits = 32;
const mostCellBits = 10;

/** Bits per axis that remain if a batch has this many shapes. */
const cellBitsOf = (treeBuilds: number): number =>
  Math.min(mostCellBits, Math.floor((keyBits - Math.ceil(Math.log2(treeBuilds))) / 3));

/** Bits per axis that a shape should have: 64 cells distinguish few triangles, 256 a hundred thousand of a surface. */
const fewCellBits = 6;
const cellBitsFor = (leafCount: number): number =>
  leafCount <= 2 ** 12 ? fewCellBits : leafCount <= 2 ** 17 ? 8 : 9;

export function* batches<Entry extends Sized>(entries: readonly Entry[]): Generator<Batch<Entry>> {
  let batch: Entry[] = [];
  let triangles = 0;
  let bits = 0;
  for (const entry of entries) {
    const { leafCount } = entry;
    if (leafCount > 2 ** 26) {
      const message = `a mesh of ${leafCount} triangles is too large for the GPU`;
      throw new NearfieldError('out-of-memory', message);
    }
    const needed = Math.max(bits, cellBitsFor(leafCount));
    const full = cellBitsOf(batch.length + 1) < needed || triangles + leafCount > batchTriangles;
    if (batch.length > 0 && full) {
      yield { entries: batch, cellBits: usedBits(bits, batch.length) };
      batch = [];
      triangles = 0;
    }
    bits = batch.length === 0 ? cellBitsFor(leafCount) : needed;
    batch.push(entry);
    triangles += leafCount;
  }
  if (batch.length > 0) yield { entries: batch, cellBits: usedBits(bits, batch.length) };
}

/** Few bits if they are enough for every shape, otherwise all that the batch allows. */
const usedBits = (needed: number, treeBuilds: number): number =>
  needed === fewCellBits ? fewCellBits : cellBitsOf(treeBuilds);

/** Chunks of work for one dispatch: four words per chunk. */
export class Round {
  #window: GPUBufferBinding | undefined;

  constructor(
    /** The offsets in the chunk list, in bytes, at which its chunks begin and end. */
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

/** One round per nine levels: first the chunks of the lowest levels, then those above. */
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

/**
 * For shapes without trees: first the chunks of triangles that are stored (store-leaves.wgsl), then the shapes that have
 * several chunks, whose boxes are joined (join-chunks.wgsl). Rounds without chunks are left out.
 */
export function storeRounds(entries: readonly Sized[]): Round[] {
  const chunks: number[] = [];
  const shapes: number[] = [];
  entries.forEach(({ leafCount, nodeOffset }, build) => {
    const count = Math.ceil(leafCount / chunkTriangles);
    const root = nodeOffset + 1;
    for (let i = 0; i < count; i++)
      chunks.push(build, i * chunkTriangles, count === 1 ? root : root + 1 + i, 0);
    if (count > 1) shapes.push(root + 1, count, root, 0);
  });
  let start = 0;
  return [chunks, shapes]
    .filter(words => words.length > 0)
    .map(words => {
      const end = start + 256 * Math.ceil((4 * words.length) / 256);
      const round = new Round(start, end, Uint32Array.from(words));
      start = end;
      return round;
    });
}

/** Chunks of all entries that have more levels than this. */
function chunksAbove(entries: readonly Sized[], climbed: number): number {
  let chunks = 0;
  for (const { leafCount } of entries) {
    if (depthOf(leafCount) > climbed) chunks += Math.ceil(Math.ceil(leafCount / 2 ** climbed) / 512);
  }
  return chunks;
}

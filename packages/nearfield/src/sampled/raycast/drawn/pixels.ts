// Reads whole pictures back and examines every pixel on the CPU, as the thesis does (`counting: 'pixels'`). Algorithm 1
// reads the stencil buffer. Algorithms 3 and 4 read a colour buffer: one channel names the body whose edge is enclosed,
// the other the body that encloses it.

import type { TexturePiece } from '../../../gpu/buffers/read-back.ts';
import { drawnStateWords, stencilZero } from './layouts.ts';
import type { Participants } from './placings.ts';

/** Rows of a copy begin at multiples of this. */
const alignment = 256;
/** Bytes per pixel of a stencil, and of colours that name bodies by 16 or 32 bits (pipelines.ts, nameFormats). */
const pixelBytes = { stencil: 1, narrow: 4, wide: 8 } as const;
/** Pixels are looked at in blocks of this many bytes, because most are empty. */
const blockBytes = 64;
/** How many pairs of names are kept at once, a power of two. */
const metSlots = 256;

export type PixelKind = keyof typeof pixelBytes;

/** A picture in memory: its first columns and rows count. */
export interface PixelRows {
  readonly kind: PixelKind;
  readonly columns: number;
  readonly rows: number;
  readonly rowBytes: number;
}

/**
 * The piece to read back, and how its words are to be read: the first columns and rows of a texture. A stencil is copied
 * whole, because WebGPU copies no part of one.
 */
export function pixelsOf(
  texture: GPUTexture,
  kind: PixelKind,
  [columns, rows]: readonly [number, number],
): { readonly piece: TexturePiece; readonly layout: PixelRows } {
  const isStencil = kind === 'stencil';
  const size = isStencil ? ([texture.width, texture.height] as const) : ([columns, rows] as const);
  const rowBytes = Math.ceil((pixelBytes[kind] * size[0]) / alignment) * alignment;
  const aspect = isStencil ? 'stencil-only' : 'all';
  const piece: TexturePiece = { texture, aspect, size, bytesPerRow: rowBytes, bytes: rowBytes * size[1] };
  return { piece, layout: { kind, columns, rows, rowBytes } };
}

/** Four pixels of a stencil in which nothing was counted. */
const emptyCounts = 0x01010101 * stencilZero;

/** Whether some pixel's count is above 0 (Algorithm 1). */
export function hasPositive(words: Uint32Array, { columns, rows, rowBytes }: PixelRows): boolean {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  for (let row = 0; row < rows; row++) {
    const first = row * rowBytes;
    const end = first + columns;
    for (let at = first; at < end; at += 4) {
      // Without an edge, a count stays at stencilZero.
      if (words[at >> 2] === emptyCounts) continue;
      for (let pixel = at; pixel < Math.min(at + 4, end); pixel++) {
        if (bytes[pixel] > stencilZero) return true;
      }
    }
  }
  return false;
}

/**
 * The bodies and pairs that colours name (Algorithms 3 and 4), in the form of the state that reduce-pixels.wgsl
 * writes.
 */
export function namesIn(
  words: Uint32Array,
  { kind, columns, rows, rowBytes }: PixelRows,
  { stateWords, bodyWords }: Pick<Participants, 'stateWords' | 'bodyWords'>,
  candidates: Uint32Array,
): Uint32Array {
  const state = new Uint32Array(stateWords);
  const flagsAt = drawnStateWords + 2 * bodyWords;
  const pixels = new Int32Array(words.buffer, words.byteOffset, words.length);
  // A double is 0 if its 64 bits are, or all but the highest. That one belongs to the name of a body that encloses an
  // edge, and without the edge's owner, in the low bits, the name means nothing.
  const doubles = new Float64Array(words.buffer, words.byteOffset, words.length >> 1);
  const isWide = kind === 'wide';
  const step = isWide ? 2 : 1;
  const rowWords = rowBytes / 4;
  // A picture names few pairs of bodies, again and again: those met before are looked up.
  const metOwners = new Uint32Array(metSlots);
  const metEnclosing = new Uint32Array(metSlots);
  for (let row = 0; row < rows; row++) {
    const first = row * rowWords;
    const end = first + step * columns;
    for (let block = first; block < end; block += blockBytes / 4) {
      if (sumOfMagnitudes(doubles, block >> 1) === 0) continue;
      const blockEnd = Math.min(block + blockBytes / 4, end);
      for (let at = block; at < blockEnd; at += step) {
        const word = pixels[at];
        const owner = isWide ? word >>> 0 : word & 0xffff;
        if (owner === 0) continue;
        const enclosing = isWide ? pixels[at + 1] >>> 0 : word >>> 16;
        const slot = (owner ^ (enclosing * 31)) & (metSlots - 1);
        if (metOwners[slot] === owner && metEnclosing[slot] === enclosing) continue;
        metOwners[slot] = owner;
        metEnclosing[slot] = enclosing;
        const body = owner - 1;
        state[drawnStateWords + (body >> 5)] |= 1 << (body & 31);
        if (enclosing === 0) continue;
        const candidate = candidateOf(candidates, body, enclosing - 1);
        if (candidate >= 0) state[flagsAt + candidate] |= body < enclosing - 1 ? 2 : 4;
      }
    }
  }
  return state;
}

/**
 * The sum of the magnitudes of eight doubles: 0 only if all of them are, since sums of magnitudes do not underflow. One
 * comparison per block takes less time than eight.
 */
const sumOfMagnitudes = (doubles: Float64Array, at: number): number =>
  Math.abs(doubles[at]) +
  Math.abs(doubles[at + 1]) +
  (Math.abs(doubles[at + 2]) + Math.abs(doubles[at + 3])) +
  (Math.abs(doubles[at + 4]) +
    Math.abs(doubles[at + 5]) +
    (Math.abs(doubles[at + 6]) + Math.abs(doubles[at + 7])));

/** The index of the candidate with these two bodies, −1 if there is none. Candidates are in order. */
function candidateOf(candidates: Uint32Array, one: number, other: number): number {
  const [a, b] = one < other ? [one, other] : [other, one];
  let [low, high] = [0, candidates.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = candidates[2 * middle];
    if (at < a || (at === a && candidates[2 * middle + 1] < b)) low = middle + 1;
    else high = middle;
  }
  return candidates[2 * low] === a && candidates[2 * low + 1] === b ? low : -1;
}

// The layers of a line, front to back, as bits: 0 for a layer of A, 1 for one of B, the first in the lowest bit of the
// first word. Two solids that do not overlap themselves meet along the line if some run of equal bits is odd. The line
// passes a body an even number of times between being outside and being outside again, so an odd run means that it is
// still inside that body when the other one begins (Myszkowski et al., section 6).

/** 'AABB' as bits. */
export function packSequence(order: string): Uint32Array {
  const words = new Uint32Array(Math.ceil(order.length / 32));
  for (let i = 0; i < order.length; i++) if (order[i] === 'B') words[i >> 5] |= 2 ** (i & 31);
  return words;
}

const bitOf = (words: Uint32Array, i: number): number => (words[i >> 5] >>> (i & 31)) & 1;

/** The bits of `count` layers as letters. */
export const sequenceToString = (words: Uint32Array, count: number): string =>
  Array.from({ length: count }, (_, i) => (bitOf(words, i) === 0 ? 'A' : 'B')).join('');

/** Tells whether some run of equal bits among the first `count` is odd. */
export function hasOddRun(words: Uint32Array, count: number): boolean {
  let length = 0;
  for (let i = 0; i < count; i++) {
    length++;
    const isLast = i + 1 === count || bitOf(words, i + 1) !== bitOf(words, i);
    if (!isLast) continue;
    if (length % 2 === 1) return true;
    length = 0;
  }
  return false;
}

/**
 * Rewrites the order of a line along which bodies do not meet, so that it reads as apart. If bodies touch, two layers
 * may be nearer to each other than the error of their depths and be in the wrong order: one body seems to be left after
 * the other was entered. Such layers are exchanged, which moves each by no more than the error of its depth.
 */
export function readApart(words: Uint32Array, count: number): Uint32Array {
  if (!hasOddRun(words, count)) return words;
  const layers = Array.from({ length: count }, (_, i) => bitOf(words, i));
  const inside = [false, false];
  let start = -1;
  for (let i = 0; i < count; i++) {
    const side = layers[i];
    inside[side] = !inside[side];
    if (inside[0] && inside[1]) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      // A stretch that one body enters and leaves is common: exchanging cannot remove it.
      if (layers[start] !== side) layers.splice(start, 0, ...layers.splice(i, 1));
      start = -1;
    }
  }
  return packSequence(layers.map(side => (side === 0 ? 'A' : 'B')).join(''));
}

/** The same layers with the two bodies exchanged. */
export function exchangeSequence(words: Uint32Array, count: number): Uint32Array {
  return words.map((word, i) => {
    const bits = Math.min(32, count - 32 * i);
    return (~word & (bits === 32 ? 0xffffffff : 2 ** bits - 1)) >>> 0;
  });
}

/** The layers of a line. */
export interface Sequence {
  readonly count: number;
  readonly words: Uint32Array;
}

/** The sequences of many pixels at once, as a device returns them. */
export interface SequenceBlock {
  /** The pixel that `pixels` counts from. */
  readonly first: number;
  /** Entries with the highest bit set have no sequence. */
  readonly pixels: Uint32Array;
  /** Twice the number of layers, plus 1 if the bodies meet. */
  readonly ordered: Uint32Array;
  /** `stride` words per sequence. */
  readonly words: Uint32Array;
  readonly stride: number;
}

/** Sequences by pixel. Blocks are stored as they come and indexed when the first sequence is asked for. */
export class SequenceTable {
  readonly #blocks: SequenceBlock[] = [];
  readonly #known = new Map<number, Sequence>();

  add(block: SequenceBlock): void {
    this.#blocks.push(block);
  }

  set(pixel: number, sequence: Sequence): void {
    this.#known.set(pixel, sequence);
  }

  get(pixel: number): Sequence | undefined {
    for (const { first, pixels, ordered, words, stride } of this.#blocks.splice(0)) {
      pixels.forEach((place, i) => {
        if (place >= 2 ** 31) return;
        const count = ordered[i] >>> 1;
        this.#known.set(first + place, {
          count,
          words: words.subarray(i * stride, i * stride + Math.ceil(count / 32)),
        });
      });
    }
    return this.#known.get(pixel);
  }
}

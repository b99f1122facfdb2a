// The layers of a line, front to back, as bits: 0 for a layer of A, 1 for one of B, the first in the lowest bit of the first
// word. Two solids that do not overlap themselves meet along the line where some run of equal bits is odd: within a run the
// line has left the other body for good only if it was crossed an even number of times (Myszkowski et al., section 6).

/** 'AABB' as bits. */
export function packSequence(order: string): Uint32Array {
  const words = new Uint32Array(Math.ceil(order.length / 32));
  for (let i = 0; i < order.length; i++) if (order[i] === 'B') words[i >> 5] |= 2 ** (i & 31);
  return words;
}

const bitOf = (words: Uint32Array, i: number): number => (words[i >> 5] >>> (i & 31)) & 1;

/** The bits of so many layers as letters. */
export const sequenceToString = (words: Uint32Array, count: number): string =>
  Array.from({ length: count }, (_, i) => (bitOf(words, i) === 0 ? 'A' : 'B')).join('');

/** Whether some run of equal bits among the first `count` is odd. */
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
 * The order of a line along which bodies do not meet, made to read so. Where bodies touch, two layers may be nearer to each other
 * than the error of their depths and stand the wrong way round: one body seems to be left after the other was entered. Such
 * layers are exchanged, which moves each by no more than its depth may be off.
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
      // What is entered and left by one body is common: nothing can be exchanged.
      if (layers[start] !== side) layers.splice(start, 0, ...layers.splice(i, 1));
      start = -1;
    }
  }
  return packSequence(layers.map(side => (side === 0 ? 'A' : 'B')).join(''));
}

/** The same with the two bodies exchanged. */
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

/** Sequences of many pixels at once, as a device gives them. */
export interface SequenceBlock {
  /** Pixels are counted from this one. */
  readonly first: number;
  /** Those with the highest bit set have none. */
  readonly pixels: Uint32Array;
  /** Twice how many layers each has, plus 1 where the bodies meet. */
  readonly ordered: Uint32Array;
  /** `stride` words each. */
  readonly words: Uint32Array;
  readonly stride: number;
}

/** Sequences by pixel. Blocks are taken as they are, and looked into when the first sequence is asked for. */
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

// The signs of determinants that took expansions to decide. They recur: a vertex is tested against the same plane once
// per triangle around it, and two edges against each other once per pair of triangles at them. Comparing the twelve
// coordinates takes a tenth of the time of deciding the sign again.
//
// Exchanging two points turns the sign round, so the points are kept in order of their coordinates. Each place of the
// table holds the last determinant whose coordinates led there.

import type { Sign } from './orient.ts';

/** What `find` returns if the determinant is not in the table. */
export const unknown = 2;

/** A power of two. If bodies have up to a few hundred triangles, mostly fewer other signs lie between two uses of one. */
const size = 2 ** 12;

export class KnownSigns {
  /** Per place, four points in order and the sign of their determinant. Allocated when first needed. */
  #keys = new Float64Array(0);
  #signs = new Int8Array(0);
  /** What was asked for last: the points in order, their place, and −1 if an odd number of exchanges put them in order. */
  readonly #key = new Float64Array(12);
  readonly #words = new Uint32Array(this.#key.buffer);
  #place = 0;
  #parity = 1;

  /** The sign of det[a−d; b−d; c−d] for the points at the offsets a, b, c, d of p, if it is known. */
  find(p: Float64Array, a: number, b: number, c: number, d: number): Sign | typeof unknown {
    if (this.#signs.length === 0) {
      this.#keys = new Float64Array(12 * size);
      this.#signs = new Int8Array(size).fill(unknown);
    }
    this.#sort(p, a, b, c, d);
    const [key, words, keys] = [this.#key, this.#words, this.#keys];
    let hash = 0;
    for (let i = 0; i < 24; i++) hash = Math.imul(hash ^ words[i], 0x9e3779b1) ^ (hash >>> 15);
    const place = (hash ^ (hash >>> 12)) & (size - 1);
    this.#place = place;
    const sign = this.#signs[place];
    if (sign === unknown) return unknown;
    for (let i = 0; i < 12; i++) if (keys[12 * place + i] !== key[i]) return unknown;
    // Adding 0 makes 0 of −0, here and below.
    return (sign * this.#parity + 0) as Sign;
  }

  /** Keeps the sign of the determinant that `find` was last asked for, and returns it. */
  keep(sign: Sign): Sign {
    const [key, keys, place] = [this.#key, this.#keys, this.#place];
    for (let i = 0; i < 12; i++) keys[12 * place + i] = key[i];
    this.#signs[place] = sign * this.#parity;
    return sign;
  }

  /** Puts the points in order, by a sorting network of five exchanges. */
  #sort(p: Float64Array, a: number, b: number, c: number, d: number): void {
    let [first, second, third, fourth, swap, parity] = [a, b, c, d, 0, 1];
    if (isAfter(p, first, second)) {
      swap = first;
      first = second;
      second = swap;
      parity = -parity;
    }
    if (isAfter(p, third, fourth)) {
      swap = third;
      third = fourth;
      fourth = swap;
      parity = -parity;
    }
    if (isAfter(p, first, third)) {
      swap = first;
      first = third;
      third = swap;
      parity = -parity;
    }
    if (isAfter(p, second, fourth)) {
      swap = second;
      second = fourth;
      fourth = swap;
      parity = -parity;
    }
    if (isAfter(p, second, third)) {
      swap = second;
      second = third;
      third = swap;
      parity = -parity;
    }
    const key = this.#key;
    for (let axis = 0; axis < 3; axis++) {
      key[axis] = p[first + axis] + 0;
      key[3 + axis] = p[second + axis] + 0;
      key[6 + axis] = p[third + axis] + 0;
      key[9 + axis] = p[fourth + axis] + 0;
    }
    this.#parity = parity;
  }
}

/** Whether the point at i comes after the one at j in the order of their coordinates. */
function isAfter(p: Float64Array, i: number, j: number): boolean {
  if (p[i] !== p[j]) return p[i] > p[j];
  if (p[i + 1] !== p[j + 1]) return p[i + 1] > p[j + 1];
  return p[i + 2] > p[j + 2];
}

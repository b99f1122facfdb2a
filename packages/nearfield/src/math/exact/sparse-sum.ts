// The sign of a sum of products of doubles with very different sizes. Over a common denominator such numbers would have
// thousands of digits. Instead, each product is kept as an integer times a power of two, and they are added from the
// largest down. Once the sum so far exceeds everything that is left, its sign is known.

import type { Sign } from './orient.ts';
import { signOf } from './rational.ts';

/** integer · 2^exponent, below 2^top in magnitude. */
interface Term {
  readonly integer: bigint;
  readonly exponent: number;
  readonly top: number;
}

const doubleBits = new DataView(new ArrayBuffer(8));

/** A double that is not 0 as an integer of at most 53 digits times a power of two. */
function decomposed(x: number): { integer: number; exponent: number } {
  doubleBits.setFloat64(0, x);
  const high = doubleBits.getUint32(0);
  const biased = (high >>> 20) & 0x7ff;
  const fraction = ((high & 0xfffff) | (biased === 0 ? 0 : 0x100000)) * 2 ** 32 + doubleBits.getUint32(4);
  return { integer: x < 0 ? -fraction : fraction, exponent: Math.max(biased, 1) - 1075 };
}

/** Collects products and computes the sign of their sum. */
export class SparseSum {
  readonly #terms: Term[] = [];

  /** Adds sign · x · y · z. */
  add(sign: 1 | -1, x: number, y: number, z = 1): void {
    if (x === 0 || y === 0 || z === 0) return;
    const [u, v, w] = [decomposed(x), decomposed(y), decomposed(z)];
    const integer = BigInt(sign * u.integer) * BigInt(v.integer) * BigInt(w.integer);
    const exponent = u.exponent + v.exponent + w.exponent;
    // The logarithms' rounding errors are far below 1: one more digit covers a sum just below a whole number.
    const digits =
      Math.ceil(
        Math.log2(Math.abs(u.integer)) + Math.log2(Math.abs(v.integer)) + Math.log2(Math.abs(w.integer)),
      ) + 1;
    this.#terms.push({ integer, exponent, top: exponent + digits });
  }

  sign(): Sign {
    const terms = this.#terms.sort((s, t) => t.top - s.top);
    let sum = 0n;
    let exponent = 0;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i];
      if (sum !== 0n) {
        // The remaining terms are fewer than 2^5 and all below 2^top: together below 2^(top + 5).
        const limit = term.top + 5 - exponent;
        if (limit <= 0 || sum >> BigInt(limit) > 0n || -sum >> BigInt(limit) > 0n) return signOf(sum);
      }
      if (sum === 0n) {
        sum = term.integer;
        exponent = term.exponent;
      } else if (term.exponent >= exponent) {
        sum += term.integer << BigInt(term.exponent - exponent);
      } else {
        sum = (sum << BigInt(exponent - term.exponent)) + term.integer;
        exponent = term.exponent;
      }
    }
    return signOf(sum);
  }
}

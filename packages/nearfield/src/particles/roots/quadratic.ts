// Where does c0 + c1·t + c2·t² change sign in (0, end)? By the formula that does not cancel, with a discriminant whose
// sign is right. Used for planes and triangles against all particles, and quadrics against those of first order (Knott,
// equations 3.6 and 3.9).
//
// Accuracy. The discriminant D = c1² − 4·c0·c2 is computed in plain doubles if it is not small against its terms, else
// in twice the precision. Either way its relative error is below 2^-10·2^-40, or it is taken as 0 (below 2^-100 of its
// terms): a touch. Then q = −(c1 ± √D)/2 adds two numbers of one sign, and the roots q/c2 and c0/q are those of a
// polynomial whose coefficients differ from the given ones by a few units in the last place.

import { tail, twoProduct, twoSum } from '../../math/exact/double-double.ts';
import type { Crossings } from './crossings.ts';

/** c1² − 4·c0·c2, or 0 if it is below 2^-100 of its terms. */
function discriminant(c0: number, c1: number, c2: number): number {
  const square = c1 * c1;
  const product = 4 * c0 * c2;
  const plain = square - product;
  const magnitude = square + Math.abs(product);
  if (Math.abs(plain) > 2 ** -8 * magnitude) return plain;
  const p = twoProduct(c1, c1);
  const pTail = tail;
  const q = twoProduct(4 * c0, c2);
  const qTail = tail;
  const difference = twoSum(p, -q);
  const accurate = difference + (tail + (pTail - qTail));
  return Math.abs(accurate) > 2 ** -100 * magnitude ? accurate : 0;
}

/** Fills in the crossings in (0, end). */
export function quadraticCrossings(c0: number, c1: number, c2: number, end: number, out: Crossings): void {
  out.clear(Math.sign(c0 !== 0 ? c0 : c1 !== 0 ? c1 : c2));
  if (c2 === 0) {
    if (c1 === 0) return;
    const root = -c0 / c1;
    if (root > 0 && root < end) out.add(root);
    return;
  }
  const d = discriminant(c0, c1, c2);
  if (!(d > 0)) return;
  const q = -0.5 * (c1 + (c1 < 0 ? -Math.sqrt(d) : Math.sqrt(d)));
  const one = q / c2;
  const other = c0 / q;
  const low = one < other ? one : other;
  const high = one < other ? other : one;
  if (low > 0 && low < end) out.add(low);
  if (high > 0 && high < end) out.add(high);
}

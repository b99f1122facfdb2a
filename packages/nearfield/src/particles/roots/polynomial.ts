// Where does a polynomial of degree up to 4 change sign in (0, end)? Second-order motion against a quadric is a
// quartic. The sign changes of its derivatives cut the line into pieces in which it is monotonic; in each the signs at
// both ends say whether it crosses. Formulas for cubics and quartics lose digits without a bound, and are not used.
//
// Signs. Horner's rule with a running error bound. Below the bound the compensated rule is used (Graillat, Langlois and
// Louvet, 2005), which acts as if in twice the precision, with an error below (2n)²·2^-106·S ≤ 2^-100·S, S = Σ|cᵢ|tⁱ.
// Below 2^-98·S the sign is 0.
//
// Pieces. A critical point is known to a unit or two in its last place, δ ≤ 2^-51·t, so that next to it a piece may
// fail to be monotonic by ½h''δ² ≤ 6·2^-102·S: a change of sign there would be one within what counts as 0. A zero at a
// critical point with equal signs around it is a touch; with different signs it is a crossing there (an odd root of the
// derivative too).
//
// Accuracy. The time returned is a root of a polynomial whose coefficients differ from the given ones by at most 2^-51
// of themselves: it is off by at most 2^-50·S/|h'| + 2^-51·t.

import { tail, twoProduct, twoSum } from '../../math/exact/double-double.ts';
import { Crossings } from './crossings.ts';
import { quadraticCrossings } from './quadratic.ts';

const u = 2 ** -53;
/** After this many rounds an interval is as small as doubles allow: from 2^1024 to 2^-1074 takes no more. */
const mostRounds = 2200;

/**
 * The value from the last `evaluate`, refined if it was not certain, and the slope. They are in an array, since numbers
 * in module variables are boxed anew whenever they change.
 */
const found = new Float64Array(2);

/**
 * The sign at t of c[0] + c[1]·t + (c[2] + low)·t² + …; 0 if it is 0 or too small to tell. `low` is what rounding took
 * from c[2]. Leaves value and slope in `found`.
 */
function evaluate(c: Float64Array, degree: number, low: number, t: number): number {
  let y = c[degree];
  let dy = 0;
  let bound = Math.abs(y) * 0.5;
  const size = Math.abs(t);
  for (let i = degree - 1; i >= 0; i--) {
    dy = dy * t + y;
    y = y * t + c[i];
    bound = bound * size + Math.abs(y);
  }
  found[0] = y;
  found[1] = dy;
  bound = (u * (2 * bound - Math.abs(y)) + Math.abs(low) * t * t) * 1.001;
  if (y > bound) return 1;
  if (-y > bound) return -1;
  return evaluateTwice(c, degree, low, t);
}

function evaluateTwice(c: Float64Array, degree: number, low: number, t: number): number {
  let y = c[degree];
  let rest = 0;
  let sum = Math.abs(y);
  for (let i = degree - 1; i >= 0; i--) {
    const product = twoProduct(y, t);
    rest = rest * t + tail;
    y = twoSum(product, c[i]);
    rest += i === 2 ? tail + low : tail;
    sum = sum * Math.abs(t) + Math.abs(c[i]);
  }
  const value = y + rest;
  found[0] = value;
  const bound = 2 ** -98 * sum;
  return value > bound ? 1 : -value > bound ? -1 : 0;
}

/**
 * The root in (from, to), at whose ends the signs differ: Newton's rule, with halving if that leaves the interval or is
 * slow.
 */
function rootBetween(
  c: Float64Array,
  degree: number,
  low: number,
  from: number,
  to: number,
  signAtFrom: number,
): number {
  let t = 0.5 * (from + to);
  let width = to - from;
  for (let round = 0; round < mostRounds; round++) {
    const sign = evaluate(c, degree, low, t);
    if (sign === 0) return t;
    if (sign === signAtFrom) from = t;
    else to = t;
    const step = found[0] / found[1];
    let next = t - step;
    if (!(next > from && next < to) || Math.abs(step) > 0.5 * width) {
      next = from + 0.5 * (to - from);
      if (next <= from || next >= to) return t;
    }
    width = Math.abs(next - t);
    if (width <= 2 ** -52 * next) return next;
    t = next;
  }
  return t;
}

/** Fills in the crossings in (0, end), given those of the derivative. Pieces beyond `enough` are left out. */
function crossingsBetween(
  c: Float64Array,
  degree: number,
  low: number,
  critical: Crossings,
  end: number,
  enough: number,
  out: Crossings,
): void {
  let from = 0;
  let last = Math.sign(c[0]);
  /** Where the first zero after the last sign was. */
  let zeroAt = -1;
  out.clear(last);
  for (let i = 0; i <= critical.count && from <= enough; i++) {
    const to = i < critical.count ? critical.times[i] : end;
    const sign = evaluate(c, degree, low, to);
    if (sign === 0) {
      if (zeroAt < 0) zeroAt = to;
    } else {
      if (last === 0) out.first = sign;
      else if (sign !== last) out.add(zeroAt >= 0 ? zeroAt : rootBetween(c, degree, low, from, to, last));
      last = sign;
      zeroAt = -1;
    }
    from = to;
  }
}

/** The zeros of half the slope of c0 + c1·t + c2·t²: q = −(c1 ± √d), the roots are q/c2 and c0/q, of c0 + 2·c1·t + c2·t². */
function addRoots(c0: number, c1: number, c2: number, d: number, end: number, out: Crossings): void {
  out.clear(0);
  if (c2 === 0) {
    const root = -c0 / (2 * c1);
    if (root > 0 && root < end) out.add(root);
    return;
  }
  if (!(d > 0)) return;
  const q = -(c1 + (c1 < 0 ? -Math.sqrt(d) : Math.sqrt(d)));
  const one = q / c2;
  const other = c0 / q;
  const least = one < other ? one : other;
  const most = one < other ? other : one;
  if (least > 0 && least < end) out.add(least);
  if (most > 0 && most < end) out.add(most);
}

/** Where the slope c1 + 2·c2·t + 3·c3·t² of a cubic changes sign. d = c2² − 3·c1·c3, 3·c1 in two parts. */
function criticalOfCubic(c1: number, c2: number, c3: number, end: number, out: Crossings): void {
  let d = c2 * c2 - 3 * c1 * c3;
  const magnitude = c2 * c2 + Math.abs(3 * c1 * c3);
  if (Math.abs(d) <= 2 ** -8 * magnitude) {
    const three = twoProduct(3, c1);
    const threeTail = tail;
    const p = twoProduct(c2, c2);
    const pTail = tail;
    const q = twoProduct(three, c3);
    const qTail = tail + threeTail * c3;
    const difference = twoSum(p, -q);
    d = difference + (tail + (pTail - qTail));
    if (Math.abs(d) <= 2 ** -100 * magnitude) d = 0;
  }
  addRoots(c1, c2, 3 * c3, d, end, out);
}

/**
 * Where the curvature of a quartic changes sign: half of it is c2 + 3·c3·t + 6·c4·t². In the form of `addRoots` c1 = 1.5·c3 and
 * d = 2.25·c3² − 6·c2·c4 = 0.75·(3·c3² − 8·c2·c4).
 */
function inflectionsOf(c2: number, c3: number, c4: number, end: number, out: Crossings): void {
  let d = 3 * c3 * c3 - 8 * c2 * c4;
  const magnitude = 3 * c3 * c3 + Math.abs(8 * c2 * c4);
  if (Math.abs(d) <= 2 ** -8 * magnitude) {
    const p = twoProduct(c3, c3);
    const pTail = tail;
    const three = twoProduct(3, p);
    const threeTail = tail + 3 * pTail;
    const q = twoProduct(8 * c2, c4);
    const qTail = tail;
    const difference = twoSum(three, -q);
    d = difference + (tail + (threeTail - qTail));
    if (Math.abs(d) <= 2 ** -100 * magnitude) d = 0;
  }
  addRoots(c2, 1.5 * c3, 6 * c4, 0.75 * d, end, out);
}

const slopes = new Float64Array(4);
const inflections = new Crossings();
const critical = new Crossings();

/**
 * Fills in the crossings of c[0] + c[1]·t + … in (0, end), degree at most 4. The search may leave out what is beyond
 * `enough`; the crossings it finds do not depend on that.
 */
export function crossingsOf(
  c: Float64Array,
  degree: number,
  end: number,
  enough: number,
  out: Crossings,
): void {
  while (degree > 2 && c[degree] === 0) degree--;
  if (degree <= 2) {
    quadraticCrossings(c[0], degree > 0 ? c[1] : 0, degree > 1 ? c[2] : 0, end, out);
    return;
  }
  if (degree === 3) {
    criticalOfCubic(c[1], c[2], c[3], end, critical);
  } else {
    slopes[0] = c[1];
    slopes[1] = 2 * c[2];
    slopes[2] = twoProduct(3, c[3]);
    const low = tail;
    slopes[3] = 4 * c[4];
    inflectionsOf(c[2], c[3], c[4], end, inflections);
    crossingsBetween(slopes, 3, low, inflections, end, Infinity, critical);
  }
  crossingsBetween(c, degree, 0, critical, end, enough, out);
}

// Where does a function change sign, if its values, slopes and bounds are known but there is no formula for its roots?
// Used for colliders that turn, distance fields and implicit surfaces. Intervals are withoutTwos, the left half first, until
// one of these is proven, m being the middle and r half the length:
//   - |h(m)| > |h'(m)|·r + M·r²/2 or |h(m)| > L·r: no root (|h''| ≤ M, |h'| ≤ L on it);
//   - |h'(m)| > M·r: monotonic, and the signs at both ends decide.
// A value within its rounding error of 0 has no sign of its own: it keeps the last certain sign. So a change of sign is
// never lost, whatever lies between.
//
// What is not seen: a touch, and two roots so near to each other that the interval reaches its least length before they
// are separated, 2^-46 of the whole: |h| is then below M·2^-92·length²/8. A function that stays within its rounding
// error of 0 for long would take forever: after 2,048 evaluations the least length is 2^-20 of the whole, after four
// times as many 2^-10. Evaluations for halving down to intervals longer than 2^-20, about two per proven interval, do
// not count: a blade that turns fast passes a place often.

/** A function of time, evaluated at σ with bounds for σ ± reach. */
export interface Traced {
  readonly value: number;
  readonly slope: number;
  /** M, maybe infinite, and L. */
  readonly curvature: number;
  readonly steepness: number;
  /** The error of the value. */
  readonly error: number;
  /** Nothing that matters happens there, whatever the value: signs before and after it are not compared. */
  readonly clear: boolean;
  evaluate(sigma: number, reach: number): void;
}

/** Finds one crossing after the other. */
export class Bracket {
  readonly #stack = new Float64Array(256);
  #depth = 0;
  #traced!: Traced;
  #from = 0;
  #whole = 0;
  #side = 0;
  #around = 0;
  #last = 0;
  #zeroAt = -1;
  #evaluations = 0;
  /** A crossing found together with the one before it. */
  #waiting = -1;
  /** The sign before the crossing that `next` returned. */
  before = 0;

  /**
   * Searches between `from` and `to`. If the path begins on the surface, `side` is its known sign at `from`; it is not
   * computed from the value, which is 0 up to `around`. A crossing at `from` itself then means that the path moves to
   * the other side at once.
   */
  begin(traced: Traced, from: number, to: number, side: number, around: number): void {
    this.#traced = traced;
    this.#from = from;
    this.#whole = to - from;
    this.#side = side;
    this.#around = around;
    this.#last = side;
    this.#zeroAt = -1;
    this.#evaluations = 0;
    this.#waiting = -1;
    this.#depth = 2;
    this.#stack[0] = from;
    this.#stack[1] = to;
  }

  /** The next crossing, or −1; intervals beyond `enough` are skipped. */
  next(enough: number): number {
    const stack = this.#stack;
    const traced = this.#traced;
    if (this.#waiting >= 0) {
      const time = this.#waiting;
      this.#waiting = -1;
      this.before = -this.before;
      return time;
    }
    while (this.#depth > 0) {
      const b = stack[--this.#depth];
      const a = stack[--this.#depth];
      if (a > enough) return -1;
      const reach = 0.5 * (b - a);
      const middle = a + reach;
      traced.evaluate(middle, reach);
      if (traced.clear) {
        this.#last = 0;
        this.#zeroAt = -1;
        continue;
      }
      const evaluations = this.#evaluations++;
      const size = Math.abs(traced.value) - (traced.error + this.#around);
      const bend = traced.curvature * reach;
      const isProven = Math.abs(traced.slope) * (1 - 2 ** -20) > bend;
      const isFree = size > Math.min((Math.abs(traced.slope) + 0.5 * bend) * reach, traced.steepness * reach);
      if ((isFree || isProven) && b - a > 2 ** -20 * this.#whole) this.#evaluations -= 2;
      if (isFree) {
        const time = this.#note(Math.sign(traced.value), a);
        if (time >= 0) return time;
        continue;
      }
      const least = evaluations < 2048 ? 2 ** -46 : evaluations < 8192 ? 2 ** -20 : 2 ** -10;
      if (b - a > least * this.#whole && !isProven) {
        stack[this.#depth++] = middle;
        stack[this.#depth++] = b;
        stack[this.#depth++] = a;
        stack[this.#depth++] = middle;
        continue;
      }
      const time = this.#finish(a, b);
      if (time >= 0) return time;
    }
    return -1;
  }

  /** An interval that need not, or cannot, be withoutTwos: the signs at its ends decide. */
  #finish(a: number, b: number): number {
    const signAtA = a === this.#from && this.#side !== 0 ? 0 : this.#signAt(a);
    const signAtB = this.#signAt(b);
    let first = -1;
    if (signAtA !== 0) first = this.#note(signAtA, a);
    else if (this.#zeroAt < 0) this.#zeroAt = a;
    if (signAtB === 0) return first;
    const last = this.#last;
    if (signAtA === 0 || last === 0 || signAtB === last) {
      const second = this.#note(signAtB, a);
      return first >= 0 ? first : second;
    }
    this.#last = signAtB;
    const root = rootBetween(this.#traced, a, b, last);
    if (first >= 0) {
      this.#waiting = root;
      return first;
    }
    this.before = last;
    return root;
  }

  /**
   * Notes a sign that holds from `a` on: a crossing if it differs from the last one, after which there may have been
   * none.
   */
  #note(sign: number, a: number): number {
    const last = this.#last;
    const time = last !== 0 && sign !== last ? (this.#zeroAt >= 0 ? this.#zeroAt : a) : -1;
    if (time >= 0) this.before = last;
    this.#last = sign;
    this.#zeroAt = -1;
    return time;
  }

  #signAt(sigma: number): number {
    const traced = this.#traced;
    traced.evaluate(sigma, 0);
    return Math.abs(traced.value) > traced.error + this.#around ? Math.sign(traced.value) : 0;
  }
}

/**
 * The root in (a, b), at whose ends the signs differ: Newton's rule, with halving if that leaves the interval or is
 * slow.
 */
function rootBetween(traced: Traced, a: number, b: number, signAtA: number): number {
  let from = a;
  let to = b;
  let t = 0.5 * (a + b);
  let width = b - a;
  for (let round = 0; round < 200; round++) {
    traced.evaluate(t, 0);
    if (traced.value === 0) return t;
    if (Math.sign(traced.value) === signAtA) from = t;
    else to = t;
    const step = traced.value / traced.slope;
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

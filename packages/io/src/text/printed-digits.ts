// To how many decimal places did the writer of a text file round its coordinates? Files do not say, and trailing zeros
// may be trimmed, so the numbers are looked at: of the largest ones (those with the most digits before the point) the
// one with the most decimal places counts, and at least as many significant digits as any number of the file has. That
// is right for writers with a fixed number of places (%.4f) and for those with a fixed number of digits (%g, %e).
//
// A body whose own largest numbers show more places than that was rounded to those: a part far away, with large numbers,
// says nothing about it.
//
// A few digits are no sign of rounding: 0.5 and 1200 are meant as they are. Places count only if there are any and the
// largest numbers have at least five significant digits. Of other files the rounding is not known, and what they say is
// taken at its word.

import type { Positions } from 'nearfield';
import { type Bounds, halfDoubleUlp, halfSingleUlp, isSingle, reachOf } from '../facts/rounding.ts';

/** Fewer significant digits in the largest numbers are taken as meant. */
const fewestDigits = 5;
/** Single-precision numbers need no more significant digits. A writer that prints more has widened them to doubles. */
const singleDigits = 9;

const mostLong = 1000;
/** The digits that every double keeps. */
export const doubleDigits = 15;

export class PrintedDigits {
  /** The largest number of digits before the point; below 0 for numbers such as 0.001. */
  private decade = Number.NEGATIVE_INFINITY;
  /** The largest number of decimal places among numbers of that decade. */
  private places = 0;
  /** The largest number of significant digits. */
  private digits = 0;
  private longCount = 0;

  /** Counts a number other than 0 of `digits` significant digits, the last of which stands for 10^exponent. */
  see(digits: number, exponent: number): void {
    const decade = digits + exponent;
    if (decade > this.decade) {
      this.decade = decade;
      this.places = -exponent;
    } else if (decade === this.decade && -exponent > this.places) this.places = -exponent;
    if (digits > this.digits) this.digits = digits;
  }

  /**
   * Counts a number that was written with more digits than a double keeps. 0.35444599999999998 is 0.354446 as a double,
   * so the shortest way to write it shows what was rounded. The first thousand of them are enough.
   */
  seeLong(value: number): void {
    if (this.longCount++ < mostLong) this.see(...digitsOf(String(Math.abs(value))));
  }

  /** Counts a number as written, such as `-12.50` or `1e-3`. */
  seeText(text: string, value: number): void {
    const [digits, exponent] = digitsOf(text);
    if (digits > doubleDigits) this.seeLong(value);
    else if (digits > 0) this.see(digits, exponent);
  }

  /** The error of coordinates among those seen, per axis. */
  errorOf(positions: Positions): Bounds {
    const reach = reachOf(positions);
    const places = Math.max(this.places, this.digits - this.decade);
    const rounded = places > 0 && this.decade + places >= fewestDigits;
    const printed = rounded ? 0.5 * 10 ** -placesShown(positions, Math.max(...reach), places) : 0;
    const single = this.digits > singleDigits && isSingle(positions);
    const half = single ? halfSingleUlp : halfDoubleUlp;
    const errorOf = (value: number) => Math.max(printed, half(value));
    return [errorOf(reach[0]), errorOf(reach[1]), errorOf(reach[2])];
  }
}

/** The decimal places that the largest numbers of a body show, and at least `places`. */
function placesShown(positions: Positions, reach: number, places: number): number {
  const least = 10 ** Math.floor(Math.log10(reach));
  let shown = places;
  for (let i = 0; i < positions.length; i++) {
    const size = Math.abs(positions[i]);
    // Both the rounded product and the power are exact, so the quotient is the double nearest to that decimal number.
    while (size >= least && size * 10 ** shown < 2 ** 53 && Math.round(size * 10 ** shown) / 10 ** shown !== size) shown++;
  }
  return shown;
}

/** The number of significant digits, and the power of ten that the last one stands for. */
function digitsOf(number: string): [digits: number, exponent: number] {
  const found = /^[-+]?0*(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(number);
  if (!found) return [0, 0];
  const [, whole, fraction, exponent = '0'] = found;
  const digits = whole === '' ? fraction.replace(/^0+/, '') : whole + fraction;
  return [digits.length, Number(exponent) - fraction.length];
}

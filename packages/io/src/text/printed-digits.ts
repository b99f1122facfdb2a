// To how many decimal places did the writer of a text file round its coordinates? Files do not say, and trailing zeros
// may be trimmed. So take the largest numbers, those with the most digits before the point, and the most decimal places
// among them. If no smaller number has more places, the writer prints a fixed number of places (%.4f): the same for all
// bodies. If some smaller number has more, the writer prints a fixed number of significant digits (%g, %e). The places
// of a body are then those digits less the digits before the point of its own largest coordinate. In this way a part
// that is far away, with large numbers, does not make the others seem rounded.
//
// A few digits are no sign of rounding: 0.5 and 1200 are meant as they are. Places count only if there are any and the
// largest numbers have at least five significant digits, and for a body that is at least a thousand times as large as the
// last place: a box from 2600123.5 to 2600140 is drawn on a grid. The rounding of other files is not known, and their
// numbers are taken at their word.

import type { Positions } from 'nearfield';
import { type Bounds, halfDoubleUlp, halfSingleUlp, isSingle, reachOf } from '../facts/rounding.ts';

/** Fewer significant digits in the largest numbers are taken as meant. */
const fewestDigits = 5;
/** A body of fewer units of the last place is taken as meant. */
const fewestUnits = 1000;
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
  /** The largest number of decimal places of any number. */
  private mostPlaces = 0;
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
    if (-exponent > this.mostPlaces) this.mostPlaces = -exponent;
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
    const printed = this.printedError(positions, Math.max(...reach));
    const single = this.digits > singleDigits && isSingle(positions);
    const half = single ? halfSingleUlp : halfDoubleUlp;
    const errorOf = (value: number) => Math.max(printed, half(value));
    return [errorOf(reach[0]), errorOf(reach[1]), errorOf(reach[2])];
  }

  /** Half a unit of the last place of a body's largest coordinates; 0 if they are taken as meant. */
  private printedError(positions: Positions, largest: number): number {
    const isFixed = this.mostPlaces <= this.places;
    const decade = isFixed || largest === 0 ? this.decade : decadeOf(largest);
    const places = isFixed ? this.places : Math.max(this.places, this.digits - decade);
    if (!(places > 0 && decade + places >= fewestDigits)) return 0;
    const unit = 10 ** -places;
    return extentOf(positions) >= fewestUnits * unit ? 0.5 * unit : 0;
  }
}

/** The longest side of the box around all positions. */
function extentOf(positions: Positions): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3;
    if (positions[i] < low[axis]) low[axis] = positions[i];
    if (positions[i] > high[axis]) high[axis] = positions[i];
  }
  return Math.max(...high.map((value, axis) => value - low[axis]));
}

/** The number of digits before the point; below 0 for numbers such as 0.001. */
function decadeOf(value: number): number {
  const [digits, exponent] = digitsOf(String(value));
  return digits + exponent;
}

/** The number of significant digits, and the power of ten that the last one stands for. */
function digitsOf(number: string): [digits: number, exponent: number] {
  const found = /^[-+]?0*(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(number);
  if (!found) return [0, 0];
  const [, whole, fraction, exponent = '0'] = found;
  const digits = whole === '' ? fraction.replace(/^0+/, '') : whole + fraction;
  return [digits.length, Number(exponent) - fraction.length];
}

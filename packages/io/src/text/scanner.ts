// Finds the words and numbers of a text file in one pass over its bytes, without splitting it into lines or strings.
// Lines end at \n, \r or both; a backslash at the end of a line joins it to the next (OBJ).

import { badFile, quoted } from '../reading/file-error.ts';
import { nearestDouble } from './decimal.ts';
import { doubleDigits, PrintedDigits } from './printed-digits.ts';

const newline = 10;
const carriageReturn = 13;
const space = 32;
const plus = 43;
const minus = 45;
const dot = 46;
const zero = 48;
const nine = 57;
const backslash = 92;

export class Scanner {
  at: number;
  /** The digits of every number read so far. */
  readonly printed = new PrintedDigits();
  private readonly end: number;

  constructor(
    readonly file: string,
    readonly bytes: Uint8Array,
    start = 0,
  ) {
    // A UTF-8 byte order mark is not part of the text.
    const marked = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    this.at = marked ? 3 : start;
    this.end = bytes.length;
  }

  /** Throws `bad-file` and names the line of `at`. */
  fail(what: string, at = this.at): never {
    return badFile(this.file, `line ${this.lineOf(at)}`, what);
  }

  lineOf(at: number): number {
    const { bytes } = this;
    const end = Math.min(at, this.end);
    let line = 1;
    for (let i = 0; i < end; i++) {
      if (bytes[i] === newline || (bytes[i] === carriageReturn && bytes[i + 1] !== newline)) line++;
    }
    return line;
  }

  /** Skips spaces within the line. True if something other than the line's end follows. */
  skipSpace(): boolean {
    const { bytes, end } = this;
    let at = this.at;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte > space) {
        if (byte !== backslash) break;
        const next = bytes[at + 1];
        if (next === newline) at += 1;
        else if (next === carriageReturn) at += bytes[at + 2] === newline ? 2 : 1;
        else break;
      } else if (byte === newline || byte === carriageReturn) {
        this.at = at;
        return false;
      }
    }
    this.at = at;
    return at < end;
  }

  /**
   * Skips spaces, line ends and, if given, comments that run to the end of their line. False at the end of the file.
   */
  skipBlank(comment = -1): boolean {
    const { bytes, end } = this;
    let at = this.at;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte <= space) continue;
      if (byte !== comment) break;
      while (at < end && bytes[at] !== newline && bytes[at] !== carriageReturn) at++;
    }
    this.at = at;
    return at < end;
  }

  /** Skips to the end of the line, not past it. */
  skipLine(): void {
    const { bytes, end } = this;
    let at = this.at;
    while (at < end && bytes[at] !== newline && bytes[at] !== carriageReturn) at++;
    this.at = at;
  }

  /** The rest of the line, without surrounding spaces. */
  restOfLine(): string {
    this.skipSpace();
    const start = this.at;
    this.skipLine();
    return this.textOf(start, this.at).trim();
  }

  /** The word at `at`, up to the next space; at most `longest` bytes are read. */
  word(longest = 80): string {
    const { bytes } = this;
    const start = this.at;
    const end = Math.min(this.end, start + longest);
    let at = start;
    while (at < end && bytes[at] > space) at++;
    this.at = at;
    return this.textOf(start, at);
  }

  /** Skips to the next space. */
  skipWord(): void {
    const { bytes, end } = this;
    let at = this.at;
    while (at < end && bytes[at] > space) at++;
    this.at = at;
  }

  textOf(start: number, end: number): string {
    return new TextDecoder().decode(this.bytes.subarray(start, end));
  }

  /** Skips spaces of the same line. Returns where the next word begins. */
  #beginWord(what: string): number {
    const byte = this.bytes[this.at];
    if (!(byte > space && byte !== backslash) && !this.skipSpace()) this.fail(`the line ends before ${what}`);
    return this.at;
  }

  /** A decimal number, correctly rounded, after spaces of the same line. `what` names it in errors. */
  number(what: string): number {
    const { bytes } = this;
    const start = this.#beginWord(what);
    let at = start;
    let byte = bytes[at];
    const negative = byte === minus;
    if (negative || byte === plus) byte = bytes[++at];
    // The first 15 significant digits go to `high`, seven more to `low`. A number with more is left to Number().
    while (byte === zero) byte = bytes[++at];
    let fractionStart = -1;
    let high = 0;
    let low = 0;
    let digits = 0;
    for (; ; byte = bytes[++at]) {
      if (byte >= zero && byte <= nine) {
        if (digits < 15) {
          high = high * 10 + (byte - zero);
          // Leading zeros are not significant.
          if (high !== 0) digits++;
        } else if (digits++ < 22) low = low * 10 + (byte - zero);
      } else if (byte === dot && fractionStart < 0) fractionStart = at + 1;
      else break;
    }
    let exponent = fractionStart < 0 ? 0 : fractionStart - at;
    const before = bytes[at - 1];
    const isNumber =
      before >= zero && before <= nine
        ? true
        : before === dot && bytes[at - 2] >= zero && bytes[at - 2] <= nine;
    if (!isNumber || at === start) this.failNumber(what, start);
    if (byte > space) {
      exponent += this.exponent(what, start, at);
      at = this.at;
    }
    this.at = at;
    let value = digits <= 22 ? nearestDouble(high, low, digits > 15 ? digits - 15 : 0, exponent) : Number.NaN;
    // Not decided above. The characters are known to form a number, so Number() reads them all.
    if (Number.isNaN(value)) value = Math.abs(Number(this.textOf(start, at)));
    if (value === Infinity) {
      this.fail(`${what} is ${quoted(this.textOf(start, at))}, too large for a double`, start);
    }
    if (digits > doubleDigits) this.printed.seeLong(value);
    else if (digits > 0) this.printed.see(digits, exponent);
    return negative ? -value : value;
  }

  /** Reads the exponent "e-12" at `at` of the number that began at `start`, and moves past it. */
  private exponent(what: string, start: number, at: number): number {
    const { bytes, end } = this;
    let byte = bytes[at];
    if (byte !== 101 && byte !== 69) this.failNumber(what, start);
    byte = bytes[++at];
    const below = byte === minus;
    if (below || byte === plus) byte = bytes[++at];
    if (!(byte >= zero && byte <= nine)) this.failNumber(what, start);
    let exponent = 0;
    for (; byte >= zero && byte <= nine; byte = bytes[++at]) {
      if (exponent < 100000) exponent = exponent * 10 + (byte - zero);
    }
    if (at < end && byte > space) this.failNumber(what, start);
    this.at = at;
    return below ? -exponent : exponent;
  }

  private failNumber(what: string, start: number): never {
    this.at = start;
    const word = this.word();
    return this.fail(`${what} is ${quoted(word)}, which is not a number`, start);
  }

  /**
   * Skips everything that looks like a number, including "nan", to the end of the line or a comment. Returns the
   * count, and stops at one more than `most`.
   */
  skipNumbers(what: string, comment: number, most: number): number {
    const { bytes } = this;
    let count = 0;
    while (count <= most && this.skipSpace() && bytes[this.at] !== comment) {
      const start = this.at;
      let at = start;
      if (bytes[at] === minus || bytes[at] === plus) at++;
      if (bytes[at] === dot) at++;
      const isDigit = bytes[at] >= zero && bytes[at] <= nine;
      if (!isDigit && !/^[-+]?(nan|inf)/i.test(this.textOf(start, start + 4))) this.failNumber(what, start);
      this.skipWord();
      count++;
    }
    return count;
  }

  /** A whole number after spaces of the same line. Stops before the first byte that is not a digit. */
  integer(what: string): number {
    const { bytes } = this;
    const start = this.#beginWord(what);
    let at = start;
    let byte = bytes[at];
    const negative = byte === minus;
    if (negative || byte === plus) byte = bytes[++at];
    const first = at;
    let value = 0;
    for (; byte >= zero && byte <= nine; byte = bytes[++at]) value = value * 10 + (byte - zero);
    if (at === first) {
      const word = this.word();
      this.fail(`${what} is ${quoted(word)}, which is not a whole number`, start);
    }
    if (value > Number.MAX_SAFE_INTEGER) this.fail(`${what} has too many digits`, start);
    this.at = at;
    return negative ? -value : value;
  }

  /** A whole number followed by a space or the end of the line. */
  wholeNumber(what: string): number {
    const value = this.integer(what);
    if (this.at < this.end && this.bytes[this.at] > space) {
      this.fail(`${what} is followed by ${quoted(this.word())}, not by a space`);
    }
    return value;
  }
}

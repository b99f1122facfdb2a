// Reads the data of a PLY file value by value, in each of its encodings.

import { badFile } from '../reading/file-error.ts';
import type { PrintedDigits } from '../text/printed-digits.ts';
import { Scanner } from '../text/scanner.ts';
import { type Element, type PlyHeader, type Scalar, scalarBytes } from './header.ts';

export interface Source {
  number(type: Scalar): number;
  /** Skips a value that is not used, whatever it is: exporters write "nan" for missing normals. */
  skip(type: Scalar): void;
  /** Called before each record of an element, and after it. */
  begin(element: Element, record: number): void;
  end(): void;
  /** Called after the last element: any remaining data is more than the header promised. */
  finish(): void;
  /** The bytes not yet read. */
  readonly left: number;
  fail(what: string): never;
}

/** Text: one record per line. */
export class TextSource implements Source {
  private readonly scanner: Scanner;
  constructor(
    file: string,
    private readonly bytes: Uint8Array,
    header: PlyHeader,
  ) {
    this.scanner = new Scanner(file, bytes, header.dataStart);
  }

  /** The digits of the numbers read so far. */
  get printed(): PrintedDigits {
    return this.scanner.printed;
  }
  number(type: Scalar): number {
    const real = type === 'float32' || type === 'float64';
    return real ? this.scanner.number('a value') : this.scanner.wholeNumber('a value');
  }
  skip(): void {
    if (!this.scanner.skipSpace()) this.fail('the line ends before its last value');
    this.scanner.skipWord();
  }
  begin(element: Element, record: number): void {
    if (!this.scanner.skipBlank())
      this.fail(`the file ends after ${record} of ${element.count} "${element.name}"`);
  }
  end(): void {
    if (this.scanner.skipSpace()) this.fail('the line holds more values than the header says');
  }
  finish(): void {
    if (this.scanner.skipBlank()) this.fail('there is more data than the header promises');
  }
  get left(): number {
    return this.bytes.length - this.scanner.at;
  }
  fail(what: string): never {
    return this.scanner.fail(what);
  }
}

export class BinarySource implements Source {
  readonly view: DataView;
  readonly little: boolean;
  at: number;
  private element: Element | undefined;
  private record = 0;

  constructor(
    private readonly file: string,
    bytes: Uint8Array,
    header: PlyHeader,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.little = header.encoding === 'binary_little_endian';
    this.at = header.dataStart;
  }

  number(type: Scalar): number {
    const { view, little, at } = this;
    const next = at + scalarBytes[type];
    if (next > view.byteLength) this.failEnd();
    this.at = next;
    switch (type) {
      case 'int8':
        return view.getInt8(at);
      case 'uint8':
        return view.getUint8(at);
      case 'int16':
        return view.getInt16(at, little);
      case 'uint16':
        return view.getUint16(at, little);
      case 'int32':
        return view.getInt32(at, little);
      case 'uint32':
        return view.getUint32(at, little);
      case 'float32':
        return view.getFloat32(at, little);
      case 'float64':
        return view.getFloat64(at, little);
    }
  }
  skip(type: Scalar): void {
    const next = this.at + scalarBytes[type];
    if (next > this.view.byteLength) this.failEnd();
    this.at = next;
  }
  begin(element: Element, record: number): void {
    this.element = element;
    this.record = record;
  }
  end(): void {}
  finish(): void {
    const { view, left } = this;
    // Some writers end the file with a line end.
    const ending = Array.from({ length: Math.min(left, 3) }, (_, i) => view.getUint8(this.at + i)).join(' ');
    if (ending === '' || ending === '10' || ending === '13 10') return;
    this.fail(`there are ${left} bytes more than the header promises`);
  }
  get left(): number {
    return this.view.byteLength - this.at;
  }
  fail(what: string): never {
    return badFile(this.file, `byte ${this.at}`, what);
  }
  failEnd(): never {
    return this.fail(`the file ends inside "${this.element?.name}" ${this.record} of ${this.element?.count}`);
  }
}

// Which triangles does an STL file contain? Reads both forms: text (`solid … facet … vertex x y z`) as doubles,
// binary (80 bytes of header, a count, 50 bytes per triangle) as the stored single-precision numbers. Facet normals
// are skipped: the order of the vertices gives the outside. A header or a solid's name that says `UNITS=mm` gives the
// unit.

import { binaryError, roundingOf } from './facts/rounding.ts';
import { unitOfComment } from './facts/units.ts';
import { mendPolygons, Polygons } from './polygons/polygons.ts';
import { baseName, meshOfFile, type ReadResult, soupIndices } from './read-result.ts';
import { badFile, quoted } from './reading/file-error.ts';
import { GrowingFloats } from './reading/growing.ts';
import { Scanner } from './text/scanner.ts';

const headerBytes = 84;
const triangleBytes = 50;
/** The limit in bytes of a solid's name and the rest of its line. */
const longestName = 4096;
/** Latin-1: one letter per byte. */
const latin1 = new TextDecoder('latin1');
const statements = new Set('solid facet normal outer loop vertex endloop endfacet endsolid'.split(' '));

export function readStl(file: string, bytes: Uint8Array): ReadResult {
  return isBinary(bytes) ? readBinary(file, bytes) : readText(file, bytes);
}

/** If the size fits the binary count, the file is binary. Otherwise a file that begins like text is text. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.length >= headerBytes && bytes.length === headerBytes + triangleBytes * binaryCount(bytes)) {
    return true;
  }
  const scanner = new Scanner('', bytes.subarray(0, 200));
  return !(scanner.skipBlank() && scanner.word().toLowerCase() === 'solid');
}

function binaryCount(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
}

function readBinary(file: string, bytes: Uint8Array): ReadResult {
  if (bytes.length < headerBytes) {
    badFile(
      file,
      '',
      `${bytes.length} bytes are neither a text STL nor the ${headerBytes} a binary one begins with`,
    );
  }
  const count = binaryCount(bytes);
  const needed = headerBytes + triangleBytes * count;
  if (needed > bytes.length) {
    badFile(
      file,
      'byte 80',
      `the header promises ${count} triangles in ${needed} bytes, but the file has ${bytes.length}`,
    );
  }
  const warnings: string[] = [];
  if (needed + triangleBytes <= bytes.length) {
    badFile(
      file,
      'byte 80',
      `the header promises ${count} triangles in ${needed} bytes, but the file has ${bytes.length}`,
    );
  }
  if (needed < bytes.length) {
    warnings.push(`${file}: ${bytes.length - needed} bytes after the last triangle are skipped`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const positions = new Float32Array(9 * count);
  for (let triangle = 0; triangle < count; triangle++) {
    const at = headerBytes + triangleBytes * triangle + 12;
    for (let i = 0; i < 9; i++) positions[9 * triangle + i] = view.getFloat32(at + 4 * i, true);
  }
  const mesh = meshOfFile(file, '', positions, soupIndices(3 * count));
  const unit = unitOfComment(latin1.decode(bytes.subarray(0, 80)));
  const rounding = roundingOf(binaryError(positions));
  return { bodies: [{ name: baseName(file), mesh, rounding }], warnings, unit };
}

function readText(file: string, bytes: Uint8Array): ReadResult {
  return new TextReader(file, bytes).read();
}

/**
 * Parses text by words, regardless of line breaks: solid (facet (outer loop (vertex x y z)… endloop) endfacet)…
 * endsolid. Only the names after `solid` and `endsolid` end with their line.
 */
class TextReader {
  private readonly scanner: Scanner;
  private readonly positions = new GrowingFloats();
  /** The position of the word that was read last. */
  private at = 0;
  /** Loops of more than three vertices, and the vertices of the current loop. */
  private readonly polygons = new Polygons();
  private polygonCount = 0;
  private readonly loop = new GrowingFloats();
  private unit: number | undefined;

  constructor(
    private readonly file: string,
    private readonly bytes: Uint8Array,
  ) {
    this.scanner = new Scanner(file, bytes);
  }

  read(): ReadResult {
    const { file, scanner } = this;
    let inSolid = false;
    for (let word = this.word(); word !== ''; word = this.word()) {
      if (word === 'solid' || word === 'endsolid') {
        if (inSolid === (word === 'solid')) {
          scanner.fail(inSolid ? 'a solid begins inside a solid' : '"endsolid" without "solid"', this.at);
        }
        inSolid = word === 'solid';
        this.skipName();
      } else if (!inSolid) scanner.fail(`${quoted(word)} outside a solid`, this.at);
      else if (word === 'facet') this.facet();
      else scanner.fail(`${quoted(word)} is not an STL statement`, this.at);
    }
    if (inSolid) scanner.fail('the file ends without "endsolid": it may have been cut short');
    return this.finish(file);
  }

  /** The next word in lower case; empty at the end of the file. */
  private word(): string {
    const { scanner } = this;
    if (!scanner.skipBlank()) return '';
    this.at = scanner.at;
    const word = scanner.word().toLowerCase();
    // A word too long to be a statement is compared only by its beginning.
    scanner.skipWord();
    return word;
  }

  /** Skips the word `expected`; `found` is the next word. */
  private expect(expected: string, inside: string, found = this.word()): void {
    if (found === expected) return;
    if (this.scanner.at === this.bytes.length && expected.startsWith(found)) {
      this.scanner.fail(`the file ends inside ${inside}`);
    }
    this.scanner.fail(`expected "${expected}", found ${quoted(found)}`, this.at);
  }

  /** The rest of the line is a name, unless it contains a facet. */
  private skipName(): void {
    const { scanner } = this;
    const start = scanner.at;
    scanner.skipLine();
    const end = scanner.at;
    const name = latin1.decode(this.bytes.subarray(start, Math.min(end, start + longestName)));
    const facet = /\sfacet\s+normal\s/i.exec(name);
    const part = /\s(outer\s+loop|vertex\s+[-+.\d]\S*|endloop|endfacet)(\s|$)/i.exec(name);
    if (part && !(facet && facet.index < part.index)) {
      scanner.fail(`unexpected ${quoted(part[1])} on the line of a solid's name`, start);
    }
    this.unit ??= unitOfComment(name.slice(0, facet?.index));
    if (facet) scanner.at = start + facet.index;
    else if (end > start + longestName) scanner.fail('the name of a solid is too long', start);
  }

  private facet(): void {
    const { scanner } = this;
    // A normal is skipped, whatever it is: exporters write "nan" for missing ones.
    let word = this.word();
    if (word === 'normal') {
      for (let axis = 0; axis < 3; axis++) {
        word = this.word();
        if (statements.has(word)) scanner.fail(`the normal ends after ${axis} numbers`, this.at);
      }
      word = this.word();
    }
    this.expect('outer', 'a facet', word);
    this.expect('loop', 'a loop');
    this.readLoop();
    this.expect('endfacet', 'a facet');
  }

  private readLoop(): void {
    const { scanner, loop, positions } = this;
    const start = this.at;
    loop.length = 0;
    let word = this.word();
    for (; word === 'vertex'; word = this.word()) {
      loop.push3(scanner.number('x'), scanner.number('y'), scanner.number('z'));
    }
    this.expect('endloop', 'a loop', word);
    const corners = loop.length / 3;
    if (corners < 3) scanner.fail(`a loop with ${corners} vertices is not a triangle`, this.at);
    if (corners > 3) this.polygonCount++;
    this.polygons.add(positions.length / 3, corners, start);
    for (let i = 1; i + 1 < corners; i++) {
      for (const corner of [0, i, i + 1]) {
        positions.push3(loop.at(3 * corner), loop.at(3 * corner + 1), loop.at(3 * corner + 2));
      }
    }
  }

  private finish(file: string): ReadResult {
    const warnings: string[] = [];
    const { polygonCount, scanner } = this;
    if (polygonCount > 0)
      warnings.push(`${file}: ${polygonCount} loops with more than 3 vertices are triangulated`);
    const values = this.positions.finish();
    const indices = soupIndices(values.length / 3);
    if (polygonCount > 0) {
      const lineOf = (at: number) => `line ${scanner.lineOf(at)}`;
      mendPolygons(file, this.polygons, values, indices, lineOf, warnings);
    }
    const mesh = meshOfFile(file, '', values, indices);
    const rounding = roundingOf(scanner.printed.errorOf(values));
    return { bodies: [{ name: baseName(file), mesh, rounding }], warnings, unit: this.unit };
  }
}

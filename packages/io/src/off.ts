// Which polygons does an OFF file hold? Geomview's text form with or without colours, normals and texture
// coordinates (COFF, NOFF, STOFF and their combinations), which are skipped. Convex faces are fanned from their first
// vertex, others triangulated.

import { badFile, quoted, unsupportedFile } from './file-error.ts';
import { GrowingFloats, GrowingIndices } from './growing.ts';
import { Polygons, triangulatePolygons } from './polygons/polygons.ts';
import { baseName, meshOfFile, type ReadResult } from './read-result.ts';
import { Scanner } from './text/scanner.ts';

const comment = 35;

export function readOff(file: string, bytes: Uint8Array): ReadResult {
  const scanner = new Scanner(file, bytes);
  if (!scanner.skipBlank(comment)) badFile(file, '', 'the file is empty');
  readKeyword(scanner);
  const vertexCount = readCount(scanner, 'the number of vertices');
  const faceCount = readCount(scanner, 'the number of faces');
  // Some writers leave out the number of edges, which nobody uses.
  if (!atLineEnd(scanner)) scanner.wholeNumber('the number of edges');
  if (!atLineEnd(scanner)) scanner.fail('the line goes on after the number of edges');
  // Three numbers of one digit and their blanks take 6 bytes, a face "0" takes 2 (the last line may lack its end).
  const left = bytes.length - scanner.at + 1;
  if (6 * vertexCount + 2 * faceCount > left) {
    scanner.fail(
      `the header promises ${vertexCount} vertices and ${faceCount} faces; they do not fit in the ${left - 1} bytes that follow`,
    );
  }

  const positions = new GrowingFloats();
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    if (!scanner.skipBlank(comment)) scanner.fail(`the file ends after ${vertex} of ${vertexCount} vertices`);
    positions.push3(scanner.number('x'), scanner.number('y'), scanner.number('z'));
    const most = 9;
    if (scanner.skipNumbers('what follows a vertex', comment, most) > most) {
      scanner.fail(`vertex ${vertex} has more than a colour, a normal and texture coordinates on its line`);
    }
    scanner.skipLine();
  }
  const indices = new GrowingIndices();
  const polygons = new Polygons();
  let smallFaces = 0;
  for (let face = 0; face < faceCount; face++) {
    if (!scanner.skipBlank(comment)) scanner.fail(`the file ends after ${face} of ${faceCount} faces`);
    const at = scanner.at;
    const corners = scanner.wholeNumber('the number of corners');
    if (corners < 0) scanner.fail(`a face with ${corners} corners`, at);
    const start = indices.length;
    let a = 0;
    let b = 0;
    for (let corner = 0; corner < corners; corner++) {
      const c = scanner.wholeNumber('a vertex index');
      if (c < 0 || c >= vertexCount)
        scanner.fail(`face ${face} names vertex ${c}, but there are ${vertexCount}`, at);
      if (corner >= 2) indices.push3(a, b, c);
      if (corner === 0) a = c;
      b = c;
    }
    if (corners < 3) smallFaces++;
    else polygons.add(start, corners, at);
    skipColour(scanner, face);
  }
  const warnings: string[] = [];
  if (scanner.skipBlank(comment)) {
    scanner.fail(`something follows the last of the ${faceCount} faces that the header promises`);
  }
  if (smallFaces > 0) warnings.push(`${file}: ${smallFaces} faces with fewer than 3 corners are skipped`);
  const vertices = positions.finish();
  const lineOf = (at: number) => `line ${scanner.lineOf(at)}`;
  const triangles = triangulatePolygons(file, polygons, vertices, indices, lineOf, warnings);
  const mesh = meshOfFile(file, '', vertices, triangles);
  return { bodies: [{ name: baseName(file), mesh }], warnings };
}

/** Skips blanks. Whether the line ends here, or a comment begins. */
const atLineEnd = (scanner: Scanner): boolean =>
  !scanner.skipSpace() || scanner.bytes[scanner.at] === comment;

/** After its corners a face may have up to four numbers of colour; more would be another face on the same line. */
function skipColour(scanner: Scanner, face: number): void {
  const at = scanner.at;
  const most = 4;
  if (scanner.skipNumbers(`the colour of face ${face}`, comment, most) > most) {
    scanner.fail(`face ${face} has more than its corners and a colour on its line`, at);
  }
  scanner.skipLine();
}

/** `OFF`, perhaps with prefixes; Geomview lets it be left out. */
function readKeyword(scanner: Scanner): void {
  const start = scanner.at;
  const word = scanner.word();
  if (!/^(ST)?C?N?4?n?OFF$/.test(word)) {
    if (!/^[0-9]+$/.test(word)) scanner.fail(`an OFF file begins with OFF, not with ${quoted(word)}`, start);
    scanner.at = start;
    return;
  }
  const dimension = /[4n]+OFF$/.exec(word);
  if (dimension) unsupportedFile(scanner.file, '', `${word} has vertices with other than 3 coordinates`);
  if (scanner.skipSpace()) {
    const next = scanner.at;
    if (scanner.word() === 'BINARY')
      unsupportedFile(scanner.file, '', 'binary OFF is not read; use PLY or STL');
    scanner.at = next;
  }
}

function readCount(scanner: Scanner, what: string): number {
  if (!scanner.skipBlank(comment)) scanner.fail(`the file ends where ${what} should be`);
  const at = scanner.at;
  const count = scanner.wholeNumber(what);
  if (count < 0) scanner.fail(`${what} is ${count}`, at);
  return count;
}

// Which polygons does an OFF file contain? Reads Geomview's text form. Colours, normals and texture coordinates
// (COFF, NOFF, STOFF and their combinations) are skipped. Convex faces are fanned from their first vertex; other
// faces are triangulated.

import { roundingOf } from './facts/rounding.ts';
import { Polygons, triangulatePolygons } from './polygons/polygons.ts';
import { baseName, meshOfFile, type ReadResult } from './read-result.ts';
import { badFile, quoted, unsupportedFile } from './reading/file-error.ts';
import { GrowingFloats, GrowingIndices } from './reading/growing.ts';
import { Scanner } from './text/scanner.ts';

const comment = 35;

export function readOff(file: string, bytes: Uint8Array): ReadResult {
  const scanner = new Scanner(file, bytes);
  if (!scanner.skipBlank(comment)) badFile(file, '', 'the file is empty');
  readKeyword(scanner);
  const vertexCount = readCount(scanner, 'the number of vertices');
  const faceCount = readCount(scanner, 'the number of faces');
  // Some writers leave out the number of edges, which is not used anyway.
  if (!atLineEnd(scanner)) scanner.wholeNumber('the number of edges');
  if (!atLineEnd(scanner)) scanner.fail('the line goes on after the number of edges');
  // Three one-digit numbers with their spaces take 6 bytes, a face "0" takes 2 (the last line may have no line end).
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
      scanner.fail(
        `the line of vertex ${vertex} has more than coordinates, a colour, a normal and texture coordinates`,
      );
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
        scanner.fail(`face ${face} refers to vertex ${c}, but there are ${vertexCount}`, at);
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
    scanner.fail(`there is more data after the ${faceCount} faces that the header promises`);
  }
  if (smallFaces > 0) warnings.push(`${file}: ${smallFaces} faces with fewer than 3 corners are skipped`);
  const vertices = positions.finish();
  const lineOf = (at: number) => `line ${scanner.lineOf(at)}`;
  const triangles = triangulatePolygons(file, polygons, vertices, indices, lineOf, warnings);
  const mesh = meshOfFile(file, '', vertices, triangles);
  const rounding = roundingOf(scanner.printed.errorOf(vertices));
  return { bodies: [{ name: baseName(file), mesh, rounding }], warnings };
}

/** Skips spaces. Returns whether the line ends here or a comment begins. */
const atLineEnd = (scanner: Scanner): boolean =>
  !scanner.skipSpace() || scanner.bytes[scanner.at] === comment;

/** After its corners a face may have up to four numbers of colour. More would be another face on the same line. */
function skipColour(scanner: Scanner, face: number): void {
  const at = scanner.at;
  const most = 4;
  if (scanner.skipNumbers(`the colour of face ${face}`, comment, most) > most) {
    scanner.fail(`the line of face ${face} has more than its corners and a colour`, at);
  }
  scanner.skipLine();
}

/** `OFF`, possibly with prefixes; Geomview allows to leave it out. */
function readKeyword(scanner: Scanner): void {
  const start = scanner.at;
  const word = scanner.word();
  if (!/^(ST)?C?N?4?n?OFF$/.test(word)) {
    if (!/^[0-9]+$/.test(word))
      scanner.fail(`an OFF file must begin with OFF, not with ${quoted(word)}`, start);
    scanner.at = start;
    return;
  }
  const dimension = /[4n]+OFF$/.exec(word);
  if (dimension) unsupportedFile(scanner.file, '', `${word} has vertices with other than 3 coordinates`);
  if (scanner.skipSpace()) {
    const next = scanner.at;
    if (scanner.word() === 'BINARY')
      unsupportedFile(scanner.file, '', 'binary OFF is not supported; use PLY or STL');
    scanner.at = next;
  }
}

function readCount(scanner: Scanner, what: string): number {
  if (!scanner.skipBlank(comment)) scanner.fail(`the file ends before ${what}`);
  const at = scanner.at;
  const count = scanner.wholeNumber(what);
  if (count < 0) scanner.fail(`${what} is ${count}`, at);
  return count;
}

// Which polygons does an OFF file hold? Geomview's text form with or without colours, normals and texture
// coordinates (COFF, NOFF, STOFF and their combinations), which are skipped. Faces are fanned from their first
// vertex.

import { badFile, quoted, unsupportedFile } from './file-error.ts';
import { GrowingFloats, GrowingIndices } from './growing.ts';
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
  scanner.skipLine();
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
    scanner.skipLine();
  }
  const indices = new GrowingIndices();
  let smallFaces = 0;
  for (let face = 0; face < faceCount; face++) {
    if (!scanner.skipBlank(comment)) scanner.fail(`the file ends after ${face} of ${faceCount} faces`);
    const at = scanner.at;
    const corners = scanner.wholeNumber('the number of corners');
    if (corners < 0) scanner.fail(`a face with ${corners} corners`, at);
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
    scanner.skipLine();
  }
  const warnings: string[] = [];
  if (scanner.skipBlank(comment)) {
    warnings.push(`${file}: line ${scanner.lineOf(scanner.at)}: what follows the last face is skipped`);
  }
  if (smallFaces > 0) warnings.push(`${file}: ${smallFaces} faces with fewer than 3 corners are skipped`);
  const mesh = meshOfFile(file, '', positions.finish(), indices.finish());
  return { bodies: [{ name: baseName(file), mesh }], warnings };
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

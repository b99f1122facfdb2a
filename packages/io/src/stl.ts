// Which triangles does an STL file hold? Both forms: text (`solid … facet … vertex x y z`) as doubles, binary
// (80 bytes of header, a count, 50 bytes a triangle) as the single-precision numbers it stores. Facet normals
// are skipped: the order of the vertices says which side is out.

import { badFile, quoted } from './file-error.ts';
import { GrowingFloats } from './growing.ts';
import { baseName, meshOfFile, type ReadResult, soupIndices } from './read-result.ts';
import { Scanner } from './text/scanner.ts';

const headerBytes = 84;
const triangleBytes = 50;

export function readStl(file: string, bytes: Uint8Array): ReadResult {
  return isBinary(bytes) ? readBinary(file, bytes) : readText(file, bytes);
}

/** A size that fits the binary count decides; otherwise a file that begins like text is text. */
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
  return { bodies: [{ name: baseName(file), mesh }], warnings };
}

function readText(file: string, bytes: Uint8Array): ReadResult {
  const scanner = new Scanner(file, bytes);
  const positions = new GrowingFloats();
  const warnings: string[] = [];
  let polygons = 0;
  // Inside a loop: how many vertices it has so far, the first and the last of them.
  let inLoop = false;
  let corners = 0;
  const first = [0, 0, 0];
  const last = [0, 0, 0];
  let solids = 0;
  while (scanner.skipBlank()) {
    const at = scanner.at;
    const word = scanner.word().toLowerCase();
    if (word === 'vertex') {
      if (!inLoop) scanner.fail('a vertex outside a loop', at);
      const x = scanner.number('x');
      const y = scanner.number('y');
      const z = scanner.number('z');
      if (corners >= 2) {
        positions.push3(first[0], first[1], first[2]);
        positions.push3(last[0], last[1], last[2]);
        positions.push3(x, y, z);
      }
      if (corners === 0) {
        first[0] = x;
        first[1] = y;
        first[2] = z;
      }
      last[0] = x;
      last[1] = y;
      last[2] = z;
      corners++;
    } else if (word === 'outer') {
      if (inLoop) scanner.fail('a loop begins inside a loop', at);
      inLoop = true;
      corners = 0;
    } else if (word === 'endloop') {
      if (!inLoop) scanner.fail('a loop ends that did not begin', at);
      if (corners < 3) scanner.fail(`a loop with ${corners} vertices is no triangle`, at);
      if (corners > 3) polygons++;
      inLoop = false;
    } else if (word === 'solid') {
      solids++;
    } else if (word !== 'facet' && word !== 'endfacet' && word !== 'endsolid') {
      scanner.fail(`${quoted(word)} is not an STL statement`, at);
    }
    if (solids === 0) scanner.fail(`${quoted(word)} comes before the first solid`, at);
    scanner.skipLine();
  }
  if (inLoop) scanner.fail('the file ends inside a loop');
  if (polygons > 0)
    warnings.push(`${file}: ${polygons} loops with more than 3 vertices are fanned into triangles`);
  const values = positions.finish();
  const mesh = meshOfFile(file, '', values, soupIndices(values.length / 3));
  return { bodies: [{ name: baseName(file), mesh }], warnings };
}

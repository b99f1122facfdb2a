// Which bodies does a Wavefront OBJ file hold? Each `o` is one, else each `g`, else the file; a name that comes
// again goes on with the same body. Faces are fanned from their first vertex. Everything that is neither a
// vertex nor a face (texture coordinates, normals, materials, lines, points) is skipped.

import { quoted } from './file-error.ts';
import { GrowingFloats, GrowingIndices } from './growing.ts';
import { baseName, meshOfFile, type ReadBody, type ReadResult } from './read-result.ts';
import { Scanner } from './scanner.ts';

/** Statements that carry no triangles and are skipped without a word. */
const skipped = new Set(
  'vt vn vp s usemtl mtllib l p mg usemap maplib cstype bevel c_interp d_interp lod shadow_obj trace_obj'.split(
    ' ',
  ),
);
/** Free-form geometry, which this reader does not turn into triangles. */
const freeForm = new Set(
  'deg bmat step curv curv2 surf parm trim hole scrv sp end con ctech stech bsp bzp cdc cdp res'.split(' '),
);

/** From the triangle at `start` in the index list on, faces belong to this object and this group. */
interface Run {
  readonly start: number;
  readonly objectName: string | undefined;
  readonly groupName: string | undefined;
}

export function readObj(file: string, bytes: Uint8Array): ReadResult {
  const scanner = new Scanner(file, bytes);
  const positions = new GrowingFloats();
  const indices = new GrowingIndices();
  const runs: Run[] = [{ start: 0, objectName: undefined, groupName: undefined }];
  const warnings: string[] = [];
  let hasObjects = false;
  let hasGroups = false;
  let smallFaces = 0;
  let freeFormCount = 0;
  let unknownWord: string | undefined;
  let unknownAt = 0;
  // A face may name vertices that come later; the furthest is checked against the count at the end.
  let furthest = 0;
  let furthestAt = 0;

  const beginRun = (objectName: string | undefined, groupName: string | undefined) => {
    const run = { start: indices.length, objectName, groupName };
    if (runs[runs.length - 1].start === indices.length) runs[runs.length - 1] = run;
    else runs.push(run);
  };

  const corner = (): number => {
    const at = scanner.at;
    const given = scanner.integer('a vertex index');
    // The texture and normal indices of the corner, "/7/7" or "//7", are skipped.
    while (bytes[scanner.at] > 32) {
      const byte = bytes[scanner.at];
      if (byte !== 47 && byte !== 45 && !(byte >= 48 && byte <= 57)) {
        if (byte === 92) break;
        scanner.at = at;
        scanner.skipSpace();
        const start = scanner.at;
        scanner.fail(`the corner ${quoted(scanner.word())} is not of the form 1/2/3`, start);
      }
      scanner.at++;
    }
    if (given > 0) {
      if (given > furthest) {
        furthest = given;
        furthestAt = at;
      }
      return given - 1;
    }
    const index = positions.length / 3 + given;
    if (given === 0) scanner.fail('vertex indices count from 1; this face names vertex 0', at);
    if (index < 0) {
      scanner.fail(
        `this face names vertex ${given}, but only ${positions.length / 3} vertices come before it`,
        at,
      );
    }
    return index;
  };

  while (scanner.skipBlank()) {
    const first = bytes[scanner.at];
    const second = bytes[scanner.at + 1];
    if (first === 35) {
      scanner.skipLine();
    } else if (first === 118 && second <= 32) {
      scanner.at++;
      positions.push3(scanner.number('x'), scanner.number('y'), scanner.number('z'));
      scanner.skipLine();
    } else if (first === 102 && second <= 32) {
      scanner.at++;
      let count = 0;
      let a = 0;
      let b = 0;
      while (scanner.skipSpace() && bytes[scanner.at] !== 35) {
        const c = corner();
        if (count >= 2) indices.push3(a, b, c);
        if (count === 0) a = c;
        b = c;
        count++;
      }
      if (count < 3) smallFaces++;
      scanner.skipLine();
    } else {
      const at = scanner.at;
      const word = scanner.word();
      const last = runs[runs.length - 1];
      if (word === 'o') {
        hasObjects = true;
        beginRun(scanner.restOfLine() || baseName(file), last.groupName);
      } else if (word === 'g') {
        hasGroups = true;
        beginRun(last.objectName, scanner.restOfLine() || 'default');
      } else if (freeForm.has(word)) {
        freeFormCount++;
      } else if (!skipped.has(word) && unknownWord === undefined) {
        unknownWord = word;
        unknownAt = at;
      }
      scanner.skipLine();
    }
  }

  const vertexCount = positions.length / 3;
  if (furthest > vertexCount) {
    scanner.fail(`a face names vertex ${furthest}, but the file has ${vertexCount}`, furthestAt);
  }
  if (unknownWord !== undefined) {
    const line = scanner.lineOf(unknownAt);
    if (indices.length === 0) scanner.fail(`${quoted(unknownWord)} is not an OBJ statement`, unknownAt);
    warnings.push(`${file}: line ${line}: ${quoted(unknownWord)} is not an OBJ statement: skipped`);
  }
  if (freeFormCount > 0)
    warnings.push(`${file}: ${freeFormCount} statements of free-form geometry are skipped`);
  if (smallFaces > 0) warnings.push(`${file}: ${smallFaces} faces with fewer than 3 corners are skipped`);
  const nameOf = (run: Run) =>
    (hasObjects ? run.objectName : hasGroups ? run.groupName : undefined) ?? baseName(file);
  return { bodies: splitBodies(file, positions.finish(), indices.finish(), runs, nameOf), warnings };
}

/**
 * One body for each name that has triangles, in order of first use. A lone body keeps every vertex of the file
 * as given; otherwise each has the vertices that its triangles use, in the order of the file.
 */
function splitBodies(
  file: string,
  positions: Float64Array,
  indices: Uint32Array,
  runs: readonly Run[],
  nameOf: (run: Run) => string,
): ReadBody[] {
  const pieces = new Map<string, Uint32Array[]>();
  for (let r = 0; r < runs.length; r++) {
    const piece = indices.subarray(runs[r].start, runs[r + 1]?.start ?? indices.length);
    if (piece.length === 0) continue;
    const name = nameOf(runs[r]);
    const known = pieces.get(name);
    if (known) known.push(piece);
    else pieces.set(name, [piece]);
  }
  if (pieces.size === 1) {
    const [name] = pieces.keys();
    return [{ name, mesh: meshOfFile(file, '', positions, indices) }];
  }
  const local = new Uint32Array(positions.length / 3);
  const owner = new Uint32Array(positions.length / 3);
  const bodies: ReadBody[] = [];
  for (const [name, parts] of pieces) {
    const id = bodies.length + 1;
    const triangles = concatenate(parts);
    const used: number[] = [];
    for (const vertex of triangles) {
      if (owner[vertex] !== id) {
        owner[vertex] = id;
        used.push(vertex);
      }
    }
    const order = Uint32Array.from(used).sort();
    const own = new Float64Array(order.length * 3);
    for (let i = 0; i < order.length; i++) {
      const vertex = order[i];
      local[vertex] = i;
      own[3 * i] = positions[3 * vertex];
      own[3 * i + 1] = positions[3 * vertex + 1];
      own[3 * i + 2] = positions[3 * vertex + 2];
    }
    for (let i = 0; i < triangles.length; i++) triangles[i] = local[triangles[i]];
    bodies.push({ name, mesh: meshOfFile(file, '', own, triangles) });
  }
  return bodies;
}

function concatenate(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// Which bodies does a Wavefront OBJ file contain? Each `o` is a body; without `o`, each `g`; without either, the
// file. A name that occurs again continues the same body. Convex faces are fanned from their first vertex; other
// faces are triangulated. Everything that is neither a vertex nor a face (texture coordinates, normals, materials,
// lines, points) is skipped, except a comment at the beginning that states the unit (`# File units = inches`).

import type { Mesh } from 'nearfield';
import { roundingOf } from './facts/rounding.ts';
import { unitOfComment } from './facts/units.ts';
import { Polygons, triangulatePolygons } from './polygons/polygons.ts';
import { baseName, meshOfFile, type ReadBody, type ReadResult } from './read-result.ts';
import type { Budget } from './reading/budget.ts';
import { quoted, unsupportedFile } from './reading/file-error.ts';
import { GrowingFloats, GrowingIndices } from './reading/growing.ts';
import type { PrintedDigits } from './text/printed-digits.ts';
import { Scanner } from './text/scanner.ts';

const carriageReturn = 13;
const space = 32;
const hash = 35;
const minus = 45;
const slash = 47;
const zero = 48;
const nine = 57;
const backslash = 92;
const letterA = 97;
const letterF = 102;
const letterI = 105;
const letterN = 110;
const letterV = 118;
const letterZ = 122;

/** Statements without triangles, skipped without a warning: first those with numbers only, then others. */
const skippedNumbers = new Set('vt vn vp l p'.split(' '));
const skipped = new Set(
  's usemtl mtllib mg usemap maplib cstype bevel c_interp d_interp lod shadow_obj trace_obj'.split(' '),
);
/** Free-form geometry, which this reader does not turn into triangles. */
const freeForm = new Set(
  'deg bmat step curv curv2 surf parm trim hole scrv sp end con ctech stech bsp bzp cdc cdp res'.split(' '),
);

/** A face or a vertex in the middle of a line: its keyword and three numbers. */
const lostStatement = /^\s((?:fo?|v)(?:\s+[-+]?\.?\d\S*){3})(?:\s|$)/;
const longestStatement = 400;

/** The object and group of the faces from the triangle at `start` of the index list on. */
interface Run {
  readonly start: number;
  readonly objectName: string | undefined;
  readonly groupName: string | undefined;
}

export function readObj(file: string, bytes: Uint8Array, budget: Budget): ReadResult {
  return new ObjReader(file, bytes, budget).read();
}

/** Small methods per line, so that they are compiled early: most files are finished before a long method is. */
class ObjReader {
  private readonly scanner: Scanner;
  private readonly positions = new GrowingFloats();
  private readonly indices = new GrowingIndices();
  private readonly polygons = new Polygons();
  private readonly runs: Run[] = [{ start: 0, objectName: undefined, groupName: undefined }];
  private hasObjects = false;
  private hasGroups = false;
  private smallFaces = 0;
  private freeFormCount = 0;
  private unknownWord: string | undefined;
  private unknownAt = 0;
  /** A face may refer to later vertices; the largest index is checked against the count at the end. */
  private furthest = 0;
  private furthestAt = 0;
  private unit: number | undefined;

  constructor(
    private readonly file: string,
    private readonly bytes: Uint8Array,
    private readonly budget: Budget,
  ) {
    this.scanner = new Scanner(file, bytes);
  }

  read(): ReadResult {
    while (this.scanner.skipBlank()) this.statement();
    return this.finish();
  }

  private statement(): void {
    const { scanner, bytes } = this;
    const first = bytes[scanner.at];
    const second = bytes[scanner.at + 1];
    if (first === letterV && second <= space) this.vertex();
    else if (first === letterF && second <= space) this.face();
    else if (first !== hash) this.otherStatement();
    else if (this.positions.length === 0) this.comment();
    scanner.skipLine();
  }

  private comment(): void {
    const { scanner } = this;
    const start = scanner.at;
    scanner.skipLine();
    this.unit ??= unitOfComment(scanner.textOf(start, Math.min(scanner.at, start + longestStatement)));
  }

  private vertex(): void {
    const { scanner } = this;
    scanner.at++;
    this.positions.push3(scanner.number('x'), scanner.number('y'), scanner.number('z'));
    // Most lines end here.
    if (!(this.bytes[scanner.at] > carriageReturn)) return;
    const most = 4;
    if (scanner.skipNumbers('a weight or colour', hash, most) > most) {
      scanner.fail('this line has more than the coordinates, a weight and a colour');
    }
  }

  private face(): void {
    const { scanner, bytes, indices } = this;
    const at = scanner.at++;
    const start = indices.length;
    let count = 0;
    let a = 0;
    let b = 0;
    while (scanner.skipSpace() && bytes[scanner.at] !== hash) {
      const c = this.corner();
      if (count >= 2) indices.push3(a, b, c);
      if (count === 0) a = c;
      b = c;
      count++;
    }
    if (count < 3) this.smallFaces++;
    else this.polygons.add(start, count, at);
  }

  /** "7", "7/1", "7//2" or "7/1/2": only the first number counts. */
  private corner(): number {
    const { scanner, bytes } = this;
    const at = scanner.at;
    const given = scanner.integer('a vertex index');
    if (bytes[scanner.at] > space) this.skipCornerRest(at);
    if (given > 0) {
      if (given > this.furthest) {
        this.furthest = given;
        this.furthestAt = at;
      }
      return given - 1;
    }
    const before = this.positions.length / 3;
    if (given === 0) scanner.fail('vertex indices count from 1, but this face refers to vertex 0', at);
    if (before + given < 0) {
      scanner.fail(`this face refers to vertex ${given}, but only ${before} vertices come before it`, at);
    }
    return before + given;
  }

  private skipCornerRest(cornerAt: number): void {
    const { scanner, bytes } = this;
    for (let at = scanner.at; ; at++) {
      const byte = bytes[at];
      if (byte === slash || byte === minus || (byte >= zero && byte <= nine)) continue;
      scanner.at = at;
      if (!(byte > space) || byte === backslash) return;
      scanner.at = cornerAt;
      scanner.fail(`the corner ${quoted(scanner.word())} is not of the form 1/2/3`, cornerAt);
    }
  }

  private otherStatement(): void {
    const { scanner } = this;
    const at = scanner.at;
    const word = scanner.word();
    const last = this.runs[this.runs.length - 1];
    if (skippedNumbers.has(word)) {
      this.refuseWords(word);
      return;
    }
    if (word !== 'fo') this.refuseStatement(word);
    if (word === 'fo') {
      // The name of a face in the first version of the format.
      scanner.at--;
      this.face();
    } else if (word === 'call' || word === 'csh') {
      unsupportedFile(this.file, `line ${scanner.lineOf(at)}`, `${quoted(word)} includes another file`);
    } else if (/^([fvog]|fo)$|^[fv][-+.\d]/i.test(word) && word !== 'o' && word !== 'g') {
      scanner.fail(
        `${quoted(word)} is not an OBJ statement: f and v are lower case and followed by a space`,
        at,
      );
    } else if (word === 'o') {
      this.hasObjects = true;
      this.beginRun(scanner.restOfLine() || baseName(this.file), last.groupName);
    } else if (word === 'g') {
      this.hasGroups = true;
      this.beginRun(last.objectName, scanner.restOfLine() || 'default');
    } else if (freeForm.has(word)) {
      this.freeFormCount++;
    } else if (!skipped.has(word) && this.unknownWord === undefined) {
      this.unknownWord = word;
      this.unknownAt = at;
    }
  }

  /** Refuses a line of numbers that contains a word, such as the next statement after a lost line end. */
  private refuseWords(statement: string): void {
    const { scanner, bytes } = this;
    while (scanner.skipSpace() && bytes[scanner.at] !== hash) {
      const byte = bytes[scanner.at] | 32;
      // "nan" and "inf" count as numbers.
      if (byte >= letterA && byte <= letterZ && byte !== letterN && byte !== letterI) {
        const at = scanner.at;
        scanner.fail(`unexpected ${quoted(scanner.word())} on the line of ${quoted(statement)}`, at);
      }
      scanner.skipWord();
    }
  }

  /** Refuses a line with a name or words that also contains a face or vertex. Does not move on. */
  private refuseStatement(statement: string): void {
    const { scanner, bytes } = this;
    const start = scanner.at;
    scanner.skipLine();
    const end = scanner.at;
    scanner.at = start;
    for (let at = start; at + 1 < end; at++) {
      const next = bytes[at + 1];
      if (bytes[at] > space || (next !== letterF && next !== letterV)) continue;
      const found = lostStatement.exec(scanner.textOf(at, Math.min(end, at + longestStatement)));
      if (found !== null)
        scanner.fail(`unexpected ${quoted(found[1])} on the line of ${quoted(statement)}`, start);
    }
  }

  private beginRun(objectName: string | undefined, groupName: string | undefined): void {
    const { runs, indices } = this;
    const run = { start: indices.length, objectName, groupName };
    if (runs[runs.length - 1].start === indices.length) runs[runs.length - 1] = run;
    else runs.push(run);
  }

  private finish(): ReadResult {
    const { file, scanner, furthest, unknownWord } = this;
    const warnings: string[] = [];
    const vertexCount = this.positions.length / 3;
    if (furthest > vertexCount) {
      scanner.fail(`a face refers to vertex ${furthest}, but the file has ${vertexCount}`, this.furthestAt);
    }
    if (unknownWord !== undefined) {
      const what = `${quoted(unknownWord)} is not an OBJ statement`;
      if (this.indices.length === 0) scanner.fail(what, this.unknownAt);
      warnings.push(`${file}: line ${scanner.lineOf(this.unknownAt)}: ${what}: skipped`);
    }
    if (this.freeFormCount > 0) {
      warnings.push(`${file}: ${this.freeFormCount} statements of free-form geometry are skipped`);
    }
    if (this.smallFaces > 0) {
      warnings.push(`${file}: ${this.smallFaces} faces with fewer than 3 corners are skipped`);
    }
    const nameOf = (run: Run) =>
      (this.hasObjects ? run.objectName : this.hasGroups ? run.groupName : undefined) ?? baseName(file);
    const positions = this.positions.finish();
    const lineOf = (at: number) => `line ${scanner.lineOf(at)}`;
    const indices = triangulatePolygons(file, this.polygons, positions, this.indices, lineOf, warnings);
    const bodies = splitBodies(file, positions, indices, this.runs, nameOf, scanner.printed, this.budget);
    return { bodies, warnings, unit: this.unit };
  }
}

/**
 * One body per name with triangles, in order of first use. A single body keeps every vertex of the file as given.
 * Otherwise each body has the vertices that its triangles use, in file order.
 */
function splitBodies(
  file: string,
  positions: Float64Array,
  indices: Uint32Array,
  runs: readonly Run[],
  nameOf: (run: Run) => string,
  printed: PrintedDigits,
  budget: Budget,
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
    return [bodyOf(name, meshOfFile(file, '', positions, indices), printed)];
  }
  for (const name of pieces.keys()) budget.spendBodies(1, name.length, '');
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
    budget.spendMesh(order.length, 8, triangles.length, '');
    const own = new Float64Array(order.length * 3);
    for (let i = 0; i < order.length; i++) {
      const vertex = order[i];
      local[vertex] = i;
      own[3 * i] = positions[3 * vertex];
      own[3 * i + 1] = positions[3 * vertex + 1];
      own[3 * i + 2] = positions[3 * vertex + 2];
    }
    for (let i = 0; i < triangles.length; i++) triangles[i] = local[triangles[i]];
    bodies.push(bodyOf(name, meshOfFile(file, '', own, triangles), printed));
  }
  return bodies;
}

const bodyOf = (name: string, mesh: Mesh, printed: PrintedDigits): ReadBody => ({
  name,
  mesh,
  rounding: roundingOf(printed.errorOf(mesh.positions)),
});

function concatenate(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// Which polygons does a PLY file contain? Reads text (as doubles) and binary of both byte orders (as the stored
// numbers). Convex faces are fanned from their first vertex; other faces are triangulated. Triangle strips
// (`tristrips` of older Stanford files) are expanded. Other elements and properties are skipped.

import { binaryError, roundingOf } from '../facts/rounding.ts';
import { Polygons, triangulatePolygons } from '../polygons/polygons.ts';
import { baseName, meshOfFile, type ReadResult } from '../read-result.ts';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';
import { GrowingIndices } from '../reading/growing.ts';
import { type Element, readPlyHeader, type Scalar, scalarBytes } from './header.ts';
import { BinarySource, type Source, TextSource } from './source.ts';

export function readPly(file: string, bytes: Uint8Array): ReadResult {
  const header = readPlyHeader(file, bytes);
  const text = header.encoding === 'ascii';
  const source = text ? new TextSource(file, bytes, header) : new BinarySource(file, bytes, header);
  const warnings: string[] = [];
  const indices = new GrowingIndices();
  const faces: Faces = { indices, polygons: new Polygons(), smallFaces: 0, largest: -1 };
  let positions: Float32Array | Float64Array | undefined;
  let rounding: number | undefined;
  for (const element of header.elements) {
    checkCount(element, source, text);
    if (element.name === 'vertex') {
      positions = readVertices(element, source, text);
      rounding = roundingOf(
        source instanceof TextSource ? source.printed.errorOf(positions) : binaryError(positions),
      );
    } else if (element.name === 'face') readFaces(element, source, faces);
    else if (element.name === 'tristrips') readStrips(element, source, faces);
    else if (element.properties.some(isCornerList)) {
      unsupportedFile(
        file,
        '',
        `the element ${quoted(element.name)} has faces; only "face" and "tristrips" are read`,
      );
    } else if (element.properties.length > 0) {
      warnUnread(file, element, warnings);
      for (let record = 0; record < element.count; record++) skipRecord(element, record, source);
    }
  }
  source.finish();
  if (positions === undefined) return badFile(file, '', 'there is no element "vertex"');
  const vertexCount = positions.length / 3;
  if (faces.largest >= vertexCount) {
    badFile(file, '', `a face refers to vertex ${faces.largest}, but there are ${vertexCount}`);
  }
  if (faces.smallFaces > 0)
    warnings.push(`${file}: ${faces.smallFaces} faces with fewer than 3 corners are skipped`);
  const faceOf = (record: number) => `face ${record}`;
  const triangles = triangulatePolygons(file, faces.polygons, positions, indices, faceOf, warnings);
  const mesh = meshOfFile(file, '', positions, triangles);
  return {
    bodies: [{ name: baseName(file), mesh, rounding }],
    warnings,
    unit: header.unit,
  };
}

/** Warns about a skipped element that may contain corners, because some writers give lists of corners other names. */
function warnUnread(file: string, { name, count, properties }: Element, warnings: string[]): void {
  const lists = properties.filter(({ type, lengthType }) => lengthType && !type.startsWith('float')).length;
  if (count === 0 || lists === 0) return;
  const what = `${lists} ${lists === 1 ? 'list' : 'lists'} of whole numbers`;
  warnings.push(
    `${file}: the element ${quoted(name)} is skipped; it has ${what}, but faces are read only from "face" and "tristrips"`,
  );
}

/**
 * A record takes at least its single values and the lengths of its lists, so a count that cannot fit is refused at
 * once.
 */
function checkCount(element: Element, source: Source, text: boolean): void {
  let least = 0;
  for (const property of element.properties) {
    least += text ? 2 : scalarBytes[property.lengthType ?? property.type];
  }
  // The last value of a text may have no space after it.
  const available = source.left + (text ? 1 : 0);
  if (element.count * least > available) {
    source.fail(
      `the header promises ${element.count} of "${element.name}", at least ${element.count * least} bytes; ${source.left} are left`,
    );
  }
}

function readVertices(element: Element, source: Source, text: boolean): Float32Array | Float64Array {
  const axes = ['x', 'y', 'z'].map(axis =>
    element.properties.findIndex(p => p.name === axis && !p.lengthType),
  );
  for (let axis = 0; axis < 3; axis++) {
    if (axes[axis] < 0) source.fail(`the element "vertex" has no property "${'xyz'[axis]}"`);
  }
  // Single-precision numbers stay as they are. Integers, doubles and all text become doubles.
  const single = !text && axes.every(axis => element.properties[axis].type === 'float32');
  // The count was checked against the existing bytes: 3 values take at least 3 bytes.
  const positions = single ? new Float32Array(3 * element.count) : new Float64Array(3 * element.count);
  if (source instanceof BinarySource && single && element.properties.every(p => !p.lengthType)) {
    readFixedVertices(element, source, axes, positions);
    return positions;
  }
  const target = element.properties.map((_, index) => axes.indexOf(index));
  for (let record = 0; record < element.count; record++) {
    source.begin(element, record);
    for (let p = 0; p < element.properties.length; p++) {
      const { type, lengthType } = element.properties[p];
      if (lengthType || target[p] < 0) skipProperty(type, lengthType, source);
      else {
        const value = source.number(type);
        if (!Number.isFinite(value)) source.fail(`${'xyz'[target[p]]} of vertex ${record} is ${value}`);
        positions[3 * record + target[p]] = value;
      }
    }
    source.end();
  }
  return positions;
}

/** Fast path for the usual case: records of one size. Their total size has been checked. */
function readFixedVertices(
  element: Element,
  source: BinarySource,
  axes: readonly number[],
  positions: Float32Array | Float64Array,
): void {
  const { view, little } = source;
  const offsetOf = (property: number) =>
    element.properties.slice(0, property).reduce((sum, { type }) => sum + scalarBytes[type], 0);
  const [x, y, z] = axes.map(offsetOf);
  const stride = offsetOf(element.properties.length);
  for (let record = 0, at = source.at; record < element.count; record++, at += stride) {
    positions[3 * record] = view.getFloat32(at + x, little);
    positions[3 * record + 1] = view.getFloat32(at + y, little);
    positions[3 * record + 2] = view.getFloat32(at + z, little);
  }
  source.at += stride * element.count;
}

interface Faces {
  readonly indices: GrowingIndices;
  readonly polygons: Polygons;
  smallFaces: number;
  /** The largest vertex index so far; the element "vertex" may come later. */
  largest: number;
}

const isCornerList = (property: { name: string; lengthType?: Scalar | undefined }): boolean =>
  property.lengthType !== undefined &&
  (property.name === 'vertex_indices' || property.name === 'vertex_index');

/** The property of an element that holds the corners. */
function cornerListOf({ name, properties }: Element, source: Source): number {
  const corners = properties.findIndex(isCornerList);
  if (corners < 0) source.fail(`the element "${name}" has no list "vertex_indices"`);
  if (properties.filter(isCornerList).length > 1)
    source.fail(`the element "${name}" has both "vertex_indices" and "vertex_index"`);
  return corners;
}

/** Reads the records from `first` on. `take` reads the corners of each; other properties are skipped. */
function readCornerLists(
  element: Element,
  source: Source,
  first: number,
  take: (record: number, count: number, type: Scalar) => void,
): void {
  const corners = cornerListOf(element, source);
  for (let record = first; record < element.count; record++) {
    source.begin(element, record);
    for (let p = 0; p < element.properties.length; p++) {
      const { type, lengthType } = element.properties[p];
      if (p === corners) take(record, readLength(lengthType!, source), type);
      else skipProperty(type, lengthType, source);
    }
    source.end();
  }
}

function readFaces(element: Element, source: Source, faces: Faces): void {
  const first = source instanceof BinarySource ? readPlainTriangles(element, source, faces) : 0;
  readCornerLists(element, source, first, (record, count, type) => {
    const start = faces.indices.length;
    let a = 0;
    let b = 0;
    for (let corner = 0; corner < count; corner++) {
      const c = source.number(type);
      if (!(c >= 0 && c <= 0xffffffff && Number.isInteger(c)))
        source.fail(`face ${record} refers to vertex ${c}`);
      if (c > faces.largest) faces.largest = c;
      if (corner >= 2) faces.indices.push3(a, b, c);
      if (corner === 0) a = c;
      b = c;
    }
    if (count < 3) faces.smallFaces++;
    else faces.polygons.add(start, count, record);
  });
}

/** Fast path for the usual case: a count of 3 and three indices, nothing else. Stops at the first other record. */
function readPlainTriangles(element: Element, source: BinarySource, faces: Faces): number {
  const [{ type, lengthType }] = element.properties;
  if (element.properties.length !== 1 || lengthType !== 'uint8' || (type !== 'int32' && type !== 'uint32'))
    return 0;
  const { view, little } = source;
  let record = 0;
  let largest = 0;
  for (; record < element.count && source.at + 13 <= view.byteLength; record++) {
    const at = source.at;
    if (view.getUint8(at) !== 3) break;
    const a = view.getInt32(at + 1, little);
    const b = view.getInt32(at + 5, little);
    const c = view.getInt32(at + 9, little);
    // Negative, or beyond 2^31 and so beyond any mesh: left to the other reader and its error messages.
    if ((a | b | c) < 0) break;
    if (a > largest) largest = a;
    if (b > largest) largest = b;
    if (c > largest) largest = c;
    faces.indices.push3(a, b, c);
    source.at = at + 13;
  }
  if (record > 0) faces.largest = Math.max(faces.largest, largest);
  return record;
}

/** In a strip every other triangle is flipped. -1 ends a strip and begins another. */
function readStrips(element: Element, source: Source, faces: Faces): void {
  readCornerLists(element, source, 0, (record, count, type) => {
    let length = 0;
    let a = 0;
    let b = 0;
    for (let corner = 0; corner < count; corner++) {
      const c = source.number(type);
      if (c === -1) {
        length = 0;
        continue;
      }
      if (!(c >= 0 && c <= 0xffffffff && Number.isInteger(c)))
        source.fail(`strip ${record} refers to vertex ${c}`);
      if (c > faces.largest) faces.largest = c;
      if (length >= 2) {
        if (length % 2 === 0) faces.indices.push3(a, b, c);
        else faces.indices.push3(b, a, c);
      }
      a = b;
      b = c;
      length++;
    }
  });
}

function readLength(lengthType: Scalar, source: Source): number {
  const length = source.number(lengthType);
  if (!(length >= 0 && Number.isInteger(length))) source.fail(`a list of length ${length}`);
  return length;
}

function skipProperty(type: Scalar, lengthType: Scalar | undefined, source: Source): void {
  const length = lengthType ? readLength(lengthType, source) : 1;
  for (let i = 0; i < length; i++) source.skip(type);
}

function skipRecord(element: Element, record: number, source: Source): void {
  source.begin(element, record);
  for (const { type, lengthType } of element.properties) skipProperty(type, lengthType, source);
  source.end();
}

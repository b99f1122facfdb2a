// Reads the header of a PLY file: the encoding, and the elements with their properties, in the order of the data.

import { unitOfComment } from '../facts/units.ts';
import { badFile, quoted } from '../reading/file-error.ts';

export type Scalar = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';

export const scalarBytes: Readonly<Record<Scalar, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

export interface Property {
  readonly name: string;
  readonly type: Scalar;
  /** The type of a list's length. Undefined for a single value. */
  readonly lengthType?: Scalar | undefined;
}

export interface Element {
  readonly name: string;
  readonly count: number;
  readonly properties: Property[];
}

export interface PlyHeader {
  readonly encoding: 'ascii' | 'binary_little_endian' | 'binary_big_endian';
  readonly elements: Element[];
  /** The unit in metres, if a comment states it: `comment units: mm`. */
  readonly unit: number | undefined;
  /** The byte at which the data begin. */
  readonly dataStart: number;
}

const scalarNames: Readonly<Record<string, Scalar>> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  float: 'float32',
  double: 'float64',
  int8: 'int8',
  uint8: 'uint8',
  int16: 'int16',
  uint16: 'uint16',
  int32: 'int32',
  uint32: 'uint32',
  float32: 'float32',
  float64: 'float64',
};

/** No program writes a header this long; a file without `end_header` is not searched to its end. */
const longestHeader = 1 << 20;
const mostProperties = 1000;
const read = new Set(['x', 'y', 'z', 'vertex_indices', 'vertex_index']);

export function readPlyHeader(file: string, bytes: Uint8Array): PlyHeader {
  if (bytes[0] !== 112 || bytes[1] !== 108 || bytes[2] !== 121) {
    badFile(file, 'byte 0', 'a PLY file must begin with "ply"');
  }
  const decoder = new TextDecoder();
  let encoding: PlyHeader['encoding'] | undefined;
  let unit: number | undefined;
  const elements: Element[] = [];
  let propertyCount = 0;
  let at = 0;
  for (let line = 1; ; line++) {
    const start = at;
    const limit = Math.min(bytes.length, longestHeader);
    while (at < limit && bytes[at] !== 10 && bytes[at] !== 13) at++;
    const fail = (what: string): never => badFile(file, `line ${line}`, what);
    if (at >= limit) fail('the header has no end_header');
    const text = decoder.decode(bytes.subarray(start, at)).trim();
    // \r\n is one line end. In a file of lone \r the data may begin with \n, but such files are too old to be binary.
    at += bytes[at] === 13 && bytes[at + 1] === 10 ? 2 : 1;
    const words = text.split(/\s+/);
    const element = elements[elements.length - 1] as Element | undefined;
    switch (words[0]) {
      case 'ply':
        if (line !== 1 || words.length !== 1) fail(`${quoted(text)} is not a header line`);
        break;
      case 'comment':
      case 'obj_info':
        unit ??= unitOfComment(text.slice(0, 400));
        break;
      case '':
        break;
      case 'format':
        if (encoding !== undefined) fail('a second format line');
        if (words[1] !== 'ascii' && words[1] !== 'binary_little_endian' && words[1] !== 'binary_big_endian') {
          fail(`${quoted(text)} is not a PLY format`);
        }
        if (words.length !== 3) fail(`${quoted(text)} is not "format NAME VERSION"`);
        encoding = words[1] as PlyHeader['encoding'];
        break;
      case 'element': {
        if (words.length !== 3 || !/^[0-9]{1,15}$/.test(words[2]))
          fail(`${quoted(text)} is not "element NAME COUNT"`);
        if (elements.some(known => known.name === words[1])) fail(`a second element ${quoted(words[1])}`);
        if (elements.length >= mostProperties) fail(`more than ${mostProperties} elements`);
        elements.push({ name: words[1], count: Number(words[2]), properties: [] });
        break;
      }
      case 'property': {
        if (element === undefined) return fail('a property before the first element');
        if (++propertyCount > mostProperties) fail(`more than ${mostProperties} properties`);
        const property = readProperty(words, text, fail);
        // If a coordinate or a list of corners occurs twice, one of them would be lost. Other properties are skipped
        // anyway.
        if (read.has(property.name) && element.properties.some(known => known.name === property.name))
          fail(`a second property ${quoted(property.name)} of ${quoted(element.name)}`);
        element.properties.push(property);
        break;
      }
      case 'end_header':
        if (words.length !== 1) fail(`${quoted(text)}: unexpected text after end_header`);
        if (encoding === undefined) return fail('the header has no format line');
        return { encoding, elements, unit, dataStart: at };
      default:
        fail(`${quoted(text)} is not a header line`);
    }
  }
}

function readProperty(words: readonly string[], text: string, fail: (what: string) => never): Property {
  const isList = words[1] === 'list';
  if (words.length !== (isList ? 5 : 3)) fail(`${quoted(text)} is not "property TYPE NAME" or a list`);
  const scalar = (word: string): Scalar => {
    if (!Object.hasOwn(scalarNames, word)) fail(`${quoted(word)} is not a PLY type`);
    return scalarNames[word];
  };
  if (!isList) return { name: words[2], type: scalar(words[1]) };
  const lengthType = scalar(words[2]);
  if (lengthType.startsWith('float'))
    fail(`the length of the list ${quoted(words[4])} is not a whole number`);
  return { name: words[4], type: scalar(words[3]), lengthType };
}

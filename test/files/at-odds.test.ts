// Files with contradictory counts, sizes and structure. For every reader, each number of a valid file is changed;
// lines and records are left out, repeated, joined or split; and the end is cut off or extended. A reader must refuse
// such a file with an error of the library, or read every triangle that an independent count finds in it. It must
// never silently drop any.

import { NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../packages/io/src/read-file.ts';
import { randomBelow } from '../../packages/io/src/testing/random.ts';
import { encode, glb, gltfJson } from '../../packages/io/src/testing/samples.ts';
import { meshXml, modelXml, threeMf } from '../../packages/io/src/testing/three-mf.ts';
import {
  type Written,
  writtenIn3mf,
  writtenInGlb,
  writtenInObj,
  writtenInOff,
  writtenInPly,
  writtenInStlBinary,
  writtenInStlText,
} from '../../packages/io/src/testing/written.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const rounds = slow ? 18_000 : 120;

type Random = (below: number) => number;

interface Shape {
  readonly vertices: number[][];
  readonly faces: number[][];
}

function shapeOf(next: Random, mostCorners: number): Shape {
  const vertices = Array.from({ length: 3 + next(6) }, () => [next(9), next(9), next(9)]);
  const faces = Array.from({ length: 1 + next(6) }, () =>
    Array.from({ length: 3 + next(mostCorners - 2) }, () => next(vertices.length)),
  );
  return { vertices, faces };
}

const rows = (values: readonly number[][], head: (row: number[]) => string): string =>
  values.map(row => `${head(row)}${row.join(' ')}\n`).join('');

interface Format {
  readonly name: string;
  write(next: Random): Uint8Array;
  damage(bytes: Uint8Array, next: Random): { bytes: Uint8Array; what: string };
  written(bytes: Uint8Array): Written;
  /** Makes the file of what was written, after the damage: a zip archive notices damage of its own. */
  pack?(bytes: Uint8Array): Uint8Array;
}

/** Replacement values for a count. */
const oddNumbers = (value: number, next: Random): number =>
  [value + 1, value - 1, 2 * value, 0, -1, value + 1000, 4294967295, 2147483648, 1e15, value + 0.5][next(10)];

/** Damages a text by its lines and its numbers. */
function damageText(bytes: Uint8Array, next: Random): { bytes: Uint8Array; what: string } {
  const text = new TextDecoder().decode(bytes);
  const lines = text.split('\n').slice(0, -1);
  const at = next(lines.length);
  const kinds: [string, () => string][] = [
    ['left out', () => [...lines.slice(0, at), ...lines.slice(at + 1)].join('\n')],
    ['repeated', () => [...lines.slice(0, at + 1), ...lines.slice(at)].join('\n')],
    [
      'joined',
      () => [...lines.slice(0, at), `${lines[at]} ${lines[at + 1] ?? ''}`, ...lines.slice(at + 2)].join('\n'),
    ],
    ['joined with the next ones', () => `${lines.slice(0, at).join('\n')}\n${lines.slice(at).join(' ')}`],
    [
      'split',
      () => {
        const words = lines[at].split(' ');
        const cut = next(words.length + 1);
        const parts = [words.slice(0, cut).join(' '), words.slice(cut).join(' ')];
        return [...lines.slice(0, at), ...parts, ...lines.slice(at + 1)].join('\n');
      },
    ],
    ['moved to the end', () => [...lines.slice(0, at), ...lines.slice(at + 1), lines[at]].join('\n')],
    ['cut off after', () => lines.slice(0, at).join('\n')],
    ['cut off inside', () => text.slice(0, next(text.length))],
    ['with something behind', () => `${text}${lines[next(lines.length)]}\n`],
    [
      'number changed',
      () => {
        const numbers = [...text.matchAll(/\d+/g)];
        const chosen = numbers[next(numbers.length)];
        const value = oddNumbers(Number(chosen[0]), next);
        return text.slice(0, chosen.index) + value + text.slice(chosen.index! + chosen[0].length);
      },
    ],
    ['with blanks', () => `${text.replaceAll('\n', ' \n\n')}\n\n`],
  ];
  const [what, change] = kinds[next(kinds.length)];
  return { bytes: encode(change().replace(/([^\n])$/, '$1\n')), what: `line ${at + 1} ${what}` };
}

/** Damages bytes: numbers at known places, and records from `start` on. */
function damageBinary(
  bytes: Uint8Array,
  next: Random,
  counts: readonly number[],
  start: number,
  recordBytes: number,
): { bytes: Uint8Array; what: string } {
  const recordCount = Math.floor((bytes.length - start) / recordBytes);
  const at = start + recordBytes * next(recordCount);
  const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
  const kinds: [string, () => Uint8Array][] = [
    ['a record left out', () => joined(bytes.subarray(0, at), bytes.subarray(at + recordBytes))],
    ['a record repeated', () => joined(bytes.subarray(0, at + recordBytes), bytes.subarray(at))],
    ['cut off', () => bytes.slice(0, next(bytes.length))],
    ['with bytes behind', () => joined(bytes, new Uint8Array(1 + next(200)).fill(next(4)))],
    ['with records behind', () => joined(bytes, bytes.subarray(at))],
    [
      'a count changed',
      () => {
        const changed = bytes.slice();
        const place = counts[next(counts.length)];
        const view = new DataView(changed.buffer);
        view.setUint32(place, oddNumbers(view.getUint32(place, true), next), true);
        return changed;
      },
    ],
    [
      'a byte changed',
      () => {
        const changed = bytes.slice();
        changed[next(changed.length)] = next(256);
        return changed;
      },
    ],
  ];
  const [what, change] = kinds[next(kinds.length - (counts.length === 1 ? 0 : counts.length === 0 ? 2 : 1))];
  return { bytes: change(), what };
}

const plyHead = (format: string, { vertices, faces }: Shape): string =>
  `ply\nformat ${format} 1.0\nelement vertex ${vertices.length}\nproperty float x\nproperty float y\nproperty float z\nelement face ${faces.length}\nproperty list uchar int vertex_indices\nend_header\n`;

function plyBinary(next: Random): Uint8Array {
  const shape = shapeOf(next, 6);
  const head = encode(plyHead('binary_little_endian', shape));
  const faceBytes = shape.faces.reduce((total, face) => total + 1 + 4 * face.length, 0);
  const bytes = new Uint8Array(head.length + 12 * shape.vertices.length + faceBytes);
  bytes.set(head);
  const view = new DataView(bytes.buffer);
  let at = head.length;
  for (const value of shape.vertices.flat()) {
    view.setFloat32(at, value, true);
    at += 4;
  }
  for (const face of shape.faces) {
    view.setUint8(at++, face.length);
    for (const index of face) {
      view.setInt32(at, index, true);
      at += 4;
    }
  }
  return bytes;
}

function stlBinary(next: Random): Uint8Array {
  const count = 1 + next(6);
  const bytes = new Uint8Array(84 + 50 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 9; k++) view.setFloat32(84 + 50 * i + 12 + 4 * k, next(9), true);
  }
  return bytes;
}

function stlText(next: Random): Uint8Array {
  const { vertices, faces } = shapeOf(next, 4);
  const facets = faces.map(face => {
    const loop = face.map(index => `vertex ${vertices[index].join(' ')}`).join('\n');
    const facet = `facet normal 0 0 0\nouter loop\n${loop}\nendloop\nendfacet\n`;
    return next(3) === 0 ? `${facet.trim().replaceAll('\n', ' ')}\n` : facet;
  });
  return encode(`solid a thing\n${facets.join('')}endsolid a thing\n`);
}

function gltfOf(next: Random) {
  const { vertices, faces } = shapeOf(next, 3);
  const json = gltfJson();
  const indexBytes = 6 * faces.length;
  const binary = new Uint8Array(12 * vertices.length + Math.ceil(indexBytes / 4) * 4 + 24);
  binary.set(new Uint8Array(Float32Array.from(vertices.flat()).buffer));
  binary.set(new Uint8Array(Uint16Array.from(faces.flat()).buffer), 12 * vertices.length);
  json.accessors = [
    { bufferView: 0, componentType: 5126, count: vertices.length, type: 'VEC3' },
    { bufferView: 1, componentType: 5123, count: 3 * faces.length, type: 'SCALAR' },
    { bufferView: 2, componentType: 5126, count: 2, type: 'VEC3' },
  ];
  json.bufferViews = [
    { buffer: 0, byteOffset: 0, byteLength: 12 * vertices.length },
    { buffer: 0, byteOffset: 12 * vertices.length, byteLength: indexBytes },
    { buffer: 0, byteOffset: binary.length - 24, byteLength: 24 },
  ];
  json.buffers = [{ byteLength: binary.length }];
  json.nodes = [
    { mesh: 0 },
    { mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } } },
  ];
  json.scenes[0].nodes = [0, 1];
  return { json, binary };
}

/** Every number of the JSON is a count, a size or a reference. The container has sizes of its own. */
function damageGlb(bytes: Uint8Array, next: Random): { bytes: Uint8Array; what: string } {
  const view = new DataView(bytes.buffer);
  const textEnd = 20 + view.getUint32(12, true);
  if (next(4) === 0) return damageBinary(bytes, next, [8, 12, textEnd], textEnd + 8, 4);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, textEnd)));
  const numbers: [Record<string, unknown>, string, string][] = [];
  const collect = (value: Record<string, unknown>, path: string) => {
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === 'number') numbers.push([value, key, `${path}.${key}`]);
      else if (typeof child === 'object' && child !== null)
        collect(child as Record<string, unknown>, `${path}.${key}`);
    }
  };
  collect(json, '');
  const [holder, key, path] = numbers[next(numbers.length)];
  const was = holder[key] as number;
  holder[key] = oddNumbers(was, next);
  return { bytes: glb(json, bytes.slice(textEnd + 8)), what: `${path} ${was} made ${holder[key]}` };
}

const formats: Format[] = [
  {
    name: 'text.obj',
    write: next => {
      const { vertices, faces } = shapeOf(next, 6);
      return encode(
        rows(vertices, () => 'v ') +
          rows(
            faces.map(face => face.map(i => i + 1)),
            () => 'f ',
          ),
      );
    },
    damage: damageText,
    written: writtenInObj,
  },
  {
    name: 'text.off',
    write: next => {
      const { vertices, faces } = shapeOf(next, 6);
      return encode(
        `OFF\n${vertices.length} ${faces.length} 0\n${rows(vertices, () => '')}${rows(faces, face => `${face.length} `)}`,
      );
    },
    damage: damageText,
    written: writtenInOff,
  },
  {
    name: 'text.ply',
    write: next => {
      const shape = shapeOf(next, 6);
      return encode(
        `${plyHead('ascii', shape)}${rows(shape.vertices, () => '')}${rows(shape.faces, face => `${face.length} `)}`,
      );
    },
    damage: damageText,
    written: writtenInPly,
  },
  { name: 'text.stl', write: stlText, damage: damageText, written: writtenInStlText },
  {
    name: 'binary.ply',
    write: plyBinary,
    damage: (bytes, next) => {
      if (next(2) === 0) {
        // The header is text, so its counts are changed there.
        const text = new TextDecoder('latin1').decode(bytes);
        const counts = [...text.matchAll(/element \w+ (\d+)/g)];
        const [found, digits] = counts[next(counts.length)];
        const changed = found.replace(digits, String(oddNumbers(Number(digits), next)));
        return {
          bytes: Uint8Array.from(text.replace(found, changed), c => c.charCodeAt(0)),
          what: `${found}: ${changed}`,
        };
      }
      const start = new TextDecoder('latin1').decode(bytes).indexOf('end_header\n') + 11;
      return damageBinary(bytes, next, [], start, [12, 13, 17][next(3)]);
    },
    written: writtenInPly,
  },
  {
    name: 'binary.stl',
    write: stlBinary,
    damage: (bytes, next) => damageBinary(bytes, next, [80], 84, 50),
    written: writtenInStlBinary,
  },
  {
    name: 'text.3mf',
    write: next => {
      const { vertices, faces } = shapeOf(next, 3);
      const mesh = meshXml(vertices.flat(), faces.flat());
      const text = modelXml(`<object id="1">${mesh}</object>`, '<item objectid="1"/>');
      return encode(`${text.replaceAll('><', '>\n<')}\n`);
    },
    damage: damageText,
    written: writtenIn3mf,
    pack: threeMf,
  },
  {
    name: 'binary.glb',
    write: next => {
      const { json, binary } = gltfOf(next);
      return glb(json, binary);
    },
    damage: damageGlb,
    written: writtenInGlb,
  },
];

/** The number of triangles read; `refused` if the library refused the file. */
async function trianglesRead(name: string, bytes: Uint8Array): Promise<Written> {
  try {
    const { bodies } = await readFile(name, bytes);
    return bodies.reduce((total, { mesh }) => total + mesh.triangleCount, 0);
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    if (!error.message.startsWith(`${name}: `)) throw error;
    return 'refused';
  }
}

describe.each(formats)('$name', ({ name, write, damage, written, pack = bytes => bytes }) => {
  const seed = Number(process.env.NEARFIELD_SEED ?? 16);

  it('reads a valid file completely', async () => {
    const next = randomBelow(seed);
    for (let round = 0; round < 40; round++) {
      const bytes = write(next);
      expect(await trianglesRead(name, pack(bytes)), `seed ${seed}, round ${round}`).toBe(written(bytes));
    }
  });

  it('reads all triangles of a damaged file, or refuses it', async () => {
    const next = randomBelow(seed + 1);
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      let bytes = write(next);
      let what = '';
      for (let times = 1 + next(2); times > 0; times--) {
        const damaged = damage(bytes, next);
        what += `${damaged.what}; `;
        bytes = damaged.bytes;
        // A file that no longer has its own form is not damaged a second time.
        if (!/line|record|behind/.test(damaged.what) || bytes.length < 200) break;
      }
      const read = await trianglesRead(name, pack(bytes));
      if (read === 'refused') {
        refused++;
        continue;
      }
      const expected = written(bytes);
      if (read === expected) continue;
      const shown = name.startsWith('text')
        ? new TextDecoder().decode(bytes)
        : Buffer.from(bytes).toString('base64');
      expect.fail(`seed ${seed}, round ${round}, ${what} read ${read}, written ${expected}:\n${shown}`);
    }
    // Both outcomes must occur, otherwise nothing was damaged.
    expect(refused).toBeGreaterThan(rounds / 10);
    expect(refused).toBeLessThan(rounds);
  });
});

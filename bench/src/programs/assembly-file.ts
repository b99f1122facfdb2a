// Writes the parts of the scene "assembly" as a GLB file in which parts of one kind share a mesh, to time the command line:
//   node bench/dist/assembly-file.js 100000 big.glb

import { writeFileSync } from 'node:fs';
import { assemblyParts } from '../scenes/assembly.ts';

const [count = '100000', file = 'assembly.glb'] = process.argv.slice(2);
const parts = assemblyParts(Number(count));
const meshes = [...new Set(parts.map(({ mesh }) => mesh))];
const chunks: Uint8Array[] = [];
let length = 0;
const views: object[] = [];
const accessors: object[] = [];
/** Adds an array as an accessor and returns its index. */
const add = (array: Float32Array | Uint32Array, more: object): number => {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  views.push({ buffer: 0, byteOffset: length, byteLength: bytes.length });
  chunks.push(bytes);
  length += bytes.length;
  return accessors.push({ bufferView: views.length - 1, ...more }) - 1;
};
const json = {
  asset: { version: '2.0', generator: 'nearfield bench' },
  scene: 0,
  scenes: [{ nodes: parts.map((_, i) => i) }],
  nodes: parts.map(({ mesh, pose }, i) => ({
    name: `part ${i}`,
    mesh: meshes.indexOf(mesh),
    matrix: [...pose],
  })),
  meshes: meshes.map(({ positions, indices, bounds }, i) => {
    const points = Float32Array.from(positions);
    const POSITION = add(points, {
      ...{ componentType: 5126, type: 'VEC3', count: points.length / 3 },
      ...{ min: [...bounds.slice(0, 3)], max: [...bounds.slice(3)] },
    });
    const triangles = add(Uint32Array.from(indices), {
      ...{ componentType: 5125, type: 'SCALAR', count: indices.length },
    });
    return { name: `kind ${i}`, primitives: [{ attributes: { POSITION }, indices: triangles }] };
  }),
  accessors,
  bufferViews: views,
  buffers: [{ byteLength: 0 }],
};
json.buffers[0].byteLength = length;
const padded = (bytes: Uint8Array, by: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, by)]);
const text = padded(Buffer.from(JSON.stringify(json)), 0x20);
const binary = padded(Buffer.concat(chunks), 0);
const header = (...words: number[]): Buffer => Buffer.from(Uint32Array.from(words).buffer);
const total = 12 + 8 + text.length + 8 + binary.length;
writeFileSync(
  file,
  Buffer.concat([
    ...[header(0x46546c67, 2, total), header(text.length, 0x4e4f534a), text],
    ...[header(binary.length, 0x004e4942), binary],
  ]),
);

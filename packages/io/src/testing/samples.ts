// Small valid files of every format for the tests: a tetrahedron, as text or bytes.

import { NearfieldError } from 'nearfield';
import { expect } from 'vitest';
import { type ReadOptions, readFile } from '../read-file.ts';

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export const tetrahedronPositions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
export const tetrahedronIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];

const lines = (values: readonly number[], head: string, offset = 0): string =>
  Array.from({ length: values.length / 3 }, (_, i) =>
    `${head} ${values
      .slice(3 * i, 3 * i + 3)
      .map(value => value + offset)
      .join(' ')}\n`.trimStart(),
  ).join('');

export const objText = lines(tetrahedronPositions, 'v') + lines(tetrahedronIndices, 'f', 1);
export const offText = `OFF\n4 4 6\n${lines(tetrahedronPositions, '')}${lines(tetrahedronIndices, '3')}`;
export const plyHeader = (format: string): string =>
  `ply\nformat ${format} 1.0\ncomment a tetrahedron\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n`;
export const plyText = `${plyHeader('ascii')}${lines(tetrahedronPositions, '')}${lines(tetrahedronIndices, '3')}`;

export function plyBinary(little: boolean): Uint8Array {
  const head = encode(plyHeader(little ? 'binary_little_endian' : 'binary_big_endian'));
  const bytes = new Uint8Array(head.length + 48 + 4 * 13);
  bytes.set(head);
  const view = new DataView(bytes.buffer);
  let at = head.length;
  for (const value of tetrahedronPositions) {
    view.setFloat32(at, value, little);
    at += 4;
  }
  tetrahedronIndices.forEach((index, i) => {
    if (i % 3 === 0) view.setUint8(at++, 3);
    view.setInt32(at, index, little);
    at += 4;
  });
  return bytes;
}

export function stlText(): string {
  let text = 'solid tetrahedron\n';
  for (let t = 0; t < 4; t++) {
    text += ' facet normal 0 0 0\n  outer loop\n';
    for (const vertex of tetrahedronIndices.slice(3 * t, 3 * t + 3)) {
      text += `   vertex ${tetrahedronPositions.slice(3 * vertex, 3 * vertex + 3).join(' ')}\n`;
    }
    text += '  endloop\n endfacet\n';
  }
  return `${text}endsolid tetrahedron\n`;
}

export function stlBinary(): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, 4, true);
  tetrahedronIndices.forEach((vertex, i) => {
    for (let axis = 0; axis < 3; axis++) {
      const at = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3) + 4 * axis;
      view.setFloat32(at, tetrahedronPositions[3 * vertex + axis], true);
    }
  });
  return bytes;
}

/** The bytes of the glTF's only buffer: 48 bytes of positions, then 24 bytes of 16-bit indices. */
export function gltfBuffer(): Uint8Array {
  const bytes = new Uint8Array(72);
  new Float32Array(bytes.buffer, 0, 12).set(tetrahedronPositions);
  new Uint16Array(bytes.buffer, 48, 12).set(tetrahedronIndices);
  return bytes;
}

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of it
export const gltfJson = (): any => ({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ name: 'part', mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
    { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
  ],
  bufferViews: [
    { buffer: 0, byteOffset: 0, byteLength: 48 },
    { buffer: 0, byteOffset: 48, byteLength: 24 },
  ],
  buffers: [{ byteLength: 72 }],
});

export function glb(json: unknown, binary: Uint8Array = gltfBuffer()): Uint8Array {
  const text = encode(JSON.stringify(json));
  const textLength = Math.ceil(text.length / 4) * 4;
  const binaryLength = Math.ceil(binary.length / 4) * 4;
  const bytes = new Uint8Array(12 + 8 + textLength + 8 + binaryLength).fill(32);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, bytes.length, true);
  view.setUint32(12, textLength, true);
  view.setUint32(16, 0x4e4f534a, true);
  bytes.set(text, 20);
  view.setUint32(20 + textLength, binaryLength, true);
  view.setUint32(24 + textLength, 0x004e4942, true);
  bytes.fill(0, 28 + textLength).set(binary, 28 + textLength);
  return bytes;
}

export const urdfText = `<?xml version="1.0"?>
<robot name="r">
<link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="b"><visual><origin xyz="1 2 3" rpy="0 0 1"/><geometry><box size="1 2 3"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
</robot>
`;

export const dataUri = (bytes: Uint8Array): string =>
  `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;

/** Expects an error of the library that names the file. Returns its message. */
export async function refusal(name: string, bytes: Uint8Array, options: ReadOptions = {}): Promise<string> {
  try {
    await readFile(name, bytes, options);
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    expect(['bad-file', 'unsupported']).toContain(error.code);
    expect(error.message.startsWith(`${name}: `)).toBe(true);
    return error.message;
  }
  throw new Error(`${name} was read without complaint`);
}

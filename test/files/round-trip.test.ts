// A mesh with any finite numbers, written to a format and read back, has the same bits.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../packages/io/src/read-file.ts';
import { encode, glb, gltfJson } from '../../packages/io/src/testing/samples.ts';

interface Plain {
  positions: number[];
  triangles: number[];
}

const anyMesh = (single: boolean): fc.Arbitrary<Plain> => {
  const finite = { noNaN: true, noDefaultInfinity: true };
  const coordinate = single ? fc.float(finite) : fc.double(finite);
  return fc.integer({ min: 1, max: 12 }).chain(vertexCount => {
    const index = fc.integer({ min: 0, max: vertexCount - 1 });
    return fc.record({
      positions: fc.array(coordinate, { minLength: 3 * vertexCount, maxLength: 3 * vertexCount }),
      triangles: fc
        .array(fc.tuple(index, index, index), { minLength: 1, maxLength: 20 })
        .map(list => list.flat()),
    });
  });
};

const rows = (values: readonly (number | string)[], head: string): string =>
  Array.from(
    { length: values.length / 3 },
    (_, i) => `${head}${values.slice(3 * i, 3 * i + 3).join(' ')}\n`,
  ).join('');
/** -0 would print as "0", so it is written explicitly. */
const exactly = (values: readonly number[]) =>
  values.map(value => (Object.is(value, -0) ? '-0' : String(value)));

const textFormats: Record<string, (mesh: Plain) => string> = {
  obj: ({ positions, triangles }) =>
    rows(exactly(positions), 'v ') +
    rows(
      triangles.map(index => index + 1),
      'f ',
    ),
  off: ({ positions, triangles }) =>
    `OFF\n${positions.length / 3} ${triangles.length / 3} 0\n${rows(exactly(positions), '')}${rows(triangles, '3 ')}`,
  ply: ({ positions, triangles }) =>
    `ply\nformat ascii 1.0\nelement vertex ${positions.length / 3}\nproperty double x\nproperty double y\nproperty double z\nelement face ${triangles.length / 3}\nproperty list uchar uint vertex_indices\nend_header\n${rows(exactly(positions), '')}${rows(triangles, '3 ')}`,
};

const binaryFormats: Record<string, (mesh: Plain) => Uint8Array> = {
  glb: ({ positions, triangles }) => {
    const json = gltfJson();
    const [vertexBytes, indexBytes] = [4 * positions.length, 4 * triangles.length];
    json.accessors[0].count = positions.length / 3;
    json.accessors[1] = { bufferView: 1, componentType: 5125, count: triangles.length, type: 'SCALAR' };
    json.bufferViews = [
      { buffer: 0, byteLength: vertexBytes },
      { buffer: 0, byteOffset: vertexBytes, byteLength: indexBytes },
    ];
    json.buffers = [{ byteLength: vertexBytes + indexBytes }];
    const binary = new Uint8Array(vertexBytes + indexBytes);
    binary.set(new Uint8Array(Float32Array.from(positions).buffer));
    binary.set(new Uint8Array(Uint32Array.from(triangles).buffer), vertexBytes);
    return glb(json, binary);
  },
  ply: ({ positions, triangles }) => {
    const head = encode(
      `ply\nformat binary_big_endian 1.0\nelement vertex ${positions.length / 3}\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nelement face ${triangles.length / 3}\nproperty list uchar uint vertex_indices\nend_header\n`,
    );
    const bytes = new Uint8Array(head.length + (13 * positions.length) / 3 + (13 * triangles.length) / 3);
    bytes.set(head);
    const view = new DataView(bytes.buffer);
    let at = head.length;
    positions.forEach((value, i) => {
      view.setFloat32(at, value);
      at += i % 3 === 2 ? 5 : 4;
    });
    triangles.forEach((index, i) => {
      if (i % 3 === 0) view.setUint8(at++, 3);
      view.setUint32(at, index);
      at += 4;
    });
    return bytes;
  },
};

async function check(name: string, bytes: Uint8Array, mesh: Plain): Promise<void> {
  const [body] = (await readFile(name, bytes)).bodies;
  expect([...body.mesh.indices]).toEqual(mesh.triangles);
  // Element by element, so that -0 and 0 differ.
  expect([...body.mesh.positions]).toStrictEqual(mesh.positions);
}

describe('round trips', () => {
  it.each(Object.keys(textFormats))('%s as text keeps doubles', async format => {
    const property = fc.asyncProperty(anyMesh(false), mesh =>
      check(`m.${format}`, encode(textFormats[format](mesh)), mesh),
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it.each(Object.keys(binaryFormats))('%s in binary keeps single precision', async format => {
    const property = fc.asyncProperty(anyMesh(true), mesh =>
      check(`m.${format}`, binaryFormats[format](mesh), mesh),
    );
    await fc.assert(property, { numRuns: 200 });
  });
});

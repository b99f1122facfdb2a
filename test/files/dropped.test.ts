// Nothing in a file is silently dropped: it is read, or the file is refused.

import { describe, expect, it } from 'vitest';
import { readFile } from '../../packages/io/src/read-file.ts';
import { dracoGlb, dracoTetrahedron } from '../../packages/io/src/testing/compressed.ts';
import {
  encode,
  glb,
  gltfJson,
  objText,
  offText,
  plyBinary,
  plyText,
  refusal,
  stlBinary,
  stlText,
} from '../../packages/io/src/testing/samples.ts';

const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const oneLine = 'facet normal 0 0 1 outer loop vertex 0 0 9 vertex 1 0 9 vertex 0 1 9 endloop endfacet';
const trianglesOf = async (name: string, content: string) =>
  (await readFile(name, encode(content))).bodies[0].mesh.triangleCount;

describe('STL', () => {
  it('reads a facet on one line among others, at the beginning, in the middle and at the end', async () => {
    const text = stlText();
    for (const place of ['solid tetrahedron', ' endfacet']) {
      expect(await trianglesOf('one.stl', text.replace(`${place}\n`, `${place}\n${oneLine}\n`))).toBe(5);
    }
    expect(await trianglesOf('end.stl', text.replace('endsolid', `${oneLine}\nendsolid`))).toBe(5);
    // On the line of the name, with the whole file on one line, and with every word on its own line.
    expect(
      await trianglesOf('name.stl', text.replace('solid tetrahedron\n', `solid tetrahedron ${oneLine}\n`)),
    ).toBe(5);
    expect(await trianglesOf('line.stl', text.replaceAll('\n', ' '))).toBe(4);
  });

  it.each([
    [stlText().replace('endsolid tetrahedron\n', ''), /ends without "endsolid"/],
    [
      stlText().replace(' facet', `${oneLine} ${oneLine.replace('endfacet', '')}\n facet`),
      /expected "endfacet", found/,
    ],
    [stlText().replace('solid tetrahedron\n', 'solid a vertex 0 0 0\n'), /on the line of a solid's name/],
    [`${stlText()}${oneLine}\n`, /"facet" outside a solid/],
    [stlText().replace('   vertex 0 0 0\n', '   vertex 0 0 0 7\n'), /expected "endloop", found "7"/],
    [stlText().replace('solid tetrahedron', 'solid x\nsolid y'), /a solid begins inside a solid/],
  ])('refuses text with misplaced parts %#', async (text, message) => {
    expect(await refusal('bad.stl', encode(text))).toMatch(message);
  });

  it('refuses triangles beyond the count of a binary file', async () => {
    const bytes = joined(stlBinary(), stlBinary().slice(84, 134));
    expect(await refusal('more.stl', bytes)).toMatch(
      /promises 4 triangles in 284 bytes, but the file has 334/,
    );
  });
});

describe('PLY', () => {
  it.each([
    [
      'faces beyond the count, as text',
      encode(plyText.replace('face 4', 'face 3')),
      /line 18: there is more data/,
    ],
    [
      'faces beyond the count, in binary',
      joined(plyBinary(true), plyBinary(true).slice(-13)),
      /there are 13 bytes more/,
    ],
    ['vertices beyond the count', encode(plyText.replace('vertex 4', 'vertex 3')), /line 14: /],
    ['a line after the last face', encode(`${plyText}0 0 0\n`), /there is more data/],
    [
      'values on the line of end_header',
      encode(plyText.replace('end_header\n', 'end_header ')),
      /unexpected text after end_header/,
    ],
    [
      'two lists of corners',
      encode(plyText.replace('property list', 'property list uchar int vertex_index\nproperty list')),
      /both "vertex_indices" and "vertex_index"/,
    ],
    [
      'a coordinate twice',
      encode(plyText.replace('property float y', 'property float x\nproperty float y')),
      /a second property "x"/,
    ],
    [
      'faces under another name',
      encode(plyText.replace('element face', 'element faces')),
      /"faces" has faces; only "face"/,
    ],
  ])('refuses %s', async (_, bytes, message) => {
    expect(await refusal('bad.ply', bytes)).toMatch(message);
  });

  it.each([
    ['polygons', 'property list uchar int vertices', '3 0 1 2'],
    ['facets', 'property uchar colour\nproperty list int uint corners', '7 3 0 1 2'],
    ['strips', 'property list uchar short indices', '3 0 1 2'],
  ])(
    'warns about an element that may contain faces under another name: %s',
    async (name, properties, record) => {
      const declared = plyText.replace('end_header', `element ${name} 1\n${properties}\nend_header`);
      const { bodies, warnings } = await readFile('t.ply', encode(`${declared}${record}\n`));
      expect(bodies[0].mesh.triangleCount).toBe(4);
      expect(warnings).toEqual([
        `t.ply: the element "${name}" is skipped; it has 1 list of whole numbers, but faces are read only from "face" and "tristrips"`,
      ]);
      const empty = await readFile(
        't.ply',
        encode(declared.replace(`element ${name} 1`, `element ${name} 0`)),
      );
      expect(empty.warnings).toEqual([]);
    },
  );

  it('does not warn about edges, materials and cameras', async () => {
    const extra =
      'element edge 1\nproperty int vertex1\nproperty int vertex2\nelement material 1\nproperty list uchar float weights\n';
    const text = `${plyText.replace('end_header', `${extra}end_header`)}0 1\n2 0.5 0.5\n`;
    expect((await readFile('t.ply', encode(text))).warnings).toEqual([]);
  });

  it('accepts a line end after binary data', async () => {
    for (const end of ['\n', '\r\n']) {
      const { bodies } = await readFile('end.ply', joined(plyBinary(true), encode(end)));
      expect(bodies[0].mesh.triangleCount).toBe(4);
    }
  });
});

describe('OFF, OBJ and glTF', () => {
  it.each([
    ['t.off', encode(`${offText}3 0 1 2\n`), /there is more data after the 4 faces/],
    ['t.off', encode(offText.replace('4 4 6', '4 4 6 1')), /goes on after the number of edges/],
    ['t.off', encode(offText.replace('3 0 2 1', '3 0 2 1 0 0 0 0 0')), /more than its corners and a colour/],
    ['t.obj', encode(`${objText}F 1 2 3\n`), /line 9: "F" is not an OBJ statement/],
    ['t.obj', encode(`${objText}f1 2 3\n`), /line 9: "f1" is not an OBJ statement/],
    ['t.obj', encode(`${objText}call other.obj\n`), /"call" includes another file/],
    ['t.glb', joined(glb(gltfJson()), new Uint8Array(4)), /but the file has/],
    ['t.glb', twoBinaryChunks(), /chunk 2 is a binary chunk/],
  ])('%s %#', async (name, bytes, message) => {
    expect(await refusal(name, bytes)).toMatch(message);
  });

  it.each([
    ['v 0 0 1 f 1 2 4', /line 10: a weight or colour is "f", which is not a number/],
    ['v 0 0 1 1 f 1 2 4', /a weight or colour is "f"/],
    ['v 0 0 1 o lid', /a weight or colour is "o"/],
    ['v 0 0 1 v 1 0 0', /a weight or colour is "v"/],
    ['v 0 0 1 1 0 0 2 0 0', /has more than the coordinates, a weight and a colour/],
    ['vn 0 0 1 f 1 2 4', /unexpected "f" on the line of "vn"/],
    ['vt 0 0 g lid', /unexpected "g" on the line of "vt"/],
    ['vp 0 f 1 2 4', /unexpected "f" on the line of "vp"/],
    ['l 1 2 f 1 2 4', /unexpected "f" on the line of "l"/],
    ['p 1 f 1 2 4', /unexpected "f" on the line of "p"/],
    ['vn 0 0 \\\n1 f 1 2 4', /unexpected "f" on the line of "vn"/],
    ['s 1 f 1 2 4', /unexpected "f 1 2 4" on the line of "s"/],
    ['usemtl steel f 1/1 2/2 4/4', /unexpected "f 1\/1 2\/2 4\/4" on the line of "usemtl"/],
    ['usemtl steel v 0 0 1', /unexpected "v 0 0 1" on the line of "usemtl"/],
    ['mtllib a.mtl f -1 -2 -3', /unexpected "f -1 -2 -3" on the line of "mtllib"/],
    ['g lid f 1 2 4', /unexpected "f 1 2 4" on the line of "g"/],
    ['o lid f 1 2 4', /unexpected "f 1 2 4" on the line of "o"/],
    ['deg 3 f 1 2 4', /unexpected "f 1 2 4" on the line of "deg"/],
    ['frobnicate 3 f 1 2 4', /unexpected "f 1 2 4" on the line of "frobnicate"/],
  ])('refuses a statement on the line of another: %j', async (line, message) => {
    expect(await refusal('t.obj', encode(`# ten lines\n${objText}${line}\n`))).toMatch(message);
  });

  it('accepts what belongs on a line', async () => {
    const lines = [
      'v 0 0 1 1',
      'v 0 0 1 0.5 0.5 0.5',
      'v 0 0 1 1 0.5 0.5 0.5 # f 1 2 3',
      'vn nan -nan(ind) 1.#IND',
      'vn 0 0 1 # f 1 2 3',
      'vt 0.5 0.5 0',
      's off',
      'usemtl f',
      'usemtl steel v 2',
      'g a f b',
      'o valve v1 2 3 4',
      'l 1/1 2/2',
      'f 1 2 3 # f 1 2 4',
    ];
    expect(await trianglesOf('t.obj', `${objText}${lines.join('\n')}\n`)).toBe(4);
    const { warnings } = await readFile('t.obj', encode(`${objText}${lines.join('\n')}\n`));
    expect(warnings).toEqual([]);
  });

  it.each([
    ['0 0 1 x', /line 6: what follows a vertex is "x", which is not a number/],
    [
      '0 0 1 1 1 1 1 0 0 1 0 0 7',
      /line of vertex 3 has more than coordinates, a colour, a normal and texture coordinates/,
    ],
  ])('OFF: a vertex with %j', async (line, message) => {
    expect(await refusal('t.off', encode(offText.replace('\n0 0 1\n', `\n${line}\n`)))).toMatch(message);
  });

  it('OFF: a face with a word after its corners', async () => {
    expect(await refusal('t.off', encode(offText.replace('3 0 2 1', '3 0 2 1 red')))).toMatch(
      /the colour of face 0 is "red", which is not a number/,
    );
  });

  it('refuses an index count that contradicts the Draco data', async () => {
    const bytes = dracoGlb(await dracoTetrahedron(), 5);
    expect(await refusal('t.glb', bytes)).toMatch(/promises 15 indices, but 12 are compressed/);
  });

  it('reads "fo", the older form of "f"', async () => {
    expect(await trianglesOf('old.obj', objText.replaceAll('f ', 'fo '))).toBe(4);
  });
});

function twoBinaryChunks(): Uint8Array {
  const bytes = joined(glb(gltfJson()), new Uint8Array([4, 0, 0, 0, 0x42, 0x49, 0x4e, 0, 1, 2, 3, 4]));
  new DataView(bytes.buffer).setUint32(8, bytes.length, true);
  return bytes;
}

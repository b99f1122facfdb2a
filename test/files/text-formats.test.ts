import { describe, expect, it } from 'vitest';
import { readFile } from '../../packages/io/src/read-file.ts';
import {
  encode,
  objText,
  offText,
  plyBinary,
  plyHeader,
  plyText,
  refusal,
  stlBinary,
  stlText,
  tetrahedronIndices,
  tetrahedronPositions,
} from '../../packages/io/src/testing/samples.ts';

const read = (name: string, content: string | Uint8Array) =>
  readFile(name, typeof content === 'string' ? encode(content) : content);

describe('a tetrahedron', () => {
  const indexed: [string, string | Uint8Array][] = [
    ['t.obj', objText],
    ['t.off', offText],
    ['t.ply', plyText],
    ['little.ply', plyBinary(true)],
    ['big.ply', plyBinary(false)],
    ['crlf.obj', objText.replaceAll('\n', '\r\n')],
    ['mac.obj', objText.replaceAll('\n', '\r')],
    ['crlf.off', offText.replaceAll('\n', '\r\n')],
    ['crlf.ply', plyText.replaceAll('\n', '\r\n')],
  ];
  it.each(indexed)('%s keeps vertices and triangles as given', async (name, content) => {
    const { bodies, warnings } = await read(name, content);
    expect(warnings).toEqual([]);
    expect(bodies).toHaveLength(1);
    const { mesh } = bodies[0];
    expect([...mesh.positions]).toEqual(tetrahedronPositions);
    expect([...mesh.indices]).toEqual(tetrahedronIndices);
    expect(mesh.positions).toBeInstanceOf(content instanceof Uint8Array ? Float32Array : Float64Array);
    expect(bodies[0].name).toBe(name.split('.')[0]);
  });

  it.each([
    ['text.stl', stlText()],
    ['shouting.stl', stlText().toUpperCase()],
    ['binary.stl', stlBinary()],
  ] as [string, string | Uint8Array][])('%s is a closed triangle soup', async (name, content) => {
    const { mesh } = (await read(name, content)).bodies[0];
    expect(mesh.triangleCount).toBe(4);
    expect(mesh.vertexCount).toBe(12);
    expect(mesh.solid).toBe(true);
    expect([...mesh.positions.slice(0, 9)]).toEqual([0, 0, 0, 0, 1, 0, 1, 0, 0]);
  });
});

describe('OBJ', () => {
  const vertices = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\n';

  it('prefers objects to groups, and continues a body whose name occurs again', async () => {
    const text = `${vertices}o a\ng x\nf 1 2 3\no b\nf 1 3 4\no a\nf 2 3 4\n`;
    const { bodies } = await read('parts.obj', text);
    expect(bodies.map(body => [body.name, body.mesh.triangleCount, body.mesh.vertexCount])).toEqual([
      ['a', 2, 4],
      ['b', 1, 3],
    ]);
    expect([...bodies[1].mesh.indices]).toEqual([0, 1, 2]);
    expect([...bodies[1].mesh.positions]).toEqual([0, 0, 0, 1, 1, 0, 0, 1, 0]);
  });

  it('uses groups if there are no objects; faces before the first group belong to the file', async () => {
    const { bodies } = await read('dir/parts.obj', `${vertices}f 1 2 3\ng left hand\nf 1 3 4\ng\nf 2 3 4`);
    expect(bodies.map(body => body.name)).toEqual(['parts', 'left hand', 'default']);
  });

  it('keeps every vertex of a file with one body', async () => {
    expect((await read('one.obj', `${vertices}o thing\nf 1 2 3\n`)).bodies[0].mesh.vertexCount).toBe(5);
  });

  it('fans polygons, accepts negative indices, skips what is not geometry', async () => {
    const text = `${vertices}vt 0 0\nvn 0 0 1\nusemtl x\nf -5/1/1 -4//1 \\\n -3/1 4 # a square\n`;
    expect([...(await read('p.obj', text)).bodies[0].mesh.indices]).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it('accepts faces that refer to later vertices', async () => {
    expect((await read('later.obj', `f 1 2 3\n${vertices}`)).bodies[0].mesh.triangleCount).toBe(1);
  });

  it('warns about skipped lines and faces', async () => {
    const { warnings } = await read('w.obj', `5 1\n${vertices}f 1 2 3\nf 1 2\nsurf 0 1 0 1 1 2 3\n`);
    expect(warnings.join('\n')).toMatch(/line 1: "5" is not an OBJ statement/);
    expect(warnings.join('\n')).toMatch(/1 faces with fewer than 3 corners/);
    expect(warnings.join('\n')).toMatch(/free-form/);
  });

  it.each([
    ['f 1 2 6', /line 6: a face refers to vertex 6, but the file has 5/],
    ['f 1 2 0', /line 6: vertex indices count from 1/],
    ['f 1 2 -6', /line 6: this face refers to vertex -6, but only 5/],
    ['f 1 2 x', /line 6: a vertex index is "x"/],
    ['f 1 2 3:4', /line 6: the corner "3:4"/],
    ['f 1 2 99999999999999999999', /line 6: a vertex index has too many digits/],
    ['v 1 2', /line 6: the line ends before z/],
    ['v 1 2 nan', /line 6: z is "nan", which is not a number/],
    ['v 1 2 1e400', /line 6: z is "1e400", too large/],
    ['o nothing', /it has no triangles/],
  ])('refuses %s', async (line, message) => {
    expect(await refusal('bad.obj', encode(`${vertices}${line}\n`))).toMatch(message);
  });
});

describe('STL', () => {
  it('reads several solids as one body', async () => {
    expect((await read('two.stl', stlText() + stlText())).bodies[0].mesh.triangleCount).toBe(8);
  });

  it('recognises a binary file that begins with "solid"', async () => {
    const bytes = stlBinary();
    bytes.set(encode('solid by a careless program'));
    expect((await read('careless.stl', bytes)).bodies[0].mesh.triangleCount).toBe(4);
  });

  it('warns about bytes after the last triangle', async () => {
    const bytes = new Uint8Array(stlBinary().length + 7);
    bytes.set(stlBinary());
    expect((await read('more.stl', bytes)).warnings[0]).toMatch(/7 bytes after the last triangle/);
  });

  it('refuses lies', async () => {
    const lying = stlBinary();
    new DataView(lying.buffer).setUint32(80, 4_000_000_000, true);
    expect(await refusal('lie.stl', lying)).toMatch(/byte 80: the header promises 4000000000 triangles/);
    const bad = stlBinary();
    new DataView(bad.buffer).setFloat32(84 + 12 + 4, Number.NaN, true);
    expect(await refusal('nan.stl', bad)).toMatch(/position y of vertex 0 is NaN/);
    expect(await refusal('cut.stl', encode(stlText().slice(0, 150)))).toMatch(/ends inside a loop|line ends/);
    expect(await refusal('empty.stl', new Uint8Array(0))).toMatch(/is empty/);
  });
});

describe('PLY', () => {
  it('skips other elements and properties', async () => {
    const text = `ply\nformat ascii 1.0\nelement material 2\nproperty uchar red\nelement vertex 3\nproperty double nx\nproperty double x\nproperty list uchar float odd\nproperty double y\nproperty int z\nelement face 1\nproperty uchar flag\nproperty list uchar uint vertex_index\nend_header\n1\n2\n9 0.1 2 5 5 0 0\n9 1 0 0 0\n9 0 0 1 0\n7 3 0 1 2\n`;
    const { mesh } = (await read('odd.ply', text)).bodies[0];
    expect([...mesh.positions]).toEqual([0.1, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  it('ignores the values of skipped properties', async () => {
    const text = `ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float nx\nproperty float y\nproperty uchar red\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nproperty list uchar float uv\nend_header\n0 -nan 0 1.0 0\n1 nan 0 x 0\n0 inf 1 0 0\n3 0 1 2 2 nan 0\n`;
    expect([...(await read('nan.ply', text)).bodies[0].mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(await refusal('short.ply', encode(text.replace(' nan 0\n', '\n')))).toMatch(
      /line 16: the line ends/,
    );
  });

  it('expands triangle strips', async () => {
    const text = `ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 2 2\n8 0 1 2 3 -1 2 3 4\n`;
    expect([...(await read('strip.ply', text)).bodies[0].mesh.indices]).toEqual([0, 1, 2, 2, 1, 3, 2, 3, 4]);
  });

  it('keeps single precision as stored, and reads integers as doubles', async () => {
    const text = plyHeader('binary_little_endian').replaceAll('float', 'short');
    const bytes = new Uint8Array(encode(text).length + 4 * 6 + 4 * 13);
    bytes.set(encode(text));
    for (let t = 0; t < 4; t++) bytes[encode(text).length + 24 + 13 * t] = 3;
    expect((await read('short.ply', bytes)).bodies[0].mesh.positions).toBeInstanceOf(Float64Array);
  });

  it.each([
    [plyText.replace('vertex 4', 'vertex 4000000000'), /promises 4000000000 of "vertex"/],
    [plyText.replace('face 4', 'face 4000000000'), /promises 4000000000 of "face"/],
    [plyText.replace('face 4', 'face 5'), /file ends after 4 of 5 "face"|promises 5/],
    [plyText.replace('\n3 0 2 1', '\n3 0 2 4'), /refers to vertex 4, but there are 4/],
    [plyText.replace('\n3 0 2 1', '\n3 0 -2 1'), /face 0 refers to vertex -2/],
    [plyText.replace('\n3 0 2 1', '\n3 0 2'), /line 15: the line ends/],
    [plyText.replace('\n3 0 2 1', '\n3 0 2 1 1'), /line 15: the line holds more values/],
    [plyText.replace('\n0 0 0', '\n0 nan 0'), /line 11: a value is "nan"/],
    [plyText.replace('end_header', 'end_heade'), /line 10: "end_heade" is not a header line/],
    [plyText.replace('property float x', 'property floaty x'), /"floaty" is not a PLY type/],
    [plyText.replace('property float x', 'property __proto__ x'), /"__proto__" is not a PLY type/],
    [plyText.replace('property float x\n', ''), /no property "x"/],
    [plyText.replace('element vertex', 'element vortex'), /no element "vertex"/],
    [plyText.replace('list uchar int', 'list float int'), /not a whole number/],
    [plyText.replace('format ascii', 'format ebcdic'), /is not a PLY format/],
    ['ply\n', /no end_header/],
  ])('refuses a damaged file %#', async (text, message) => {
    expect(await refusal('bad.ply', encode(text))).toMatch(message);
  });

  it('names the byte where a binary file is short', async () => {
    const bytes = plyBinary(true);
    expect(await refusal('short.ply', bytes.slice(0, -2))).toMatch(
      /byte \d+: the file ends inside "face" 3 of 4/,
    );
    const lying = plyBinary(true);
    lying[lying.length - 13] = 255;
    expect(await refusal('list.ply', lying)).toMatch(/the file ends inside "face" 3/);
  });
});

describe('OFF', () => {
  it('skips comments, colours and normals; the keyword may be missing or share a line', async () => {
    const forms = [
      `# hello\n${offText}`,
      offText.replace('OFF\n', 'OFF '),
      offText.replace('OFF\n', ''),
      offText.replace('OFF', 'COFF').replace('0 0 0\n', '0 0 0 255 0 0 255\n'),
      offText.replace('3 0 2 1', '3 0 2 1 0.5 0.5 0.5 # red'),
      offText.replace('4 4 6', '4 4'),
    ];
    for (const form of forms) expect((await read('form.off', form)).bodies[0].mesh.solid, form).toBe(true);
  });

  it.each([
    [offText.replace('4 4 6', '4000000000 4 6'), /promises 4000000000 vertices/],
    [offText.replace('4 4 6', '4 4000000000 6'), /4000000000 faces/],
    [offText.replace('3 0 2 1', '3 0 2 4'), /line 7: face 0 refers to vertex 4/],
    [offText.replace('3 0 2 1', '300 0 2 1'), /line 7: the line ends/],
    [offText.replace('3 0 2 1', '-3 0 2 1'), /a face with -3 corners/],
    [offText.replace('OFF', '4OFF'), /other than 3 coordinates/],
    [offText.replace('OFF', 'OFF BINARY'), /binary OFF/],
    [offText.replace('OFF', 'ON'), /must begin with OFF/],
    ['', /empty/],
  ])('refuses a damaged file %#', async (text, message) => {
    expect(await refusal('bad.off', encode(text))).toMatch(message);
  });
});

it('recognises the content if the name has no extension, and refuses unknown formats', async () => {
  expect((await read('part', plyText)).bodies[0].mesh.solid).toBe(true);
  expect((await read('part.x', stlText())).bodies[0].mesh.solid).toBe(true);
  expect((await read('part', offText)).bodies[0].mesh.solid).toBe(true);
  expect(await refusal('part.rvt', encode('ISO'))).toMatch(/the format is not known.*export it as GLB/);
});

import { describe, expect, it } from 'vitest';
import { readFile } from '../read-file.ts';
import { encode, glb, gltfBuffer, gltfJson, refusal } from '../testing/samples.ts';

// biome-ignore lint/suspicious/noExplicitAny: each case damages another part of the JSON
type Damage = (json: any) => void;

const damages: [string, Damage, RegExp][] = [
  ['a node that is its own child', j => (j.nodes[0].children = [0]), /nodes\[0\] a second time/],
  ['a node with two parents', j => j.nodes.push({}) && (j.scenes[0].nodes = [0, 1, 1]), /second time/],
  ['a child that does not exist', j => (j.nodes[0].children = [7]), /refers to nodes\[7\], but there are 1/],
  ['a mesh that does not exist', j => (j.nodes[0].mesh = 7), /nodes\[0\]\.mesh: refers to meshes\[7\]/],
  ['a scene that does not exist', j => (j.scene = 7), /scene: refers to scenes\[7\]/],
  ['a negative reference', j => (j.nodes[0].mesh = -1), /must be a whole number/],
  ['a fractional count', j => (j.accessors[0].count = 1.5), /accessors\[0\]\.count: must be a whole number/],
  ['a gigantic count', j => (j.accessors[0].count = 4_000_000_000), /expands to more than/],
  ['a count beyond integers', j => (j.accessors[0].count = 1e300), /must be a whole number/],
  ['a count past the view', j => (j.accessors[0].count = 5), /5 elements end at byte 60 of a view of 48/],
  ['an offset past the view', j => (j.accessors[0].byteOffset = 4), /end at byte 52/],
  [
    'zeros without a view, gigantic',
    j => (j.accessors[0] = { componentType: 5126, count: 2 ** 40, type: 'VEC3' }),
    /expands/,
  ],
  ['a view past the buffer', j => (j.bufferViews[1].byteLength = 25), /bytes 48 to 73 of a buffer of 72/],
  ['a buffer with a wrong size', j => (j.buffers[0].byteLength = 4_000_000_000), /promises 4000000000 bytes/],
  [
    'a buffer without data',
    j => j.buffers.push({ byteLength: 1 }) && (j.bufferViews[0].buffer = 1),
    /has no uri/,
  ],
  ['an index out of range', j => (j.accessors[0].count = 3), /refers to vertex 3, but there are 3/],
  ['indices that are not triangles', j => (j.accessors[1].count = 11), /11 indices are not a multiple of 3/],
  ['indices of floats', j => (j.accessors[1].componentType = 5126), /component type 5126/],
  ['positions of two numbers', j => (j.accessors[0].type = 'VEC2'), /must be VEC3, not "VEC2"/],
  ['an unknown component type', j => (j.accessors[0].componentType = 99), /component type 99/],
  ['a stride too small', j => (j.bufferViews[0].byteStride = 4), /do not fit a stride of 4/],
  ['an unknown mode', j => (j.meshes[0].primitives[0].mode = 9), /from 0 to 6/],
  ['a matrix of 15', j => (j.nodes[0].matrix = Array(15).fill(0)), /must have 16 numbers, not 15/],
  [
    'a projective matrix',
    j => (j.nodes[0].matrix = [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    /last row/,
  ],
  ['a matrix of text', j => (j.nodes[0].matrix = Array(16).fill('1')), /must be a finite number/],
  [
    'matrices whose product overflows',
    j => {
      j.nodes = [
        { children: [1], scale: [1e300, 1, 1] },
        { scale: [1e300, 1, 1], mesh: 0 },
      ];
    },
    /nodes\[1\]: the product/,
  ],
  ['an unknown required extension', j => (j.extensionsRequired = ['ACME_shape']), /requires "ACME_shape"/],
  ['glTF 1', j => (j.asset.version = '1.0'), /this is glTF "1.0"/],
  ['no asset', j => (j.asset = undefined), /"asset" is missing/],
  ['meshes that are an object', j => (j.meshes = {}), /meshes: must be an array, not an object/],
  ['nodes that are null', j => (j.nodes = [null]), /nodes\[0\]: must be an object, not null/],
  ['a sparse count too large', j => (j.accessors[0].sparse = sparse(5)), /from 1 to 4, not 5/],
  ['a sparse index out of range', j => (j.accessors[0].sparse = sparse(1, 1, 0)), /replaces element/],
  [
    'no instances',
    j => {
      j.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } };
      j.accessors.push({ componentType: 5126, count: 0, type: 'VEC3' });
    },
    /accessors\[2\]\.count: must be a whole number from 1 to \d+, not 0/,
  ],
  ['no positions', j => (j.accessors[0].count = 0), /accessors\[0\]\.count: .* from 1 /],
  ['no indices', j => (j.accessors[1].count = 0), /accessors\[1\]\.count: .* from 1 /],
  ['no primitives', j => (j.meshes[0].primitives = []), /meshes\[0\]\.primitives: is empty/],
  [
    'a strip of two vertices',
    j => {
      j.meshes[0].primitives[0].mode = 5;
      j.accessors[1].count = 2;
    },
    /primitives\[0\]: has too few vertices for a triangle/,
  ],
  [
    'instances of different counts',
    j => (j.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: {} } }),
    /none of/,
  ],
];

const sparse = (count: number, view = 1, byteOffset = 0) => ({
  count,
  indices: { bufferView: view, componentType: 5125, byteOffset },
  values: { bufferView: 0 },
});

describe('damaged glTF', () => {
  it.each(damages)('%s', async (_, damage, message) => {
    const json = gltfJson();
    damage(json);
    expect(await refusal('bad.glb', glb(json))).toMatch(message);
  });

  it.each([
    ['../secret.bin', /leaves the folder/],
    ['a/../../secret.bin', /leaves the folder/],
    ['%2e%2e/secret.bin', /leaves the folder/],
    ['..\\secret.bin', /leaves the folder/],
    ['/etc/passwd', /absolute/],
    ['\\\\server\\share', /absolute/],
    ['//host/x.bin', /address/],
    ['http://localhost/x.bin', /address/],
    ['HTTPS://localhost/x.bin', /address/],
    ['file:///etc/passwd', /address/],
    ['C:/x.bin', /absolute/],
    ['javascript:alert(1)', /address/],
    ['%00.bin', /is not a file name/],
    ['', /is not a file name/],
    ['data:application/octet-stream,abc', /must be base64/],
    ['data:;base64,????', /not valid base64/],
    ['data:;base64,AAAA', /promises 72 bytes, but there are 3/],
  ])('the uri %s', async (uri, message) => {
    const json = gltfJson();
    json.buffers[0].uri = uri;
    let fetched = 0;
    const fetchBeside = async () => {
      fetched++;
      return gltfBuffer();
    };
    expect(await refusal('bad.gltf', encode(JSON.stringify(json)), { fetchBeside })).toMatch(message);
    expect(fetched).toBe(0);
  });

  it('needs a function that fetches files beside it', async () => {
    const json = gltfJson();
    json.buffers[0].uri = 'a.bin';
    expect(await refusal('bad.gltf', encode(JSON.stringify(json)))).toMatch(/needs the file "a.bin"/);
  });

  it('follows 100,000 nested nodes', async () => {
    const json = gltfJson();
    const depth = 100_000;
    json.nodes = Array.from({ length: depth }, (_, i) =>
      i + 1 < depth ? { children: [i + 1] } : { mesh: 0 },
    );
    expect((await readFile('deep.glb', glb(json))).bodies).toHaveLength(1);
    json.nodes[depth - 1].children = [0];
    expect(await refusal('loop.glb', glb(json))).toMatch(/nodes\[0\] a second time/);
  });

  it('parses deeply nested JSON', async () => {
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(await refusal('nest.gltf', encode(nested))).toMatch(/nest\.gltf: /);
  });

  it('does not let references multiply a small file', async () => {
    const json = gltfJson();
    const vertices = 20_000;
    json.accessors = [{ bufferView: 0, componentType: 5126, count: vertices, type: 'VEC3' }];
    json.bufferViews = [{ buffer: 0, byteLength: 12 * vertices }];
    json.buffers = [{ byteLength: 12 * vertices }];
    const primitive = { attributes: { POSITION: 0 }, mode: 5 };
    json.meshes = Array.from({ length: 3000 }, () => ({ primitives: [primitive, primitive] }));
    json.nodes = json.meshes.map((_: unknown, mesh: number) => ({ mesh }));
    json.scenes = [{ nodes: json.nodes.map((_: unknown, node: number) => node) }];
    expect(await refusal('bomb.glb', glb(json, new Uint8Array(12 * vertices)))).toMatch(
      /expands to more than/,
    );
  });

  it('does not decode overlapping compressed views repeatedly', async () => {
    const json = gltfJson();
    const extension = { buffer: 0, byteLength: 60, byteStride: 256, count: 240, mode: 'ATTRIBUTES' };
    json.bufferViews = [0, 1].map(() => ({
      buffer: 0,
      byteLength: 61440,
      extensions: { EXT_meshopt_compression: extension },
    }));
    expect(await refusal('twice.glb', glb(json))).toMatch(/damaged/);
    extension.count = 4_000_000;
    for (const view of json.bufferViews) view.byteLength = 256 * extension.count;
    expect(await refusal('huge.glb', glb(json))).toMatch(/cannot hold 4000000 elements|expands/);
  });

  it('refuses damaged containers', async () => {
    const sound = glb(gltfJson());
    const change = (at: number, value: number) => {
      const bytes = sound.slice();
      new DataView(bytes.buffer).setUint32(at, value, true);
      return bytes;
    };
    expect(await refusal('v.glb', change(4, 1))).toMatch(/GLB version 1/);
    expect(await refusal('l.glb', change(8, 0xffffffff))).toMatch(/promises 4294967295 bytes/);
    expect(await refusal('c.glb', change(12, 0xffffffff))).toMatch(/chunk promises 4294967295/);
    expect(await refusal('t.glb', change(16, 0))).toMatch(/first chunk/);
    expect(await refusal('e.glb', change(8, 12))).toMatch(/no JSON/);
    expect(await refusal('u.gltf', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]))).toMatch(/not valid UTF-8/);
    expect(await refusal('j.gltf', encode('{"asset":'))).toMatch(/not valid JSON/);
  });
});

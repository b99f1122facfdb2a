// The memory of a file is limited by its bytes, and counted before it is allocated.

import { NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../packages/io/src/read-file.ts';
import { Budget } from '../../packages/io/src/reading/budget.ts';
import { dracoGlb, encodeDraco } from '../../packages/io/src/testing/compressed.ts';
import { encode, glb, gltfBuffer, gltfJson, refusal } from '../../packages/io/src/testing/samples.ts';

/** The tetrahedron many times, through an accessor of zeros that takes no bytes. */
function zeroInstances(count: number) {
  const json = gltfJson();
  json.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { ROTATION: 2 } } };
  json.accessors.push({ componentType: 5120, count, type: 'VEC4' });
  return json;
}

describe('a file of instances that take no bytes', () => {
  it('a GLB of under 1 KB that asks for 4,180,000 bodies is refused before any is created', async () => {
    const bytes = glb(zeroInstances(4_180_000));
    expect(bytes.length).toBeLessThan(1000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusal('bomb.glb', bytes)).toMatch(
      /^bomb\.glb: nodes\[0\]\.extensions\.EXT_mesh_gpu_instancing: the file expands to more than 16 MiB \(16 MiB plus 256 times its bytes\); to allow it, set maxExpansion \(on the command line --max-expansion\) to at least \d+$/,
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  });

  it('is not called damaged, because the file may be valid', async () => {
    const failure = await readFile('bomb.glb', glb(zeroInstances(1e6))).catch(error => error);
    expect(failure).toBeInstanceOf(NearfieldError);
    expect(failure.code).toBe('unsupported');
  });

  it('is read with the expansion that the message suggests, and not with slightly less', async () => {
    const bytes = glb(zeroInstances(40_000));
    const needed = Number(/at least (\d+)/.exec(await refusal('many.glb', bytes))?.[1]);
    // The message counts what was requested up to that point; the rest is little.
    const { bodies } = await readFile('many.glb', bytes, { maxExpansion: 2 * needed });
    expect(bodies).toHaveLength(40_000);
    expect(await refusal('many.glb', bytes, { maxExpansion: needed - 10 })).toMatch(/expands/);
    expect((await readFile('many.glb', bytes, { maxExpansion: Infinity })).bodies).toHaveLength(40_000);
  });

  it('refuses attributes of different lengths as damaged, before counting', async () => {
    const json = zeroInstances(4_180_000);
    json.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes.TRANSLATION = 0;
    expect(await refusal('odd.glb', glb(json))).toMatch(/differ in length: 4, 4180000/);
  });
});

describe('what counts', () => {
  it('counts the name of a mesh once per node that uses it', async () => {
    const json = gltfJson();
    const count = 2000;
    json.meshes[0].name = 'n'.repeat(100_000);
    json.nodes = Array.from({ length: count }, () => ({ mesh: 0 }));
    json.scenes = [{ nodes: [...Array(count).keys()] }];
    const bytes = glb(json);
    expect(bytes.length).toBeLessThan(200_000);
    expect(await refusal('names.glb', bytes)).toMatch(/^names\.glb: nodes\[\d+\]: the file expands/);
    json.meshes[0].name = 'n'.repeat(1000);
    expect((await readFile('names.glb', glb(json))).bodies).toHaveLength(count);
    // Instances have the name too.
    const instances = zeroInstances(20_000);
    expect((await readFile('many.glb', glb(instances))).bodies).toHaveLength(20_000);
    instances.nodes[0].name = 'n'.repeat(20_000);
    expect(await refusal('many.glb', glb(instances))).toMatch(/gpu_instancing: the file expands/);
  });

  it('counts merging into one body', async () => {
    const vertices = 3000;
    const json = zeroInstances(2000);
    json.meshes[0].primitives = [{ attributes: { POSITION: 0 } }];
    json.accessors[0].count = vertices;
    json.bufferViews[0].byteLength = 12 * vertices;
    json.buffers[0].byteLength = 12 * vertices;
    const bytes = glb(json, new Uint8Array(12 * vertices));
    expect((await readFile('many.glb', bytes)).bodies).toHaveLength(2000);
    expect(await refusal('many.glb', bytes, { oneBody: true })).toMatch(/^many\.glb: the file expands/);
  });

  it('counts one-byte numbers that become doubles as doubles', async () => {
    const json = gltfJson();
    json.meshes[0].primitives = [{ attributes: { POSITION: 0 } }];
    json.accessors[0] = { componentType: 5120, normalized: true, count: 900_000, type: 'VEC3' };
    expect(await refusal('wide.glb', glb(json))).toMatch(/accessors\[0\]: the file expands/);
  });

  it('counts the bytes of files beside a glTF once each, however they are spelled', async () => {
    const json = gltfJson();
    const vertices = 80_000;
    json.meshes = Array.from({ length: 6 }, () => ({
      primitives: [{ attributes: { POSITION: 0 }, mode: 5 }],
    }));
    json.nodes = json.meshes.map((_: unknown, mesh: number) => ({ mesh }));
    json.scenes = [{ nodes: [0, 1, 2, 3, 4, 5] }];
    json.accessors = [{ bufferView: 0, componentType: 5126, count: vertices, type: 'VEC3' }];
    json.bufferViews = [{ buffer: 0, byteLength: 12 * vertices }];
    json.buffers = [
      { byteLength: 12 * vertices, uri: 'a/./b.bin' },
      { byteLength: 9, uri: 'a//b.bin' },
    ];
    const asked: [string, number][] = [];
    const fetchBeside = async (path: string, length: number) => {
      asked.push([path, length]);
      return new Uint8Array(length);
    };
    const text = encode(JSON.stringify(json));
    expect((await readFile('t.gltf', text, { fetchBeside })).bodies).toHaveLength(6);
    expect(asked).toEqual([['a/b.bin', 12 * vertices]]);
  });

  it('counts groups of an OBJ as bodies', async () => {
    let text = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
    for (let i = 0; i < 30_000; i++) text += `g ${i}\nf 1 2 3\n`;
    expect(await refusal('groups.obj', encode(text), { maxExpansion: 1 })).toMatch(
      /^groups\.obj: the file expands/,
    );
    expect((await readFile('groups.obj', encode(text))).bodies).toHaveLength(30_000);
  });
});

it('the output of programs stays far below the limit: a knot in Draco at 14 bits', async () => {
  const [segments, sides] = [400, 24];
  const positions = new Float32Array(3 * segments * sides);
  const indices = new Uint32Array(6 * segments * sides);
  for (let i = 0; i < segments; i++) {
    for (let j = 0; j < sides; j++) {
      const [u, v] = [(2 * Math.PI * i) / segments, (2 * Math.PI * j) / sides];
      const radius = 3 + Math.cos(3 * u) + 0.3 * Math.cos(v);
      const at = i * sides + j;
      positions.set(
        [radius * Math.cos(2 * u), radius * Math.sin(2 * u), Math.sin(3 * u) + 0.3 * Math.sin(v)],
        3 * at,
      );
      const [right, up] = [((i + 1) % segments) * sides, (j + 1) % sides];
      indices.set([at, right + j, right + up, at, right + up, i * sides + up], 6 * at);
    }
  }
  const draco = await encodeDraco(positions, indices);
  const bytes = dracoGlb(draco, indices.length / 3);
  const spent: number[] = [];
  const spend = Budget.prototype.spend;
  Budget.prototype.spend = function (amount, place) {
    spent.push(amount);
    return spend.call(this, amount, place);
  };
  try {
    await readFile('knot.glb', bytes, { oneBody: true });
  } finally {
    Budget.prototype.spend = spend;
  }
  const fold = spent.reduce((sum, amount) => sum + amount, 0) / bytes.length;
  expect(fold).toBeGreaterThan(5);
  expect(fold).toBeLessThan(256 / 4);
});

it.each([0, -1, Number.NaN, '64', null, {}])('refuses a maxExpansion of %s', async maxExpansion => {
  const failure = await readFile('t.glb', glb(gltfJson(), gltfBuffer()), {
    maxExpansion: maxExpansion as never,
  }).catch(error => error);
  expect(failure).toBeInstanceOf(NearfieldError);
  expect(failure.code).toBe('bad-option');
  expect(failure.message).toMatch(/\bmaxExpansion must be a number\b/);
});

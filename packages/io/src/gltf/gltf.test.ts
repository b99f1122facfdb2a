import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { multiplyPoses } from 'nearfield';
import { describe, expect, it, vi } from 'vitest';
import { readFile } from '../read-file.ts';
import { dracoGlb, dracoTetrahedron, meshoptGlb } from '../testing/compressed.ts';
import {
  dataUri,
  encode,
  glb,
  gltfBuffer,
  gltfJson,
  tetrahedronIndices,
  tetrahedronPositions,
} from '../testing/samples.ts';

const readOne = async (json: unknown, binary?: Uint8Array) =>
  (await readFile('t.glb', glb(json, binary))).bodies[0];
const concatenated = (
  ...parts: (Float32Array | Uint16Array | Uint32Array | Int16Array | Uint8Array | Int8Array)[]
) => {
  const pieces = parts.map(part => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  return new Uint8Array(Buffer.concat(pieces));
};

describe('containers', () => {
  it('reads GLB, glTF with a data: URI, and glTF with a file beside it', async () => {
    const embedded = gltfJson();
    embedded.buffers[0].uri = dataUri(gltfBuffer());
    const beside = gltfJson();
    beside.buffers[0].uri = 'sub%20folder/t.bin';
    const asked: [string, number][] = [];
    const fetchBeside = async (path: string, length: number) => {
      asked.push([path, length]);
      return gltfBuffer();
    };
    const results = [
      await readFile('t.glb', glb(gltfJson())),
      await readFile('t.gltf', encode(JSON.stringify(embedded))),
      await readFile('t.gltf', encode(JSON.stringify(beside)), { fetchBeside }),
    ];
    for (const { bodies, warnings } of results) {
      expect(warnings).toEqual([]);
      expect(bodies.map(body => body.name)).toEqual(['part']);
      expect([...bodies[0].mesh.positions]).toEqual(tetrahedronPositions);
      expect([...bodies[0].mesh.indices]).toEqual(tetrahedronIndices);
      expect(bodies[0].mesh.positions).toBeInstanceOf(Float32Array);
    }
    expect(asked).toEqual([['sub folder/t.bin', 72]]);
  });
});

describe('nodes', () => {
  it('multiplies matrices down the tree and shares the mesh of instances', async () => {
    const json = gltfJson();
    json.scenes = [{ nodes: [0, 3] }];
    json.nodes = [
      { children: [1, 2], matrix: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1] },
      { name: 'left', mesh: 0, translation: [1, 2, 3] },
      { name: 'right', mesh: 0, scale: [2, -3, 4], rotation: [0, 0, 0, 1], translation: [5, 0, 0] },
      { mesh: 0 },
      { name: 'in no scene', mesh: 0 },
    ];
    const { bodies } = await readFile('t.glb', glb(json));
    expect(bodies.map(body => body.name)).toEqual(['left', 'right', 'node 3']);
    expect(bodies[0].mesh).toBe(bodies[1].mesh);
    expect([...bodies[0].pose!]).toEqual([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 8, 21, 33, 1]);
    const scaled = new Float64Array([2, 0, 0, 0, 0, -3, 0, 0, 0, 0, 4, 0, 5, 0, 0, 1]);
    // Adding 0 turns -0 into 0, which toEqual distinguishes.
    expect(bodies[1].pose!.map(value => value + 0)).toEqual(
      multiplyPoses(new Float64Array(json.nodes[0].matrix), scaled),
    );
  });

  it('reads the default scene, with a warning', async () => {
    const json = gltfJson();
    json.scenes = [{ nodes: [] }, { nodes: [0] }];
    json.scene = 1;
    const { bodies, warnings } = await readFile('t.glb', glb(json));
    expect(bodies).toHaveLength(1);
    expect(warnings[0]).toMatch(/only scenes\[1\] of 2 scenes/);
  });

  it('reads all roots if there are no scenes', async () => {
    const json = gltfJson();
    json.scenes = undefined;
    json.scene = undefined;
    json.nodes = [{ children: [1] }, { mesh: 0, name: 'child' }, { mesh: 0, name: 'root' }];
    expect((await readFile('t.glb', glb(json))).bodies.map(body => body.name)).toEqual(['child', 'root']);
  });

  it('rotates by quaternions', async () => {
    const json = gltfJson();
    json.nodes[0].rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const { pose } = await readOne(json);
    expect(pose![0]).toBeCloseTo(0, 15);
    expect(pose![1]).toBeCloseTo(1, 15);
    expect(pose![4]).toBeCloseTo(-1, 15);
  });

  it('expands EXT_mesh_gpu_instancing', async () => {
    const json = gltfJson();
    json.extensionsRequired = ['EXT_mesh_gpu_instancing'];
    json.nodes[0].translation = [100, 0, 0];
    json.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } };
    json.accessors.push({ bufferView: 2, componentType: 5126, count: 2, type: 'VEC3' });
    json.bufferViews.push({ buffer: 0, byteOffset: 72, byteLength: 24 });
    json.buffers[0].byteLength = 96;
    const binary = concatenated(gltfBuffer(), new Float32Array([1, 2, 3, 4, 5, 6]));
    const { bodies } = await readFile('t.glb', glb(json, binary));
    expect(bodies.map(body => body.name)).toEqual(['part[0]', 'part[1]']);
    expect(bodies.map(body => [...body.pose!.slice(12, 15)])).toEqual([
      [101, 2, 3],
      [104, 5, 6],
    ]);
  });

  it('leaves skins and morph targets at rest, with a warning', async () => {
    const json = gltfJson();
    json.nodes[0].skin = 0;
    json.meshes[0].primitives[0].targets = [{ POSITION: 0 }];
    const { bodies, warnings } = await readFile('t.glb', glb(json));
    expect([...bodies[0].mesh.positions]).toEqual(tetrahedronPositions);
    expect(warnings.join()).toMatch(/skin is left at rest/);
    expect(warnings.join()).toMatch(/morph targets are left at rest/);
  });
});

describe('primitives', () => {
  it('expands strips and fans in the order of the specification', async () => {
    const json = gltfJson();
    json.meshes[0].primitives = [5, 6].map(mode => ({ attributes: { POSITION: 0 }, mode }));
    const { mesh } = await readOne(json);
    expect([...mesh.indices]).toEqual([0, 1, 2, 1, 3, 2, 1, 2, 0, 2, 3, 0]);
    expect(mesh.vertexCount).toBe(4);
  });

  it('skips points and lines, and refuses a file with nothing else', async () => {
    const json = gltfJson();
    json.meshes[0].primitives.unshift({ attributes: { POSITION: 0 }, mode: 1 });
    const { bodies, warnings } = await readFile('t.glb', glb(json));
    expect(bodies[0].mesh.triangleCount).toBe(4);
    expect(warnings[0]).toMatch(/points or lines are skipped/);
    json.meshes[0].primitives.pop();
    await expect(readFile('t.glb', glb(json))).rejects.toThrow(/no triangles/);
  });

  it('concatenates primitives, as doubles if one has doubles', async () => {
    const json = gltfJson();
    json.meshes[0].primitives.push({ attributes: { POSITION: 2 }, mode: 4 });
    json.accessors.push({ bufferView: 2, componentType: 5122, normalized: true, count: 3, type: 'VEC3' });
    json.bufferViews.push({ buffer: 0, byteOffset: 72, byteLength: 24, byteStride: 8 });
    json.buffers[0].byteLength = 96;
    const quantised = new Int16Array([32767, 0, 0, 0, -32768, -32767, 16384, 0, 1, 2, 3, 0]);
    const { mesh } = await readOne(json, concatenated(gltfBuffer(), quantised));
    expect(mesh.positions).toBeInstanceOf(Float64Array);
    expect([...mesh.positions.slice(12)]).toEqual([
      1,
      0,
      0,
      -1,
      -1,
      16384 / 32767,
      1 / 32767,
      2 / 32767,
      3 / 32767,
    ]);
    expect([...mesh.indices.slice(12)]).toEqual([4, 5, 6]);
  });

  it('keeps integers that are not normalised', async () => {
    const json = gltfJson();
    json.meshes[0].primitives = [{ attributes: { POSITION: 0 } }];
    json.accessors[0] = { bufferView: 0, componentType: 5121, count: 3, type: 'VEC3' };
    json.bufferViews[0].byteStride = 4;
    const { mesh } = await readOne(json, concatenated(new Uint8Array(72).map((_, i) => i)));
    expect([...mesh.positions]).toEqual([0, 1, 2, 4, 5, 6, 8, 9, 10]);
  });

  it('gives each of several meshes the shared vertices it uses', async () => {
    const json = gltfJson();
    json.nodes = [
      { mesh: 0, name: 'a' },
      { mesh: 1, name: 'b' },
    ];
    json.scenes[0].nodes = [0, 1];
    json.accessors[1].count = 3;
    json.accessors.push({ bufferView: 1, byteOffset: 12, componentType: 5123, count: 3, type: 'SCALAR' });
    json.meshes = [1, 2].map(indices => ({ primitives: [{ attributes: { POSITION: 0 }, indices }] }));
    const { bodies } = await readFile('t.glb', glb(json));
    expect([...bodies[0].mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...bodies[0].mesh.indices]).toEqual([0, 2, 1]);
    expect([...bodies[1].mesh.positions]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect([...bodies[1].mesh.indices]).toEqual([0, 1, 2]);
  });

  it('applies sparse accessors, with and without a base view', async () => {
    for (const withView of [true, false]) {
      const json = gltfJson();
      json.accessors[0].sparse = {
        count: 2,
        indices: { bufferView: 2, componentType: 5121 },
        values: { bufferView: 3 },
      };
      if (!withView) json.accessors[0].bufferView = undefined;
      json.bufferViews.push(
        { buffer: 0, byteOffset: 72, byteLength: 4 },
        { buffer: 0, byteOffset: 76, byteLength: 24 },
      );
      json.buffers[0].byteLength = 100;
      const binary = concatenated(
        gltfBuffer(),
        new Uint8Array([1, 3, 0, 0]),
        new Float32Array([5, 5, 5, 6, 6, 6]),
      );
      const expected = withView ? [0, 0, 0, 5, 5, 5, 0, 1, 0, 6, 6, 6] : [0, 0, 0, 5, 5, 5, 0, 0, 0, 6, 6, 6];
      expect([...(await readOne(json, binary)).mesh.positions]).toEqual(expected);
    }
  });
});

describe('compression', () => {
  it('decodes meshopt', async () => {
    for (const name of ['EXT_meshopt_compression', 'KHR_meshopt_compression']) {
      const { bodies } = await readFile('t.glb', await meshoptGlb(name));
      const { mesh } = bodies[0];
      expect([...mesh.positions]).toEqual(tetrahedronPositions);
      expect(mesh.solid).toBe(true);
    }
  });

  it('decodes Draco', async () => {
    const bytes = await dracoTetrahedron();
    const { bodies } = await readFile('t.glb', dracoGlb(bytes));
    const { mesh } = bodies[0];
    expect(mesh.triangleCount).toBe(4);
    expect(mesh.vertexCount).toBe(4);
    expect(mesh.solid).toBe(true);
    expect(mesh.volume).toBeCloseTo(1 / 6, 3);
  });

  it('uses the given decoder, and fetches it again if that failed', async () => {
    const file = dracoGlb(await dracoTetrahedron());
    // Without the decoder that other tests loaded.
    vi.resetModules();
    const fresh = await import('../read-file.ts');
    let fetched = 0;
    const path = createRequire(import.meta.url).resolve('draco3dgltf/draco_decoder_gltf.wasm');
    const wasm = async () => {
      if (++fetched === 1) throw new Error('no connection');
      return Uint8Array.from(readFileSync(path)).buffer;
    };
    await expect(fresh.readFile('t.glb', file, { wasm })).rejects.toThrow('no connection');
    for (let i = 0; i < 2; i++) {
      const { bodies } = await fresh.readFile('t.glb', file, { wasm });
      expect(bodies[0].mesh.triangleCount).toBe(4);
    }
    expect(fetched).toBe(2);
  });

  it('throws for Draco data cut or changed anywhere, and reads other files afterwards', async () => {
    const bytes = await dracoTetrahedron();
    for (let length = 0; length < bytes.length; length++) {
      await expect(readFile('cut.glb', dracoGlb(bytes.slice(0, length)))).rejects.toThrow(/cut\.glb: /);
    }
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 128]) {
        const changed = bytes.slice();
        changed[at] ^= bit;
        // Changed data may still be a mesh. Any result must be a mesh or an error of the library.
        await readFile('changed.glb', dracoGlb(changed)).catch(error =>
          expect(error.name).toBe('NearfieldError'),
        );
      }
    }
    const lying = bytes.slice();
    // Method 1 (edgebreaker): traversal, then the counts of vertices and faces.
    expect(lying[8]).toBe(1);
    const huge = new Uint8Array([...lying.slice(0, 12), 255, 255, 255, 255, 15, 255, 255, 255, 255, 15]);
    await expect(readFile('lie.glb', dracoGlb(huge))).rejects.toThrow(
      /22 compressed bytes promise 4294967295 triangles/,
    );
  });
});

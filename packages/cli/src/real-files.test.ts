// Commands about proximity on files as people have them: the scanned Stanford bunny, 69,451 triangles with holes in its base,
// as binary STL and PLY, and a closed bumpy sphere as GLB. Commands give the same answers as the library for the same meshes.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Mesh, mesh, open, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bunny as readBunny } from '../../../bench/src/scenes/meshes/models.ts';
import { glb } from '../../io/src/testing/samples.ts';
import { runIn, testFolder } from './testing.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const cpu = ['--backend', 'cpu'];

let bunny: Mesh;
let shifted: Mesh;
beforeAll(async () => {
  const model = await readBunny();
  if (model === undefined) throw new Error('the package draco3d, which has the bunny, is not installed');
  bunny = model.mesh;
  shifted = moved(bunny, bunny.bounds[3] - bunny.bounds[0] + 0.01);
});
const bumpy = shapes.displacedSphere({ triangles: 5000, amplitude: 0.2 });

const moved = ({ positions, indices }: Mesh, by: number): Mesh =>
  mesh(
    Float32Array.from(positions, (x, i) => (i % 3 === 0 ? x + by : x)),
    indices,
  );

/** A soup of triangles after a header of 80 bytes. */
function stl({ positions, indices, triangleCount }: Mesh): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(84 + 50 * triangleCount));
  bytes.setUint32(80, triangleCount, true);
  indices.forEach((vertex, i) => {
    const at = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3);
    for (let axis = 0; axis < 3; axis++) bytes.setFloat32(at + 4 * axis, positions[3 * vertex + axis], true);
  });
  return new Uint8Array(bytes.buffer);
}

function ply({ positions, indices, vertexCount, triangleCount }: Mesh): Uint8Array {
  const coordinates = ['x', 'y', 'z'].map(name => `property float ${name}\n`).join('');
  const faces = `element face ${triangleCount}\nproperty list uchar int vertex_indices\nend_header\n`;
  const text = `ply\nformat binary_little_endian 1.0\nelement vertex ${vertexCount}\n${coordinates}${faces}`;
  const header = new TextEncoder().encode(text);
  const bytes = new Uint8Array(header.length + 12 * vertexCount + 13 * triangleCount);
  bytes.set(header);
  const view = new DataView(bytes.buffer);
  positions.forEach((x, i) => {
    view.setFloat32(header.length + 4 * i, x, true);
  });
  for (let t = 0; t < triangleCount; t++) {
    const at = header.length + 12 * vertexCount + 13 * t;
    view.setUint8(at, 3);
    for (let k = 0; k < 3; k++) view.setInt32(at + 1 + 4 * k, indices[3 * t + k], true);
  }
  return bytes;
}

function glbOf({ positions, indices, vertexCount }: Mesh, name: string): Uint8Array {
  const binary = new Uint8Array(12 * vertexCount + 4 * indices.length);
  binary.set(new Uint8Array(Float32Array.from(positions).buffer));
  binary.set(new Uint8Array(Uint32Array.from(indices).buffer), 12 * vertexCount);
  return glb(
    {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0, name }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: vertexCount, type: 'VEC3' },
        { bufferView: 1, componentType: 5125, count: indices.length, type: 'SCALAR' },
      ],
      bufferViews: [
        { buffer: 0, byteOffset: 0, byteLength: 12 * vertexCount },
        { buffer: 0, byteOffset: 12 * vertexCount, byteLength: 4 * indices.length },
      ],
      buffers: [{ byteLength: binary.length }],
    },
    binary,
  );
}

function ask<T>(a: Mesh, b: Mesh, question: (scene: ReturnType<typeof nf.scene>) => T): T {
  const scene = nf.scene();
  scene.add(a);
  scene.add(b);
  const answer = question(scene);
  scene.close();
  return answer;
}

describe('a scanned model', () => {
  it('distance from STL to PLY equals that of the library', async () => {
    const folder = testFolder({ 'bunny.stl': stl(bunny), 'other.ply': ply(shifted) });
    const words = ['distance', 'bunny.stl', 'other.ply', '--json', ...cpu];
    const { status, out, err } = await runIn(folder, words);
    expect([status, err]).toEqual([0, '']);
    const expected = ask(bunny, shifted, scene => scene.distanceSync(scene.bodies[0], scene.bodies[1]));
    expect(JSON.parse(out).distance).toBe(expected.distance);
    expect(expected.distance).toBeGreaterThan(0);
  });

  it('check --clearance: too close if the clearance is greater than the distance, not if it is less', async () => {
    const folder = testFolder({ 'bunny.stl': stl(bunny), 'other.ply': ply(shifted) });
    const { distance } = ask(bunny, shifted, scene => scene.distanceSync(scene.bodies[0], scene.bodies[1]));
    const check = (clearance: number) =>
      runIn(folder, ['check', 'bunny.stl', 'other.ply', '--clearance', `${clearance}`, '--json', ...cpu]);
    const near = await check(2 * distance);
    expect(near.status).toBe(1);
    expect(near.err).toMatch(/bunny \(open\), other \(open\)/);
    expect(JSON.parse(near.out).pairs.length).toBe(1);
    const far = await check(distance / 2);
    expect([far.status, JSON.parse(far.out).pairs]).toEqual([0, []]);
  });

  it('penetration refuses an open file and names it', async () => {
    const folder = testFolder({ 'bunny.stl': stl(bunny), 'ball.glb': glbOf(bumpy, 'ball') });
    const { status, out, err } = await runIn(folder, [
      'penetration',
      'bunny.stl',
      'ball.glb',
      '--units',
      'm',
      ...cpu,
    ]);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^nearfield: ball\.glb has \+y up.*\nnearfield: .*bunny is open.*\n$/);
  });

  it('field: distances as ImageData and as bare numbers, with the sign of the winding number', async () => {
    const folder = testFolder({ 'bunny.stl': stl(bunny) });
    for (const [name, bytesEach] of [
      ['bunny.vti', 9],
      ['bunny.raw', 4],
    ] as const) {
      const words = ['field', 'bunny.stl', '--out', name, '--resolution', '10', '--json', ...cpu];
      const { status, out, err } = await runIn(folder, words);
      expect([status, err]).toEqual([0, '']);
      const answer = JSON.parse(out);
      expect(answer.closed).toBe(false);
      expect(answer.inside).toBeGreaterThan(0);
      expect(statSync(join(folder, name)).size).toBeGreaterThanOrEqual(bytesEach * answer.samples);
    }
  });

  it('self finds the same pairs as the library', async () => {
    const folder = testFolder({ 'bunny.ply': ply(bunny) });
    const { out, err } = await runIn(folder, ['self', 'bunny.ply', '--json', ...cpu]);
    expect(err).toBe('');
    const scene = nf.scene();
    const { triangles } = scene.selfIntersectionsSync(scene.add(bunny));
    expect(JSON.parse(out).triangles).toEqual([...triangles]);
    scene.close();
  });
});

it('penetration of two closed GLB files gives the library’s bracket', async () => {
  const other = moved(bumpy, 1.2);
  const folder = testFolder({ 'a.glb': glbOf(bumpy, 'a'), 'b.glb': glbOf(other, 'b') });
  const { status, out, err } = await runIn(folder, ['penetration', 'a.glb', 'b.glb', '--json', ...cpu]);
  expect([status, err]).toEqual([1, '']);
  const single = moved(bumpy, 0);
  const { depth } = ask(single, other, scene => scene.penetrationSync(scene.bodies[0], scene.bodies[1]));
  expect(JSON.parse(out).depth).toEqual(depth);
  expect(depth.lower).toBeGreaterThan(0);
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { mesh } from 'nearfield';
import { expect, it } from 'vitest';
import type { PastBody } from '../assembly/types.ts';
import { finish } from '../steps/steps.ts';
import { answerOf } from '../testing.ts';
import { bodyIdentities, bodyKey, fileKey, orderByPlace } from './body-key.ts';
import { clashIds, identify } from './clash-id.ts';
import { fingerprintOf } from './fingerprint.ts';

const at = (name: string, x: number, more: Partial<PastBody> = {}): PastBody => ({
  name,
  fingerprint: { mesh: 'm', pose: 'p', box: [x, 0, 0, x + 1, 1, 1] },
  ...more,
});

it('the key is the id; else file and path; else file and name', () => {
  const wall = { name: 'wall', file: 'a/house.ifc', path: ['House', 'wall'], id: '3xYz' };
  expect(bodyKey(wall)).toBe(bodyKey({ ...wall, name: 'Wall', file: 'other.ifc', path: ['X'] }));
  const { id, ...noId } = wall;
  expect(bodyKey(noId)).toBe(bodyKey({ ...noId, file: 'b\\house.glb' }));
  expect(bodyKey(noId)).not.toBe(bodyKey({ ...noId, path: ['House', 'Level', 'wall'] }));
  expect(bodyKey({ name: 'a' })).not.toBe(bodyKey({ name: 'a', file: 'a.stl' }));
  // A name with a slash is no path, and a name that looks like an id is none.
  expect(bodyKey({ name: 'x/y' })).not.toBe(bodyKey({ name: 'y', path: ['x', 'y'] }));
  expect(bodyKey({ name: '{"id":"1"}' })).not.toBe(bodyKey({ name: 'q', id: '1' }));
});

it.each([
  ['models/house.ifc', 'house'],
  ['C:\\models\\house.v2.glb', 'house.v2'],
  ['.hidden', '.hidden'],
  [undefined, ''],
])('the file %s is %s', (file, key) => {
  expect(fileKey(file)).toBe(key);
});

it('bodies that share a key are numbered by place, whatever their order', () => {
  const bolts = [at('bolt', 5), at('bolt', 1), at('nut', 0), at('bolt', 3)];
  const identities = finish(bodyIdentities(bolts));
  expect(identities.map(text => text.slice(-2))).toEqual(['#2', '#0', '"]', '#1']);
  const shuffled = [3, 0, 2, 1];
  expect(finish(bodyIdentities(shuffled.map(i => bolts[i])))).toEqual(shuffled.map(i => identities[i]));
});

it('last digits do not change the order of a row of bolts', () => {
  const row = Array.from({ length: 7 }, (_, i) => [2, i / 3, 0]);
  const property = fc.property(
    fc.array(fc.double({ min: -1e-9, max: 1e-9, noNaN: true }), { minLength: 21, maxLength: 21 }),
    noise => {
      const moved = row.map((place, i) => place.map((value, axis) => value + noise[3 * i + axis]));
      expect(orderByPlace([0, 1, 2, 3, 4, 5, 6], i => moved[i])).toEqual([0, 1, 2, 3, 4, 5, 6]);
    },
  );
  fc.assert(property, { numRuns: 200 });
});

it('a clash keeps its identity when indices change and when a and b are exchanged', () => {
  const bodies = [at('floor', 0), at('pipe', 1), at('pipe', 2), at('wall', 3)];
  const pairs = [
    { a: 0, b: 1 },
    { a: 0, b: 2 },
    { a: 2, b: 3 },
  ];
  const ids = finish(clashIds(bodies, pairs));
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}$/);
  const reversed = [...bodies].reverse();
  expect(
    finish(
      clashIds(
        reversed,
        pairs.map(({ a, b }) => ({ a: 3 - b, b: 3 - a })),
      ),
    ),
  ).toEqual(ids);
  expect(
    finish(
      clashIds(
        reversed,
        pairs.map(({ a, b }) => ({ a: 3 - a, b: 3 - b })),
      ),
    ),
  ).toEqual(ids);
});

it('identities stay different and stable when hashes collide', () => {
  const bodies = Array.from({ length: 12 }, (_, i) => at(`part ${i}`, i));
  const pairs = bodies.flatMap((_, a) => bodies.slice(a + 1).map((_, k) => ({ a, b: a + 1 + k })));
  // 66 pairs and 256 identities: many collide.
  const ids = finish(clashIds(bodies, pairs, new Set(), 2));
  expect(new Set(ids).size).toBe(pairs.length);
  const order = pairs.map((_, i) => (i * 31) % pairs.length);
  expect(
    finish(
      clashIds(
        bodies,
        order.map(i => pairs[i]),
        new Set(),
        2,
      ),
    ),
  ).toEqual(order.map(i => ids[i]));
  const others = finish(clashIds(bodies, pairs.slice(0, 20), new Set(ids.slice(0, 20)), 2));
  expect(others.filter(id => ids.slice(0, 20).includes(id))).toEqual([]);
});

it('a pair has one identity in all frames', () => {
  const pair = { a: 0, b: 1, relation: 'crossing', triangleCount: 1 } as const;
  const frames = [0, 1, 2].map(frame => ({ frame, pairs: frame === 1 ? [] : [pair] }));
  const ids = finish(identify(answerOf(['a', 'b'], [], { isMotion: true, frames }))).frames.map(
    ({ pairs }) => pairs[0]?.clash,
  );
  expect(ids[0]).toMatch(/^[0-9a-f]{12}$/);
  expect(ids).toEqual([ids[0], undefined, ids[0]]);
});

const corners = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3];
const faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
const tetrahedron = mesh(Float32Array.from(corners), Uint16Array.from(faces));

it('a fingerprint depends on positions, triangles and pose, and on nothing else', () => {
  const own = fingerprintOf(tetrahedron, [undefined]);
  expect(own.mesh).toMatch(/^[0-9a-f]{32}$/);
  const wide = mesh(Float32Array.from(corners), Uint32Array.from(faces));
  const zero = Float64Array.from([1, -0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0, 0, 0, 1]);
  expect(fingerprintOf(wide, [zero])).toEqual(own);
  const moved = zero.map((value, i) => (i === 13 ? 7 : value));
  expect(fingerprintOf(wide, [moved])).toMatchObject({ mesh: own.mesh, box: [0, 7, 0, 1, 9, 3] });
  expect(fingerprintOf(wide, [moved]).pose).not.toBe(own.pose);
  const bent = mesh(
    Float32Array.from(corners, (value, i) => (i === 11 ? 3.0000002 : value)),
    wide.indices,
  );
  expect(fingerprintOf(bent, [undefined]).mesh).not.toBe(own.mesh);
  const turned = mesh(wide.positions, Uint32Array.from([...faces.slice(3), ...faces.slice(0, 3)]));
  expect(fingerprintOf(turned, [undefined]).mesh).not.toBe(own.mesh);
});

it('the box is where the pose puts the body', () => {
  // A quarter turn about z, then a step along x.
  const pose = Float64Array.from([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1]);
  expect(fingerprintOf(tetrahedron, [pose]).box).toEqual([8, 0, 0, 10, 1, 3]);
  expect(fingerprintOf(mesh(new Float32Array(0)), [pose]).box).toBeUndefined();
});

it("Node's SHA-256 gives the same fingerprint", () => {
  const digest = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
  const copy = mesh(tetrahedron.positions, tetrahedron.indices);
  expect(fingerprintOf(copy, [undefined], digest)).toEqual(fingerprintOf(tetrahedron, [undefined]));
});

it('the fingerprint of a motion is that of all its poses, and its box holds them all', () => {
  const at = (x: number) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1);
  const there = fingerprintOf(tetrahedron, [at(0), at(5)]);
  expect(there.box).toEqual([0, 0, 0, 6, 2, 3]);
  const hashes = [there, fingerprintOf(tetrahedron, [at(5), at(0)]), fingerprintOf(tetrahedron, [at(0)])];
  expect(new Set(hashes.map(({ pose }) => pose)).size).toBe(3);
});

it('no identity looks like a number, which a spreadsheet would write in another way', () => {
  // With four hexadecimal digits one in five hashes has decimal ones alone.
  const bodies = Array.from({ length: 200 }, (_, i) => at(`part ${i}`, i));
  const ids = bodies.flatMap((_, i) => finish(clashIds(bodies, [{ a: 0, b: i }], new Set(), 4)));
  expect(ids.filter(id => /^\d+(e\d+)?$/.test(id))).toEqual([]);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{4}$/);
});

// Wrong arguments that callers without TypeScript may pass, and the message they get.

import { afterAll, expect, it } from 'vitest';
import type { ErrorCode } from '../core/errors.ts';
import { mesh } from '../mesh/mesh.ts';
import { open } from '../nearfield.ts';
import { box } from '../shapes/index.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const scene = nf.scene();
const [a, b] = [scene.add(box(), { name: 'a' }), scene.add(box(), { name: 'b' })];
const foreign = nf.scene().add(box());
const wrong = (given: unknown) => given as never;
const shifted = [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

it.each<[string, () => unknown, ErrorCode, string | RegExp]>([
  ['no mesh', () => scene.add(wrong({})), 'bad-option', 'scene.add takes a mesh: mesh(positions, indices)'],
  ['nothing', () => scene.add(wrong(undefined)), 'bad-option', 'scene.add takes a mesh'],
  [
    'one body',
    () => scene.distanceSync(a, wrong(undefined)),
    'bad-option',
    /takes two bodies, and undefined/,
  ],
  ['a mesh', () => scene.penetrationSync(wrong(box()), b), 'bad-option', /two bodies, and Mesh is not/],
  ['one body', () => scene.contactsSync(a, wrong(null)), 'bad-option', /two bodies, and null/],
  ['one body', () => scene.curvesSync(wrong('a'), b), 'bad-option', /two bodies, and a is not/],
  ['no body', () => scene.insideSync(wrong(1), new Float64Array(3)), 'bad-option', '1 is not a body'],
  [
    'another scene',
    () => scene.remove(foreign),
    'bad-option',
    'body 0 is not in this scene: it belongs to another',
  ],
  ['two bodies', () => scene.intersectionVolumeSync(a, wrong(b)), 'bad-option', 'takes a list: [a, b]'],
  [
    'bodies for lists',
    () => scene.interferencesSync({ between: wrong([a, b]) }),
    'bad-option',
    'between must be two lists of bodies: [[a], [b]]',
  ],
  [
    'one list',
    () => scene.withinSync(1, { between: wrong([[a]]) }),
    'bad-option',
    'between must be two lists',
  ],
  [
    'names',
    () => scene.candidates({ between: wrong([['a'], ['b']]) }),
    'bad-option',
    'between must be two lists',
  ],
  [
    'a pair',
    () => scene.interferencesSync({ allowed: wrong([a, b]) }),
    'bad-option',
    'allowed must be a list of pairs',
  ],
  [
    'a body of another scene',
    () => scene.interferencesSync({ allowed: [[a, foreign]] }),
    'bad-option',
    'allowed: body 0 is not in this scene: it belongs to another',
  ],
  [
    'same',
    () => scene.candidates({ groups: wrong('same') }),
    'bad-option',
    `groups must be 'different', not "same"`,
  ],
  ['a matrix', () => scene.add(box(), { pose: wrong({ elements: [] }) }), 'bad-pose', 'pass matrix.elements'],
  [
    'rows',
    () => scene.add(box(), { pose: wrong([[1], [2], [3], [4]]) }),
    'bad-pose',
    'this one has 4 arrays',
  ],
  ['row by row', () => scene.add(box(), { pose: shifted }), 'bad-pose', 'are they row by row?'],
  [
    'nothing',
    () => (a.pose = wrong(undefined)),
    'bad-pose',
    'a: a pose has 16 numbers, column-major, not undefined',
  ],
  [
    'numbers',
    () => mesh(new Float64Array(9), wrong([0, 1, 2])),
    'bad-array',
    /; new Uint32Array\(indices\) makes one$/,
  ],
])('%s', (_, ask, code, message) => {
  expect(ask).toThrow(expect.objectContaining({ name: 'NearfieldError', code }));
  expect(ask).toThrow(message);
});

it('asynchronous questions reject with the same codes', async () => {
  await expect(scene.distance(a, wrong(undefined))).rejects.toMatchObject({ code: 'bad-option' });
  await expect(scene.intersectionVolume(a, wrong(b))).rejects.toMatchObject({ code: 'bad-option' });
});

it('writes pairs and bodies as JSON without their meshes', () => {
  const other = nf.scene();
  const wall = other.add(box(), { name: 'wall' });
  other.add(box({ size: [0.5, 0.5, 0.5] }), { name: 'pipe' });
  const [pair] = other.interferencesSync();
  expect(JSON.parse(JSON.stringify(pair))).toEqual({
    a: { index: 0, name: 'wall' },
    b: { index: 1, name: 'pipe' },
    relation: 'contains',
    triangleCount: 0,
  });
  expect(JSON.stringify(wall)).toBe('{"index":0,"name":"wall"}');
  other.close();
});

it('accepts null for missing indices, as three.js does', () => {
  expect(mesh(new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), null).triangleCount).toBe(1);
});

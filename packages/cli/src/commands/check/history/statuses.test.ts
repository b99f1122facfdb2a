// What people say about clashes, through the files of the command line.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../../testing.ts';

const cpu = ['--backend', 'cpu'];
const check = ['check', 'parts.obj', '--statuses', 's.json', ...cpu];

/** Two boxes of side 2 that overlap by this. */
const overlapping = (depth: number) => boxObj(0, 0, 0, 2, 'a') + boxObj(2 - depth, 0, 0, 2, 'b');
const idsIn = (folder: string) =>
  Object.keys(JSON.parse(readFileSync(join(folder, 's.json'), 'utf8')).clashes);

it('accepts a clash with the depth that the last check found', async () => {
  const folder = testFolder({ 'parts.obj': overlapping(0.001) });
  expect((await runIn(folder, check)).status).toBe(1);
  const [clash] = idsIn(folder);
  await runIn(folder, ['status', 's.json', clash, '--set', 'accepted', '--by', 'Ada']);
  writeFileSync(join(folder, 'parts.obj'), overlapping(0.8));
  const deeper = await runIn(folder, check);
  expect([deeper.status, deeper.err]).toEqual([1, expect.stringContaining('is deeper now')]);
  // And still in the next check, until somebody accepts that depth.
  expect((await runIn(folder, check)).status).toBe(1);
  await runIn(folder, ['status', 's.json', clash, '--set', 'accepted', '--by', 'Ada']);
  expect((await runIn(folder, check)).status).toBe(0);
});

it('a clash that may be deeper than was accepted still fails', async () => {
  // Its depth is 1; only a bracket of it is known.
  const folder = testFolder({ 'parts.obj': boxObj(0, 0, 0, 2, 'a') + boxObj(1, 0.3, 0.3, 1.4, 'b') });
  await runIn(folder, check);
  const [clash] = idsIn(folder);
  const accepted = async (depth: number) => {
    const clashes = { [clash]: { status: 'accepted', depth } };
    writeFileSync(join(folder, 's.json'), JSON.stringify({ version: 1, clashes }));
    return (await runIn(folder, check)).status;
  };
  expect([await accepted(0.999), await accepted(1.001)]).toEqual([1, 0]);
});

it('an acceptance stays with its part when one with the same name is added', async () => {
  const file = (...bolts: number[]) =>
    JSON.stringify({
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0, ...bolts.map((_, i) => i + 1)] }],
      nodes: [
        { name: 'floor', mesh: 0, scale: [20, 20, 1] },
        ...bolts.map(x => ({ name: 'bolt', mesh: 0, translation: [x, 5, 0.5] })),
      ],
      ...cubeGltf,
    });
  const folder = testFolder({ 'plant.gltf': file(5) });
  const words = ['check', 'plant.gltf', '--statuses', 's.json', '--json', ...cpu];
  await runIn(folder, [...words, '--out', 'one.json']);
  await runIn(folder, ['status', 's.json', ...idsIn(folder), '--set', 'accepted', '--by', 'Ada']);
  expect((await runIn(folder, words)).status).toBe(0);
  // Two bolts of one name: without the baseline nobody can tell which was accepted, so none is.
  writeFileSync(join(folder, 'plant.gltf'), file(1, 5));
  const verdicts = async (...more: string[]) => {
    const { pairs, bodies } = JSON.parse((await runIn(folder, [...words, ...more])).out);
    return pairs.map(({ b, verdict }: { b: number; verdict: string }) => [bodies[b].name, verdict]);
  };
  expect(await verdicts('--baseline', 'one.json')).toEqual([
    ['bolt', 'clash'],
    ['bolt', 'accepted'],
  ]);
  expect(await verdicts()).toEqual([
    ['bolt', 'clash'],
    ['bolt', 'clash'],
  ]);
  // Accepted as they stand, each acceptance stays where it is while a third one comes and shifts the numbers.
  await runIn(folder, [...words, '--out', 'two.json']);
  const two = JSON.parse(readFileSync(join(folder, 'two.json'), 'utf8'));
  await runIn(folder, ['status', 's.json', two.pairs[1].clash, '--set', 'accepted', '--by', 'Ada']);
  expect(await verdicts()).toEqual([
    ['bolt', 'clash'],
    ['bolt', 'accepted'],
  ]);
  writeFileSync(join(folder, 'plant.gltf'), file(1, 3, 5));
  expect((await verdicts()).map(([, verdict]: string[]) => verdict)).toEqual(['clash', 'clash', 'clash']);
});

/** A unit cube, for glTF files. */
const corners = Float32Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1) as number);
const faces = Uint16Array.of(
  ...[0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4],
  ...[2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
);
const cubeBytes = Buffer.concat([Buffer.from(corners.buffer), Buffer.from(faces.buffer)]);
const cubeGltf = {
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
  buffers: [
    {
      byteLength: cubeBytes.length,
      uri: `data:application/octet-stream;base64,${cubeBytes.toString('base64')}`,
    },
  ],
  bufferViews: [
    { buffer: 0, byteOffset: 0, byteLength: 96 },
    { buffer: 0, byteOffset: 96, byteLength: 72 },
  ],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
    { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' },
  ],
};

it('no other output takes the place of the statuses', async () => {
  const folder = testFolder({ 'parts.obj': overlapping(1) });
  await runIn(folder, check);
  const before = readFileSync(join(folder, 's.json'), 'utf8');
  const { status, err } = await runIn(folder, [...check, '--out', 's.json']);
  expect([status, err]).toEqual([
    2,
    expect.stringContaining('--statuses s.json and --out s.json are the same'),
  ]);
  expect(readFileSync(join(folder, 's.json'), 'utf8')).toBe(before);
  const model = await runIn(folder, ['check', 'parts.obj', '--statuses', 'parts.obj', ...cpu]);
  expect(model.err).toContain('parts.obj is an input and will not be overwritten');
});

it('a statuses file that cannot be written is refused before the work', async () => {
  const folder = testFolder({ 'parts.obj': overlapping(1) });
  const words = ['check', 'parts.obj', '--statuses', 'nofolder/s.json', '--json', ...cpu];
  const { status, out, err } = await runIn(folder, words);
  expect([status, out]).toEqual([2, '']);
  expect((await runIn(folder, words, { interactive: true })).err).not.toContain('checking');
  expect(err).toBe('nearfield: --statuses: nofolder/s.json: there is no such folder\n');
});

it('people who say something at the same time are all heard', async () => {
  const clashes = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [(0xaaaaaaaaaa00 + i).toString(16), { status: 'open' }]),
  );
  const folder = testFolder({ 's.json': JSON.stringify({ version: 1, clashes }) });
  const said = await Promise.all(
    Object.keys(clashes).map(clash => runIn(folder, ['status', 's.json', clash, '--set', 'accepted'])),
  );
  expect(said.map(({ status }) => status)).toEqual(Array(8).fill(0));
  const after = JSON.parse(readFileSync(join(folder, 's.json'), 'utf8'));
  expect(Object.values(after.clashes)).toMatchObject(Array(8).fill({ status: 'accepted' }));
  expect(existsSync(join(folder, 's.json.lock'))).toBe(false);
});

it('depths that a comparison needs cannot be left out', async () => {
  const folder = testFolder({ 'parts.obj': overlapping(1) });
  const { status, err } = await runIn(folder, [...check, '--depths', 'none']);
  expect([status, err]).toEqual([2, expect.stringContaining('--statuses measures every depth')]);
});

it('status says if there is no such file', async () => {
  const { status, err } = await runIn(testFolder(), ['status', 'nope.json']);
  expect([status, err]).toEqual([
    2,
    'nearfield: nope.json: there is no such file; "nearfield check ... --statuses nope.json" writes it\n',
  ]);
});

it('the list names both parts of a clash, however long their names are', async () => {
  const [wall, beam] = ['Basic Wall: exterior, brick on block', 'Beam: wide flange, 310 x 60, level 2'];
  const folder = testFolder({ 'parts.obj': boxObj(0, 0, 0, 2, wall) + boxObj(1, 0, 0, 2, beam) });
  await runIn(folder, check);
  expect((await runIn(folder, ['status', 's.json'])).out).toMatch(/Basic Wall.*….* and Beam: wide.*…/);
});

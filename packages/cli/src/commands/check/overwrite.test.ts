// An output never overwrites an input, however it is named.

import { linkSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const two = { 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) };

it.each(['hard.html', './hard.html', 'soft.html', 'poses.json', 'buffer.txt'])('--out %s', async target => {
  const gltf = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36, uri: 'buffer.txt' }],
  };
  const folder = testFolder({
    ...two,
    'poses.json': '{}',
    'model.gltf': JSON.stringify(gltf),
    'buffer.txt': new Uint8Array(36),
  });
  linkSync(join(folder, 'a.obj'), join(folder, 'hard.html'));
  symlinkSync(join(folder, 'a.obj'), join(folder, 'soft.html'));
  for (const option of ['--out', '--report']) {
    const before = readFileSync(join(folder, target));
    const words = [
      'check',
      'a.obj',
      'model.gltf',
      '--units',
      'm',
      '--poses',
      'poses.json',
      option,
      target,
      '--backend',
      'cpu',
    ];
    const { status, out, err } = await runIn(folder, words);
    expect([status, out]).toEqual([2, '']);
    const isPage = option === '--out' || target.endsWith('.html');
    expect(err).toMatch(isPage ? /is an input and will not be overwritten\n$/ : /must end in \.html/);
    expect(readFileSync(join(folder, target))).toEqual(before);
  }
});

it.each([
  ['a.html', 'a.html is an input'],
  ['./a.html', './a.html is the same file as a.html, which is an input'],
  ['hard.html', 'hard.html is the same file as a.html, which is an input'],
  // Two names of one file are inputs, and the output is a third.
  ['model.html', 'model.html is the same file as a.obj, which is an input'],
  ['soft.html', 'soft.html is the same file as a.html, which is an input'],
])('names the output %s and the input that it would overwrite', async (target, which) => {
  const folder = testFolder({ 'a.obj': two['a.obj'], 'a.html': '{}' });
  linkSync(join(folder, 'a.html'), join(folder, 'hard.html'));
  for (const name of ['b.obj', 'model.html']) linkSync(join(folder, 'a.obj'), join(folder, name));
  symlinkSync('a.html', join(folder, 'soft.html'));
  const { status, err } = await runIn(folder, [
    ...['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--poses', 'a.html'],
    ...['--report', target],
  ]);
  expect([status, err]).toEqual([2, `nearfield: --report: ${which} and will not be overwritten\n`]);
});

it('refuses an extension of no known format', async () => {
  const folder = testFolder(two);
  const before = readFileSync(join(folder, 'a.obj'));
  const { status, err } = await runIn(folder, [
    'check',
    'a.obj',
    'b.obj',
    '--out',
    'a.obj',
    '--backend',
    'cpu',
  ]);
  expect(status).toBe(2);
  expect(err).toMatch(/--out a\.obj: the extension decides the format; known are \.txt, \.json, \.csv/);
  expect(readFileSync(join(folder, 'a.obj'))).toEqual(before);
});

it('does not follow a link of a glTF out of its folder', async () => {
  const outside = testFolder({ 'secret.bin': new Uint8Array(36) });
  const folder = testFolder({
    'model.gltf': JSON.stringify({
      asset: { version: '2.0' },
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      buffers: [{ byteLength: 36, uri: 'link.bin' }],
    }),
  });
  symlinkSync(join(outside, 'secret.bin'), join(folder, 'link.bin'));
  const { status, err } = await runIn(folder, ['check', 'model.gltf', '--backend', 'cpu']);
  expect(status).toBe(2);
  expect(err).toMatch(/is a link out of the folder/);
});

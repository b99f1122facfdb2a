import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const box = { 'box.obj': boxObj(0, 0, 0, 2) };
const options = ['--resolution', '12', '--backend', 'cpu'];

it('writes ImageData that holds the distances of a box', async () => {
  const folder = testFolder(box);
  const { status, out, err } = await runIn(folder, [
    'field',
    'box.obj',
    '--out',
    'box.vti',
    '--json',
    ...options,
  ]);
  expect(err).toBe('');
  expect(status).toBe(0);
  const answer = JSON.parse(out);
  expect(answer).toMatchObject({
    method: 'field',
    closed: true,
    dimensions: [12, 12, 12],
    samples: 1728,
    unsure: 0,
  });
  expect(answer.inside).toBe(1000);
  const bytes = readFileSync(join(folder, 'box.vti'));
  const text = bytes.toString('latin1');
  const start = text.indexOf('_', text.indexOf('<AppendedData')) + 1;
  const extent = /WholeExtent="0 11 0 11 0 11" Origin="([^"]*)" Spacing="([^ "]*) /.exec(text)!;
  const [origin, spacing] = [extent[1].split(' ').map(Number), Number(extent[2])];
  const offsets = [...text.matchAll(/type="(\w+)" Name="(\w+)" format="appended" offset="(\d+)"/g)].map(
    match => match.slice(1),
  );
  expect(offsets.map(([type, name]) => `${type} ${name}`)).toEqual([
    'Float32 distance',
    'UInt32 owner',
    'UInt8 feature',
  ]);
  const ends = offsets.map(
    ([, , offset]) => start + Number(offset) + 8 + Number(bytes.readBigUInt64LE(start + Number(offset))),
  );
  expect(text.slice(ends[2]).trim()).toBe('</AppendedData>\n</VTKFile>');
  for (let i = 0; i < 1728; i++) {
    const at = [i % 12, Math.floor(i / 12) % 12, Math.floor(i / 144)];
    const q = at.map((index, axis) => Math.abs(origin[axis] + index * spacing - 1) - 1);
    const outside = Math.hypot(...q.map(value => Math.max(value, 0)));
    const expected = outside > 0 ? outside : Math.max(...q);
    expect(bytes.readFloatLE(start + 8 + 4 * i), `sample ${i}`).toBeCloseTo(expected, 5);
  }
});

it('writes bare arrays and describes them', async () => {
  const folder = testFolder(box);
  const { status } = await runIn(folder, [
    'field',
    'box.obj',
    '--out',
    'box.raw',
    '--up-to',
    '0.3',
    ...options,
  ]);
  expect(status).toBe(0);
  const description = JSON.parse(readFileSync(join(folder, 'box.raw.json'), 'utf8'));
  const bytes = readFileSync(join(folder, 'box.raw'));
  expect(bytes.length).toBe(12 ** 3 * 9);
  expect(description.arrays).toEqual([
    { name: 'distance', type: 'Float32', offset: 0 },
    { name: 'owner', type: 'UInt32', offset: 4 * 12 ** 3 },
    { name: 'feature', type: 'UInt8', offset: 8 * 12 ** 3 },
  ]);
  const middle = 4 * (6 + 12 * (6 + 12 * 6));
  expect(bytes.readFloatLE(middle)).toBe(-Infinity);
  expect(bytes.readUInt32LE(description.arrays[1].offset + middle)).toBe(0xffffffff);
});

it('explains bad options, and never overwrites an input', async () => {
  const folder = testFolder(box);
  linkSync(join(folder, 'box.obj'), join(folder, 'link.vti'));
  const said = async (...words: string[]) => (await runIn(folder, ['field', ...words])).err;
  expect(await said('box.obj', '--out', 'field.txt')).toContain('.vti');
  expect(await said('box.obj', '--out', 'f.vti', '--tolerance', '0')).toContain('--tolerance');
  expect(await said('box.obj', '--out', 'f.vti', '--tolerance', '1', '--resolution', '2')).toContain(
    'not both',
  );
  expect(await said('box.obj')).toContain('--out');
  expect(await said('box.obj', '--out', 'nowhere/f.vti')).toContain('no such folder');
  expect(await said('box.obj', '--out', 'link.vti')).toContain('will not be overwritten');
  expect(readFileSync(join(folder, 'box.obj'), 'utf8')).toBe(box['box.obj']);
  const { status } = await runIn(folder, ['field', 'nothing.obj', '--out', 'f.vti']);
  expect(status).toBe(2);
});

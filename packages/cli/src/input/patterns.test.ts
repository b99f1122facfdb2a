import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../testing.ts';
import { expandPatterns, expandSinglePatterns } from './patterns.ts';

function folderWithParts(): string {
  const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(0.5, 0.5, 0.5), 'a.txt': '' });
  for (const name of ['parts', 'parts/left', 'parts/left/deep', 'parts/.git', 'parts/folder.stl']) {
    mkdirSync(join(folder, name));
  }
  const files = [
    '1.stl',
    '10.stl',
    '2.stl',
    '.hidden.stl',
    'x.STL',
    'left/3.stl',
    'left/deep/4.stl',
    '.git/5.stl',
  ];
  for (const name of files) writeFileSync(join(folder, 'parts', name), '');
  return folder;
}

it.each([
  ['parts/*.stl', ['parts/1.stl', 'parts/10.stl', 'parts/2.stl']],
  ['./parts/?.stl', ['./parts/1.stl', './parts/2.stl']],
  ['parts/1*0.stl', ['parts/10.stl']],
  ['parts/.h*.stl', ['parts/.hidden.stl']],
  ['*/left/*', ['parts/left/3.stl']],
  ['parts/left/../?.stl', ['parts/left/../1.stl', 'parts/left/../2.stl']],
  [
    'parts/**/*.stl',
    ['parts/1.stl', 'parts/10.stl', 'parts/2.stl', 'parts/left/3.stl', 'parts/left/deep/4.stl'],
  ],
  ['**/left/**', ['parts/left/3.stl', 'parts/left/deep/4.stl']],
  ['a.obj', ['a.obj']],
  ['missing.obj', ['missing.obj']],
])('expands %s as a shell does', async (pattern, files) => {
  expect(await expandPatterns([pattern], folderWithParts())).toEqual(files);
});

it('keeps the order of the arguments, and expands absolute patterns', async () => {
  const folder = folderWithParts();
  const names = ['b.obj', `${folder}/a.*`, 'parts/left/*'];
  const files = ['b.obj', `${folder}/a.obj`, `${folder}/a.txt`, 'parts/left/3.stl'];
  expect(await expandPatterns(names, folder)).toEqual(files);
});

it('takes the name of an existing file literally', async () => {
  const folder = testFolder({ '*.obj': boxObj(0, 0, 0), 'a.obj': boxObj(0, 0, 0) });
  expect(await expandPatterns(['*.obj'], folder)).toEqual(['*.obj']);
});

it('matches characters that regular expressions use literally', async () => {
  const folder = testFolder({ 'a+(1).obj': '', 'aa1.obj': '', 'é😀.obj': '' });
  expect(await expandPatterns(['a+(1)*'], folder)).toEqual(['a+(1).obj']);
  expect(await expandPatterns(['??.obj'], folder)).toEqual(['é😀.obj']);
});

it('does not follow links to folders below **', async () => {
  const folder = folderWithParts();
  symlinkSync(folder, join(folder, 'parts/left/circle'));
  expect(await expandPatterns(['**/3.stl'], folder)).toEqual(['parts/left/3.stl']);
});

it('check: expands quoted patterns', async () => {
  const { status, err } = await runIn(folderWithParts(), ['check', '*.obj', '--backend', 'cpu']);
  expect({ status, err }).toEqual({ status: 1, err: '' });
});

it('says that no file matches a pattern: status 2', async () => {
  const { status, out, err } = await runIn(folderWithParts(), ['check', 'parts/*.ply']);
  expect({ status, out, err }).toEqual({
    status: 2,
    out: '',
    err: 'nearfield: no file matches parts/*.ply\n',
  });
});

it('distance: a pattern must match one file', async () => {
  const folder = folderWithParts();
  expect(await expandSinglePatterns(['b*', 'a.o*'], folder)).toEqual(['b.obj', 'a.obj']);
  const { status, err } = await runIn(folder, ['distance', '*.obj', 'a.obj']);
  expect({ status, err }).toEqual({ status: 2, err: 'nearfield: *.obj matches 2 files: give one\n' });
  expect((await runIn(folder, ['distance', 'a.o?j', 'b*', '--backend', 'cpu'])).status).toBe(1);
});

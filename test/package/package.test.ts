// The packages as their users get them: packed, installed into an empty folder, imported with types, run.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = inject('folder');
const packed = inject('packed');

/**
 * The library has kernels for two engines and all five methods, and what its threads run once more, in a file of its own. The
 * command line has the studio, three.js and the library again, and twice the viewer of reports (150 KB each), for itself and
 * for the studio.
 */
const largest: Readonly<Record<string, number>> = {
  nearfield: 985_000,
  '@nearfield/io': 100_000,
  '@nearfield/cluster': 20_000,
  '@nearfield/cli': 1_900_000,
};

it('holds what is built, with its licence and its README, and nothing else', () => {
  expect(packed.map(({ name }) => name)).toEqual([
    'nearfield',
    '@nearfield/io',
    '@nearfield/cluster',
    '@nearfield/cli',
  ]);
  for (const { name, size, files } of packed) {
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const known =
      /^(LICENSE|README\.md|package\.json|bin\/nearfield\.js|dist\/.*\.(js|d\.ts)|dist\/rules\.schema\.json|dist\/(studio\/)?THIRD-PARTY\.txt|dist\/studio\/(index\.html|hashed\.json|assets\/[\w.-]+\.(js|css|wasm)\.gz))$/;
    expect(paths.filter(path => !known.test(path))).toEqual([]);
    expect(paths.filter(path => /test|\.as\./.test(path))).toEqual([]);
    // Bytes, compressed. A bundle that swallowed a dependency, or models, would be far beyond.
    expect(size).toBeLessThan(largest[name]);
  }
});

/** Names of packages and of what they depend on, without our own. */
function withDependencies(names: readonly string[], known = new Set<string>()): string[] {
  for (const name of names) {
    const file = join(root, 'node_modules', name, 'package.json');
    const { dependencies = {}, name: own } = JSON.parse(readFileSync(file, 'utf8'));
    if (known.has(own)) continue;
    known.add(own);
    withDependencies(Object.keys(dependencies), known);
  }
  return [...known].filter(name => !/^(@nearfield\/|nearfield$)/.test(name)).sort();
}

it.each([
  ['the jobs of threads', 'nearfield/dist', ['nearfield']],
  // The viewer of reports draws with three.js. Everything else that the command line uses is installed with it.
  ['the command line', '@nearfield/cli/dist', ['three']],
  ['the studio', '@nearfield/cli/dist/studio', ['nearfield', '@nearfield/io', 'three']],
])('carries the licence of every package whose code is in %s', (_, place, dependencies) => {
  const text = readFileSync(join(folder, 'node_modules', place, 'THIRD-PARTY.txt'), 'utf8');
  const listed = Array.from(text.matchAll(/^-{80}\n(\S+) [\d.]+ \(\S+\)\n\n(?=\S)/gm), ([, name]) => name);
  expect(listed).toEqual(withDependencies(dependencies));
});

it('says which package the cluster needs', () => {
  const bin = join(folder, 'node_modules/.bin/nearfield');
  const database = 'postgres://checker:secret@127.0.0.1/models';
  const { stderr, status } = spawnSync(bin, ['cluster', 'status', '--database', database], {
    encoding: 'utf8',
  });
  expect(stderr).toBe(
    'nearfield: nearfield cluster needs the package @nearfield/cluster: npm install @nearfield/cluster\n',
  );
  expect(status).toBe(2);
});

const program = `
import { open, shapes } from 'nearfield';
const nf = await open({ backend: 'cpu' });
const scene = nf.scene();
const part = shapes.box({ size: [1, 1, 1] });
scene.add(part);
scene.add(part, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.25, 0.125, 1] });
for (const pair of await scene.interferences()) console.log(pair.relation, pair.triangles.length / 2);
nf.close();
`;

it('is imported as an ES module and leaves the process free to end', () => {
  writeFileSync(join(folder, 'program.mjs'), program);
  const { stdout, stderr, status } = spawnSync('node', ['program.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^crossing \d+\n$/);
  expect(status).toBe(0);
});

it.each([
  ['a page', ['ES2023', 'DOM'], []],
  ['a program in Node', ['ES2023'], ['node']],
])('carries types that stand alone, for %s', (_, lib, types) => {
  writeFileSync(join(folder, 'program.ts'), program);
  const language = { strict: true, noEmit: true, module: 'NodeNext', target: 'ES2022' };
  const compilerOptions = { ...language, lib, types, typeRoots: [join(root, 'node_modules/@types')] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync('node', [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

it('declares nothing internal, and nothing that older compilers cannot read', () => {
  const types = join(folder, 'node_modules/nearfield/dist');
  const textOf = (name: string) => readFileSync(join(types, name), 'utf8');
  expect(textOf('bodies/body.d.ts')).not.toMatch(/\b(row|snapshotNow|leave)\b\s*[(:]/);
  expect(textOf('candidates/candidates.d.ts')).not.toMatch(/\browsKnown\(|readonly (question|core):/);
  expect(textOf('interferences/stages.d.ts')).not.toMatch(/\bdecide\(/);
  const names = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter(n => n.endsWith('.d.ts'));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter(name => /Array<ArrayBuffer/.test(textOf(name)))).toEqual([]);
  expect(names.filter(name => /\b(CpuEngine|GpuEngine|SceneCore)\b/.test(textOf(name)))).toEqual([]);
  // For module resolution that does not know "exports".
  const { main, types: entry } = JSON.parse(textOf('../package.json'));
  expect([main, entry]).toEqual(['./dist/index.js', './dist/index.d.ts']);
});

it('has a comment on every type and function that it exports', () => {
  const types = join(folder, 'node_modules/nearfield/dist');
  const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter(n => n.endsWith('.d.ts'));
  const bare = files.flatMap(file => {
    const text = readFileSync(join(types, file), 'utf8');
    const found = text.matchAll(
      /^([^\n]*\n)?export (?:declare )?(?:abstract )?(?:class|interface|type|function|const|enum) (\w+)/gm,
    );
    // A comment above the first form of a function is for all.
    const names = Array.from(found, ([, before = '', name]) => ({ name, isBare: !/\*\/\s*$/.test(before) }));
    return names
      .filter(({ name, isBare }, i) => isBare && names[i - 1]?.name !== name)
      .map(({ name }) => `${file}: ${name}`);
  });
  expect(bare).toEqual([]);
});

it('installs in less than 10 MB', () => {
  // Other test files link packages of the repository into it. Since Node 22, `recursive` would follow them.
  const bytesIn = (place: string): number =>
    readdirSync(place, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(place, entry.name);
      if (entry.isDirectory()) return sum + bytesIn(path);
      return sum + (entry.isFile() ? statSync(path).size : 0);
    }, 0);
  const bytes = bytesIn(join(folder, 'node_modules'));
  expect(bytes).toBeLessThan(10e6);
});

it('asks for the package webgpu by name where a GPU is asked for', () => {
  writeFileSync(join(folder, 'lone.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  const words = ['check', 'lone.obj', '--backend', 'gpu'];
  const run = spawnSync('node_modules/.bin/nearfield', words, { cwd: folder, encoding: 'utf8' });
  expect(run.status).toBe(2);
  expect(run.stderr).toContain('npm install webgpu');
});

it.each([
  ['a.ifc', 'IFC4', 'web-ifc'],
  ['a.step', 'AUTOMOTIVE_DESIGN', 'occt-import-js'],
])('asks for the package that reads %s by name', (name, schema, needed) => {
  const header = `ISO-10303-21;HEADER;FILE_SCHEMA(('${schema}'));ENDSEC;`;
  writeFileSync(join(folder, name), `${header}DATA;ENDSEC;END-ISO-10303-21;`);
  const run = spawnSync('node_modules/.bin/nearfield', ['check', name], { cwd: folder, encoding: 'utf8' });
  expect(run.status).toBe(2);
  expect(run.stderr).toMatch(/^[^\n]+\n$/);
  expect(run.stderr).toContain(`needs the package ${needed}: npm install ${needed}`);
});

it('runs from the command line', () => {
  const cube = (x: number) =>
    [...Array(8).keys()].map(i => `v ${x + (i & 1)} ${(i >> 1) & 1} ${i >> 2}\n`).join('') +
    'f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n';
  writeFileSync(join(folder, 'a.obj'), cube(0));
  writeFileSync(join(folder, 'b.obj'), cube(1));
  const run = spawnSync(
    'node_modules/.bin/nearfield',
    ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  expect(run.stderr).toBe('');
  expect(run.status).toBe(1);
  const answer = JSON.parse(run.stdout);
  expect(answer.pairs).toMatchObject([{ a: 0, b: 1, relation: 'touching' }]);
});

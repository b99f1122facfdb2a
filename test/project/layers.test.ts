// Imports go one way: a folder of the library imports only from itself and from those above it in this list, types included. Below
// that, neither files nor folders side by side import each other's values.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** From the ground up. Entries are what single questions are imported from; '' is the façade over them, the other files of no folder. */
const layers = [
  ...['core', 'math', 'mesh', 'shapes'],
  ...['bodies', 'cpu', 'gpu', 'questions', 'bvh', 'candidates', 'inside'],
  ...[
    'rays',
    'interferences',
    'distance',
    'regions',
    'sampled',
    'penetration',
    'contacts',
    'overlap',
    'motion',
    'particles',
    'inspect',
  ],
  ...['given-device.ts', 'open-gpu.ts', 'entries', '', 'three'],
];
const root = fileURLToPath(new URL('../../packages/nearfield/src', import.meta.url));
const layerOf = (file: string): string => {
  if (file.includes('/')) return file.slice(0, file.indexOf('/'));
  return layers.includes(file) ? file : '';
};

/** Sources, without tests and what is made for them: those may import from anywhere. */
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map(file => file.split(sep).join('/'))
  .filter(file => /\.ts$/.test(file) && !/\.test\.ts$|\.d\.ts$|(^|\/)(testing)[-./]/.test(file));

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const fileAt = (file: string, path: string): string =>
  normalize(join(dirname(file), path))
    .split(sep)
    .join('/');

const importsOf = (file: string): string[] =>
  Array.from(textOf(file).matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g), ([, path]) =>
    fileAt(file, path),
  );

/** The files of the library from which a file imports more than types, without those it loads when they are needed. */
function valuesOf(file: string): string[] {
  const found = textOf(file).matchAll(/^(?:import|export) (?!type )([^;']*?) ?(?:from )?'(\.[^']+\.ts)';/gm);
  return Array.from(found)
    .filter(([, names]) => !/^\{(\s*type [^,}]+,?)+\s*\}$/.test(names))
    .map(([, , path]) => fileAt(file, path));
}

test('every folder is a layer', () => {
  expect([...new Set(files.map(layerOf))].filter(layer => !layers.includes(layer))).toEqual([]);
});

test('the list of layers in ARCHITECTURE.md names every folder and every file beside them', () => {
  const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const [, list] = text.split('\n## Layers\n')[1].split('```');
  const tops = new Set(files.map(file => (file.includes('/') ? `${layerOf(file)}/` : file)));
  expect([...tops].filter(name => !list.includes(name))).toEqual([]);
});

test('no import goes up', () => {
  const up = files.flatMap(file =>
    importsOf(file)
      .filter(path => layers.indexOf(layerOf(path)) > layers.indexOf(layerOf(file)))
      .map(path => `${file} imports ${path}`),
  );
  expect(up).toEqual([]);
});

/** The files or folders of each cycle. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const isDone = new Set<string>();
  const follow = (at: string, path: readonly string[]): void => {
    const begun = path.indexOf(at);
    if (begun >= 0) cycles.push([...path.slice(begun), at]);
    if (begun >= 0 || isDone.has(at)) return;
    for (const next of graph.get(at) ?? []) follow(next, [...path, at]);
    isDone.add(at);
  };
  for (const at of graph.keys()) follow(at, []);
  return cycles;
}

test("no files import each other's values", () => {
  expect(cyclesOf(new Map(files.map(file => [file, valuesOf(file)])))).toEqual([]);
});

test("no two folders side by side import each other's values", () => {
  /** Per pair of folders of one folder, an import from the first to the second. */
  const between = new Map<string, string>();
  for (const file of files) {
    for (const path of valuesOf(file)) {
      const [from, to] = [file.split('/'), path.split('/')];
      const depth = from.findIndex((name, i) => name !== to[i]);
      if (depth < 0 || depth + 1 >= from.length || depth + 1 >= to.length) continue;
      const folder = from.slice(0, depth).join('/');
      between.set(`${folder}: ${from[depth]} to ${to[depth]}`, `${file} imports ${path}`);
    }
  }
  const mutual = [...between].filter(([pair]) => {
    const [, folder, from, to] = /^(.*): (.*) to (.*)$/.exec(pair)!;
    return between.has(`${folder}: ${to} to ${from}`);
  });
  expect(mutual.map(([, example]) => example)).toEqual([]);
});

// Imports go one way: a folder of the library imports only from itself and from those above it in this list, types included.

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

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g);
  return Array.from(found, ([, path]) =>
    normalize(join(dirname(file), path))
      .split(sep)
      .join('/'),
  );
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

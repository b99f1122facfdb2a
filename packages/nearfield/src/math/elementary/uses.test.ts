// Generated shapes must have the same bits in every JavaScript engine. test/studio/blank-page/generated.browser.test.ts compares a
// browser with Node. For all other engines it holds as long as generating code uses no function whose last digits the
// language leaves open.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../../../..');
const generating = [
  'packages/nearfield/src/math/elementary',
  'packages/nearfield/src/shapes',
  'packages/samples/src',
  'bench/src/scenes',
  'bench/src/poses.ts',
];
/** Code that generates sound, which need not be reproducible. */
const audible = /samples\/src\/hail\/(sound\/|hail\.ts)/;

const open =
  /Math\.(a?(sin|cos|tan)h?|atan2|exp|expm1|log|log2|log10|log1p|pow|hypot|cbrt|random)\b|(?<!(^|[^\w.])2) \*\* /;

const filesOf = (path: string): string[] =>
  path.endsWith('.ts')
    ? [path]
    : readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map(name => join(path, name));

test('no code that generates shapes or scenes uses a function that engines may round differently', () => {
  const files = generating
    .flatMap(filesOf)
    .filter(file => /(?<!\.test)\.ts$/.test(file) && !audible.test(file));
  expect(files.length).toBeGreaterThan(60);
  const found = files.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line, i) => ({ where: `${file}:${i + 1}`, code: line.replace(/\/\/.*|^\s*\/?\*.*/, '') }))
      .filter(({ code }) => open.test(code))
      .map(({ where, code }) => `${where} ${code.trim()}`),
  );
  expect(found).toEqual([]);
});

// Comments and documents name files that exist: a name is the end of some path in the repository.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesMadeBy, pages } from './worked-examples/pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every file of the repository, without what is installed or built. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return /^(node_modules|dist|scratch|\..*)$/.test(entry.name) ? [] : filesIn(path);
    return [path];
  });
}

const files = filesIn('').map(file => file.split(sep).join('/'));
/** Every path, also without its first folders: a comment may name a file by its last folders or by its name alone. */
const endsOf = (file: string): string[] => file.split('/').map((_, i, names) => names.slice(i).join('/'));
const known = new Set(files.flatMap(endsOf));
/** Files that the reader of a worked example makes. */
const made = new Set(pages.flatMap(filesMadeBy).flatMap(endsOf));
const exists = (name: string, file: string): boolean =>
  known.has(name) || name.startsWith('dist/') || (file.startsWith('docs/contributing/') && made.has(name));

/** Names that stand for no file of the repository: placeholders, and files of other projects. */
const elsewhere = new Set(['results/NAME.md']);

const isDocument = (file: string): boolean => file.endsWith('.md');
/** The changelog names files of earlier versions. */
const checked = files.filter(file => /\.(ts|mts|mjs|wgsl|md)$/.test(file) && file !== 'CHANGELOG.md');

/** The comments of a source file, by line; all of a document. */
function commentsOf(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  if (isDocument(file)) return lines;
  return lines.map(line => /^\s*(?:\/\/|\/\*|\*).*|(?<=\s)\/\/ .*/.exec(line)?.[0] ?? '');
}

/** File names in a text. Patterns such as `*.test.ts` are no names, and neither are parts of an address on the web. */
function namesIn(text: string): string[] {
  const plain = text.replace(/https?:\/\/\S+/g, '');
  return Array.from(
    plain.matchAll(/(?<![\w*./@-])(?:\.{1,2}\/)*(\w[\w/.-]*\.(?:ts|wgsl|md))\b/g),
    ([, name]) => name,
  );
}

test('every file that a comment or document names exists', () => {
  const missing = checked.flatMap(file =>
    commentsOf(file).flatMap((text, i) =>
      namesIn(text)
        .filter(name => !exists(name, file) && !elsewhere.has(name))
        .map(name => `${file}:${i + 1} names ${name}`),
    ),
  );
  expect(missing).toEqual([]);
});

// A sentence that begins with "Of" hides its subject: a reader has to go back.
test('no comment begins with "Of"', () => {
  const found = checked
    .filter(file => !isDocument(file))
    .flatMap(file =>
      commentsOf(file).flatMap((text, i) =>
        /^\s*(?:\/\/|\/\*+|\*) ?Of [a-z`]/.test(text) ? [`${file}:${i + 1} ${text.trim()}`] : [],
      ),
    );
  expect(found).toEqual([]);
});

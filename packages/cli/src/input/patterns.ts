// Which files does a pattern match? Shells expand patterns, but not if they are quoted, and some shells never do. Node 20 has
// no glob of its own. `*` and `?` match within one segment of a path; a segment `**` matches any number of folders.

import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NearfieldError } from 'nearfield';

/** Replaces every pattern by the files that it matches, in order of their names. A name of an existing file is no pattern. */
export async function expandPatterns(names: readonly string[], cwd: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of names) files.push(...(await expandPattern(name, cwd)));
  return files;
}

/** The same for arguments that stand for one file each. */
export async function expandSinglePatterns(names: readonly string[], cwd: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of names) {
    const matches = await expandPattern(name, cwd);
    if (matches.length > 1) {
      throw new NearfieldError('bad-option', `${name} matches ${matches.length} files: give one`);
    }
    files.push(matches[0]);
  }
  return files;
}

const isPattern = (text: string): boolean => /[*?]/.test(text);

async function expandPattern(name: string, cwd: string): Promise<string[]> {
  if (!isPattern(name) || (await kindOf(resolve(cwd, name))) !== 'nothing') return [name];
  const separator = process.platform === 'win32' ? /[\\/]/ : '/';
  const segments = name.split(separator);
  // "parts/**" means every file below parts.
  if (segments[segments.length - 1] === '**') segments.push('*');
  const found = new Set<string>();
  for await (const path of matchSegments('', segments, cwd)) found.add(path);
  if (found.size === 0) throw new NearfieldError('bad-file', `no file matches ${name}`);
  return [...found].sort();
}

/** The files below `base` (empty, or ending in a slash) whose paths match the segments. */
async function* matchSegments(
  base: string,
  [segment, ...rest]: readonly string[],
  cwd: string,
): AsyncGenerator<string> {
  if (segment === '**') {
    yield* matchSegments(base, rest, cwd);
    for (const entry of await entriesOf(base, cwd)) {
      // A link to a folder is not followed: it could lead in a circle.
      if (entry.isDirectory() && !entry.name.startsWith('.')) {
        yield* matchSegments(`${base}${entry.name}/`, [segment, ...rest], cwd);
      }
    }
    return;
  }
  const names = isPattern(segment)
    ? (await entriesOf(base, cwd)).map(({ name }) => name).filter(name => matches(name, segment))
    : [segment];
  for (const name of names) {
    if (rest.length > 0) yield* matchSegments(`${base}${name}/`, rest, cwd);
    else if ((await kindOf(resolve(cwd, base + name))) === 'file') yield base + name;
  }
}

/** Hidden names match only patterns that begin with a dot, as in shells. */
function matches(name: string, segment: string): boolean {
  if (name.startsWith('.') && !segment.startsWith('.')) return false;
  const source = segment
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 'su').test(name);
}

/** A folder that does not exist or cannot be read has no entries. */
async function entriesOf(base: string, cwd: string): Promise<Dirent[]> {
  try {
    return await readdir(resolve(cwd, base), { withFileTypes: true });
  } catch {
    return [];
  }
}

async function kindOf(path: string): Promise<'file' | 'other' | 'nothing'> {
  try {
    return (await stat(path)).isFile() ? 'file' : 'other';
  } catch {
    return 'nothing';
  }
}

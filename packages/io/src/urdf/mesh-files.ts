// Which file does the `filename` of a URDF's mesh mean? The path is relative to the URDF, or `package://NAME/path`,
// which means the folder of a package. Nothing outside of the folders that the caller lists is ever asked for.

import type { FetchBeside } from '../reading/fetch-beside.ts';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';

export interface Surroundings {
  readonly fetchBeside?: FetchBeside | undefined;
  /** The names of the folders around the URDF that may be read, innermost first. */
  readonly folders?: readonly string[] | undefined;
}

/**
 * The paths, relative to the URDF, that a file name may stand for, the likeliest first. `../` occurs only at the
 * beginning, and at most as often as there are listed folders above the first.
 */
export function pathsOf(file: string, place: string, filename: string, folders: readonly string[]): string[] {
  const refuse = (why: string): never => badFile(file, place, `the mesh ${quoted(filename)} ${why}`);
  const found = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(filename);
  const scheme = found?.[1].toLowerCase();
  if (found && scheme !== 'package' && scheme !== 'model')
    unsupportedFile(file, place, `the mesh ${quoted(filename)}: only relative paths and package:// are read`);
  const path = (found ? found[2] : filename).replaceAll('\\', '/');
  if (/\p{Cc}/u.test(path) || /^[a-z]:/i.test(path)) refuse('is not a file name');
  if (path.startsWith('/')) refuse('is an absolute path; only files near the URDF are read');
  const [up, parts] = resolved(path);
  const highest = Math.max(folders.length - 1, 0);
  if (parts.length === 0) refuse('is not a file name');
  const leaves = 'leads out of the folders that may be read';
  if (found && up > 0) refuse(leaves);
  const above = (levels: number, rest: readonly string[]) => '../'.repeat(levels) + rest.join('/');
  const [first, ...rest] = parts;
  const paths: string[] = [];
  if (!found) {
    if (up > highest) refuse(`${leaves} (option "folders")`);
    paths.push(above(up, parts));
  }
  // A path that begins with the name of a folder around the URDF is meant from there.
  folders.forEach((name, level) => {
    if (up === 0 && name === first && rest.length > 0) paths.push(above(level, rest));
  });
  if (found) {
    for (let level = 0; level <= highest; level++) paths.push(above(level, parts));
    if (rest.length > 0) for (let level = 0; level <= highest; level++) paths.push(above(level, rest));
  }
  return [...new Set(paths)];
}

/** Fetches the first of the paths that exists. The error names the file that is missing. */
export async function fetchFirst(
  file: string,
  place: string,
  filename: string,
  { fetchBeside, folders = ownFolder(file) }: Surroundings,
): Promise<{ path: string; bytes: Uint8Array }> {
  const paths = pathsOf(file, place, filename, folders);
  if (!fetchBeside) return badFile(file, place, `needs the file ${quoted(paths[0])}, which is missing`);
  let cause: unknown;
  for (const path of paths) {
    try {
      return { path, bytes: await fetchBeside(path, Number.POSITIVE_INFINITY) };
    } catch (error) {
      cause ??= error;
    }
  }
  const why = cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ') : String(cause);
  return badFile(file, place, `the mesh ${quoted(filename)} cannot be read (${why})`, cause);
}

/** `robots/arm.urdf` → `robots`, the folder that the name of the file shows. */
function ownFolder(file: string): string[] {
  const name = file.split(/[/\\]/).at(-2);
  return name ? [name] : [];
}

/** A path without `.` and inner `..`: the number of folders it goes up, and the names from there down. */
function resolved(path: string): [up: number, parts: string[]] {
  let up = 0;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0) parts.pop();
    else up++;
  }
  return [up, parts];
}

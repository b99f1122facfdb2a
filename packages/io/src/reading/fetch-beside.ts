// Which files may a file name? Only those beside it or below its folder, by relative paths without `..`. The caller
// fetches them.

/**
 * Fetches the first `byteLength` bytes (or all, if there are fewer) of a file beside the one that is read or below it.
 * For a mesh of a URDF and a part of a STEP assembly `byteLength` is Infinity. For a mesh of a URDF the path may begin
 * with `../` as far as `folders` allows.
 */
export type FetchBeside = (relativePath: string, byteLength: number) => Promise<Uint8Array>;

/**
 * The path without empty parts and `.`, so that each file has one path. Calls `refuse` with the reason if it is not
 * clearly a file beside the other or below it.
 */
export function pathBeside(path: string, refuse: (why: string) => never): string {
  if (/^[a-z]:[/\\]/i.test(path)) refuse('is an absolute path');
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//'))
    refuse('is a web address; only files are read');
  if (/^[/\\]/.test(path)) refuse('is an absolute path');
  const parts = path.split('/').filter(part => part !== '' && part !== '.');
  if (path.split(/[/\\]/).includes('..')) refuse('leaves the folder of the file');
  if (parts.length === 0 || /[\\\p{Cc}]/u.test(path)) refuse('is not a file name');
  return parts.join('/');
}

/** `robots/arm.urdf` and `../meshes/a.stl` → `robots/../meshes/a.stl`: the name of a file for messages. */
export const nameBeside = (file: string, path: string): string =>
  file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1) + path;

// The packages with which the page reads IFC and STEP. They are large, and the command line does not carry them: where they
// are installed beside it, the page gets them from here.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface ForeignFile {
  readonly name: string;
  /** Beside the file that `require` finds. */
  readonly file: string;
  /** What makes a module of a script. */
  readonly end?: string;
}

/** By their names under /packages/. The build of the page has the same ones. */
export const foreignFiles: Readonly<Record<string, ForeignFile>> = {
  'web-ifc.js': { name: 'web-ifc', file: 'web-ifc-api.js' },
  'web-ifc.wasm': { name: 'web-ifc', file: 'web-ifc.wasm' },
  'occt-import-js.js': {
    name: 'occt-import-js',
    file: 'occt-import-js.js',
    end: '\nexport default occtimportjs;\n',
  },
  'occt-import-js.wasm': { name: 'occt-import-js', file: 'occt-import-js.wasm' },
};

/** The bytes of a file of a package; undefined if there is no such file, or the package is not installed. */
export async function readForeign(path: string): Promise<Uint8Array | undefined> {
  const found = Object.hasOwn(foreignFiles, path) ? foreignFiles[path] : undefined;
  if (found === undefined) return undefined;
  try {
    const main = createRequire(import.meta.url).resolve(found.name);
    const bytes = await readFile(join(dirname(main), found.file));
    return found.end === undefined ? bytes : Buffer.concat([bytes, Buffer.from(found.end)]);
  } catch {
    return undefined;
  }
}

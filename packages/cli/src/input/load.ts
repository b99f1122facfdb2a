// Which bodies do the files of a command line hold? Each file is read once, in order. Every body keeps the name of
// its file.

import { type ReadResult, readFile } from '@nearfield/io';
import type { Mesh, Pose } from 'nearfield';
import type { Files } from '../files.ts';
import type { Progress } from '../output/progress.ts';
import { say, type Terminal } from '../output/terminal.ts';

export interface LoadedBody {
  readonly name: string;
  /** The file name as given on the command line. Generated bodies have none. */
  readonly file?: string | undefined;
  readonly mesh: Mesh;
  readonly pose?: Pose | undefined;
  /** The name that the file gives its only body, if the whole file is taken as one body and placed as it is. */
  readonly alias?: string | undefined;
}

export interface LoadOptions {
  /** Take each file as one body. */
  readonly oneBody: boolean;
  /** How large a file may become in memory, in multiples of its bytes. `readFile` has a default. */
  readonly maxExpansion?: number | undefined;
}

export async function loadBodies(
  names: readonly string[],
  { oneBody, maxExpansion }: LoadOptions,
  files: Files,
  progress: Progress,
  terminal: Terminal,
): Promise<LoadedBody[]> {
  const bodies: LoadedBody[] = [];
  // A file named twice gives its bodies twice, but shares the mesh.
  const read = new Map<string, ReadResult>();
  const warnings: string[] = [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    terminal.signal.throwIfAborted();
    progress.update(i / names.length);
    let result = read.get(files.path(name));
    if (!result) {
      const fetchBeside = (path: string, byteLength: number) => files.readBeside(name, path, byteLength);
      result = await readFile(name, await files.read(name), { fetchBeside, oneBody, maxExpansion });
      read.set(files.path(name), result);
      warnings.push(...result.warnings);
    }
    for (const { nameInFile, ...body } of result.bodies)
      bodies.push({ ...body, file: name, alias: nameInFile });
  }
  progress.clear();
  for (const warning of warnings) say(terminal, `warning: ${warning}`);
  return bodies;
}

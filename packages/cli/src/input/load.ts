// Which bodies do the files of a command line hold? Each file read once, in order; every body with the file it
// came from.

import { parse } from 'node:path';
import { mergeBodies, type ReadResult, readFile } from '@nearfield/io';
import { type Mesh, NearfieldError, type Pose } from 'nearfield';
import type { Progress } from '../output/progress.ts';
import { say, type Terminal } from '../output/terminal.ts';
import type { Files } from './files.ts';

export interface LoadedBody {
  readonly name: string;
  /** As given on the command line; left out for generated bodies. */
  readonly file?: string | undefined;
  readonly mesh: Mesh;
  readonly pose?: Pose | undefined;
  /** What its file calls the one body in it, where the whole file is taken as one and placed as it is. */
  readonly alias?: string | undefined;
}

export async function loadBodies(
  names: readonly string[],
  oneBody: boolean,
  files: Files,
  progress: Progress,
  terminal: Terminal,
): Promise<LoadedBody[]> {
  const bodies: LoadedBody[] = [];
  // A file named twice gives its bodies twice, but one mesh.
  const read = new Map<string, Loaded>();
  const warnings: string[] = [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (terminal.signal.aborted) throw new NearfieldError('aborted', 'cancelled');
    progress.update(i / names.length);
    let result = read.get(files.path(name));
    if (!result) {
      const fetchBeside = (path: string, byteLength: number) => files.readBeside(name, path, byteLength);
      result = await readFile(name, await files.read(name), { fetchBeside });
      if (oneBody) result = merged(name, result);
      read.set(files.path(name), result);
      warnings.push(...result.warnings);
    }
    for (const body of result.bodies) bodies.push({ ...body, file: name });
  }
  progress.clear();
  for (const warning of warnings) say(terminal, `warning: ${warning}`);
  return bodies;
}

interface Loaded extends ReadResult {
  readonly bodies: (ReadResult['bodies'][number] & { readonly alias?: string | undefined })[];
}

function merged(file: string, { bodies, warnings }: ReadResult): Loaded {
  const [first] = bodies;
  const isAlone = bodies.length === 1 && first.pose === undefined;
  const body = mergeBodies(file, parse(file).name, bodies);
  return { bodies: [isAlone ? { ...body, alias: first.name } : body], warnings };
}

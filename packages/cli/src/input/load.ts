// Which bodies do the files of a command line hold? Each file is read once. Every body keeps what its file says
// about it. Files in different units are brought to one, and IFC files at different places on a map are brought together.

import {
  type AllowedBodies,
  type Conversion,
  commonUnit,
  type GivenFile,
  type PlacedBody,
  type PlacedRobot,
  scaledPose,
} from '@nearfield/clashes';
import { inCommonCoordinates } from '@nearfield/io';
import type { Files } from '../files.ts';
import type { Progress } from '../output/progress.ts';
import { say, type Terminal } from '../output/terminal.ts';
import type { PlainOptions } from './reading/messages.ts';
import { readFiles } from './reading/read-files.ts';
import type { FileRead } from './reading/read-one.ts';

export interface LoadedBody extends PlacedBody {
  /** The name that the file gives its only body, if the whole file is taken as one body and placed as it is. */
  readonly alias?: string | undefined;
  /** How its file was brought to another unit, up axis or place on the map, if it was. */
  readonly conversion?: Conversion | undefined;
}

/** What the files of a command hold. */
export interface Loaded {
  readonly bodies: readonly LoadedBody[];
  /** Every file once, in the order in which it was first named. */
  readonly files: readonly GivenFile[];
  /** The unit of all lengths, in metres; undefined if it is not known. */
  readonly unit: number | undefined;
  /** Pairs of bodies that their files allow to meet. */
  readonly allowed: readonly AllowedBodies[];
  /** The robots among the files, each with the index of its first body and its scale. */
  readonly robots: readonly PlacedRobot[];
}

export interface LoadOptions extends PlainOptions {
  /** The unit of files that state none, and of the answer, in metres. */
  readonly units?: number | undefined;
}

/** Reads the files of a command. */
export async function loadFiles(
  names: readonly string[],
  { units, ...options }: LoadOptions,
  files: Files,
  progress: Progress,
  terminal: Terminal,
): Promise<Loaded> {
  // A file named twice gives its bodies twice, but shares the mesh.
  const firstNames = new Map<string, string>();
  for (const name of names) if (!firstNames.has(files.path(name))) firstNames.set(files.path(name), name);
  const reading = { progress: progress.update, signal: terminal.signal };
  const all = await readFiles([...firstNames.values()], options, files, reading);
  const read = new Map(Array.from(firstNames.keys(), (path, i) => [path, all[i]]));
  const results = names.map(name => ({ ...read.get(files.path(name))!, name }));
  progress.clear();
  for (const warning of all.flatMap(({ warnings }) => warnings)) say(terminal, `warning: ${warning}`);
  const { unit, scales, message } = commonUnit(results, units);
  if (message !== undefined) say(terminal, message);
  const common = inCommonCoordinates(results);
  for (const moved of common.messages) say(terminal, moved);
  const conversions = scales.map((scale, i) => ({ scale, move: common.moves[i] }));
  // Reading a large file keeps Ctrl-C waiting.
  await new Promise(resolve => setImmediate(resolve));
  terminal.signal.throwIfAborted();
  return { ...placed(common.results, conversions), unit };
}

/** The bodies of all files, scaled to the common unit. */
function placed(
  results: readonly (FileRead & { readonly name: string })[],
  conversions: readonly Conversion[],
): Omit<Loaded, 'unit'> {
  const bodies: LoadedBody[] = [];
  const files = new Map<string, GivenFile>();
  const allowed: AllowedBodies[] = [];
  const robots: PlacedRobot[] = [];
  for (const [i, { name, hash, unit, tessellation, robot, ...result }] of results.entries()) {
    const { scale, move } = conversions[i];
    const first = bodies.length;
    const conversion = scale === 1 && move === undefined ? undefined : conversions[i];
    const scaled = (length: number | undefined) => (length === undefined ? undefined : length * scale);
    files.set(name, { name, hash, unit, tessellation: scaled(tessellation) });
    for (const body of result.bodies) {
      // Named one by one: spreading 100,000 bodies takes a second.
      const { mesh, path, id, type, properties, rounding } = body;
      bodies.push({
        name: body.name,
        alias: body.nameInFile,
        file: name,
        mesh,
        pose: scaledPose(body.pose, scale),
        path,
        id,
        type,
        properties,
        rounding: scaled(rounding),
        meshRounding: body.meshRounding ?? rounding,
        conversion,
      });
    }
    for (const { a, b, reason } of result.allowed ?? []) allowed.push({ a: first + a, b: first + b, reason });
    if (robot !== undefined) robots.push({ robot, first, scale });
  }
  return { bodies, files: [...files.values()], allowed, robots };
}

/** The bodies alone, for questions that take each file as one body. */
export async function loadBodies(
  names: readonly string[],
  options: LoadOptions,
  files: Files,
  progress: Progress,
  terminal: Terminal,
): Promise<readonly LoadedBody[]> {
  return (await loadFiles(names, options, files, progress, terminal)).bodies;
}

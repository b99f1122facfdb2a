// Which files make up a STEP assembly? The file itself, those that it names for the shapes of its parts, those that
// these name, and so on. They are fetched before anything is built. A file that contains itself is refused, and so is
// an assembly of which a file is missing.

import type { Budget } from '../../reading/budget.ts';
import { type FetchBeside, nameBeside, pathBeside } from '../../reading/fetch-beside.ts';
import { badFile, quoted, unsupportedFile } from '../../reading/file-error.ts';
import { type Stated, statedBy } from '../stated.ts';
import { type OutsidePart, outsideParts } from './references.ts';
import { Structure } from './structure.ts';

export interface LinkedFile {
  /** Its name for messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly stated: Stated;
  readonly structure: Structure;
  /** Per product definition whose shape is in another file, that file. */
  readonly parts: ReadonlyMap<number, LinkedFile>;
  readonly warnings: readonly string[];
}

/** People's assemblies are less deep. A file that leads to itself under ever new names is refused here. */
const deepest = 32;
/** Files of one assembly. */
const mostFiles = 10_000;
/** Missing files that are named in the message. */
const mostNamed = 5;

/** The files of an assembly, the one that was given first. */
export async function linkedFiles(
  file: string,
  bytes: Uint8Array,
  fetchBeside: FetchBeside | undefined,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<readonly LinkedFile[]> {
  const known = new Map<string, LinkedFile>();
  const own = file.slice(nameBeside(file, '').length);
  await open(own, file, bytes, [own]);
  // Files are known after those that they need.
  return [...known.values()].reverse();

  async function open(
    path: string,
    name: string,
    given: Uint8Array,
    way: readonly string[],
  ): Promise<LinkedFile> {
    const stated = statedBy(name, given);
    const structure = new Structure(name, stated.records);
    budget.spendBodies(structure.countInstances(), 0, '');
    const warnings: string[] = [...stated.records.warnings];
    const outside = outsideParts(name, stated.records, structure, warnings);
    const parts = new Map<number, LinkedFile>();
    const missing = new Map<string, unknown>();
    for (const { definition, paths } of outside) {
      signal?.throwIfAborted();
      const linked = await find(path, name, definition, paths, way, missing);
      if (linked) parts.set(definition, linked);
      else if (missing.size > mostNamed) break;
    }
    if (missing.size > 0) refuseMissing(name, missing);
    const opened = { file: name, bytes: given, stated, structure, parts, warnings };
    known.set(path, opened);
    return opened;
  }

  /** The first of the paths that exists. Enters the part among the missing if none does. */
  async function find(
    from: string,
    name: string,
    definition: number,
    paths: OutsidePart['paths'],
    way: readonly string[],
    missing: Map<string, unknown>,
  ): Promise<LinkedFile | undefined> {
    const place = `#${definition}`;
    let cause: unknown;
    for (const written of paths) {
      const beside = pathBeside(written.replaceAll('\\', '/'), why =>
        badFile(name, place, `the file ${quoted(written)} ${why}`),
      );
      const path = nameBeside(from, beside);
      if (way.includes(path))
        badFile(name, place, `the assembly contains itself: ${quoted([...way, path].join(' → '))}`);
      if (way.length > deepest)
        badFile(name, place, `files are nested more than ${deepest} deep: ${quoted(path)}`);
      const before = known.get(path);
      if (before) return before;
      if (missing.has(written)) return undefined;
      if (known.size >= mostFiles) unsupportedFile(file, '', `it needs more than ${mostFiles} files`);
      if (!fetchBeside) continue;
      let fetched: Uint8Array;
      try {
        fetched = await fetchBeside(path, Number.POSITIVE_INFINITY);
      } catch (error) {
        cause ??= error;
        continue;
      }
      budget.hold(fetched.length);
      return open(path, nameBeside(file, path), fetched, [...way, path]);
    }
    missing.set(paths.at(-1)!, cause);
    return undefined;
  }
}

function refuseMissing(file: string, missing: ReadonlyMap<string, unknown>): never {
  const named = [...missing.keys()].slice(0, mostNamed).map(quoted).join(', ');
  const more = missing.size > mostNamed ? ' and more' : '';
  const cause = [...missing.values()].find(value => value !== undefined);
  const why = cause instanceof Error ? ` (${cause.message.replaceAll(/\s+/g, ' ')})` : '';
  const what = `the shapes of its parts are in other files, which are missing: ${named}${more}${why}`;
  return badFile(file, '', `${what}; put them beside it, or export the assembly into one file`, cause);
}

// Reads the files that a user drops, in the worker. A file that cannot be read gives a message; the others are read.

import { type InCommonCoordinates, inCommonCoordinates, type ReadResult, readFile } from '@nearfield/io';
import { identity, type Mesh, NearfieldError } from 'nearfield';
import type { BodyData, DrawnData, FileData, Limits, NamedFile, ReadAnswer } from '../types.ts';
import { giving } from '../worker/channel.ts';
import type { Kept, KeptBody, KeptFile } from '../worker/kept.ts';
import { drawnData } from './drawn-data.ts';
import { foreignThread } from './foreign-thread.ts';
import { hashOf } from './hash.ts';
import { DroppedFiles, modelsAmong, unreadBeside } from './names.ts';
import { packageWasm } from './wasm.ts';

export async function readFiles(
  kept: Kept,
  given: readonly NamedFile[],
  { signal, progress }: Limits,
): Promise<ReadAnswer> {
  const read = new Reading(kept);
  const names = new DroppedFiles(given);
  const { models, besideRobots, srdf, skipped } = modelsAmong(given.map(({ name }) => name));
  const messages: string[] = skipped;
  const notes: string[] = [];
  const results: Named[] = [];
  for (const [i, name] of models.entries()) {
    signal?.throwIfAborted();
    progress?.(i / models.length);
    try {
      const bytes = await names.bytes(name);
      const beside: { name: string; hash: string }[] = [];
      const fetchBeside = async (path: string) => {
        const found = names.beside(name, path);
        if (found === undefined) {
          throw new NearfieldError('bad-file', `${name} refers to "${path}": drop both files together`);
        }
        const content = await names.bytes(found);
        beside.push({ name: found, hash: await hashOf(content) });
        return content;
      };
      const result = await readFile(name, bytes, {
        ...{ fetchBeside, wasm: packageWasm, thread: foreignThread, signal, properties: true },
        folders: names.folders(name),
        ...(srdf !== undefined && { srdf: await names.bytes(srdf) }),
      });
      results.push({ ...result, name, hash: await hashOf(bytes), beside });
      notes.push(...result.warnings);
    } catch (error) {
      signal?.throwIfAborted();
      messages.push(error instanceof Error ? error.message : String(error));
    }
  }
  // What a robot refers to is only known if it could be read.
  if (results.length === models.length) {
    const used = new Set(results.flatMap(({ beside }) => beside.map(({ name }) => name)));
    const unread = unreadBeside(besideRobots, used);
    if (unread !== undefined) messages.push(unread);
  }
  const { results: placed, moves, messages: moved } = together(results);
  for (const [i, { name, hash, beside, ...result }] of placed.entries())
    read.take({ name, hash, beside, move: moves[i] }, result);
  return read.answer(messages, [...notes, ...moved]);
}

type Named = ReadResult & Pick<FileData, 'name' | 'hash' | 'beside'>;

/** Files in common coordinates; as they are, with a reason, if they cannot be brought together. */
function together(results: readonly Named[]): InCommonCoordinates<Named> {
  try {
    return inCommonCoordinates(results);
  } catch (error) {
    const moves = results.map(() => undefined);
    return { results, moves, messages: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Bodies of a generated sample, which no file has. */
export function readSample(
  kept: Kept,
  parts: readonly { readonly name: string; readonly mesh: Mesh; readonly pose: Float64Array }[],
): ReadAnswer {
  const read = new Reading(kept);
  for (const [index, { name, mesh, pose }] of parts.entries())
    read.keep({ name, mesh, index, pose }, undefined);
  return read.answer([], []);
}

class Reading {
  readonly #kept: Kept;
  readonly #files: FileData[] = [];
  readonly #bodies: BodyData[] = [];
  readonly #drawn = new Map<Mesh, DrawnData>();

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  take(given: Pick<FileData, 'name' | 'hash' | 'beside' | 'move'>, result: ReadResult): void {
    const { name, hash } = given;
    const { unit, tessellation, allowed, robot } = result;
    const isDescribedForRules = result.bodies.some(({ type }) => type?.startsWith('Ifc'));
    const file: KeptFile = { name, hash, unit, tessellation, allowed, isDescribedForRules };
    this.#files.push({ ...given, unit, robot });
    for (const [index, { nameInFile: _, pose, ...body }] of result.bodies.entries()) {
      this.keep({ ...body, index, file, pose: pose ?? identity() }, name);
    }
  }

  keep(body: KeptBody & { readonly pose: Float64Array }, file: string | undefined): void {
    const { name, mesh, index, path, pathNodes, type, id: part, pose } = body;
    const id = this.#kept.add(body);
    // Instances of one mesh share what is drawn of it.
    let drawn = this.#drawn.get(mesh);
    if (drawn === undefined) this.#drawn.set(mesh, (drawn = drawnData(mesh)));
    const { positions, indices, closed, solid } = mesh;
    const said = { id, name, file, index, path, pathNodes, part, type };
    this.#bodies.push({ ...said, positions, indices, pose, closed, solid, drawn });
  }

  /** The drawn data is not needed here any more. */
  answer(messages: readonly string[], notes: readonly string[]): ReadAnswer {
    const buffers = [...this.#drawn.values()].flatMap(({ corners, normals, edges }) => [
      corners.buffer,
      normals.buffer,
      edges.buffer,
    ]);
    return giving({ files: this.#files, bodies: this.#bodies, messages, notes }, buffers as ArrayBuffer[]);
  }
}

// Reads one file, and those beside it that it refers to.

import { type ReadResult, readFile } from '@nearfield/io';
import type { Files } from '../../files.ts';
import type { PlainOptions } from './messages.ts';

/** What a file holds, and the SHA-256 of its bytes. */
export interface FileRead extends ReadResult {
  readonly hash: string;
}

export async function readOne(
  name: string,
  options: PlainOptions,
  files: Files,
  limits: { readonly progress: (done: number) => void; readonly signal?: AbortSignal },
): Promise<FileRead> {
  const folders = await files.foldersAround(name);
  const fetchBeside = (path: string, byteLength: number) =>
    files.readBeside(name, path, byteLength, folders.length);
  const bytes = await files.read(name);
  const hash = files.hashes.get(name)!;
  return { ...(await readFile(name, bytes, { ...options, ...limits, fetchBeside, folders })), hash };
}

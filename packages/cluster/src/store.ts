// Where do models lie that all machines read? In a store by content: the name of a file is the SHA-256 of its bytes, so that
// nobody can change one that a run refers to, and the same file is kept once. Another place, such as an object store, is
// another three functions.

import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NearfieldError } from 'nearfield';
import { bad, textOf } from './arguments.ts';

/** Bytes by the SHA-256 of their content, as 64 hexadecimal digits. */
export interface Store {
  /** Keeps the bytes, unless they are there already, and returns their hash. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes with this hash. Rejects with 'bad-file' if they are not there or are not those. */
  get(hash: string): Promise<Uint8Array>;
  /** Whether the bytes with this hash are there. */
  has(hash: string): Promise<boolean>;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The store cannot be used here and now. Another machine, or another try, may have more luck. */
export class StoreError extends NearfieldError {}

/** A folder that all machines see. */
export class FolderStore implements Store {
  readonly #folder: string;

  /** The folder is created when something is put into it. Throws 'bad-option' if it is no path. */
  constructor(folder: string) {
    this.#folder = textOf(folder, 'the folder of a store');
  }

  #path(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(textOf(hash, 'the hash of a stored file')))
      throw bad(`the hash of a stored file has 64 hexadecimal digits, not "${hash}"`);
    return join(this.#folder, hash.slice(0, 2), hash);
  }

  /** See Store. A file is complete before it has its name. Rejects with 'bad-file' if it cannot be written. */
  async put(bytes: Uint8Array): Promise<string> {
    if (!(bytes instanceof Uint8Array)) throw bad('a store takes bytes, a Uint8Array');
    const hash = hashOf(bytes);
    if (await this.has(hash)) return hash;
    const path = this.#path(hash);
    const temporary = `${path}.${randomUUID()}`;
    try {
      await mkdir(join(path, '..'), { recursive: true });
      const handle = await open(temporary, 'wx');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw failed('cannot be written to the store', this.#folder, error);
    }
    return hash;
  }

  /** See Store. */
  async get(hash: string): Promise<Uint8Array> {
    const path = this.#path(hash);
    let bytes: Uint8Array;
    try {
      bytes = await readFile(path);
    } catch (error) {
      throw failed(`${hash} cannot be read from the store`, this.#folder, error);
    }
    if (hashOf(bytes) !== hash)
      throw new NearfieldError('bad-file', `${hash} has other content in the store ${this.#folder}`);
    return bytes;
  }

  /** See Store. */
  async has(hash: string): Promise<boolean> {
    return access(this.#path(hash)).then(
      () => true,
      () => false,
    );
  }
}

const failed = (what: string, folder: string, error: unknown): StoreError => {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const why = code === 'ENOSPC' ? 'the disk is full' : code === 'ENOENT' ? 'there is no such file' : code;
  return new StoreError('bad-file', `${what} ${folder}: ${why}`, { cause: error });
};

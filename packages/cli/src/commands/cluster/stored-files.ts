// The files of a run, which lie in the store. A run comes from the database: it can name no other file of this machine.

import { dirname, join } from 'node:path';
import { type AskedOfShards, JsonReader, readAsked } from '@nearfield/clashes';
import type { Store } from '@nearfield/cluster';
import { NearfieldError } from 'nearfield';
import { Files } from '../../files.ts';

/** What a run asks, and which folders its files lie in. */
export interface AskedOfRun extends AskedOfShards {
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

/** Checks what a run asks, as files are checked. Throws 'bad-file'. */
export function readAskedOfRun(run: string, asked: unknown): AskedOfRun & { readonly content: JsonReader } {
  const content = JsonReader.read(`run ${run}`, JSON.stringify(asked));
  const folders = Array.from(content.need('folders').entries(), ([name, at]) => [
    name,
    at.items().map(each => each.text()),
  ]);
  return { ...readAsked(content), folders: Object.fromEntries(folders), content };
}

export class StoredFiles extends Files {
  readonly #stored: ReadonlyMap<string, string>;

  constructor(
    cwd: string,
    note: (message: string) => void,
    private readonly store: Store,
    private readonly asked: AskedOfRun,
    /**
     * The paths of files on this machine that may be read, by name, because the user has named them: a baseline, for
     * instance.
     */
    private readonly others: ReadonlyMap<string, string>,
  ) {
    super(cwd, note);
    this.#stored = new Map(asked.files.map(({ name, hash }) => [name, hash]));
  }

  override path(name: string): string {
    return super.path(this.others.get(name) ?? name);
  }

  /** Another thread does not have the store. */
  override get folder(): undefined {
    return undefined;
  }

  override async read(name: string, most = Number.POSITIVE_INFINITY, path?: string): Promise<Uint8Array> {
    const hash = this.#stored.get(name);
    if (hash === undefined) {
      if (this.others.has(name)) return super.read(name, most, path);
      throw new NearfieldError('bad-file', `${name}: is not a file of the run`);
    }
    const bytes = await this.store.get(hash);
    this.hashes.set(name, hash);
    return bytes;
  }

  override async readBeside(name: string, relativePath: string, most: number): Promise<Uint8Array> {
    return this.read(join(dirname(name), relativePath), most);
  }

  override async foldersAround(name: string): Promise<readonly string[]> {
    return this.asked.folders[name] ?? [];
  }
}

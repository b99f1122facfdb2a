// Which bytes may be read, and which file may be written? Only regular files are read; a glTF's buffers only from
// its own folder; and nothing that was read is ever written over, whatever name it is given.

import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { NearfieldError } from 'nearfield';

/** Reads in pieces of this size: one call reads at most 2 GiB. */
const pieceBytes = 2 ** 28;

export class Files {
  /** Everything read so far, by device and inode: links cannot hide it. */
  private readonly inputs = new Map<string, string>();

  constructor(private readonly cwd: string) {}

  path(name: string): string {
    return resolve(this.cwd, name);
  }

  /** The first `most` bytes of a regular file; all of it unless told. */
  async read(name: string, most = Number.POSITIVE_INFINITY, path = this.path(name)): Promise<Uint8Array> {
    try {
      // Before opening: opening a pipe would wait for its other end.
      const facts = await stat(path);
      if (!facts.isFile()) {
        const what = facts.isDirectory() ? 'is a folder' : 'is not a regular file';
        throw new NearfieldError('bad-file', `${name}: ${what}`);
      }
      const handle = await open(path);
      try {
        const opened = await handle.stat();
        this.inputs.set(identityOf(opened), name);
        const bytes = new Uint8Array(Math.min(opened.size, most));
        let length = 0;
        while (length < bytes.length) {
          const piece = bytes.subarray(length, Math.min(length + pieceBytes, bytes.length));
          const { bytesRead } = await handle.read(piece, 0, piece.length, length);
          if (bytesRead === 0) break;
          length += bytesRead;
        }
        return bytes.subarray(0, length);
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw readable(name, error, 'read');
    }
  }

  /** Reads what a glTF names; `relativePath` has no `..`, but links could still lead out of the folder. */
  async readBeside(name: string, relativePath: string, most: number): Promise<Uint8Array> {
    const label = join(dirname(name), relativePath);
    try {
      const folder = await realpath(dirname(this.path(name)));
      const path = await realpath(join(folder, relativePath));
      if (!path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
        throw new NearfieldError('bad-file', `${name}: ${relativePath} leads out of the folder of the file`);
      }
      return await this.read(label, most, path);
    } catch (error) {
      throw readable(label, error, 'read');
    }
  }

  /** Refuses to write over anything that was read; and before the work, what could not be written after it. */
  async checkOutput(name: string, option: string): Promise<void> {
    let facts: Stats;
    try {
      facts = await stat(this.path(name));
    } catch {
      await access(dirname(this.path(name)), constants.W_OK).catch(error => {
        throw readable(`${option}: ${name}`, error, 'written');
      });
      return;
    }
    if (facts.isDirectory()) throw new NearfieldError('bad-option', `${option}: ${name} is a folder`);
    const input = this.inputs.get(identityOf(facts));
    if (input !== undefined) {
      const which = input === name ? name : `${name} is ${input}, which`;
      throw new NearfieldError('bad-option', `${option}: ${which} is an input and will not be overwritten`);
    }
    await access(this.path(name), constants.W_OK).catch(error => {
      throw readable(`${option}: ${name}`, error, 'written');
    });
  }

  /** Has a file written piece by piece, beside its place until it is whole: a failure leaves what was there. */
  async replace<T>(name: string, option: string, write: (handle: FileHandle) => Promise<T>): Promise<T> {
    await this.checkOutput(name, option);
    const path = `${this.path(name)}.part`;
    await this.checkOutput(`${name}.part`, option);
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, 'w');
      const result = await write(handle);
      await handle.close();
      await rename(path, this.path(name));
      return result;
    } catch (error) {
      await handle?.close().catch(() => {});
      if (handle !== undefined) await rm(path, { force: true });
      throw readable(`${option}: ${name}`, error, 'written');
    }
  }

  async write(name: string, option: string, content: string | Iterable<string>): Promise<void> {
    await this.checkOutput(name, option);
    try {
      await writeFile(this.path(name), content);
    } catch (error) {
      throw readable(`${option}: ${name}`, error, 'written');
    }
  }
}

const identityOf = (facts: Stats): string => `${facts.dev}:${facts.ino}`;

/** What the operating system said, in a sentence. */
function readable(name: string, error: unknown, verb: 'read' | 'written'): unknown {
  if (error instanceof NearfieldError) return error;
  if (error instanceof RangeError) {
    return new NearfieldError('out-of-memory', `${name}: is too large to be held in memory`, {
      cause: error,
    });
  }
  const code = (error as NodeJS.ErrnoException).code;
  // What the shell could not fill in, or was kept from filling in by quotes, comes as it is.
  const pattern = /[*?]/.test(name) ? "; a pattern is the shell's to fill in: leave out its quotes" : '';
  if (code === undefined) return error;
  const what: Record<string, string> = {
    ENOENT: verb === 'read' ? `there is no such file${pattern}` : 'there is no such folder',
    EACCES: `may not be ${verb}`,
    EPERM: `may not be ${verb}`,
    EISDIR: 'is a folder',
    ENOTDIR: 'there is no such folder',
  };
  return new NearfieldError('bad-file', `${name}: ${what[code] ?? `cannot be ${verb} (${code})`}`, {
    cause: error,
  });
}

// Which bytes may be read, and which file may be written? Only regular files are read. A glTF's buffers are read only
// from its own folder. A file that was read is never overwritten, whatever name the output has.

import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { NearfieldError } from 'nearfield';
import {
  type Content,
  replaceFile,
  type Target,
  targetOf,
  type Written,
  writeTarget,
} from './output/files/replace-file.ts';

/** What is known of some files that were read: the maps of `Files`. */
export interface FilesSeen {
  readonly inputs: ReadonlyMap<string, ReadonlySet<string>>;
  readonly hashes: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, readonly string[]>;
}

/** Files are read in pieces of this size, because one call reads at most 2 GiB. */
const pieceBytes = 2 ** 28;

export class Files {
  /** The names of every file read so far, by device and inode, so that links cannot hide it. */
  private readonly inputs = new Map<string, Set<string>>();
  /** The SHA-256 of every file read so far, by the name it was read by, as hexadecimal text. */
  readonly hashes = new Map<string, string>();
  /** What `foldersAround` said, by the name of the file. */
  readonly folders = new Map<string, readonly string[]>();
  /** Every file that is or will be written, by device and inode and by path. */
  private readonly outputs = new Map<string, { readonly name: string; readonly option: string }>();

  /** `note` receives messages for the user. */
  constructor(
    private readonly cwd: string,
    private readonly note: (message: string) => void = () => {},
  ) {}

  path(name: string): string {
    return resolve(this.cwd, name);
  }

  /** Where relative names begin, for `Files` in another thread that read the same. Undefined if none can. */
  get folder(): string | undefined {
    return this.cwd;
  }

  /** What is known of the files that were read. */
  get seen(): FilesSeen {
    const { inputs, hashes, folders } = this;
    return { inputs, hashes, folders };
  }

  /** Adds files that were read in another thread. */
  add({ inputs, hashes, folders }: FilesSeen): void {
    for (const [identity, names] of inputs) for (const name of names) this.addInput(identity, name);
    for (const [name, hash] of hashes) this.hashes.set(name, hash);
    for (const [name, around] of folders) this.folders.set(name, around);
  }

  private addInput(identity: string, name: string): void {
    const names = this.inputs.get(identity);
    if (names === undefined) this.inputs.set(identity, new Set([name]));
    else names.add(name);
  }

  /** The first `most` bytes of a regular file; by default all of it. */
  async read(name: string, most = Number.POSITIVE_INFINITY, path = this.path(name)): Promise<Uint8Array> {
    const bytes = await this.bytesOf(name, most, path, facts => this.addInput(identityOf(facts), name));
    this.hashes.set(name, createHash('sha256').update(bytes).digest('hex'));
    return bytes;
  }

  /** How many bytes a file has; 0 if that is not known. Reading it says what is wrong. */
  async sizeOf(name: string): Promise<number> {
    return stat(this.path(name)).then(
      ({ size }) => size,
      () => 0,
    );
  }

  /** Reads a file that the same command may write again, so it is no input. Undefined if it does not exist yet. */
  async readOutput(name: string): Promise<Uint8Array | undefined> {
    if (!(await exists(this.path(name)))) return undefined;
    return this.bytesOf(name, Number.POSITIVE_INFINITY, this.path(name), () => {});
  }

  private async bytesOf(
    name: string,
    most: number,
    path: string,
    opens: (facts: Stats) => void,
  ): Promise<Uint8Array> {
    try {
      // Check before opening: to open a pipe would wait for its other end.
      const facts = await stat(path);
      if (!facts.isFile()) {
        const what = facts.isDirectory() ? 'is a folder' : 'is not a regular file';
        throw new NearfieldError('bad-file', `${name}: ${what}`);
      }
      const handle = await open(path);
      try {
        const opened = await handle.stat();
        opens(opened);
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

  /**
   * The names of the folders around a file from which it may name others, its own folder first. That is its own folder;
   * if a folder above it is a package of a robot (it has a package.xml), all folders up to that one.
   */
  async foldersAround(name: string): Promise<readonly string[]> {
    const found = await this.findFolders(name);
    this.folders.set(name, found);
    return found;
  }

  private async findFolders(name: string): Promise<string[]> {
    const names: string[] = [];
    let folder = dirname(this.path(name));
    for (let up = 0; up <= mostFoldersUp; up++, folder = dirname(folder)) {
      names.push(basename(folder));
      if (await exists(join(folder, 'package.xml'))) return names;
      if (dirname(folder) === folder) break;
    }
    return names.slice(0, 1);
  }

  /**
   * Reads a file that another file names. `relativePath` may lead up to the outermost of `folders` folders around that
   * file, and links may not lead out of it.
   */
  async readBeside(name: string, relativePath: string, most: number, folders = 1): Promise<Uint8Array> {
    const label = join(dirname(name), relativePath);
    try {
      const own = dirname(this.path(name));
      const root = await realpath(join(own, ...Array<string>(folders - 1).fill('..')));
      const path = await realpath(join(own, relativePath));
      if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
        throw new NearfieldError(
          'bad-file',
          `${name}: ${relativePath} is a link out of the folder of the file`,
        );
      }
      return await this.read(label, most, path);
    } catch (error) {
      throw readable(label, error, 'read');
    }
  }

  /**
   * Refuses to overwrite a file that was read or that another option writes. Call it before the work, so that an
   * output that cannot be written is refused at once.
   */
  async checkOutput(name: string, option: string): Promise<void> {
    await this.targetOf(name, option);
  }

  private async targetOf(name: string, option: string): Promise<Target> {
    try {
      const target = await targetOf(this.path(name));
      const { facts } = target;
      if (facts?.isDirectory()) throw new NearfieldError('bad-option', `${option}: ${name} is a folder`);
      const inputs = facts && this.inputs.get(identityOf(facts));
      if (inputs !== undefined) {
        const which = inputs.has(name) ? name : `${name} is the same file as ${[...inputs][0]}, which`;
        throw new NearfieldError('bad-option', `${option}: ${which} is an input and will not be overwritten`);
      }
      this.claim(name, option, target);
      if (target.kind === 'descriptor') return target;
      if (facts !== undefined) await access(target.path, constants.W_OK);
      // A file is replaced by renaming a new file beside it.
      if (target.kind === 'file' && !target.inPlace) await access(dirname(target.path), constants.W_OK);
      return target;
    } catch (error) {
      throw readable(`${option}: ${name}`, error, 'written');
    }
  }

  /** Two outputs may not be the same file, however it is spelled. Devices such as /dev/null may be named twice. */
  private claim(name: string, option: string, target: Target): void {
    if (target.kind === 'stream' && target.facts.isCharacterDevice()) return;
    const places = target.facts === undefined ? [] : [identityOf(target.facts)];
    if (target.kind === 'file') {
      const ignoresCase = process.platform === 'darwin' || process.platform === 'win32';
      places.push(ignoresCase ? target.path.toLowerCase() : target.path);
    }
    for (const place of places) {
      const other = this.outputs.get(place);
      if (other !== undefined && (other.name !== name || other.option !== option)) {
        throw new NearfieldError(
          'bad-option',
          `${other.option} ${other.name} and ${option} ${name} are the same file`,
        );
      }
      this.outputs.set(place, { name, option });
    }
  }

  /**
   * Replaces a file by what `write` writes, in any order, when the new file is complete. A failure leaves the old
   * file.
   */
  async replace<T>(name: string, option: string, write: (handle: FileHandle) => Promise<T>): Promise<T> {
    const target = await this.targetOf(name, option);
    if (target.kind !== 'file') {
      throw new NearfieldError('bad-option', `${option}: ${name} is a pipe or a device, not a file`);
    }
    try {
      const { result, written } = await replaceFile(target, write);
      this.tellHow(written, name, option);
      return result;
    } catch (error) {
      throw readable(`${option}: ${name}`, error, 'written');
    }
  }

  /** Replaces a file by new content when that is complete. Pipes and devices are written directly. */
  async write(name: string, option: string, content: Content): Promise<void> {
    const target = await this.targetOf(name, option);
    try {
      this.tellHow(await writeTarget(target, content), name, option);
    } catch (error) {
      throw readable(`${option}: ${name}`, error, 'written');
    }
  }

  private tellHow(written: Written, name: string, option: string): void {
    if (written === 'whole') return;
    this.note(`${option}: ${name} cannot be replaced as a whole, so it was written in place`);
  }
}

/** The text of a file; 'bad-file' if it is not UTF-8. */
export function textOf(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new NearfieldError('bad-file', `${name}: the file is not UTF-8 text`, { cause: error });
  }
}

/** How far above a file the package that it belongs to is looked for. */
const mostFoldersUp = 4;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const identityOf = (facts: Stats): string => `${facts.dev}:${facts.ino}`;

/** The error of the operating system as a sentence. */
function readable(name: string, error: unknown, verb: 'read' | 'written'): unknown {
  if (error instanceof NearfieldError) return error;
  if (error instanceof RangeError) {
    const help = 'divide it into several files';
    return new NearfieldError('out-of-memory', `${name}: is too large to be read at once: ${help}`, {
      cause: error,
    });
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return error;
  const denied = `no permission to ${verb === 'read' ? 'read' : 'write'} it`;
  const what: Record<string, string> = {
    ENOENT: verb === 'read' ? 'there is no such file' : 'there is no such folder',
    EACCES: denied,
    EPERM: denied,
    EISDIR: 'is a folder',
    ENOTDIR: 'there is no such folder',
  };
  return new NearfieldError('bad-file', `${name}: ${what[code] ?? `cannot be ${verb} (${code})`}`, {
    cause: error,
  });
}

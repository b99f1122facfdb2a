// How does a file get new content? Whole, or not at all: it is written under another name beside it, brought to the
// disk, and put in its place by a rename, which readers see as one step. Whatever fails before leaves the old file as it
// was. A link stays, and what it leads to is replaced. Pipes and devices have no place to be renamed to and are
// written as they are.

import { randomBytes } from 'node:crypto';
import { constants, fstat, rmSync, type Stats, write } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export type Target =
  /** A regular file, or a name that nothing has yet. `path` has no links in it. */
  | { readonly kind: 'file'; readonly path: string; readonly facts: Stats | undefined }
  /** A pipe or a device. */
  | { readonly kind: 'stream'; readonly path: string; readonly facts: Stats }
  /** A file that this process has open already, as /dev/stdout names it: others may be writing to it, too. */
  | { readonly kind: 'descriptor'; readonly descriptor: number; readonly facts: Stats };

export type Content = string | Uint8Array | Iterable<string>;

/** As many links as systems follow. */
const mostLinks = 40;

/** Where a path leads. If its folder does not exist, throws the error of the system. */
export async function targetOf(path: string): Promise<Target> {
  let place = path;
  for (let links = 0; links <= mostLinks; links++) {
    const descriptor = descriptorOf(place);
    if (descriptor !== undefined) {
      const facts = await promisify(fstat)(descriptor);
      return facts.isFile() ? { kind: 'descriptor', descriptor, facts } : { kind: 'stream', path, facts };
    }
    place = join(await realpath(dirname(place)), basename(place));
    const facts = await lstat(place).catch(error => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!facts?.isSymbolicLink()) {
      // A folder counts as a file here; the caller refuses it.
      const isFile = facts === undefined || facts.isFile() || facts.isDirectory();
      return isFile ? { kind: 'file', path: place, facts } : { kind: 'stream', path: place, facts };
    }
    place = resolve(dirname(place), await readlink(place));
  }
  // Too many links: `stat` throws the error of the system.
  return { kind: 'file', path, facts: await stat(path) };
}

/** The number that names like /dev/stdout and /proc/self/fd/3 stand for. */
function descriptorOf(path: string): number | undefined {
  const standard = ['/dev/stdin', '/dev/stdout', '/dev/stderr'].indexOf(path);
  if (standard >= 0) return standard;
  const [, owner, number] = /^(?:\/dev|\/proc\/(self|\d+))\/fd\/(\d+)$/.exec(path) ?? [];
  const isOwn = owner === undefined || owner === 'self' || Number(owner) === process.pid;
  return number !== undefined && isOwn ? Number(number) : undefined;
}

/** Gives a file new content. */
export async function writeTarget(target: Target, content: Content): Promise<void> {
  if (target.kind === 'file') return replaceFile(target, handle => writePieces(handle, content));
  if (target.kind === 'descriptor') {
    for (const piece of piecesOf(content)) await writeAll(target.descriptor, piece);
    return;
  }
  const handle = await open(target.path, constants.O_WRONLY | (constants.O_NOCTTY ?? 0));
  try {
    await writePieces(handle, content);
  } finally {
    await handle.close();
  }
}

/** Replaces a regular file by what `fill` writes, in any order. */
export async function replaceFile<T>(
  { path, facts }: Target & { readonly kind: 'file' },
  fill: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  // Nobody can guess the name, and the file must not be there yet: nothing of anybody else's is touched.
  const temporary = join(dirname(path), `.nearfield-${randomBytes(12).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', facts === undefined ? 0o666 : 0o600);
  unfinished.add(temporary);
  removeAtExit();
  try {
    const result = await fill(handle);
    if (facts !== undefined) await keepOwnerAndMode(handle, facts);
    await handle.sync();
    await handle.close();
    await rename(temporary, path);
    unfinished.delete(temporary);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true }).catch(() => {});
    unfinished.delete(temporary);
    throw error;
  }
}

async function keepOwnerAndMode(handle: FileHandle, facts: Stats): Promise<void> {
  const own = await handle.stat();
  // Only an administrator may give files away; everyone else keeps what they write.
  if (own.uid !== facts.uid || own.gid !== facts.gid)
    await handle.chown(facts.uid, facts.gid).catch(() => {});
  await handle.chmod(facts.mode & 0o7777);
}

/** Brings the renaming to the disk, if the system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close().catch(() => {});
}

/** Temporary files that are not renamed yet: removed if the process ends early. */
const unfinished = new Set<string>();
let isWatching = false;
function removeAtExit(): void {
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const path of unfinished) rmSync(path, { force: true });
  });
}

async function writePieces(handle: FileHandle, content: Content): Promise<void> {
  for (const piece of piecesOf(content)) await writeAll(handle.fd, piece);
}

function* piecesOf(content: Content): Generator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else if (typeof content === 'string') yield Buffer.from(content);
  else for (const piece of content) yield Buffer.from(piece);
}

const writeSome = promisify(write);

/** One call may write less than it is given. */
async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await writeSome(descriptor, bytes, done, bytes.length - done, null);
    done += bytesWritten;
  }
}

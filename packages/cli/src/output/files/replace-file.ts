// How does a file get new content? Completely or not at all. The content is written to a temporary file beside it,
// synced to the disk, and renamed into place, which readers see as one step. A failure before that leaves the old
// file as it was. A link stays, and its target is replaced. Pipes and devices cannot be renamed and are written
// directly. So is a file that cannot be replaced because it is mounted (containers mount single files) or because its
// folder is not writable.

import { randomBytes } from 'node:crypto';
import { constants, fstat, rmSync, type Stats, write } from 'node:fs';
import {
  access,
  type FileHandle,
  lstat,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export type Target =
  /** A regular file, or a name that does not exist yet. `path` has no links in it. */
  | FileTarget
  /** A pipe or a device. */
  | { readonly kind: 'stream'; readonly path: string; readonly facts: Stats }
  /** A file or socket that this process already has open, named as /dev/stdout. Others may be writing to it too. */
  | { readonly kind: 'descriptor'; readonly descriptor: number; readonly facts: Stats };

export interface FileTarget {
  readonly kind: 'file';
  readonly path: string;
  readonly facts: Stats | undefined;
  /** True if it is known that no other file can take its place. */
  readonly inPlace: boolean;
}

export type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

/** The number of links that systems follow. */
const mostLinks = 40;

/** Follows a path to its target. If its folder does not exist, throws the error of the system. */
export async function targetOf(path: string): Promise<Target> {
  let place = path;
  for (let links = 0; links <= mostLinks; links++) {
    const descriptor = descriptorOf(place);
    if (descriptor !== undefined) {
      const facts = await promisify(fstat)(descriptor);
      // A socket cannot be opened by its name.
      const isOpened = facts.isFile() || facts.isSocket();
      return isOpened ? { kind: 'descriptor', descriptor, facts } : { kind: 'stream', path, facts };
    }
    place = join(await realpath(dirname(place)), basename(place));
    const facts = await lstat(place).catch(error => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!facts?.isSymbolicLink()) {
      // A folder counts as a file here. The caller refuses it.
      const isFile = facts === undefined || facts.isFile() || facts.isDirectory();
      if (!isFile) return { kind: 'stream', path: place, facts };
      const inPlace = facts !== undefined && !(await isReplaceable(place, facts));
      return { kind: 'file', path: place, facts, inPlace };
    }
    place = resolve(dirname(place), await readlink(place));
  }
  // Too many links: `stat` throws the error of the system.
  return { kind: 'file', path, facts: await stat(path), inPlace: false };
}

/** What is known before the work. A rename may still fail later. */
async function isReplaceable(path: string, facts: Stats): Promise<boolean> {
  const folder = dirname(path);
  const mayWrite = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  return mayWrite && (await stat(folder)).dev === facts.dev && !(await mountPoints()).has(path);
}

/** The mount points, as Linux lists them. Other systems give none. */
async function mountPoints(): Promise<ReadonlySet<string>> {
  const lines = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const unescaped = (name: string) =>
    name.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
  return new Set(lines.split('\n').map(line => unescaped(line.split(' ')[4] ?? '')));
}

/** The file descriptor that names like /dev/stdout and /proc/self/fd/3 stand for. */
function descriptorOf(path: string): number | undefined {
  const standard = ['/dev/stdin', '/dev/stdout', '/dev/stderr'].indexOf(path);
  if (standard >= 0) return standard;
  const [, owner, number] = /^(?:\/dev|\/proc\/(self|\d+))\/fd\/(\d+)$/.exec(path) ?? [];
  const isOwn = owner === undefined || owner === 'self' || Number(owner) === process.pid;
  return number !== undefined && isOwn ? Number(number) : undefined;
}

/** Gives a file new content. Returns 'in place' if the file could not be replaced as a whole. */
export async function writeTarget(target: Target, content: Content): Promise<Written> {
  if (target.kind === 'file') {
    return (await replaceFile(target, handle => writePieces(handle.fd, content))).written;
  }
  if (target.kind === 'descriptor') {
    await untilClosed(() => writePieces(target.descriptor, content));
    return 'whole';
  }
  const handle = await open(target.path, constants.O_WRONLY | (constants.O_NOCTTY ?? 0));
  try {
    await untilClosed(() => writePieces(handle.fd, content));
  } finally {
    await handle.close();
  }
  return 'whole';
}

export type Written = 'whole' | 'in place';

/** A reader that stops early (`| head`) is not an error. */
async function untilClosed(write: () => Promise<void>): Promise<void> {
  await write().catch(error => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Replaces a regular file by what `fill` writes, in any order. */
export async function replaceFile<T>(
  target: FileTarget,
  fill: (handle: FileHandle) => Promise<T>,
): Promise<{ result: T; written: Written }> {
  const { path, facts } = target;
  if (target.inPlace) return { result: await fillInPlace(path, fill), written: 'in place' };
  // The name is random and the file must not exist yet, so no other file is touched.
  const temporary = join(dirname(path), `.nearfield-${randomBytes(12).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', facts === undefined ? 0o666 : 0o600);
  const keep = removeAtExit(temporary);
  try {
    const result = await fill(handle);
    if (facts !== undefined) await keepOwnerAndMode(handle, facts);
    await handle.sync();
    await handle.close();
    const isRenamed = await rename(temporary, path).then(
      () => true,
      error => {
        if (facts === undefined || !cannotReplace.has(error.code)) throw error;
        return false;
      },
    );
    // The finished content is not lost: write it into the existing file.
    if (!isRenamed) {
      await fillInPlace(path, to => copyAll(temporary, to));
      await rm(temporary, { force: true });
    }
    keep();
    await syncFolder(dirname(path));
    return { result, written: isRenamed ? 'whole' : 'in place' };
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true }).catch(() => {});
    keep();
    throw error;
  }
}

/**
 * The errors of a rename onto a file that is mounted, on another device, or owned by someone else in a shared folder.
 */
const cannotReplace = new Set(['EBUSY', 'EXDEV', 'EPERM', 'EACCES', 'EROFS']);

async function fillInPlace<T>(path: string, fill: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, constants.O_WRONLY | constants.O_TRUNC);
  try {
    const result = await fill(handle);
    await handle.sync();
    return result;
  } finally {
    await handle.close();
  }
}

async function copyAll(path: string, to: FileHandle): Promise<void> {
  const from = await open(path, 'r');
  try {
    const piece = new Uint8Array(2 ** 20);
    for (;;) {
      const { bytesRead } = await from.read(piece, 0, piece.length, null);
      if (bytesRead === 0) return;
      await writeAll(to.fd, piece.subarray(0, bytesRead));
    }
  } finally {
    await from.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, facts: Stats): Promise<void> {
  const own = await handle.stat();
  // Only an administrator may change the owner. For everyone else the new file keeps its own.
  if (own.uid !== facts.uid || own.gid !== facts.gid)
    await handle.chown(facts.uid, facts.gid).catch(() => {});
  await handle.chmod(facts.mode & 0o7777);
}

/** Syncs the rename to the disk, if the system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close().catch(() => {});
}

/** Files that are removed if the process ends early. */
const unfinished = new Set<string>();
let isWatching = false;

/** Has a file removed if the process ends before the function that is returned is called. */
export function removeAtExit(path: string): () => void {
  unfinished.add(path);
  const keep = () => void unfinished.delete(path);
  if (isWatching) return keep;
  isWatching = true;
  process.once('exit', () => {
    for (const path of unfinished) rmSync(path, { force: true });
  });
  return keep;
}

async function writePieces(descriptor: number, content: Content): Promise<void> {
  if (content instanceof Uint8Array) await writeAll(descriptor, content);
  else if (typeof content === 'string') await writeAll(descriptor, Buffer.from(content));
  else for await (const piece of content) await writeAll(descriptor, Buffer.from(piece));
}

const writeSome = promisify(write);

/** One call may write fewer bytes than it is given. */
async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    try {
      const { bytesWritten } = await writeSome(descriptor, bytes, done, bytes.length - done, null);
      done += bytesWritten;
    } catch (error) {
      // A non-blocking socket is full until its reader has read some of it.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await new Promise(resolve => setTimeout(resolve, 2));
    }
  }
}

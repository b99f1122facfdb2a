// Reads many files, each once: in turn, or, if that takes long, several at once in other threads. Every file is read by
// itself, so what is read does not depend on how many are read at once. The error is that of the first file that is
// refused, as it is in turn.

import { machineLimits } from '../../backend.ts';
import type { Files } from '../../files.ts';
import { bytesOfMeshes, machineBytes, refuseIfTooLargeToRead } from '../../room.ts';
import type { PlainOptions } from './messages.ts';
import { type FileRead, readOne } from './read-one.ts';
import { Reader } from './reader.ts';

/** How reading is watched and cancelled; and for tests, how it is divided. */
export interface ReadingOptions {
  readonly progress: (share: number) => void;
  readonly signal: AbortSignal;
  /** The file that threads run. */
  readonly url?: URL | undefined;
  /** The least seconds, as estimated, that are divided. */
  readonly leastSeconds?: number | undefined;
  /** Called with the number of files that other threads have read. */
  readonly readByOthers?: ((files: number) => void) | undefined;
}

/** Less than this is read in turn: to start a thread and load the readers takes some tenths of a second. */
const leastSeconds = 1;
/** Bytes that are read in a second: formats whose packages compute surfaces, and triangles. */
const slowBytes = 2e6;
const fastBytes = 200e6;
const isSlow = /\.(ifc|step|stp|iges|igs|brep|brp)$/i;
/**
 * Estimated bytes in memory per byte of a file while it is read: itself and what is made of it, before the rest is free
 * again. Packages for IFC take up to about this.
 */
const bytesPerByte = 16;

/** Reads files, by different paths. The answer is in their order. */
export async function readFiles(
  names: readonly string[],
  options: PlainOptions,
  files: Files,
  reading: ReadingOptions,
): Promise<FileRead[]> {
  const sizes = await Promise.all(names.map(name => files.sizeOf(name)));
  const seconds = names.map((name, i) => sizes[i] / (isSlow.test(name) ? slowBytes : fastBytes));
  const sum = seconds.reduce((all, own) => all + own, 0);
  const { threads } = machineLimits();
  const isShort = sum < (reading.leastSeconds ?? leastSeconds);
  const count = isShort ? 1 : Math.min(threads, names.length);
  const all = new Reading(names, sizes, options, files, reading);
  const { folder } = files;
  return count === 1 || folder === undefined ? all.inTurn() : all.together(count, folder);
}

class Reading {
  /** Per file, the share that is read. */
  readonly #shares: number[];
  /** Bytes of all files, and of what is read of them. */
  readonly #bytes: number;
  #bytesDone = 0;
  readonly #done: FileRead[] = [];
  /** Bytes of the meshes that were read. */
  #kept = 0;
  /** Bytes of the files that threads are reading. */
  #inWork = 0;

  constructor(
    readonly names: readonly string[],
    readonly sizes: readonly number[],
    readonly options: PlainOptions,
    readonly files: Files,
    readonly reading: ReadingOptions,
  ) {
    this.#shares = names.map(() => 0);
    this.#bytes = sizes.reduce((sum, size) => sum + Math.max(1, size), 0);
  }

  /** Reads the files in this thread. */
  async inTurn(): Promise<FileRead[]> {
    for (let i = 0; i < this.names.length; i++) await this.#readHere(i);
    return this.#done;
  }

  async #readHere(i: number): Promise<void> {
    const { signal } = this.reading;
    this.#begin(i);
    this.#take(
      i,
      await readOne(this.names[i], this.options, this.files, { progress: this.#progress(i), signal }),
    );
  }

  /** Throws if the file cannot be read because it is too large, or nobody waits for it any more. */
  #begin(i: number): void {
    this.reading.signal.throwIfAborted();
    this.#show(i, 0);
    refuseIfTooLargeToRead(this.names[i], this.sizes[i], this.#kept);
  }

  readonly #progress =
    (i: number) =>
    (done: number): void =>
      this.#show(i, done);

  #take(i: number, read: FileRead): void {
    this.#done[i] = read;
    this.#kept += bytesOfMeshes(read.bodies);
    this.#show(i, 1);
  }

  /** Files count by their bytes. An unknown size counts as one. */
  #show(i: number, share: number): void {
    const more = Math.max(0, share - this.#shares[i]);
    this.#shares[i] += more;
    this.#bytesDone += more * Math.max(1, this.sizes[i]);
    this.reading.progress(this.#bytesDone / this.#bytes);
  }

  /** Reads the files in so many other threads; and in this one, in turn, what they could not read. */
  async together(count: number, folder: string): Promise<FileRead[]> {
    const { url = new URL('./read-thread.js', import.meta.url), signal, readByOthers } = this.reading;
    const { names, sizes, options, files } = this;
    const readers: Reader[] = [];
    const idle: Reader[] = [];
    const end = () => {
      for (const reader of readers) reader.end();
    };
    signal.addEventListener('abort', end);
    const errors = new Map<number, unknown>();
    const inWork = new Set<Promise<void>>();
    let isOver = false;
    /** Undefined if no thread can be started. */
    const readerOf = (): Reader | undefined => {
      try {
        return idle.pop() ?? readers[readers.push(new Reader(url)) - 1];
      } catch {
        return undefined;
      }
    };
    /** Never rejects. What could not be read here is read in turn. */
    const readThere = async (i: number): Promise<void> => {
      const reader = readerOf();
      if (reader === undefined) {
        isOver = true;
        return;
      }
      this.#inWork += sizes[i];
      try {
        const found = await reader.read({ name: names[i], folder, options }, this.#progress(i));
        if (found === undefined) isOver = true;
        else {
          files.add(found.seen);
          this.#take(i, found.read);
        }
      } catch (error) {
        errors.set(i, error);
        isOver = true;
      }
      this.#inWork -= sizes[i];
      idle.push(reader);
    };
    try {
      for (let i = 0; i < names.length && !isOver; i++) {
        while (inWork.size > 0 && (inWork.size === count || !this.#hasRoom(i))) await Promise.race(inWork);
        if (isOver) break;
        try {
          this.#begin(i);
        } catch (error) {
          errors.set(i, error);
          break;
        }
        const work = readThere(i).then(() => void inWork.delete(work));
        inWork.add(work);
      }
      await Promise.all(inWork);
      readByOthers?.(this.#done.filter(read => read !== undefined).length);
      for (let i = 0; i < names.length; i++) {
        if (errors.has(i)) throw errors.get(i);
        if (this.#done[i] === undefined) await this.#readHere(i);
      }
      return this.#done;
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }

  /** Whether one more file may be read beside those that threads are reading. */
  #hasRoom(i: number): boolean {
    const room = Math.min(machineBytes() - this.#kept, machineLimits().maxMemory ?? Infinity);
    return bytesPerByte * (this.#inWork + this.sizes[i]) <= room;
  }
}

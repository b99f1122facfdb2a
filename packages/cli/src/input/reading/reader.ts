// Another thread that reads files, seen from the calling one.

import { Worker } from 'node:worker_threads';
import type { FilesSeen } from '../../files.ts';
import { errorOf, type FileAsked, type FromReader } from './messages.ts';
import { unpackResult } from './packed-result.ts';
import type { FileRead } from './read-one.ts';

export class Reader {
  readonly #worker: Worker;
  #progress = (_: number): void => {};
  #settle: ((message: FromReader) => void) | undefined;
  #isOver = false;

  constructor(url: URL) {
    this.#worker = new Worker(url);
    this.#worker.on('message', (message: FromReader) => {
      if ('done' in message) this.#progress(message.done);
      else this.#settle?.(message);
    });
    this.#worker.on('error', () => this.#lose());
    this.#worker.on('exit', () => this.#lose());
  }

  /**
   * Reads a file. Rejects if the file is refused. Undefined if the thread ended, ran out of memory or failed in another
   * way that says nothing about the file.
   */
  async read(
    asked: FileAsked,
    progress: (done: number) => void,
  ): Promise<{ read: FileRead; seen: FilesSeen } | undefined> {
    if (this.#isOver) return undefined;
    this.#progress = progress;
    const message = await new Promise<FromReader>(resolve => {
      this.#settle = resolve;
      this.#worker.postMessage(asked);
    });
    if ('packed' in message) return { read: unpackResult(message.packed), seen: message.seen };
    const refused = 'refused' in message ? message.refused : undefined;
    // In turn there may be room for the file.
    if (refused === undefined || refused.code === 'out-of-memory') return undefined;
    throw errorOf(refused);
  }

  #lose(): void {
    this.#isOver = true;
    this.#settle?.({ refused: undefined });
  }

  /** Ends the thread. The file that it is at counts as not read. */
  end(): void {
    this.#lose();
    void this.#worker.terminate();
  }
}

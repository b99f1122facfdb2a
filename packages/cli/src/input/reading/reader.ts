// Another thread that reads files, seen from the calling one.

import { Worker } from 'node:worker_threads';
import type { FetchBeside, ReadResult } from '@nearfield/io';
import {
  errorOf,
  type FileGiven,
  type FromReader,
  ownBuffer,
  plainError,
  type ToReader,
} from './messages.ts';
import { unpackResult } from './packed-result.ts';

/** What reading a file needs from the calling thread. */
export interface Beside {
  readonly fetchBeside: FetchBeside;
  readonly progress: (done: number) => void;
}

/** Undefined if the thread ended, ran out of memory or failed in another way that says nothing about the file. */
export type FromThread = ReadResult | undefined;

export class Reader {
  readonly #worker: Worker;
  #beside: Beside | undefined;
  #settle: ((message: FromReader) => void) | undefined;
  #isOver = false;

  constructor(url: URL) {
    this.#worker = new Worker(url);
    this.#worker.on('message', (message: FromReader) => this.#receive(message));
    this.#worker.on('error', () => this.#lose());
    this.#worker.on('exit', () => this.#lose());
  }

  /** Reads a file. Rejects if the file is refused. */
  async read(given: FileGiven, beside: Beside): Promise<FromThread> {
    if (this.#isOver) return undefined;
    this.#beside = beside;
    const message = await new Promise<FromReader>(resolve => {
      this.#settle = resolve;
      this.#say({ given }, ownBuffer(given.bytes));
    });
    if ('packed' in message) return unpackResult(message.packed);
    const refused = 'refused' in message ? message.refused : undefined;
    // In turn there may be room for the file.
    if (refused === undefined || refused.code === 'out-of-memory') return undefined;
    throw errorOf(refused);
  }

  #receive(message: FromReader): void {
    if ('done' in message) this.#beside?.progress(message.done);
    else if ('fetch' in message) void this.#fetch(message.fetch, message.path, message.byteLength);
    else this.#settle?.(message);
  }

  async #fetch(fetched: number, path: string, byteLength: number): Promise<void> {
    try {
      const bytes = await this.#beside!.fetchBeside(path, byteLength);
      this.#say({ fetched, bytes }, ownBuffer(bytes));
    } catch (error) {
      const refused = plainError(error);
      if (refused === undefined) this.end();
      else this.#say({ fetched, refused });
    }
  }

  #say(message: ToReader, buffers: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, buffers);
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

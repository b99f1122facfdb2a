// A thread that reads files, one after the other, as it is given them. It opens none: it asks for those that a file
// refers to.

import { parentPort } from 'node:worker_threads';
import { readFile } from '@nearfield/io';
import { errorOf, type FileGiven, type FromReader, plainError, type ToReader } from './messages.ts';
import { packResult } from './packed-result.ts';

/** Milliseconds between two messages about progress. */
const interval = 80;

const port = parentPort!;
const say = (message: FromReader, buffers: ArrayBuffer[] = []): void => port.postMessage(message, buffers);

interface Fetch {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

const fetches: Fetch[] = [];

function fetchBeside(path: string, byteLength: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const fetch = fetches.push({ resolve, reject }) - 1;
    say({ fetch, path, byteLength });
  });
}

async function read({ name, bytes, options }: FileGiven): Promise<void> {
  let shown = performance.now();
  const progress = (done: number) => {
    if (performance.now() - shown < interval) return;
    shown = performance.now();
    say({ done });
  };
  try {
    const result = await readFile(name, bytes, { ...options, fetchBeside, progress });
    const { packed, buffers } = packResult(result);
    say({ packed }, buffers);
  } catch (error) {
    say({ refused: plainError(error) });
  }
}

port.on('message', (message: ToReader) => {
  if ('given' in message) void read(message.given);
  else if ('bytes' in message) fetches[message.fetched].resolve(message.bytes);
  else fetches[message.fetched].reject(errorOf(message.refused));
});

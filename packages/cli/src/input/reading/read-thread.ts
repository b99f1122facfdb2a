// A thread that reads files, one after the other, as it is asked.

import { parentPort } from 'node:worker_threads';
import { Files } from '../../files.ts';
import { type FileAsked, type FromReader, plainError } from './messages.ts';
import { packResult } from './packed-result.ts';
import { readOne } from './read-one.ts';

/** Milliseconds between two messages about progress. */
const interval = 80;

const port = parentPort!;
const say = (message: FromReader, buffers: ArrayBuffer[] = []): void => port.postMessage(message, buffers);

async function read({ name, folder, options }: FileAsked): Promise<void> {
  const files = new Files(folder);
  let shown = performance.now();
  const progress = (done: number) => {
    if (performance.now() - shown < interval) return;
    shown = performance.now();
    say({ done });
  };
  try {
    const { packed, buffers } = packResult(await readOne(name, options, files, { progress }));
    say({ packed, seen: files.seen }, buffers);
  } catch (error) {
    say({ refused: plainError(error) });
  }
}

port.on('message', (asked: FileAsked) => void read(asked));

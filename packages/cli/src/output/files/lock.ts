// How can two programs change one file at the same time without losing what the other wrote? Each holds a lock while it reads,
// merges and writes: a file beside it, which only one of them can create.

import { open, rm } from 'node:fs/promises';
import { NearfieldError } from 'nearfield';
import { removeAtExit, targetOf } from './replace-file.ts';

/** Nobody holds a lock for longer than it takes to write a small file. */
const mostWaitMs = 30_000;
const pauseMs = 20;

/** If no file can be created beside this one, other programs cannot create a lock either: the work is done without one. */
const cannotLock = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Does some work that reads and writes the file, while nobody else does. Throws 'bad-file' if the lock is never free. */
export async function withLock<T>(path: string, name: string, work: () => Promise<T>): Promise<T> {
  const target = await targetOf(path);
  if (target.kind !== 'file') return work();
  const lock = `${target.path}.lock`;
  const until = performance.now() + mostWaitMs;
  for (;;) {
    const handle = await open(lock, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (cannotLock.has(error.code ?? '')) return undefined;
      if (error.code !== 'EEXIST') throw error;
      return 'held' as const;
    });
    if (handle === undefined) return work();
    if (handle === 'held') {
      if (performance.now() < until) {
        await new Promise(resolve => setTimeout(resolve, pauseMs));
        continue;
      }
      throw new NearfieldError(
        'bad-file',
        `${name}: another nearfield is writing it; if none is running, delete ${name}.lock`,
      );
    }
    const keep = removeAtExit(lock);
    try {
      await handle.close();
      return await work();
    } finally {
      await rm(lock, { force: true });
      keep();
    }
  }
}

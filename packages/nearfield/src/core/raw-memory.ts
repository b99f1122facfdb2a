// Allocates memory in JavaScript for lists as long as an answer. If that fails, JavaScript throws a RangeError, as it does for
// many programming errors. Here it becomes 'out-of-memory', so that nobody has to take every RangeError for a lack of memory.

import { NearfieldError } from './errors.ts';

/** Allocates bytes, in memory that threads share if `isShared`. Throws 'out-of-memory' if there is not enough. */
export function rawMemory(bytes: number, isShared: true): SharedArrayBuffer;
export function rawMemory(bytes: number, isShared: boolean): SharedArrayBuffer | ArrayBuffer;
export function rawMemory(bytes: number, isShared: boolean): SharedArrayBuffer | ArrayBuffer {
  try {
    return new (isShared ? SharedArrayBuffer : ArrayBuffer)(bytes);
  } catch {
    throw new NearfieldError('out-of-memory', `no memory for ${bytes} bytes`);
  }
}

// Memory in JavaScript for lists as long as an answer. Running out of it is the only RangeError that means that: others are
// faults, and are not caught with it.

import { NearfieldError } from './errors.ts';

/** So many bytes, in memory that threads share if `isShared`. Throws 'out-of-memory'. */
export function rawMemory(bytes: number, isShared: true): SharedArrayBuffer;
export function rawMemory(bytes: number, isShared: boolean): SharedArrayBuffer | ArrayBuffer;
export function rawMemory(bytes: number, isShared: boolean): SharedArrayBuffer | ArrayBuffer {
  const Raw = isShared ? SharedArrayBuffer : ArrayBuffer;
  try {
    return new Raw(bytes);
  } catch (cause) {
    throw new NearfieldError('out-of-memory', `no memory for ${bytes} bytes`, { cause });
  }
}

// How much may a glTF file expand to? References make small files large: many accessors over the same bytes,
// many meshes over the same accessors. What is made of a file is held within a multiple of the bytes that are
// really there; nothing a program writes comes near it.

import { badFile } from '../file-error.ts';

const mostFold = 64;
const spareBytes = 16 * 2 ** 20;

export class Budget {
  private held = 0;
  private decoded = 0;
  private compressed = 0;
  private spent = 0;

  constructor(private readonly file: string) {}

  /** So many bytes are there: of the file, or of a buffer beside it. */
  hold(bytes: number): void {
    this.held += bytes;
  }

  /** So many compressed bytes are about to be decoded. Parts that overlap would be decoded again and again. */
  decompress(bytes: number, path: string): void {
    this.compressed += bytes;
    if (this.compressed > this.held) badFile(this.file, path, 'compressed parts of the file overlap');
  }

  /** So many bytes came out of a decoder that holds its output against its input by itself. */
  grant(bytes: number): void {
    this.decoded += bytes;
  }

  /** So many bytes are about to be made. */
  spend(bytes: number, path: string): void {
    this.spent += bytes;
    // What a decoder gave is joined, compacted and copied at most.
    const allowed = spareBytes + mostFold * this.held + 4 * this.decoded;
    if (this.spent > allowed) {
      const limit = Math.round(allowed / 2 ** 20);
      badFile(this.file, path, `the file expands to more than ${limit} MiB, far more than it holds`);
    }
  }
}

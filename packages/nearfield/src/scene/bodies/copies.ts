// Copies of the positions a body was deformed to. Answers keep those they were asked of, so each deformation needs memory of
// its own; to take a buffer for each cost a small body more than all else about it. Several copies of one body share a
// buffer.

import type { Positions } from '../../mesh/mesh.ts';

/** Larger copies have their own buffers, which cost little beside what is in them. */
const smallBytes = 8192;
/** Copies in a buffer: whoever keeps one keeps the memory of so many, and never more than 64 KiB. */
const mostTogether = 8;

export class Copies {
  #room: Positions | undefined;
  /** Copies in the room, and how many are taken. */
  #together = 0;
  #taken = 0;

  of(positions: Positions): Positions {
    if (positions.byteLength > smallBytes) return positions.slice();
    const { length } = positions;
    const singles = positions instanceof Float32Array;
    let room = this.#room;
    if (room !== undefined && room instanceof Float32Array !== singles) {
      room = undefined;
      this.#together = 0;
    }
    if (room === undefined || this.#taken === this.#together) {
      // A body that deforms once has room for one copy.
      this.#together = this.#together === 0 ? 1 : Math.min(2 * this.#together, mostTogether);
      this.#taken = 0;
      const count = this.#together * length;
      this.#room = room = singles ? new Float32Array(count) : new Float64Array(count);
    }
    const at = length * this.#taken++;
    const copy = room.subarray(at, at + length);
    copy.set(positions);
    return copy;
  }
}

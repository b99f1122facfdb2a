// Copies of the positions that bodies were deformed to. Answers keep those they were asked of, so each deformation needs memory
// of its own; to take a buffer for each cost a small body more than all else about it. Several copies share a buffer: those
// of bodies with as many vertices, so that bodies which deform one after the other lie one after the other.

import type { Positions } from '../mesh/mesh.ts';

/** Larger copies have their own buffers, which cost little beside what is in them. */
const smallBytes = 8192;
/** Copies in a buffer: whoever keeps one keeps the memory of so many, and never more than 64 KiB. */
const mostTogether = 8;

interface Room {
  readonly numbers: Positions;
  /** Copies in the room, and how many are taken. */
  readonly together: number;
  taken: number;
}

export class Copies {
  /** By how many numbers a copy has. */
  readonly #singles = new Map<number, Room>();
  readonly #doubles = new Map<number, Room>();

  of(positions: Positions): Positions {
    if (positions.byteLength > smallBytes) return positions.slice();
    const { length } = positions;
    const singles = positions instanceof Float32Array;
    const rooms = singles ? this.#singles : this.#doubles;
    let room = rooms.get(length);
    if (room === undefined || room.taken === room.together) {
      // A body that deforms once has room for one copy.
      const together = room === undefined ? 1 : Math.min(2 * room.together, mostTogether);
      const count = together * length;
      room = { numbers: singles ? new Float32Array(count) : new Float64Array(count), together, taken: 0 };
      rooms.set(length, room);
    }
    const at = length * room.taken++;
    const copy = room.numbers.subarray(at, at + length);
    copy.set(positions);
    return copy;
  }

  /** A body with so many numbers has left, and may have been the last: rooms of theirs are not kept here. */
  drop(length: number): void {
    this.#singles.delete(length);
    this.#doubles.delete(length);
  }
}

// Copies of the positions that bodies were deformed to. Answers keep the positions they were asked about, so each
// deformation needs memory of its own. For a small body, allocating an ArrayBuffer per copy cost more than the rest of
// the deformation. Therefore several copies share a buffer. Bodies with equal vertex counts share one, so that bodies
// which deform one after the other lie one after the other in memory.

import type { Positions } from '../mesh/mesh.ts';

/** Larger copies get their own buffers: next to copying their contents, allocating costs little. */
const smallBytes = 8192;
/** Most copies per buffer. Keeping one copy alive keeps the memory of this many alive, but never more than 64 KiB. */
const mostCopies = 8;

interface Room {
  readonly numbers: Positions;
  /** How many copies fit, and how many are used. */
  readonly capacity: number;
  taken: number;
}

export class Copies {
  /** By the length of a copy. */
  readonly #singles = new Map<number, Room>();
  readonly #doubles = new Map<number, Room>();

  of(positions: Positions): Positions {
    if (positions.byteLength > smallBytes) return positions.slice();
    const { length } = positions;
    const singles = positions instanceof Float32Array;
    const rooms = singles ? this.#singles : this.#doubles;
    let room = rooms.get(length);
    if (room === undefined || room.taken === room.capacity) {
      // Start with one copy: a body that deforms once needs no more.
      const capacity = room === undefined ? 1 : Math.min(2 * room.capacity, mostCopies);
      const count = capacity * length;
      room = { numbers: singles ? new Float32Array(count) : new Float64Array(count), capacity, taken: 0 };
      rooms.set(length, room);
    }
    const at = length * room.taken++;
    const copy = room.numbers.subarray(at, at + length);
    copy.set(positions);
    return copy;
  }

  /** A body with `length` numbers was removed. It may have been the last of that size, so its buffers are let go. */
  drop(length: number): void {
    this.#singles.delete(length);
    this.#doubles.delete(length);
  }
}

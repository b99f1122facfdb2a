// Lists that kernels append to. A kernel goes on counting past a list's capacity, so the count says how long the list
// had to be: on overflow the list grows to that and the work is run again.

import type { Resources } from '../kernel.ts';
import { GrowingBuffer, roomFor } from './buffers.ts';
import { ReadList } from './read-list.ts';

export class CountedLists<Name extends string> {
  readonly #device: GPUDevice;
  readonly #recordBytes: Readonly<Record<Name, number>>;
  readonly #names: readonly Name[];
  /** Capacities to reserve, in records. A list whose length follows from something else has no entry. */
  readonly #room: Partial<Record<Name, number>>;
  readonly buffers: Readonly<Record<Name, GrowingBuffer>>;

  /** Kernels bind the lists by these names. */
  constructor(
    device: GPUDevice,
    label: string,
    recordBytes: Readonly<Record<Name, number>>,
    room: Partial<Record<Name, number>> = {},
  ) {
    this.#device = device;
    this.#recordBytes = recordBytes;
    this.#names = Object.keys(recordBytes) as Name[];
    this.#room = { ...room };
    const buffers = this.#names.map(name => [name, new GrowingBuffer(device, `${label}: ${name}`)] as const);
    this.buffers = Object.fromEntries(buffers) as typeof this.buffers;
  }

  /** Gives every list its reserved capacity. */
  reserve(): void {
    for (const name of this.#names) {
      const room = this.#room[name];
      if (room !== undefined) this.lengthen(name, room);
    }
  }

  /** Gives a list a capacity of at least `count` records. */
  lengthen(name: Name, count: number): void {
    this.buffers[name].reserve(this.#recordBytes[name] * count);
  }

  /** The number of records a list can hold now. */
  capacity(name: Name): number {
    return Math.floor(this.buffers[name].bytes / this.#recordBytes[name]);
  }

  /** Has the next `reserve` make room for what was counted. Returns false if no list overflowed. */
  grow(counts: Partial<Record<Name, number>>): boolean {
    let isGrown = false;
    for (const name of this.#names) {
      const count = counts[name];
      if (count === undefined || count <= this.capacity(name)) continue;
      this.#room[name] = roomFor(this.#device, this.#recordBytes[name], count);
      isGrown = true;
    }
    return isGrown;
  }

  /** Reads a list back. */
  reader(name: Name): ReadList {
    const place = () => ({ buffer: this.buffers[name].buffer, room: this.capacity(name) });
    return new ReadList(this.#recordBytes[name], place);
  }

  bind(resources: Resources): void {
    for (const name of this.#names) resources.set(name, this.buffers[name].buffer);
  }

  destroy(): void {
    for (const name of this.#names) this.buffers[name].destroy();
  }
}

// Lists that kernels append to. A kernel counts on past a list's end, so what a list should have held is known afterwards: it
// grows to that and the work is run again.

import type { Resources } from '../kernel.ts';
import { GrowingBuffer, roomFor } from './buffers.ts';
import { ReadList } from './read-list.ts';

export class CountedLists<Name extends string> {
  readonly #device: GPUDevice;
  readonly #recordBytes: Readonly<Record<Name, number>>;
  readonly #names: readonly Name[];
  /** Records that lists must have room for. Those that are as long as something else have no entry. */
  readonly #room: Partial<Record<Name, number>>;
  readonly buffers: Readonly<Record<Name, GrowingBuffer>>;

  /** Kernels know the lists by their names. */
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

  /** Makes every list as long as its room. */
  reserve(): void {
    for (const name of this.#names) {
      const room = this.#room[name];
      if (room !== undefined) this.lengthen(name, room);
    }
  }

  /** Makes a list so long that it holds `count` records. */
  lengthen(name: Name, count: number): void {
    this.buffers[name].reserve(this.#recordBytes[name] * count);
  }

  /** Records that a list holds as it is. */
  capacity(name: Name): number {
    return Math.floor(this.buffers[name].bytes / this.#recordBytes[name]);
  }

  /** Makes room for what was counted, in the next `reserve`; false where every list was long enough. */
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

  /** For reading a list back. */
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

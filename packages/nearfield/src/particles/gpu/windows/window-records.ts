// What a window finds, in one buffer: its head, the records of impacts that are certain, those of particles to be decided, and columns
// with the numbers of the certain impacts. Capacities grow when a window found more.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { ReadList } from '../../../gpu/buffers/read-list.ts';
import {
  type ColumnName,
  type Columns,
  columnNames,
  columnsAt,
  columnWords,
  recordWords,
  wordsOfColumn,
} from '../../seam.ts';
import { Head, headWords } from '../layouts.ts';

/** Capacities, in records. */
export interface RecordsRoom {
  readonly certain: number;
  readonly decide: number;
}

export class WindowRecords {
  readonly certain: ReadList;
  readonly toDecide: ReadList;
  readonly #columns: readonly (readonly [ColumnName, ReadList])[];
  readonly #records: GrowingBuffer;
  #certainRoom: number;
  #decideRoom: number;

  /** @param paints whether the GPU paints maps */
  constructor(device: GPUDevice, room: RecordsRoom, paints: boolean) {
    this.#records = new GrowingBuffer(device, 'particles: records');
    this.#certainRoom = room.certain;
    this.#decideRoom = room.decide;
    const list = (bytes: number, wordOf: () => number, roomOf: () => number) =>
      new ReadList(bytes, () => ({ buffer: this.buffer, offset: 4 * wordOf(), room: roomOf() }));
    const certainRoom = () => this.#certainRoom;
    this.certain = list(4 * recordWords, () => headWords, certainRoom);
    this.toDecide = list(
      4 * recordWords,
      () => headWords + recordWords * this.#certainRoom,
      () => this.#decideRoom,
    );
    // The records have the whole numbers. Columns of them, and texels, are read only to be painted again, if a window has
    // several parts.
    const read = columnNames.filter(name => paints || columnsAt[name] < columnsAt.particle);
    this.#columns = read.map(name => [
      name,
      list(
        4 * wordsOfColumn(name),
        () => this.columnsBase + columnsAt[name] * this.#certainRoom,
        certainRoom,
      ),
    ]);
  }

  get buffer(): GPUBuffer {
    return this.#records.buffer;
  }

  get certainRoom(): number {
    return this.#certainRoom;
  }

  get decideRoom(): number {
    return this.#decideRoom;
  }

  /** The word at which columns begin. */
  get columnsBase(): number {
    return headWords + recordWords * (this.#certainRoom + this.#decideRoom);
  }

  /** The head, to be read back. */
  get head(): { buffer: GPUBuffer; offset: number; bytes: number } {
    return { buffer: this.buffer, offset: 0, bytes: 4 * headWords };
  }

  get columns(): readonly ReadList[] {
    return this.#columns.map(([, list]) => list);
  }

  /** What was read of `columns`, by name. */
  named(read: readonly Uint32Array[]): Columns {
    return Object.fromEntries(this.#columns.map(([name], i) => [name, read[i]]));
  }

  /** Makes room for what a window may find, and empties the head. */
  begin(encoder: GPUCommandEncoder, withColumns: boolean): GPUBuffer {
    const columnsRoom = withColumns ? columnWords * this.#certainRoom : 0;
    const buffer = this.#records.reserve(4 * (this.columnsBase + columnsRoom));
    encoder.clearBuffer(buffer, 0, 4 * headWords);
    return buffer;
  }

  /** Increases the capacities if a window found more records; returns whether it did. */
  grow(head: Uint32Array): boolean {
    const [certain, decide] = [head[Head.certain], head[Head.decide]];
    const isShort = certain > this.#certainRoom || decide > this.#decideRoom;
    if (certain > this.#certainRoom) this.#certainRoom = Math.ceil(1.25 * certain);
    if (decide > this.#decideRoom) this.#decideRoom = Math.ceil(1.25 * decide);
    return isShort;
  }

  destroy(): void {
    this.#records.destroy();
  }
}

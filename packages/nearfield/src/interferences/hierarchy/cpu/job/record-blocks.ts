// The records that a kernel writes for a job, three words each, in blocks of the kernels' memory. When a block is nearly full the
// next one takes its place. So a list that grows is never copied, and never needs room for its old and its new block at once.

import type { ListInMemory } from '../../../../bvh/cpu/sort/group-lists.ts';
import type { KernelMemory } from '../../../../cpu/memory.ts';

const recordBytes = 12;
/** A block has as many records as all before it together, but no more than this. */
const mostInBlock = 1 << 20;

export class RecordBlocks {
  /** The address of the block that is written, and for how many records it has room. */
  at: number;
  capacity: number;
  readonly #memory: KernelMemory;
  readonly #full: ListInMemory[] = [];
  #recordsInFull = 0;

  constructor(memory: KernelMemory, capacity: number) {
    this.#memory = memory;
    this.capacity = capacity;
    this.at = memory.allocate(capacity * recordBytes, what);
  }

  /** Puts another block in place of the one that is written, which has `count` records. */
  grow(count: number): void {
    const capacity = Math.max(this.capacity, Math.min(this.capacity + this.#recordsInFull, mostInBlock));
    const next = this.#memory.allocate(capacity * recordBytes, what);
    this.#full.push({ at: this.at, count });
    this.#recordsInFull += count;
    this.at = next;
    this.capacity = capacity;
  }

  /** How many records there are, if the block that is written has `count`. */
  total(count: number): number {
    return this.#recordsInFull + count;
  }

  /** All blocks, in order, if the one that is written has `count` records. */
  lists(count: number): ListInMemory[] {
    return [...this.#full, { at: this.at, count }];
  }

  /** Forgets all records. The block that is written stays, which is the largest. */
  clear(): void {
    for (const { at } of this.#full) this.#memory.free(at);
    this.#full.length = 0;
    this.#recordsInFull = 0;
  }
}

const what = 'a list of pairs';

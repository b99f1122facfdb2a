// The lists of a job that traverses level by level (levels.as.ts): the pairs of nodes of this level and of the next.
// They grow with the widest level and are freed after the question.

import * as layout from '../kernels.layout.ts';
import type { PairKernels } from '../kernels.ts';

const fewPairs = 1024;

export class Levels {
  readonly #kernels: PairKernels;
  readonly #job: number;
  #capacity = 0;

  /** For the job at an address. */
  constructor(kernels: PairKernels, job: number) {
    this.#kernels = kernels;
    this.#job = job;
  }

  begin(): void {
    const { memory } = this.#kernels;
    const lists = [layout.Job.level, layout.Job.nextLevel];
    for (const list of lists) this.#set(list, 0);
    this.#capacity = fewPairs;
    for (const list of lists) {
      this.#set(list, memory.allocate(fewPairs * layout.stackEntryBytes, 'a level of pairs'));
    }
    this.#set(layout.Job.levelCapacity, fewPairs);
    this.#set(layout.Job.levelCount, 0);
    this.#set(layout.Job.nextCount, 0);
  }

  /** Doubles the lists if the next level's list is nearly full. */
  grow(): void {
    const { memory } = this.#kernels;
    if (this.#get(layout.Job.nextCount) + layout.openedPairs <= this.#capacity) return;
    const capacity = this.#capacity * 2;
    for (const list of [layout.Job.level, layout.Job.nextLevel]) {
      const bytes = capacity * layout.stackEntryBytes;
      this.#set(list, memory.enlarge(this.#get(list), bytes, `a level of ${capacity} pairs`));
    }
    this.#capacity = capacity;
    this.#set(layout.Job.levelCapacity, capacity);
  }

  finish(): void {
    if (this.#capacity === 0) return;
    const { memory } = this.#kernels;
    // The kernel swaps them. One is 0 if memory ran out when it was allocated.
    for (const list of [layout.Job.level, layout.Job.nextLevel]) {
      if (this.#get(list) !== 0) memory.free(this.#get(list));
    }
    this.#capacity = 0;
  }

  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.#job + offset) >>> 2] = value;
  }
  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.#job + offset) >>> 2];
  }
}

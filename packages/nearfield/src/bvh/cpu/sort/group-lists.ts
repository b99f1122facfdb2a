// Groups the records of several lists, (candidate, triangle, triangle), by their candidates. All threads work on them
// in the kernels' memory (group-lists.as.ts). The result does not depend on the threads, because groups are sorted.

import { isOutOfMemory } from '../../../core/errors.ts';
import { rawMemory } from '../../../core/raw-memory.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { runPhase } from '../../../cpu/threads/phase.ts';
import * as layout from '../kernels.layout.ts';
import { type BvhKernels, bvhKernels } from '../kernels.ts';
import type { GroupedRecords } from './records.ts';

/** Records in the kernels' memory, three words each. */
export interface ListInMemory {
  readonly at: number;
  readonly count: number;
}

/** If a group has more records, one thread sorts all groups: every other would need scratch memory for that group, too. */
const mostInGroup = 1 << 20;
/** The groups that are summed before the clock is read again. */
const groupsPerStep = 1 << 20;
/** So many pairs are put and sorted at a time: all of them would take two thirds of the memory that the lists have. */
const pairsAtOnce = 1 << 22;

/**
 * The second and third words of all records, by their first, which is less than `groups`. Yields now and then.
 * Undefined if there is no memory for it: nothing has changed then. The pairs are in shared memory if `share` says so.
 */
export function* groupLists(
  engine: CpuEngine,
  given: readonly ListInMemory[],
  groups: number,
  share: boolean,
  atOnce = pairsAtOnce,
): Generator<number, GroupedRecords | undefined> {
  const grouping = new Grouping(engine);
  try {
    return yield* grouping.run(
      given.filter(({ count }) => count > 0),
      groups,
      share,
      atOnce,
    );
  } catch (error) {
    if (isOutOfMemory(error)) return undefined;
    throw error;
  } finally {
    grouping.free();
  }
}

class Grouping {
  readonly #engine: CpuEngine;
  readonly #kernels: BvhKernels;
  readonly #blocks: number[] = [];
  #at = 0;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.#kernels = engine.kernels(bvhKernels);
  }

  #allocate(bytes: number): number {
    const at = this.#engine.memory.allocate(bytes, 'sorting pairs');
    this.#blocks.push(at);
    return at;
  }

  #set(offset: number, value: number): void {
    Atomics.store(this.#kernels.memory.u32, (this.#at + offset) >>> 2, value);
  }

  *run(
    lists: readonly ListInMemory[],
    groups: number,
    share: boolean,
    atOnce: number,
  ): Generator<number, GroupedRecords | undefined> {
    const words = (at: number, count: number) => this.#kernels.memory.u32.subarray(at / 4, at / 4 + count);
    this.#at = this.#allocate(layout.Grouping.bytes);
    const starts = this.#allocate(4 * groups + 4);
    const next = this.#allocate(4 * groups + 4);
    const table = this.#allocate(layout.RecordList.bytes * lists.length);
    let [records, chunks] = [0, 0];
    for (const [i, { at, count }] of lists.entries()) {
      // In the order of a `RecordList`'s fields: records, count, firstChunk.
      words(table + layout.RecordList.bytes * i, 3).set([at, count, chunks]);
      records += count;
      chunks += Math.ceil(count / layout.recordsPerChunk);
    }
    this.#set(layout.Grouping.lists, table);
    this.#set(layout.Grouping.listCount, lists.length);
    this.#set(layout.Grouping.groups, groups);
    this.#set(layout.Grouping.start, starts);
    this.#set(layout.Grouping.nextPlaces, next);
    this.#set(layout.Grouping.ranges, this.#allocate(8 * chunks));
    words(starts, groups + 1).fill(0);
    if (!(yield* this.#phase(layout.countPhase, chunks))) return undefined;
    let largest = 0;
    for (let group = 0; group < groups; ) {
      const start = words(starts, groups + 1);
      const end = Math.min(groups, group + groupsPerStep);
      for (; group < end; group++) {
        if (start[group + 1] > largest) largest = start[group + 1];
        start[group + 1] += start[group];
      }
      yield 0;
    }
    words(next, groups).set(words(starts, groups));
    const array = (count: number) => new Uint32Array(rawMemory(4 * count, share));
    const start = array(groups + 1);
    start.set(words(starts, groups + 1));
    const pairs = array(2 * records);
    const capacity = Math.min(records, Math.max(largest, atOnce));
    const at = this.#allocate(8 * capacity);
    this.#set(layout.Grouping.pairs, at);
    const perChunk = Math.max(1, Math.floor((groups * layout.recordsPerChunk) / Math.max(1, records)));
    this.#set(layout.Grouping.groupsPerChunk, perChunk);
    for (let first = 0, end = 0; first < groups; first = end) {
      const place = start[first];
      if (records - place <= capacity) end = groups;
      else while (end < groups && start[end + 1] - place <= capacity) end++;
      this.#set(layout.Grouping.firstGroup, first);
      this.#set(layout.Grouping.endGroup, end);
      this.#set(layout.Grouping.firstPlace, place);
      if (!(yield* this.#phase(layout.putPhase, chunks))) return undefined;
      if (!(yield* this.#phase(layout.sortPhase, Math.ceil((end - first) / perChunk), largest)))
        return undefined;
      pairs.set(words(at, 2 * (start[end] - place)), 2 * place);
    }
    return { start, pairs };
  }

  /** Runs all chunks of a phase. Returns false if a thread failed. */
  *#phase(phase: number, chunks: number, largest = 0): Generator<number, boolean> {
    this.#set(layout.Grouping.phase, phase);
    this.#set(layout.Grouping.chunkCount, chunks);
    this.#set(layout.Grouping.next, 0);
    return yield* runPhase({
      ...{ engine: this.#engine, kernels: this.#kernels, name: 'groupLists', job: this.#at },
      share: largest <= mostInGroup,
      scratch: () => this.#allocate(layout.recordScratchBytes + 8 * largest),
    });
  }

  free(): void {
    for (const at of this.#blocks) this.#engine.memory.free(at);
    this.#blocks.length = 0;
  }
}

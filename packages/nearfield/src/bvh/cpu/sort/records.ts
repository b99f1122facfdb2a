// Sorts or groups records of three numbers, (candidate, triangle, triangle), by kernels (sort-records.as.ts).

import { toEnd } from '../../../core/waiting.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import * as layout from '../kernels.layout.ts';
import { bvhKernels } from '../kernels.ts';

/** The second and third numbers of records. Those with the first number g are pairs start[g] to start[g + 1] − 1. */
export interface GroupedRecords {
  readonly start: Uint32Array;
  readonly pairs: Uint32Array;
}

/** Sorts records of three by their first, second and third number, in place. */
export function sortRecords(engine: CpuEngine, records: Uint32Array): void {
  const count = records.length / 3;
  if (count < 2) return;
  const { call, memory } = engine.kernels(bvhKernels);
  const bytes = records.length * 4;
  const scratch = memory.allocate(bytes * 2 + layout.recordScratchBytes, `sorting ${count} pairs`);
  memory.u32.set(records, scratch / 4);
  call.sortRecords(scratch, scratch + bytes, scratch + bytes * 2, count);
  records.set(memory.u32.subarray(scratch / 4, scratch / 4 + records.length));
  memory.free(scratch);
}

/** The records of both lists, grouped by their first number, which is less than `groups`, and sorted within each group. */
export function groupRecords(
  engine: CpuEngine,
  first: Uint32Array,
  second: Uint32Array,
  groups: number,
): GroupedRecords {
  return toEnd(groupInSteps(engine, first, second, groups));
}

/** Up to this many records are grouped in one step: some milliseconds of work. */
const recordsPerStep = 1 << 17;

/**
 * The same in steps, which yield the fraction done. Many records are divided into parts, each of which has all records of
 * some consecutive groups. A part fits into the processor's cache and takes fewer passes of a radix sort than the whole, so
 * this is faster than one call of the kernel, and takes less memory. All records of one group are one step.
 */
export function* groupInSteps(
  engine: CpuEngine,
  first: Uint32Array,
  second: Uint32Array,
  groups: number,
  perStep = recordsPerStep,
): Generator<number, GroupedRecords> {
  const words = first.length + second.length;
  if (words <= 3 * perStep) {
    return groupPart(engine, first, second, 0, groups, (pairs, start) => ({
      start: start.slice(),
      pairs: pairs.slice(),
    }));
  }
  const { start, inOrder } = yield* countGroups(first, second, groups);
  const records = inOrder ? first : yield* byGroups(first, second, start);
  const pairs = new Uint32Array((words / 3) * 2);
  for (let group = 0; group < groups; ) {
    const from = group;
    const at = start[from];
    for (group++; group < groups && start[group + 1] - at <= perStep; ) group++;
    const part = records.subarray(3 * at, 3 * start[group]);
    if (part.length > 0) {
      groupPart(engine, part, none, from, group - from, sorted => pairs.set(sorted, 2 * at));
    }
    yield 0.4 + (0.6 * start[group] * 3) / words;
  }
  return { start, pairs };
}

const none = new Uint32Array(0);

/** Where each group starts if records are in the order of their groups, and whether `first` has them all in that order. */
function* countGroups(
  first: Uint32Array,
  second: Uint32Array,
  groups: number,
): Generator<number, { start: Uint32Array; inOrder: boolean }> {
  const start = new Uint32Array(groups + 1);
  let inOrder = second.length === 0;
  let last = 0;
  for (const { list, from, to, done } of pieces(first, second)) {
    for (let r = from; r < to; r += 3) {
      const group = list[r];
      start[group + 1]++;
      if (group < last) inOrder = false;
      last = group;
    }
    yield 0.2 * done;
  }
  for (let group = 0; group < groups; group++) start[group + 1] += start[group];
  return { start, inOrder };
}

/** All records in the order of their groups. */
function* byGroups(
  first: Uint32Array,
  second: Uint32Array,
  start: Uint32Array,
): Generator<number, Uint32Array> {
  const records = new Uint32Array(first.length + second.length);
  const next = start.slice();
  for (const { list, from, to, done } of pieces(first, second)) {
    for (let r = from; r < to; r += 3) {
      const at = 3 * next[list[r]]++;
      records[at] = list[r];
      records[at + 1] = list[r + 1];
      records[at + 2] = list[r + 2];
    }
    yield 0.2 + 0.2 * done;
  }
  return records;
}

/** Some records of a list, and the fraction of both lists that is done with them. */
interface Piece {
  readonly list: Uint32Array;
  readonly from: number;
  readonly to: number;
  readonly done: number;
}

/** Two lists of records in pieces of a few milliseconds. */
function* pieces(first: Uint32Array, second: Uint32Array): Generator<Piece> {
  const all = first.length + second.length;
  for (const list of [first, second]) {
    for (let from = 0, to = 0; from < list.length; from = to) {
      to = Math.min(list.length, from + 3 * recordsPerStep);
      yield { list, from, to, done: (list === first ? to : first.length + to) / all };
    }
  }
}

/**
 * The records of both lists, all of them in `groups` groups from `firstGroup` on, in one call of the kernel. `take` gets what
 * `GroupedRecords` has, in the kernel's memory.
 */
function groupPart<T>(
  engine: CpuEngine,
  first: Uint32Array,
  second: Uint32Array,
  firstGroup: number,
  groups: number,
  take: (pairs: Uint32Array, start: Uint32Array) => T,
): T {
  const { call, memory } = engine.kernels(bvhKernels);
  const words = first.length + second.length;
  const what = `sorting ${words / 3} pairs`;
  const { recordScratchBytes } = layout;
  const bytes = Math.ceil(words / 16) * 64;
  const records = memory.allocate(2 * bytes + recordScratchBytes + groups * 4 + 4, what);
  memory.u32.set(first, records / 4);
  memory.u32.set(second, records / 4 + first.length);
  const other = records + bytes;
  const scratch = other + bytes;
  const start = scratch + recordScratchBytes;
  const pairs = (call.groupRecords(records, other, scratch, words / 3, firstGroup, groups, start) >>> 0) / 4;
  try {
    return take(
      memory.u32.subarray(pairs, pairs + (words / 3) * 2),
      memory.u32.subarray(start / 4, start / 4 + groups + 1),
    );
  } finally {
    memory.free(records);
  }
}

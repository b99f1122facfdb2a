// Sorts or groups records of three numbers, (candidate, triangle, triangle), by kernels (sort-records.as.ts).

import { rawMemory } from '../../../core/raw-memory.ts';
import { toEnd } from '../../../core/waiting.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { recordScratchBytes } from '../kernels.layout.ts';
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
  const scratch = memory.allocate(bytes * 2 + recordScratchBytes, `sorting ${count} pairs`);
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
  // Bodies that are apart leave nothing to sort, and calling the kernel would take a tenth of their question's time.
  if (words === 0) return { start: new Uint32Array(groups + 1), pairs: none };
  if (words <= 3 * perStep) {
    return groupPart(engine, first, second, 0, groups, (pairs, start) => ({
      start: start.slice(),
      pairs: pairs.slice(),
    }));
  }
  const pieces = [first, second].flatMap(list =>
    Array.from({ length: Math.ceil(list.length / pieceWords) }, (_, i) =>
      list.subarray(i * pieceWords, (i + 1) * pieceWords),
    ),
  );
  const start = new Uint32Array(groups + 1);
  let last = second.length === 0 ? 0 : Infinity;
  for (const [i, piece] of pieces.entries()) {
    last = countGroups(piece, start, last);
    yield (0.2 * i) / pieces.length;
  }
  for (let group = 0; group < groups; group++) start[group + 1] += start[group];
  let records = first;
  if (last === Infinity) {
    records = new Uint32Array(words);
    const next = start.slice();
    for (const [i, piece] of pieces.entries()) {
      putByGroups(piece, next, records);
      yield 0.2 + (0.2 * i) / pieces.length;
    }
  }
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

/** Words of records that are counted or put in one step. */
const pieceWords = 3 * recordsPerStep;

/** Counts the records of each group g at start[g + 1]. Returns the last group, or Infinity if one comes after a greater one. */
function countGroups(records: Uint32Array, start: Uint32Array, last: number): number {
  for (let r = 0; r < records.length; r += 3) {
    const group = records[r];
    start[group + 1]++;
    last = group < last ? Infinity : group;
  }
  return last;
}

/** Puts records where their groups are: `next` has the next place in each. */
function putByGroups(records: Uint32Array, next: Uint32Array, out: Uint32Array): void {
  for (let r = 0; r < records.length; r += 3) {
    const at = 3 * next[records[r]]++;
    out[at] = records[r];
    out[at + 1] = records[r + 1];
    out[at + 2] = records[r + 2];
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

/** The groups that are merged before the clock is read again. */
const groupsPerStep = 1 << 14;

/** The records of both, group by group, where both have the same groups. Most groups are in the first alone. */
export function* mergeGroups(
  first: GroupedRecords,
  second: GroupedRecords,
): Generator<number, GroupedRecords> {
  const groups = first.start.length - 1;
  const [p, q] = [first.pairs, second.pairs];
  const start = first.start.map((place, group) => place + second.start[group]);
  const isShared = typeof SharedArrayBuffer !== 'undefined' && p.buffer instanceof SharedArrayBuffer;
  const pairs = new Uint32Array(rawMemory(4 * (p.length + q.length), isShared));
  /** All groups before this one are in their places. */
  let put = 0;
  const putUpTo = (group: number): void => {
    pairs.set(p.subarray(2 * first.start[put], 2 * first.start[group]), 2 * start[put]);
    put = group;
  };
  for (let group = 0; group < groups; group++) {
    if (group % groupsPerStep === 0) yield group / groups;
    if (second.start[group] === second.start[group + 1]) continue;
    putUpTo(group);
    let [i, j] = [2 * first.start[group], 2 * second.start[group]];
    const [iEnd, jEnd] = [2 * first.start[group + 1], 2 * second.start[group + 1]];
    for (let at = 2 * start[group]; at < 2 * start[group + 1]; at += 2) {
      const takesFirst = j === jEnd || (i < iEnd && (p[i] < q[j] || (p[i] === q[j] && p[i + 1] <= q[j + 1])));
      pairs[at] = takesFirst ? p[i] : q[j];
      pairs[at + 1] = takesFirst ? p[i + 1] : q[j + 1];
      if (takesFirst) i += 2;
      else j += 2;
    }
    put = group + 1;
  }
  putUpTo(groups);
  return { start, pairs };
}

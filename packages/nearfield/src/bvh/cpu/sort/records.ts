// Sorts or groups records of three numbers, (candidate, triangle, triangle), by kernels (sort-records.as.ts).

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

/** The records of both lists in that order, grouped by their first number, which is less than `groups`. */
export function groupRecords(
  engine: CpuEngine,
  first: Uint32Array,
  second: Uint32Array,
  groups: number,
): GroupedRecords {
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
  const pairs = (call.groupRecords(records, other, scratch, words / 3, groups, start) >>> 0) / 4;
  try {
    return {
      start: memory.u32.slice(start / 4, start / 4 + groups + 1),
      pairs: memory.u32.slice(pairs, pairs + (words / 3) * 2),
    };
  } finally {
    memory.free(records);
  }
}

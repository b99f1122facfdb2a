// One question shared by two threads. If a traversal turns out long, it is stopped. The entries left on its stack and
// the remaining candidates become tasks, and each thread takes the next task until there is none. Threads share the
// trees, the bodies and the counter. Each has its own job: stack, outputs and leaf cache.

import { bodyBytes, bodyTree, invertBody } from '../../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobPaused } from '../../../../cpu/states.as';
import { startPair, stepPair } from '../pairs.as';
import { stepSelf } from '../self/self.as';
import {
  hasRoom,
  jobCandidate,
  jobCandidateCount,
  jobCandidates,
  jobFound,
  jobStack,
  jobStackCount,
  jobTable,
  stackEntryBytes,
} from './job.as';

/** The number of the next task, incremented atomically. */
export const taskNext: usize = 0;
/** Number of entries of the stopped stack. The tasks after these are the candidates after the stack's. */
export const taskEntryCount: usize = 4;
export const taskEntries: usize = 8;
/** The stopped stack's candidate. */
export const taskCandidate: usize = 12;
/** If nonzero, threads stop soon. */
export const taskStop: usize = 16;
/** 1 for a self-intersection, whose stack entries are shorter. */
export const taskSelf: usize = 20;
export const taskBytes: usize = 64;

/** Inverts the poses that the candidates from `first` on need, so that threads only read the bodies. */
export function invertCandidates(job: usize, first: u32): void {
  const count = load<u32>(job, jobCandidateCount);
  const table = load<usize>(job, jobTable);
  for (let candidate = first; candidate < count; candidate++) {
    const pair = load<usize>(job, jobCandidates) + ((<usize>candidate) << 3);
    invertBody(table + <usize>load<u32>(pair) * bodyBytes);
    invertBody(table + <usize>load<u32>(pair, 4) * bodyBytes);
  }
}

/** The wanted number of tasks: enough that the longest is a small part of the whole. */
const wantedTasks: u32 = 128;

/**
 * Opens the pairs of nodes nearest to the roots until there are enough entries to divide. In a depth-first stack, the
 * few entries at the bottom are nearly all of the work.
 */
export function widenStack(job: usize, self: bool): void {
  const table = load<usize>(job, jobTable);
  const stack = load<usize>(job, jobStack);
  const bytes: usize = self ? 8 : stackEntryBytes;
  const pair = self ? table : load<usize>(job, jobCandidates) + ((<usize>load<u32>(job, jobCandidate)) << 3);
  const a = self ? table : table + <usize>load<u32>(pair) * bodyBytes;
  const b = self ? table : table + <usize>load<u32>(pair, 4) * bodyBytes;
  for (let opened: u32 = 0; opened < wantedTasks; opened++) {
    const count = load<u32>(job, jobStackCount);
    if (count === 0 || count >= wantedTasks || !hasRoom(job)) return;
    let topmost = stack;
    let least = levelOf(stack, self);
    const top = stack + <usize>(count - 1) * bytes;
    for (let entry = stack + bytes; entry <= top; entry += bytes) {
      const level = levelOf(entry, self);
      if (level < least) {
        least = level;
        topmost = entry;
      }
    }
    const swap = v128.load(topmost);
    memory.copy(topmost, top, bytes);
    if (self) store<u64>(top, i64x2.extract_lane(swap, 0));
    else v128.store(top, swap);
    if (self) stepSelf(job, a, load<usize>(a, bodyTree));
    else stepPair(job, a, b);
  }
}

/** Levels of a stack entry's nodes, summed. */
function levelOf(entry: usize, self: bool): u32 {
  return (load<u32>(entry) >> 28) + (self ? 0 : load<u32>(entry, 4) >> 28);
}

/** Works on tasks until none is left, an output is full, `taskStop` is set, or `budget` node pairs are opened. */
export function runTasks(job: usize, tasks: usize, budget: i32): i32 {
  const self = load<u32>(tasks, taskSelf) === 1;
  const table = load<usize>(job, jobTable);
  while (load<u32>(job, jobStackCount) > 0 || takeTask(job, tasks, self)) {
    let a = table;
    let b = table;
    if (!self) {
      const pair = load<usize>(job, jobCandidates) + ((<usize>load<u32>(job, jobCandidate)) << 3);
      a = table + <usize>load<u32>(pair) * bodyBytes;
      b = table + <usize>load<u32>(pair, 4) * bodyBytes;
    }
    while (load<u32>(job, jobStackCount) > 0) {
      if (!hasRoom(job)) return jobFull;
      if (budget <= 0 || atomic.load<u32>(tasks, taskStop)) return jobPaused;
      budget -= self ? stepSelf(job, a, load<usize>(a, bodyTree)) : stepPair(job, a, b);
    }
  }
  return jobDone;
}

/** Puts the next task on the job's empty stack, if there is anything to do for it. False if there is no task. */
function takeTask(job: usize, tasks: usize, self: bool): bool {
  const number = atomic.add<u32>(tasks, 1, taskNext);
  const entries = load<u32>(tasks, taskEntryCount);
  if (number < entries) {
    const bytes: usize = self ? 8 : stackEntryBytes;
    memory.copy(load<usize>(job, jobStack), load<usize>(tasks, taskEntries) + <usize>number * bytes, bytes);
    store<u32>(job, load<u32>(tasks, taskCandidate), jobCandidate);
    store<u32>(job, 1, jobStackCount);
    return true;
  }
  if (self) return false;
  const candidate = load<u32>(tasks, taskCandidate) + 1 + (number - entries);
  if (candidate >= load<u32>(job, jobCandidateCount)) return false;
  store<u32>(job, candidate, jobCandidate);
  const pair = load<usize>(job, jobCandidates) + ((<usize>candidate) << 3);
  const table = load<usize>(job, jobTable);
  store<u32>(job, 0, jobFound);
  startPair(job, table + <usize>load<u32>(pair) * bodyBytes, table + <usize>load<u32>(pair, 4) * bodyBytes);
  return true;
}

// One question shared by two threads. If a traversal turns out long, it is stopped. The entries left on its stack and
// the remaining candidates become tasks, and each thread takes the next task until there is none. Threads share the
// trees, the bodies and the counter. Each has its own job: stack, outputs and leaf cache.

import { bodyAt, invertBody } from '../../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobPaused } from '../../../../cpu/states.as';
import { selfEntryBytes } from '../open-self.as';
import { startPair, stepPair } from '../pairs.as';
import { stepSelf } from '../self/self.as';
import { candidateAt, hasRoom, Job, StackEntry, stackEntryBytes } from './job.as';

/** The tasks of a question. */
@unmanaged
export class Tasks {
  /** The number of the next task, incremented atomically. */
  next: u32;
  /** Number of entries of the stopped stack. The tasks after these are the candidates after the stack's. */
  entryCount: u32;
  entries: usize;
  /** The stopped stack's candidate. */
  candidate: u32;
  /** If nonzero, threads stop soon. */
  stop: u32;
  /** 1 for a self-intersection, whose stack entries are shorter. */
  self: u32;
}

/** Inverts the poses that the candidates from `first` on need, so that threads only read the bodies. */
export function invertCandidates(job: Job, first: u32): void {
  const count = job.candidateCount;
  const table = job.table;
  for (let candidate = first; candidate < count; candidate++) {
    const pair = candidateAt(job, candidate);
    invertBody(bodyAt(table, pair.a));
    invertBody(bodyAt(table, pair.b));
  }
}

/** The wanted number of tasks: enough that the longest is a small part of the whole. */
const wantedTasks: u32 = 128;

/**
 * Opens the pairs of nodes nearest to the roots until there are enough entries to divide. In a depth-first stack, the
 * few entries at the bottom are nearly all of the work.
 */
export function widenStack(job: Job, self: bool): void {
  const table = job.table;
  const stack = job.stack;
  const bytes = self ? selfEntryBytes : stackEntryBytes;
  const pair = candidateAt(job, job.candidate);
  const a = bodyAt(table, self ? 0 : pair.a);
  const b = bodyAt(table, self ? 0 : pair.b);
  for (let opened: u32 = 0; opened < wantedTasks; opened++) {
    const count = job.stackCount;
    if (count === 0 || count >= wantedTasks || !hasRoom(job)) return;
    let topmost = stack;
    let least = levelOf(changetype<StackEntry>(stack), self);
    const top = stack + <usize>(count - 1) * bytes;
    for (let entry = stack + bytes; entry <= top; entry += bytes) {
      const level = levelOf(changetype<StackEntry>(entry), self);
      if (level < least) {
        least = level;
        topmost = entry;
      }
    }
    const swap = v128.load(topmost);
    memory.copy(topmost, top, bytes);
    if (self) store<u64>(top, i64x2.extract_lane(swap, 0));
    else v128.store(top, swap);
    if (self) stepSelf(job, a, a.tree);
    else stepPair(job, a, b);
  }
}

/** Levels of a stack entry's nodes, summed. An entry of a self-intersection has its level in the same place. */
function levelOf(entry: StackEntry, self: bool): u32 {
  return (entry.a >> 28) + (self ? 0 : entry.b >> 28);
}

/** Works on tasks until none is left, an output is full, `stop` is set, or `budget` node pairs are opened. */
export function runTasks(job: Job, tasks: Tasks, budget: i32): i32 {
  const self = tasks.self === 1;
  const table = job.table;
  while (job.stackCount > 0 || takeTask(job, tasks, self)) {
    const pair = candidateAt(job, job.candidate);
    const a = bodyAt(table, self ? 0 : pair.a);
    const b = bodyAt(table, self ? 0 : pair.b);
    while (job.stackCount > 0) {
      if (!hasRoom(job)) return jobFull;
      if (budget <= 0 || atomic.load<u32>(changetype<usize>(tasks), offsetof<Tasks>('stop')))
        return jobPaused;
      budget -= self ? stepSelf(job, a, a.tree) : stepPair(job, a, b);
    }
  }
  return jobDone;
}

/** Puts the next task on the job's empty stack, if there is anything to do for it. False if there is no task. */
function takeTask(job: Job, tasks: Tasks, self: bool): bool {
  const number = atomic.add<u32>(changetype<usize>(tasks), 1, offsetof<Tasks>('next'));
  const entries = tasks.entryCount;
  if (number < entries) {
    const bytes = self ? selfEntryBytes : stackEntryBytes;
    memory.copy(job.stack, tasks.entries + <usize>number * bytes, bytes);
    job.candidate = tasks.candidate;
    job.stackCount = 1;
    return true;
  }
  if (self) return false;
  const candidate = tasks.candidate + 1 + (number - entries);
  if (candidate >= job.candidateCount) return false;
  job.candidate = candidate;
  const pair = candidateAt(job, candidate);
  const table = job.table;
  job.found = 0;
  startPair(job, bodyAt(table, pair.a), bodyAt(table, pair.b));
  return true;
}

// Pairs of bodies shared by several threads (tasks.as.ts): the tasks are candidates, and parts of their stacks.

import { bodyAt } from '../../../../bvh/cpu/place/place.as';
import { jobFull, jobPaused } from '../../../../cpu/states.as';
import { framePair, startPair, stepPair } from '../pairs.as';
import { candidateAt, hasRoom, Job, stackEntryBytes } from './job.as';
import { again, busy, isStopped, mayOffer, nextOffer, offer, Tasks } from './tasks.as';

/** The most candidates that a thread takes at once. */
const chunk: u32 = 64;
/** Threads take shares of this many parts of what is left, so that they finish together. */
const shares: u32 = 8;

/**
 * Works on tasks until none is left, an output is full, `stop` is set, or `budget` node pairs are opened. A hungry
 * thread waits if it may; otherwise it returns jobIdle.
 */
export function runTasks(job: Job, tasks: Tasks, budget: i32, mayWait: bool): i32 {
  const divides = tasks.divides === 1;
  const table = job.table;
  while (true) {
    if (job.stackCount === 0) {
      const state = takeTask(job, tasks, mayWait);
      if (state !== busy) return state;
    }
    const pair = candidateAt(job, job.candidate);
    const a = bodyAt(table, pair.a);
    const b = bodyAt(table, pair.b);
    while (job.stackCount > 0) {
      if (!hasRoom(job)) return jobFull;
      if (budget <= 0 || isStopped(tasks)) return jobPaused;
      if (divides && job.stackCount > 1 && mayOffer(tasks)) offer(job, tasks, stackEntryBytes);
      budget -= stepPair(job, a, b);
    }
    // Candidates without work count too, or a thread could take very many of them before the clock is read.
    budget--;
    if (budget <= 0) return jobPaused;
  }
}

/** Puts a task on the job's empty stack and returns `busy`, or the state to return. */
function takeTask(job: Job, tasks: Tasks, mayWait: bool): i32 {
  while (true) {
    if (isStopped(tasks)) return jobPaused;
    if (takeCandidate(job, tasks)) return busy;
    const state = nextOffer(job, tasks, stackEntryBytes, mayWait);
    if (state === again) continue;
    if (state === busy) {
      const pair = candidateAt(job, job.candidate);
      framePair(job, bodyAt(job.table, pair.a), bodyAt(job.table, pair.b));
    }
    return state;
  }
}

/** Starts the next candidate, if there is one. */
function takeCandidate(job: Job, tasks: Tasks): bool {
  let candidate = job.chunkNext;
  if (candidate >= job.chunkEnd) {
    const count = job.candidateCount;
    const seen = atomic.load<u32>(changetype<usize>(tasks));
    if (seen >= count) return false;
    const workers = atomic.load<u32>(changetype<usize>(tasks), offsetof<Tasks>('workers'));
    const taken = max<u32>(1, min<u32>(chunk, (count - seen) / (shares * workers)));
    candidate = atomic.add<u32>(changetype<usize>(tasks), taken);
    if (candidate >= count) return false;
    job.chunkEnd = min(count, candidate + taken);
  }
  job.chunkNext = candidate + 1;
  job.candidate = candidate;
  const pair = candidateAt(job, candidate);
  const table = job.table;
  startPair(job, bodyAt(table, pair.a), bodyAt(table, pair.b));
  return true;
}

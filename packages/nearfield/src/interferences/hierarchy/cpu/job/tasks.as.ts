// One question shared by several threads. Candidates are numbered, and each thread takes the next few until there are
// none. A thread that finds none is hungry: the others give it what lies at the bottom of their stacks, which in a
// depth-first walk is the most work. Threads share the trees, the bodies and what is in `Tasks`. Each has its own job:
// stack, outputs and leaf cache.
//
// If one pair of triangles is enough, a candidate is searched by one thread from its start to its end, so that which pair
// is found does not depend on the threads.
//
// pair-tasks.as.ts and self/self-tasks.as.ts say what a task is.

import { jobDone, jobIdle } from '../../../../cpu/states.as';
import { Job } from './job.as';

/** The tasks of a question. What changes often has a cache line of its own. */
@unmanaged
export class Tasks {
  /** The next candidate that nobody has taken. */
  next: u32;
  /** 1 while a thread changes the offers or the number of hungry threads. */
  lock: u32;
  pad0: v128;
  pad1: v128;
  pad2: v128;
  pad3: v128;
  /** How many threads have nothing to do. */
  hungry: u32;
  /** How many stack entries are offered to them. */
  offered: u32;
  /** Grows when there is something new for a waiting thread. */
  wake: u32;
  /** If nonzero, threads stop soon. */
  stop: u32;
  /** How many threads work on the question. */
  workers: u32;
  /** 1 if stacks may be divided. */
  divides: u32;
  offers: usize;
}

/** An offer: the candidate, and a stack entry behind it. */
export const offerBytes: usize = 32;
const offerEntry: usize = 16;
/** There are at most as many offers as threads. */
export const mostOffers: u32 = 256;

/** How often a lock is tried: far longer than anybody has it, unless a thread ended with it. */
const lockTries: u32 = 1 << 22;
/** How long a hungry thread sleeps at most, in nanoseconds. */
const nap: i64 = 200_000;

/** Results that are not states: there is a task; there was none, but there may be one now. */
export const busy: i32 = -1;
export const again: i32 = -2;

export function isStopped(tasks: Tasks): bool {
  return atomic.load<u32>(changetype<usize>(tasks), offsetof<Tasks>('stop')) !== 0;
}

/**
 * Puts an entry of `bytes` bytes that another thread offers on the job's empty stack, and returns `busy`. If there is
 * no offer, a thread that may wait sleeps until something changes, and the result is `again`. Otherwise it is the
 * state to return.
 */
export function nextOffer(job: Job, tasks: Tasks, bytes: usize, mayWait: bool): i32 {
  const seen = atomic.load<u32>(changetype<usize>(tasks), offsetof<Tasks>('wake'));
  const state = takeOffer(job, tasks, bytes);
  if (state !== jobIdle || !mayWait) return state;
  atomic.wait<u32>(changetype<usize>(tasks) + offsetof<Tasks>('wake'), seen, nap);
  return again;
}

/** Takes what another thread offers: `busy`. Without an offer the thread is hungry; if all are, they are done. */
function takeOffer(job: Job, tasks: Tasks, bytes: usize): i32 {
  if (!lock(tasks)) return jobIdle;
  const offered = tasks.offered;
  if (offered > 0) {
    const at = tasks.offers + <usize>(offered - 1) * offerBytes;
    atomic.store<u32>(changetype<usize>(tasks), offered - 1, offsetof<Tasks>('offered'));
    if (job.hungry) atomic.store<u32>(changetype<usize>(tasks), tasks.hungry - 1, offsetof<Tasks>('hungry'));
    job.hungry = 0;
    job.candidate = load<u32>(at);
    memory.copy(job.stack, at + offerEntry, bytes);
    unlock(tasks);
    job.stackCount = 1;
    return busy;
  }
  if (!job.hungry) {
    job.hungry = 1;
    atomic.store<u32>(changetype<usize>(tasks), tasks.hungry + 1, offsetof<Tasks>('hungry'));
  }
  const done = tasks.hungry === tasks.workers;
  unlock(tasks);
  if (!done) return jobIdle;
  wakeAll(tasks);
  return jobDone;
}

/** Whether there are more hungry threads than offers. */
export function mayOffer(tasks: Tasks): bool {
  const at = changetype<usize>(tasks);
  const hungry = atomic.load<u32>(at, offsetof<Tasks>('hungry'));
  return hungry > 0 && hungry > atomic.load<u32>(at, offsetof<Tasks>('offered'));
}

/** Offers entries from the bottom of the stack, and keeps at least half of it. */
export function offer(job: Job, tasks: Tasks, bytes: usize): void {
  if (!lock(tasks)) return;
  const stack = job.stack;
  const count = job.stackCount;
  const offered = tasks.offered;
  const wanted = tasks.hungry > offered ? tasks.hungry - offered : 0;
  const given = min(min(wanted, count >> 1), mostOffers - offered);
  for (let i: u32 = 0; i < given; i++) {
    const at = tasks.offers + <usize>(offered + i) * offerBytes;
    store<u32>(at, job.candidate);
    memory.copy(at + offerEntry, stack + <usize>i * bytes, bytes);
  }
  memory.copy(stack, stack + <usize>given * bytes, <usize>(count - given) * bytes);
  job.stackCount = count - given;
  atomic.store<u32>(changetype<usize>(tasks), offered + given, offsetof<Tasks>('offered'));
  unlock(tasks);
  wakeAll(tasks);
}

function wakeAll(tasks: Tasks): void {
  const at = changetype<usize>(tasks) + offsetof<Tasks>('wake');
  atomic.add<u32>(at, 1);
  atomic.notify(at, -1);
}

function lock(tasks: Tasks): bool {
  const at = changetype<usize>(tasks) + offsetof<Tasks>('lock');
  for (let i: u32 = 0; i < lockTries; i++) if (atomic.cmpxchg<u32>(at, 0, 1) === 0) return true;
  return false;
}

function unlock(tasks: Tasks): void {
  atomic.store<u32>(changetype<usize>(tasks), 0, offsetof<Tasks>('lock'));
}

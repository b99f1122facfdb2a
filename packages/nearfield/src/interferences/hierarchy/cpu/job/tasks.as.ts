// One question shared by several threads. Candidates are numbered, and each thread takes the next few until there are
// none. A thread that finds none is hungry: the others give it what lies at the bottom of their stacks, which in a
// depth-first walk is the most work. Threads share the trees, the bodies and what is in `Tasks`. Each has its own job:
// stack, outputs and leaf cache.
//
// If one pair of triangles is enough, a candidate is searched by one thread from its start to its end, so that which pair
// is found does not depend on the threads.

import { bodyAt, invertBody } from '../../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobIdle, jobPaused } from '../../../../cpu/states.as';
import { selfEntryBytes } from '../open-self.as';
import { framePair, startPair, stepPair } from '../pairs.as';
import { stepSelf } from '../self/self.as';
import { candidateAt, hasRoom, Job, stackEntryBytes } from './job.as';

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
  /** 1 for a self-intersection, whose stack entries are shorter. */
  self: u32;
  /** 1 if stacks may be divided. */
  divides: u32;
  offers: usize;
}

/** An offer: the candidate, and a stack entry behind it. */
export const offerBytes: usize = 32;
const offerEntry: usize = 16;
/** There are at most as many offers as threads. */
export const mostOffers: u32 = 256;

/** The most candidates that a thread takes at once. */
const chunk: u32 = 64;
/** Threads take shares of this many parts of what is left, so that they finish together. */
const shares: u32 = 8;
/** How often a lock is tried: far longer than anybody has it, unless a thread ended with it. */
const lockTries: u32 = 1 << 22;
/** How long a hungry thread sleeps at most, in nanoseconds. */
const nap: i64 = 200_000;

/** Not a state: there is something to do. */
const busy: i32 = -1;

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

/**
 * Works on tasks until none is left, an output is full, `stop` is set, or `budget` node pairs are opened. A hungry thread
 * waits if it may; otherwise it returns jobIdle.
 */
export function runTasks(job: Job, tasks: Tasks, budget: i32, mayWait: bool): i32 {
  const self = tasks.self === 1;
  const divides = tasks.divides === 1;
  const table = job.table;
  while (true) {
    if (job.stackCount === 0) {
      const state = takeTask(job, tasks, self, mayWait);
      if (state !== busy) return state;
    }
    const pair = candidateAt(job, job.candidate);
    const a = bodyAt(table, self ? 0 : pair.a);
    const b = bodyAt(table, self ? 0 : pair.b);
    while (job.stackCount > 0) {
      if (!hasRoom(job)) return jobFull;
      if (budget <= 0 || isStopped(tasks)) return jobPaused;
      if (divides && job.stackCount > 1 && mayOffer(tasks)) offer(job, tasks, self);
      budget -= self ? stepSelf(job, a, a.tree) : stepPair(job, a, b);
    }
    // Candidates without work count too, or a thread could take very many of them without a look at the clock.
    budget--;
    if (budget <= 0) return jobPaused;
  }
}

function isStopped(tasks: Tasks): bool {
  return atomic.load<u32>(changetype<usize>(tasks), offsetof<Tasks>('stop')) !== 0;
}

/** Puts a task on the job's empty stack and returns `busy`, or the state to return. */
function takeTask(job: Job, tasks: Tasks, self: bool, mayWait: bool): i32 {
  while (true) {
    if (isStopped(tasks)) return jobPaused;
    if (!self && takeCandidate(job, tasks)) return busy;
    const seen = atomic.load<u32>(changetype<usize>(tasks), offsetof<Tasks>('wake'));
    const state = takeOffer(job, tasks, self);
    if (state !== jobIdle) return state;
    if (!mayWait) return jobIdle;
    atomic.wait<u32>(changetype<usize>(tasks) + offsetof<Tasks>('wake'), seen, nap);
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

/** Takes what another thread offers: `busy`. Without an offer the thread is hungry; if all are, they are done. */
function takeOffer(job: Job, tasks: Tasks, self: bool): i32 {
  if (!lock(tasks)) return jobIdle;
  const offered = tasks.offered;
  if (offered > 0) {
    const at = tasks.offers + <usize>(offered - 1) * offerBytes;
    atomic.store<u32>(changetype<usize>(tasks), offered - 1, offsetof<Tasks>('offered'));
    if (job.hungry) atomic.store<u32>(changetype<usize>(tasks), tasks.hungry - 1, offsetof<Tasks>('hungry'));
    job.hungry = 0;
    job.candidate = load<u32>(at);
    memory.copy(job.stack, at + offerEntry, self ? selfEntryBytes : stackEntryBytes);
    unlock(tasks);
    job.stackCount = 1;
    if (self) return busy;
    const pair = candidateAt(job, job.candidate);
    framePair(job, bodyAt(job.table, pair.a), bodyAt(job.table, pair.b));
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
function mayOffer(tasks: Tasks): bool {
  const at = changetype<usize>(tasks);
  const hungry = atomic.load<u32>(at, offsetof<Tasks>('hungry'));
  return hungry > 0 && hungry > atomic.load<u32>(at, offsetof<Tasks>('offered'));
}

/** Offers entries from the bottom of the stack, and keeps at least half of it. */
function offer(job: Job, tasks: Tasks, self: bool): void {
  if (!lock(tasks)) return;
  const bytes = self ? selfEntryBytes : stackEntryBytes;
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

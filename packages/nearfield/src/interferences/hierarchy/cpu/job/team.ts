// The threads that work on one long question (tasks.as.ts): the calling one with its job, and others, which join as soon as
// they are ready, each with a job of its own.

import type { CpuEngine } from '../../../../cpu/engine.ts';
import { full } from '../../../../cpu/kernels.ts';
import type { PoolThread } from '../../../../cpu/threads/threads.ts';
import * as layout from '../kernels.layout.ts';
import { type PairKernels, pairKernels } from '../kernels.ts';
import { Job } from './job.ts';

/** A team without progress for this long has lost a thread: a step takes microseconds. */
const stallMilliseconds = 10_000;
const unlimited = 0x7fffffff;

/** What a team needs in memory. It is kept for the next question. */
export class TeamRoom {
  readonly tasks: number;
  readonly offers: number;
  /** Jobs of threads that joined earlier questions. */
  readonly jobs: Job[] = [];

  constructor(engine: CpuEngine) {
    const { memory } = engine;
    this.tasks = memory.allocate(layout.Tasks.bytes, 'threads');
    this.offers = memory.allocate(layout.mostOffers * layout.offerBytes, 'threads');
  }
}

interface Member {
  readonly thread: PoolThread;
  readonly job: Job;
}

export class Team {
  readonly #engine: CpuEngine;
  readonly #kernels: PairKernels;
  readonly #rooms: TeamRoom[];
  readonly #room: TeamRoom;
  readonly #leader: Job;
  readonly #members: Member[] = [];
  /** The tests made when progress was last seen, and when that was. */
  #tests = 0;
  #since = performance.now();
  /** The largest share reported: the stacks of other threads are read while they change. */
  #share: number;
  #isBroken = false;

  /** Divides the remaining work of a question. Takes one of `rooms`, or makes one. */
  constructor(engine: CpuEngine, rooms: TeamRoom[], leader: Job, self: boolean) {
    this.#engine = engine;
    this.#kernels = engine.kernels(pairKernels);
    const room = rooms.pop() ?? engine.memory.orNothing(() => new TeamRoom(engine));
    this.#rooms = rooms;
    this.#room = room;
    this.#leader = leader;
    this.#share = leader.progress();
    const { memory } = this.#kernels;
    memory.u32.fill(0, room.tasks / 4, (room.tasks + layout.Tasks.bytes) / 4);
    this.#set(layout.Tasks.offers, room.offers);
    this.#set(layout.Tasks.workers, 1);
    this.#set(layout.Tasks.self, self ? 1 : 0);
    this.#set(layout.Tasks.divides, leader.dividesStack ? 1 : 0);
    this.#set(layout.Tasks.next, leader.share());
  }

  get tasks(): number {
    return this.#room.tasks;
  }
  /** The jobs of the threads that joined. */
  get jobs(): readonly Job[] {
    return this.#members.map(({ job }) => job);
  }

  #set(offset: number, value: number): void {
    Atomics.store(this.#kernels.memory.u32, (this.tasks + offset) >>> 2, value);
  }
  #get(offset: number): number {
    return Atomics.load(this.#kernels.memory.u32, (this.tasks + offset) >>> 2);
  }

  /** Lets threads that are ready join. Only while the calling thread has work, or others may have finished. */
  gather(): void {
    const threads = this.#engine.threads.take();
    try {
      while (threads.length > 0) {
        const job = this.#room.jobs.pop() ?? this.#engine.memory.orNothing(() => new Job(this.#engine));
        const thread = threads.pop()!;
        job.join(this.#leader);
        this.#set(layout.Tasks.workers, this.#get(layout.Tasks.workers) + 1);
        this.#members.push({ thread, job });
        this.#go(thread, job);
      }
    } finally {
      // If memory ran out, those that did not join.
      for (const thread of threads) thread.release();
    }
  }

  #go(thread: PoolThread, job: Job): void {
    thread.run(this.#kernels, 'runTasks', [job.at, this.tasks, unlimited, 1]);
  }

  /** Grows the lists of threads that stopped because of them. Notices threads that are lost. */
  attend(): void {
    for (const { thread, job } of this.#members) {
      if (thread.isWorking) continue;
      if (thread.failed) {
        thread.end();
        this.#isBroken = true;
      } else if (thread.result === full) {
        job.grow();
        this.#go(thread, job);
      }
    }
    const tests = this.#leader.testsDone + this.#members.reduce((sum, { job }) => sum + job.testsDone, 0);
    const now = performance.now();
    if (tests !== this.#tests || this.#hasFinished) {
      this.#tests = tests;
      this.#since = now;
    } else if (now - this.#since > stallMilliseconds) this.#lose();
  }

  /** Whether a thread failed, so that its part of the answer is lost. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get #hasFinished(): boolean {
    return this.#members.every(({ thread }) => !thread.isWorking && thread.result !== full);
  }

  /** Whether all threads that joined have finished. Attend to them meanwhile. */
  get hasFinished(): boolean {
    this.attend();
    return this.#isBroken || this.#hasFinished;
  }

  /** Blocks until another thread has finished or needs something, or for a millisecond. */
  pause(): void {
    this.#members.find(({ thread }) => thread.isWorking)?.thread.wait(1);
  }

  /** The fraction done, 0 to 1. It never decreases. */
  progress(): number {
    const left = this.jobs.reduce((sum, job) => sum + job.left(), this.#leader.left());
    const begun = Math.min(this.#leader.candidateCount, this.#get(layout.Tasks.next));
    this.#share = Math.max(this.#share, Math.min(1, (begun - left) / this.#leader.candidateCount));
    return this.#share;
  }

  /** Tells the threads to stop and waits until they have. */
  stop(): void {
    this.#set(layout.Tasks.stop, 1);
    Atomics.notify(new Int32Array(this.#kernels.memory.memory.buffer), (this.tasks + layout.Tasks.wake) >>> 2);
    const since = performance.now();
    while (this.#members.some(({ thread }) => thread.isWorking)) {
      this.pause();
      if (performance.now() - since > stallMilliseconds) this.#lose();
    }
  }

  /** Ends threads that no longer answer, so that they write nothing more. */
  #lose(): void {
    for (const { thread } of this.#members) if (thread.isWorking) thread.end();
    this.#isBroken = true;
  }

  /** Call this after the jobs' results were read. */
  release(): void {
    for (const { thread, job } of this.#members) {
      job.finish();
      this.#room.jobs.push(job);
      thread.release();
    }
    this.#members.length = 0;
    this.#rooms.push(this.#room);
  }
}

// The threads that work on one long question (tasks.as.ts): the calling one with its job, and a crew of others, each with a
// job of its own.

import type { CpuEngine } from '../../../../cpu/engine.ts';
import { Crew } from '../../../../cpu/threads/crew.ts';
import * as layout from '../kernels.layout.ts';
import { Job } from './job.ts';
import type { SharedKernels } from './runner.ts';

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

export class Team {
  readonly #kernels: SharedKernels;
  readonly #rooms: TeamRoom[];
  readonly #room: TeamRoom;
  readonly #leader: Job;
  readonly crew: Crew<SharedKernels['call'], Job>;
  /** Set once the threads are free. */
  #jobs: readonly Job[] | undefined;
  /** The largest share reported: the stacks of other threads are read while they change. */
  #share: number;

  /** Divides the remaining work of a question. Takes one of `rooms`, or makes one. */
  constructor(engine: CpuEngine, kernels: SharedKernels, rooms: TeamRoom[], leader: Job) {
    this.#kernels = kernels;
    const room = rooms.pop() ?? engine.memory.orNothing(() => new TeamRoom(engine));
    this.#rooms = rooms;
    this.#room = room;
    this.#leader = leader;
    this.#share = leader.progress();
    const { memory } = this.#kernels;
    memory.u32.fill(0, room.tasks / 4, (room.tasks + layout.Tasks.bytes) / 4);
    this.#set(layout.Tasks.offers, room.offers);
    this.#set(layout.Tasks.workers, 1);
    this.#set(layout.Tasks.divides, leader.dividesStack ? 1 : 0);
    this.#set(layout.Tasks.next, leader.share());
    this.crew = new Crew({
      threads: engine.threads,
      kernels,
      name: 'runTasks',
      create: () => {
        const job = room.jobs.pop() ?? engine.memory.orNothing(() => new Job(engine));
        job.join(leader);
        this.#set(layout.Tasks.workers, this.#get(layout.Tasks.workers) + 1);
        return job;
      },
      values: job => [job.at, room.tasks, unlimited, 1],
      grow: job => job.grow(),
      steps: () => this.crew.jobs.reduce((sum, job) => sum + job.testsDone, leader.testsDone),
      stop: () => {
        this.#set(layout.Tasks.stop, 1);
        Atomics.notify(new Int32Array(memory.memory.buffer), (room.tasks + layout.Tasks.wake) >>> 2);
      },
    });
  }

  /** Address of what the threads share. */
  get tasks(): number {
    return this.#room.tasks;
  }

  #set(offset: number, value: number): void {
    Atomics.store(this.#kernels.memory.u32, (this.tasks + offset) >>> 2, value);
  }
  #get(offset: number): number {
    return Atomics.load(this.#kernels.memory.u32, (this.tasks + offset) >>> 2);
  }

  /** The jobs of the other threads. */
  get jobs(): readonly Job[] {
    return this.#jobs ?? this.crew.jobs;
  }

  /** Lets the threads, which have finished, go to other work. Their jobs stay as they are until `release`. */
  freeThreads(): void {
    this.#jobs = this.crew.jobs;
    this.crew.release();
  }

  /** The fraction done, 0 to 1. It never decreases. */
  progress(): number {
    const left = this.crew.jobs.reduce((sum, job) => sum + job.left(), this.#leader.left());
    const begun = Math.min(this.#leader.candidateCount, this.#get(layout.Tasks.next));
    this.#share = Math.max(this.#share, Math.min(1, (begun - left) / this.#leader.candidateCount));
    return this.#share;
  }

  /** Call this after the jobs' results were read, or are no longer needed. */
  release(): void {
    for (const job of this.jobs) {
      job.finish();
      this.#room.jobs.push(job);
    }
    this.crew.release();
    this.#rooms.push(this.#room);
  }
}

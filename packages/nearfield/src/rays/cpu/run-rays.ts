// Runs the kernel that casts rays at one body (cast.as.ts). If there are very many, other threads take their share of them.

import type { CpuEngine } from '../../cpu/engine.ts';
import { type Part, runParts } from '../../cpu/threads/parts.ts';
import * as layout from './kernels.layout.ts';
import { type RayKernels, rayKernels } from './kernels.ts';

/** How many rays to cast between two looks at the clock. */
const raysAtOnce = 500;
/** From this many rays on, other threads help. The batches of some-rays.ts are smaller: each of them is left to one thread. */
const raysToShare = 2 ** 13;

/** A question about one body, by addresses in memory (`RaysJob` in cast.as.ts). */
export interface RaysQuestion {
  readonly body: number;
  readonly rays: number;
  readonly bounds: number;
  readonly chosen: number;
  readonly count: number;
  readonly first: boolean;
  readonly rounded: boolean;
  /** What another engine found: its ranges and words, or 0. */
  readonly given: number;
  readonly givenWords: number;
  /** Allocates memory that the caller frees. */
  readonly reserve: (bytes: number) => number;
}

/** Casts all rays. Returns the records (`HitRecord`), those of one ray together. Yields the share done. */
export function* runRays(engine: CpuEngine, question: RaysQuestion): Generator<number, Uint32Array> {
  const kernels = engine.kernels(rayKernels);
  const { count, reserve } = question;
  const taken = reserve(64);
  return yield* runParts({
    ...{ engine, kernels, name: 'castRays', count, taken },
    create: () => new RaysPart(kernels, question, taken),
    step: raysAtOnce,
    share: count >= raysToShare,
  });
}

const recordWords = layout.HitRecord.bytes / 4;

/** One thread's part of a question: its scratch memory and what it found. */
class RaysPart implements Part {
  readonly #kernels: RayKernels;
  readonly #reserve: (bytes: number) => number;
  readonly at: number;
  #list: number;
  #capacity = 1024;

  constructor(kernels: RayKernels, question: RaysQuestion, taken: number) {
    const { reserve } = question;
    this.#kernels = kernels;
    this.#reserve = reserve;
    this.at = reserve(layout.raysBytes);
    this.#list = reserve(this.#capacity * layout.HitRecord.bytes);
    this.#set(layout.RaysJob.body, question.body);
    this.#set(layout.RaysJob.rays, question.rays);
    this.#set(layout.RaysJob.bounds, question.bounds);
    this.#set(layout.RaysJob.chosen, question.chosen);
    this.#set(layout.RaysJob.count, question.count);
    this.#set(layout.RaysJob.taken, taken);
    this.#set(layout.RaysJob.next, 0);
    this.#set(layout.RaysJob.end, 0);
    this.#set(layout.RaysJob.first, question.first ? 1 : 0);
    this.#set(layout.RaysJob.rounded, question.rounded ? 1 : 0);
    this.#set(layout.RaysJob.given, question.given);
    this.#set(layout.RaysJob.givenWords, question.givenWords);
    this.#set(layout.RaysJob.listCount, 0);
    this.#pointList();
  }

  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.at + offset) >>> 2] = value;
  }

  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.at + offset) >>> 2];
  }

  #pointList(): void {
    this.#set(layout.RaysJob.list, this.#list);
    this.#set(layout.RaysJob.listCapacity, this.#capacity);
  }

  /** The next ray that it casts. */
  get next(): number {
    return this.#get(layout.RaysJob.next);
  }

  /** Doubles the list. */
  grow(): void {
    const { memory } = this.#kernels;
    this.#capacity *= 2;
    const larger = this.#reserve(this.#capacity * layout.HitRecord.bytes);
    const { length } = this.found;
    memory.u32.copyWithin(larger / 4, this.#list / 4, this.#list / 4 + length);
    this.#list = larger;
    this.#pointList();
  }

  get found(): Uint32Array {
    const at = this.#list / 4;
    return this.#kernels.memory.u32.subarray(at, at + recordWords * this.#get(layout.RaysJob.listCount));
  }
}

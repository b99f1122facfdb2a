// Runs the kernel that finds the nearest triangles of many points (closest-points.as.ts). If there are very many, other
// threads take their share of them.

import type { CpuEngine } from '../../../cpu/engine.ts';
import { type Part, runParts } from '../../../cpu/threads/parts.ts';
import * as layout from '../kernels.layout.ts';
import { type DistanceKernels, distanceKernels } from '../kernels.ts';

/** How many points to process between two looks at the clock. */
const pointsAtOnce = 500;
/** From this many points on, other threads help: some milliseconds of work. */
const pointsToShare = 4096;
/** A triangle of a list takes as long as this many points whose triangle is certain. */
const listedWork = 3;

/** What another engine found, by addresses: a word per point, lists of triangles, and the slot of each triangle. */
export interface GivenNear {
  readonly answers: number;
  readonly triangles: number;
  readonly slotOf: number;
  /** The length of all lists. */
  readonly listed: number;
}

/** A question about points, by addresses in memory. */
export interface PointsQuestion {
  readonly body: number;
  readonly points: number;
  /** The order in which to answer them, or 0. */
  readonly order: number;
  readonly answers: number;
  readonly count: number;
  readonly upTo: number;
  readonly rounded: boolean;
  /** Set if distances are wanted in single precision; 0 if all bounds are `upTo`. */
  readonly coarse: { readonly bounds: number } | undefined;
  readonly given: GivenNear | undefined;
  /** The address of the tree's oriented boxes, or 0. */
  readonly boxes: number;
  /** Allocates memory that the caller frees. */
  readonly reserve: (bytes: number) => number;
  /** Called now and then if points are answered in order: all before `end` are answered. */
  readonly answered: (end: number) => void;
}

/** Runs the kernel over all points. Returns the (point, triangle) pairs it could not decide. Yields the share done. */
export function* runPoints(engine: CpuEngine, question: PointsQuestion): Generator<number, Uint32Array> {
  const kernels = engine.kernels(distanceKernels);
  const { count, given, reserve, answered } = question;
  const work = count + listedWork * (given?.listed ?? 0);
  const step = Math.max(1, Math.floor((pointsAtOnce * count) / Math.max(1, work)));
  const taken = reserve(64);
  return yield* runParts<'closestPoints', PointsPart>({
    ...{ engine, kernels, name: 'closestPoints', count, taken, step },
    create: () => new PointsPart(kernels, question, taken),
    // Prepares the body, so that other threads only read it.
    begin: ({ at }) => kernels.call.closestPoints(at, 0),
    share: question.coarse === undefined && work >= pointsToShare,
    ...(given && { stepped: parts => answered(Math.min(...parts.map(({ next }) => next))) }),
  });
}

/** One thread's part of a question: its scratch memory and what it could not decide. */
class PointsPart implements Part {
  readonly #kernels: DistanceKernels;
  readonly #reserve: (bytes: number) => number;
  readonly at: number;
  #unsure: number;
  #unsureCapacity = 1024;
  #candidates: number;
  #candidateCapacity = 256;

  constructor(kernels: DistanceKernels, question: PointsQuestion, taken: number) {
    const { reserve, coarse, given } = question;
    this.#kernels = kernels;
    this.#reserve = reserve;
    this.at = reserve(layout.pointsBytes);
    this.#unsure = reserve(8 * this.#unsureCapacity);
    this.#candidates = reserve(layout.candidateBytes * this.#candidateCapacity);
    this.#set(layout.PointsJob.body, question.body);
    this.#set(layout.PointsJob.points, question.points);
    this.#set(layout.PointsJob.count, question.count);
    this.#set(layout.PointsJob.taken, taken);
    this.#set(layout.PointsJob.next, 0);
    this.#set(layout.PointsJob.end, 0);
    this.#set(layout.PointsJob.order, question.order);
    this.#set(layout.PointsJob.answers, question.answers);
    this.#set(layout.PointsJob.unsureCount, 0);
    this.#set(layout.PointsJob.rounded, question.rounded ? 1 : 0);
    this.#set(layout.PointsJob.single, coarse === undefined ? 0 : 1);
    this.#set(layout.PointsJob.bounds, coarse?.bounds ?? 0);
    this.#set(layout.PointsJob.given, given?.answers ?? 0);
    this.#set(layout.PointsJob.triangles, given?.triangles ?? 0);
    this.#set(layout.PointsJob.slotOf, given?.slotOf ?? 0);
    this.#set(layout.PointsJob.boxes, question.boxes);
    kernels.memory.f64[(this.at + layout.PointsJob.upTo) / 8] = question.upTo;
    this.#pointOutputs();
  }

  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.at + offset) >>> 2] = value;
  }
  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.at + offset) >>> 2];
  }

  #pointOutputs(): void {
    this.#set(layout.PointsJob.unsure, this.#unsure);
    this.#set(layout.PointsJob.unsureCapacity, this.#unsureCapacity);
    this.#set(layout.PointsJob.candidates, this.#candidates);
    this.#set(layout.PointsJob.candidateCapacity, this.#candidateCapacity);
  }

  /** The next point that it answers. Its answers to those before can be read. */
  get next(): number {
    return Atomics.load(this.#kernels.memory.u32, (this.at + layout.PointsJob.next) >>> 2);
  }

  /** Makes room for the point at which it stopped. */
  grow(): void {
    const { memory } = this.#kernels;
    const needed = this.#get(layout.PointsJob.candidateCount);
    const listed = this.#get(layout.PointsJob.unsureCount);
    if (needed > this.#candidateCapacity) {
      this.#candidates = this.#reserve(layout.candidateBytes * 2 * needed);
      this.#candidateCapacity = 2 * needed;
    }
    if (listed + needed > this.#unsureCapacity) {
      const capacity = 2 * (this.#unsureCapacity + needed);
      const larger = this.#reserve(8 * capacity);
      memory.u32.copyWithin(larger / 4, this.#unsure / 4, this.#unsure / 4 + 2 * listed);
      this.#unsure = larger;
      this.#unsureCapacity = capacity;
    }
    this.#pointOutputs();
  }

  /** (point, triangle) of all candidates of the points it could not decide. */
  get found(): Uint32Array {
    const at = this.#unsure / 4;
    return this.#kernels.memory.u32.subarray(at, at + 2 * this.#get(layout.PointsJob.unsureCount));
  }
}

// Memory for many points and their answers: in the kernels' memory and in the arrays that the user gets. A question that a
// GPU works on first has it prepared meanwhile, which for many points takes as long as the GPU does.

import type { RawClosest } from '../../request.ts';
import * as layout from '../kernels.layout.ts';
import type { DistanceKernels } from '../kernels.ts';

/** Doubles per page of memory: the system provides a page when it is first written to. */
const doublesPerPage = 512;

interface Places {
  readonly points: number;
  readonly answers: number;
  readonly reach: number;
  /** The arrays that the user gets. */
  readonly arrays: Omit<RawClosest, 'unsure'>;
}

/** The room for a question about points. It is prepared when it is first used. */
export class PointsRoom {
  readonly #kernels: DistanceKernels;
  readonly #points: Float64Array;
  readonly #blocks: number[] = [];
  #places: Places | undefined;
  /** How many answers have been copied. */
  #copied = 0;

  constructor(kernels: DistanceKernels, points: Float64Array) {
    this.#kernels = kernels;
    this.#points = points;
  }

  /** Where the points and their answers are, and the largest magnitude of a coordinate. */
  prepare(): Places {
    return (this.#places ??= this.#begin());
  }

  /** Allocates more memory, for as long as the room exists. */
  readonly reserve = (bytes: number): number => {
    const at = this.#kernels.memory.allocate(bytes, `${this.#points.length / 3} points`);
    this.#blocks.push(at);
    return at;
  };

  #begin(): Places {
    const { call, memory } = this.#kernels;
    const { length } = this.#points;
    const count = length / 3;
    const points = this.reserve(8 * length);
    const answers = this.reserve(layout.answerBytes * count);
    memory.f64.set(this.#points, points / 8);
    const reach = call.largestOf(points, length);
    const arrays = {
      distances: new Float64Array(count),
      points: new Float64Array(length),
      triangles: new Int32Array(count),
      features: new Uint8Array(count),
    };
    for (const array of [arrays.distances, arrays.points])
      for (let i = 0; i < array.length; i += doublesPerPage) array[i] = 0;
    return { points, answers, reach, arrays };
  }

  /**
   * Copies those answers of points before `end` that are not copied yet (`answers` in points-job.as.ts). That takes less time
   * while they are in a processor's cache than at the end. `end` may be less than before: a thread that joins has answered
   * none, and if a thread is lost, all points are answered again.
   */
  copyTo(end: number): void {
    const from = this.#copied;
    if (end <= from) return;
    const { f64, u32, memory } = this.#kernels.memory;
    const { answers: at, arrays } = this.prepare();
    const { distances, points, triangles, features } = arrays;
    const count = distances.length;
    const place = at / 8;
    distances.set(f64.subarray(place + from, place + end), from);
    points.set(f64.subarray(place + count + 3 * from, place + count + 3 * end), 3 * from);
    // A word with all bits set is −1 (nothing within reach); −2 means the exact stage decides.
    triangles.set(new Int32Array(u32.buffer, at + 32 * count + 4 * from, end - from), from);
    features.set(new Uint8Array(memory.buffer, at + 36 * count + from, end - from), from);
    this.#copied = end;
  }

  /** All answers, once they are known. */
  read(unsure: Uint32Array): RawClosest {
    this.copyTo(this.#points.length / 3);
    return { ...this.prepare().arrays, unsure };
  }

  release(): void {
    for (const block of this.#blocks.splice(0)) this.#kernels.memory.free(block);
    this.#places = undefined;
  }
}

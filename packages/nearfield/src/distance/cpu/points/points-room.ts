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
}

/** The room for a question about points. It is prepared when it is first used. */
export class PointsRoom {
  readonly #kernels: DistanceKernels;
  readonly #points: Float64Array;
  readonly #blocks: number[] = [];
  readonly distances: Float64Array<ArrayBuffer>;
  readonly nearest: Float64Array<ArrayBuffer>;
  readonly triangles: Int32Array<ArrayBuffer>;
  readonly features: Uint8Array<ArrayBuffer>;
  #places: Places | undefined;

  constructor(kernels: DistanceKernels, points: Float64Array) {
    this.#kernels = kernels;
    this.#points = points;
    const count = points.length / 3;
    this.distances = new Float64Array(count);
    this.nearest = new Float64Array(3 * count);
    this.triangles = new Int32Array(count);
    this.features = new Uint8Array(count);
  }

  /** The addresses of the points and of their answers, and the largest magnitude of a coordinate. */
  prepare(): Places {
    return (this.#places ??= this.#begin());
  }

  /** Allocates more memory, for as long as the room exists. */
  readonly reserve = (bytes: number): number => {
    const at = this.#kernels.memory.allocate(bytes, `${this.distances.length} points`);
    this.#blocks.push(at);
    return at;
  };

  #begin(): Places {
    const { call, memory } = this.#kernels;
    const { length } = this.#points;
    const points = this.reserve(8 * length);
    const answers = this.reserve((layout.answerBytes * length) / 3);
    memory.f64.set(this.#points, points / 8);
    const reach = call.largestOf(points, length);
    for (const array of [this.distances, this.nearest])
      for (let i = 0; i < array.length; i += doublesPerPage) array[i] = 0;
    return { points, answers, reach };
  }

  /** Copies the answers (`answers` in points-job.as.ts). */
  read(unsure: Uint32Array): RawClosest {
    const { f64, u32, memory } = this.#kernels.memory;
    const at = this.prepare().answers;
    const { distances, nearest, triangles, features } = this;
    const count = distances.length;
    distances.set(f64.subarray(at / 8, at / 8 + count));
    nearest.set(f64.subarray(at / 8 + count, at / 8 + 4 * count));
    // A word with all bits set is −1 (nothing within reach); −2 means the exact stage decides.
    triangles.set(new Int32Array(u32.buffer, at + 32 * count, count));
    features.set(new Uint8Array(memory.buffer, at + 36 * count, count));
    return { distances, points: nearest, triangles, features, unsure };
  }

  release(): void {
    for (const block of this.#blocks.splice(0)) this.#kernels.memory.free(block);
    this.#places = undefined;
  }
}

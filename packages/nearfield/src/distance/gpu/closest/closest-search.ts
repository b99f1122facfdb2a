// Finds the triangle of a body nearest to each of many points, on the GPU. Many points are divided into pieces. While the
// GPU works on one, the next is written, and the one before it is read.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { Opening, type Preparation } from '../../../gpu/gpu-query.ts';
import { type NearTriangles, nearWord } from '../../request.ts';
import { type ClosestKernels, PieceSearch } from './piece-search.ts';

/** The maximum number of points per submission. */
const mostPoints = 2 ** 20;

/** How a question runs. */
interface Course {
  readonly preparation: Preparation | undefined;
  checkpoint(done: number): void;
  /** Called once while the GPU works. */
  meanwhile?: (() => void) | undefined;
}

/** What one piece needs. */
interface Question {
  readonly body: Placed;
  readonly points: Float64Array;
  readonly upTo: number;
  readonly opening: Opening;
  /** The words of all points. */
  answers(): Uint32Array;
}

export class ClosestSearch {
  /** Pieces under way at the same time have one each. */
  readonly #searches: readonly PieceSearch[];
  readonly #most: number;

  constructor(device: GPUDevice, kernels: ClosestKernels, trees: GpuTrees, most = mostPoints) {
    this.#searches = [0, 1].map(() => new PieceSearch(device, kernels, trees));
    this.#most = most;
  }

  /** Searches for all points. Returns undefined if single precision is of no use (cloud.ts). */
  async run(
    body: Placed,
    points: Float64Array,
    upTo: number,
    { preparation, checkpoint, meanwhile }: Course,
  ): Promise<NearTriangles | undefined> {
    const count = points.length / 3;
    const most = this.#most;
    // Made while the GPU works: new memory takes a millisecond for a million points.
    let made: Uint32Array | undefined;
    const answers = () => (made ??= new Uint32Array(count));
    const question = { body, points, upTo, opening: new Opening(preparation), answers };
    const lists: Uint32Array[] = [];
    let current: Promise<Uint32Array | undefined> | undefined;
    let ahead: Promise<Uint32Array | undefined> | undefined;
    try {
      for (let from = 0; from < count; from += most) {
        current = ahead ?? this.#ask(question, from);
        // Until the trees are accepted, the body's frame may change.
        ahead = question.opening.isDone ? this.#ask(question, from + most) : undefined;
        // It may fail before it is waited for, which then throws the error.
        ahead?.catch(() => {});
        answers();
        if (from === 0) meanwhile?.();
        const list = await current;
        if (list === undefined) return undefined;
        lists.push(list);
        checkpoint(Math.min(1, (from + most) / count));
      }
    } finally {
      // A submission that nobody waits for any more still uses its buffers.
      await Promise.allSettled([current, ahead]);
    }
    return { answers: answers(), triangles: joined(answers(), lists, most) };
  }

  /** Asks about the points of a piece; undefined if there are none. */
  #ask(
    { body, points, upTo, opening, answers }: Question,
    from: number,
  ): Promise<Uint32Array | undefined> | undefined {
    const count = points.length / 3;
    if (from >= count) return undefined;
    const end = Math.min(count, from + this.#most);
    const search = this.#searches[(from / this.#most) % this.#searches.length];
    const piece = { points: points.subarray(3 * from, 3 * end), all: points };
    return search.run(body, piece, upTo, opening, () => answers().subarray(from, end));
  }

  destroy(): void {
    for (const search of this.#searches) search.destroy();
  }
}

/** One list of all. Answers refer to places in it afterwards, no longer in the list of their piece of `most` points. */
function joined(answers: Uint32Array, lists: readonly Uint32Array[], most: number): Uint32Array {
  if (lists.length === 1) return lists[0];
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  lists.forEach((list, piece) => {
    const end = Math.min(answers.length, (piece + 1) * most);
    for (let i = piece * most; i < end; i++) answers[i] = movedList(answers[i], at);
    all.set(list, at);
    at += list.length;
  });
  return all;
}

/** A point's word after its list has moved. A place that is too large for a word leaves the point to the CPU. */
export function movedList(word: number, by: number): number {
  if (word < nearWord.list || word >= nearWord.nothing) return word;
  return word + by < nearWord.nothing ? word + by : nearWord.open;
}

// Finds the triangle of a body nearest to each of many points, on the GPU. Many points are divided into pieces. While the
// GPU works on one, the next is written, and the one before it is read.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { Opening, type Preparation } from '../../../gpu/gpu-query.ts';
import {
  type AskedPoints,
  listWord,
  type NearTriangles,
  type NearTrianglesRequest,
  nearWord,
} from '../../request.ts';
import { type ClosestKernels, PieceSearch } from './piece-search.ts';

/**
 * The maximum number of points per submission, and how many submissions are under way at the same time. Each submission waits for its
 * slowest point: on an H200 a million points took 7.7 ms in one submission, 11 ms in two and 17 ms in four.
 */
const mostPoints = 2 ** 20;
const mostPieces = 2;

/** How a question runs. */
interface Course {
  readonly preparation: Preparation | undefined;
  checkpoint(done: number): void;
}

/** What the pieces have in common. */
export interface CloudQuestion {
  readonly body: Placed;
  readonly points: AskedPoints;
  readonly request: NearTrianglesRequest;
  readonly opening: Opening;
  /** The answers to all points. */
  answers(): Uint32Array;
}

export class ClosestSearch {
  /** Pieces under way at the same time have one each. */
  readonly #searches: readonly PieceSearch[];
  readonly #most: number;

  constructor(device: GPUDevice, kernels: ClosestKernels, trees: GpuTrees, most = mostPoints) {
    this.#searches = Array.from({ length: mostPieces }, () => new PieceSearch(device, kernels, trees));
    this.#most = most;
  }

  /** Searches for all points. Returns undefined if single precision is of no use (cloud.ts). */
  async run(
    body: Placed,
    points: AskedPoints,
    request: NearTrianglesRequest,
    { preparation, checkpoint }: Course,
  ): Promise<NearTriangles | undefined> {
    const { count } = points;
    const most = this.#most;
    // Made while the GPU works: new memory takes a millisecond for a million points.
    let made: Uint32Array | undefined;
    const answers = () => (made ??= new Uint32Array(count));
    const question = { body, points, request, opening: new Opening(preparation), answers };
    const pieces: Promise<Uint32Array | undefined>[] = [];
    const lists: Uint32Array[] = [];
    try {
      for (let piece = 0; piece * most < count; piece++) {
        // Until the trees are accepted, the body's frame may change.
        const end = question.opening.isDone ? piece + this.#searches.length : 1;
        while (pieces.length < end && pieces.length * most < count)
          pieces.push(this.#ask(question, pieces.length));
        answers();
        if (piece === 0) request.meanwhile?.();
        const list = await pieces[piece];
        if (list === undefined) return undefined;
        lists.push(list);
        checkpoint(Math.min(1, ((piece + 1) * most) / count));
      }
    } finally {
      // A submission that nobody waits for any more still uses its buffers.
      await Promise.allSettled(pieces);
    }
    const triangles = joined(answers(), lists, most, request.plain);
    return { answers: answers(), triangles, listed: request.plain ? listedIn(triangles) : undefined };
  }

  #ask(question: CloudQuestion, piece: number): Promise<Uint32Array | undefined> {
    const search = this.#searches[piece % this.#searches.length];
    const from = piece * this.#most;
    const end = Math.min(question.points.count, from + this.#most);
    const asked = search.run(question, from, end);
    // It may fail before it is waited for, which then throws the error.
    asked.catch(() => {});
    return asked;
  }

  destroy(): void {
    for (const search of this.#searches) search.destroy();
  }
}

/**
 * One list of all. Points are numbers in their piece of `most` points, and become numbers among all points. Unless the answers
 * are plain, they refer to places in the list of their piece, and then to places in the list of all.
 */
function joined(
  answers: Uint32Array,
  lists: readonly Uint32Array[],
  most: number,
  isPlain: boolean,
): Uint32Array {
  if (lists.length === 1) return lists[0];
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  lists.forEach((list, piece) => {
    all.set(list, start);
    for (let at = start; at < start + list.length; at += 2 + all[at + 1]) {
      all[at] += piece * most;
      if (!isPlain) answers[all[at]] = movedList(answers[all[at]], start);
    }
    start += list.length;
  });
  return all;
}

/** The points of lists and the words that name them; undefined if there are none. */
export function listedIn(lists: Uint32Array): NearTriangles['listed'] {
  const points: number[] = [];
  const words: number[] = [];
  for (let at = 0; at < lists.length; at += 2 + lists[at + 1]) {
    points.push(lists[at]);
    words.push(lists[at + 1] === 0 ? nearWord.open : listWord(at + 1));
  }
  return points.length === 0
    ? undefined
    : { points: Uint32Array.from(points), words: Uint32Array.from(words) };
}

/** A point's word after its list has moved. A place that is too large for a word leaves the point to the CPU. */
export function movedList(word: number, by: number): number {
  if (word < nearWord.list || word >= nearWord.nothing) return word;
  return listWord(word - nearWord.list + by);
}

// What the threads that find the frames of a motion are given, and what they say. Both are flat arrays where there is much of it: to
// clone hundreds of thousands of poses or pairs as objects takes one thread longer than to find the pairs.

import {
  type CheckQuestion,
  type FoundPair,
  type FrameFinder,
  isShort,
  type Motion,
  type PlacedBody,
  relations,
} from '@nearfield/clashes';
import { type Mesh, mesh, type Pose } from 'nearfield';

/** What a thread is started with. The task follows when it is packed. */
export interface FramesStart {
  /** The frame that nobody has taken yet. */
  readonly next: Int32Array;
  readonly maxMemory: number | undefined;
}

/** What does not depend on the frame, as it is cloned into every thread. Large arrays are in shared memory. */
export interface FramesTask {
  readonly question: PlainQuestion;
  readonly meshes: readonly { readonly positions: Mesh['positions']; readonly indices: Mesh['indices'] }[];
  readonly frames: PackedFrames;
}

/** The part of a question that can be cloned. Bodies name their meshes. */
type PlainQuestion = Omit<CheckQuestion, 'bodies' | 'motion' | 'digest' | 'progress' | 'signal'> & {
  readonly bodies: readonly (Omit<PlacedBody, 'mesh'> & { readonly mesh: number })[];
};

/** The poses of all frames: those of frame f are rows starts[f] to starts[f + 1] − 1. */
interface PackedFrames {
  readonly starts: Uint32Array;
  /** Per row, the index of the body, and 16 numbers. */
  readonly bodies: Uint32Array;
  readonly poses: Float64Array;
}

/** The pairs of a frame. */
export interface FrameFound {
  readonly frame: number;
  readonly pairs: readonly FoundPair[];
  readonly method: string;
  readonly times: FrameTimes;
}

/** How long frames took, in milliseconds, and how much of that was for common points, depths and volumes. */
export interface FrameTimes {
  readonly all: number;
  readonly judge: number;
}

/** Finds the pairs of a frame, and measures how long that took. */
export async function findTimed(finder: FrameFinder, frame: number): Promise<FrameFound> {
  const [start, judged] = [performance.now(), finder.judgeTime];
  const pairs = await finder.find(frame);
  const times = { all: performance.now() - start, judge: finder.judgeTime - judged };
  return { frame, pairs, method: finder.method, times };
}

export function packQuestion(question: CheckQuestion): FramesTask {
  const { bodies, motion, digest: _, progress: __, signal: ___, ...plain } = question;
  const numbers = new Map<Mesh, number>();
  const packed = bodies.map(({ mesh: one, ...body }) => {
    let number = numbers.get(one);
    if (number === undefined) numbers.set(one, (number = numbers.size));
    return { ...body, mesh: number };
  });
  const meshes = Array.from(numbers.keys(), ({ positions, indices }) => ({
    positions: inSharedMemory(positions),
    indices: inSharedMemory(indices),
  }));
  return { question: { ...plain, bodies: packed }, meshes, frames: packFrames(motion?.frames ?? []) };
}

function inSharedMemory<A extends Float32Array | Float64Array | Uint16Array | Uint32Array>(array: A): A {
  const kind = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const copy = new kind(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}

function packFrames(frames: Motion['frames']): PackedFrames {
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (frames.length + 1)));
  for (const [i, frame] of frames.entries()) starts[i + 1] = starts[i] + frame.size;
  const rows = starts[frames.length];
  const bodies = new Uint32Array(new SharedArrayBuffer(4 * rows));
  const poses = new Float64Array(new SharedArrayBuffer(128 * rows));
  let row = 0;
  for (const frame of frames) {
    for (const [body, pose] of frame) {
      bodies[row] = body;
      poses.set(pose, 16 * row++);
    }
  }
  return { starts, bodies, poses };
}

/** The question in a thread. A frame is there, and the one before it, after `showFrame`: a thread needs few of them. */
export function unpackQuestion({ question, meshes, frames: packed }: FramesTask): {
  readonly question: CheckQuestion;
  readonly frameCount: number;
  showFrame(frame: number): void;
} {
  const made = meshes.map(({ positions, indices }) => mesh(positions, indices));
  const bodies = question.bodies.map(body => ({ ...body, mesh: made[body.mesh] }));
  const frameCount = packed.starts.length - 1;
  const frames: ReadonlyMap<number, Pose>[] = new Array(frameCount);
  return {
    question: { ...question, bodies, motion: { isMotion: true, frames }, progress: () => {} },
    frameCount,
    showFrame(frame) {
      for (let i = Math.max(0, frame - 1); i <= frame; i++) frames[i] ??= frameOf(packed, i);
    },
  };
}

function frameOf({ starts, bodies, poses }: PackedFrames, frame: number): ReadonlyMap<number, Pose> {
  const found = new Map<number, Pose>();
  for (let row = starts[frame]; row < starts[frame + 1]; row++)
    found.set(bodies[row], poses.slice(16 * row, 16 * row + 16));
  return found;
}

/** The pairs of a frame, as a thread sends them. */
export interface PackedFound extends Omit<FrameFound, 'pairs'> {
  /** Four words per pair: its bodies, the place of its relation in `relations` plus that of `parted`, and the number of triangles. */
  readonly words: Uint32Array;
  /** Three numbers per pair. Undefined if no pair has a common point. */
  readonly points: Float64Array | undefined;
  /** The pairs about which more is known, in order: their relation is `listed`. */
  readonly others: readonly FoundPair[];
}

const listed = 255;
/** What is added to the place of a relation if a change within rounding is proven to part the two, or not to. */
const isParted = 256;
const isNotParted = 512;

export function packFound({ pairs, ...found }: FrameFound): PackedFound {
  const words = new Uint32Array(4 * pairs.length);
  const points = pairs.some(({ point }) => point !== undefined)
    ? new Float64Array(3 * pairs.length)
    : undefined;
  const others: FoundPair[] = [];
  for (const [i, pair] of pairs.entries()) {
    const { a, b, relation, triangleCount, point, parted } = pair;
    if (!isShort(pair) || (point === undefined) !== (points === undefined)) {
      others.push(pair);
      words[4 * i + 2] = listed;
      continue;
    }
    words[4 * i] = a;
    words[4 * i + 1] = b;
    words[4 * i + 2] =
      relations.indexOf(relation) + (parted === undefined ? 0 : parted ? isParted : isNotParted);
    words[4 * i + 3] = triangleCount;
    if (point !== undefined) points!.set(point, 3 * i);
  }
  return { ...found, words, points, others };
}

export function unpackFound({ words, points, others, ...found }: PackedFound): FrameFound {
  const pairs: FoundPair[] = [];
  let other = 0;
  for (let i = 0; i < words.length / 4; i++) {
    const state = words[4 * i + 2];
    if (state === listed) {
      pairs.push(others[other++]);
      continue;
    }
    pairs.push({
      a: words[4 * i],
      b: words[4 * i + 1],
      relation: relations[state & 255],
      triangleCount: words[4 * i + 3],
      point: points?.subarray(3 * i, 3 * i + 3),
      parted: state & isParted ? true : state & isNotParted ? false : undefined,
    });
  }
  return { ...found, pairs };
}

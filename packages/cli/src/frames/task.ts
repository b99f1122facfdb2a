// What the threads that find the frames of a motion are given, and what they say.

import type { CheckQuestion, FoundPair, FrameFinder, PlacedBody } from '@nearfield/clashes';
import { type Mesh, mesh } from 'nearfield';

/** What does not depend on the frame, as it is cloned into every thread. Arrays of meshes are in shared memory. */
export interface FramesTask {
  readonly question: PlainQuestion;
  readonly meshes: readonly { readonly positions: Mesh['positions']; readonly indices: Mesh['indices'] }[];
  /** The frame that nobody has taken yet. */
  readonly next: Int32Array;
  readonly maxMemory: number | undefined;
}

/** The part of a question that can be cloned. Bodies name their meshes. */
type PlainQuestion = Omit<CheckQuestion, 'bodies' | 'digest' | 'progress' | 'signal'> & {
  readonly bodies: readonly (Omit<PlacedBody, 'mesh'> & { readonly mesh: number })[];
};

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

export function packQuestion(question: CheckQuestion): Pick<FramesTask, 'question' | 'meshes'> {
  const { bodies, digest: _, progress: __, signal: ___, ...plain } = question;
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
  return { question: { ...plain, bodies: packed }, meshes };
}

function inSharedMemory<A extends Float32Array | Float64Array | Uint16Array | Uint32Array>(array: A): A {
  const kind = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const copy = new kind(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}

export function unpackQuestion({ question, meshes }: FramesTask): CheckQuestion {
  const made = meshes.map(({ positions, indices }) => mesh(positions, indices));
  const bodies = question.bodies.map(body => ({ ...body, mesh: made[body.mesh] }));
  return { ...question, bodies, progress: () => {} };
}

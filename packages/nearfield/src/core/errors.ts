// What Nearfield refuses, and why. Every failure a caller can meet is a NearfieldError with a stable code; only a question that its
// own AbortSignal cancelled rejects with the signal's reason, as the platform does.

export type ErrorCode =
  /** A position or a point is NaN or infinite: in a mesh, after its pose is applied, or in the points of a question. */
  | 'not-finite'
  /** An array has the wrong length or type, or its buffer is detached. */
  | 'bad-array'
  /** A triangle names a vertex that does not exist. */
  | 'index-out-of-range'
  /** A pose has no inverse, or its last row is not 0 0 0 1. */
  | 'bad-pose'
  /** A question about solids was asked of a mesh that bounds none. */
  | 'not-solid'
  /** An argument or an option is not what it can be, or there is no such option. */
  | 'bad-option'
  /** A body was removed, or its scene or engine was closed. */
  | 'closed'
  /** A body was deformed or removed between two stages of a question, or came or left after poses came in a GPUBuffer. */
  | 'stale'
  /** The method or backend needs a GPU and there is none. */
  | 'no-gpu'
  /** The GPU was lost twice in one question. */
  | 'gpu-lost'
  /** The job needs more memory than this machine or device gives. */
  | 'out-of-memory'
  /** This combination is not supported. */
  | 'unsupported'
  /** A file is not what it says it is. */
  | 'bad-file'
  /** Two things that were proven contradict each other: a defect of Nearfield itself, never of the input. */
  | 'internal';

export class NearfieldError extends Error {
  override readonly name = 'NearfieldError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** There are more pairs of triangles than were worth listing. Whoever asked can ask in another way. */
export class TooManyPairs extends NearfieldError {
  constructor(most: number) {
    super('out-of-memory', `there are more than ${most} pairs of triangles that meet or may`);
  }
}

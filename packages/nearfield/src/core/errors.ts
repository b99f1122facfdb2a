// The errors of the library. Every failure that a caller can meet is a NearfieldError with a stable code. The only
// exception: a question that is cancelled by its AbortSignal rejects with the signal's reason, as the platform does.

/** What went wrong, as a word that stays the same between versions. */
export type ErrorCode =
  /**
   * A coordinate is NaN or infinite: in a mesh, in the points of a question, or in the world after a pose was applied.
   */
  | 'not-finite'
  /** An array has the wrong length or type, or its buffer is detached. */
  | 'bad-array'
  /** A triangle refers to a vertex that does not exist. */
  | 'index-out-of-range'
  /** A pose has no inverse, or its last row is not 0 0 0 1. */
  | 'bad-pose'
  /** A question about solids involves a mesh that is open or not consistently oriented. */
  | 'not-solid'
  /** An argument or an option has a value it cannot have, or there is no such option. */
  | 'bad-option'
  /** A body was removed, or its scene or engine was closed. */
  | 'closed'
  /**
   * A body was deformed or removed between two stages of a question, or added or removed after poses came in a
   * GPUBuffer.
   */
  | 'stale'
  /** The method or backend needs a GPU and there is none. */
  | 'no-gpu'
  /** The GPU was lost twice in one question. */
  | 'gpu-lost'
  /** The work needs more memory than this machine or device has. */
  | 'out-of-memory'
  /** This combination of arguments, method and backend is not supported. */
  | 'unsupported'
  /** A file cannot be read in the format it claims to have. */
  | 'bad-file'
  /** Two proven facts contradict each other: a defect of Nearfield itself, never of the input. */
  | 'internal';

/**
 * What the library throws and rejects with, but for `signal.reason` of a question that was cancelled. `code` is for
 * programs; the message names the argument, the body and the value.
 */
export class NearfieldError extends Error {
  /** Always 'NearfieldError'. */
  override readonly name = 'NearfieldError';
  /** For packages that throw the library's errors: `options.cause` is the error behind it, if there is one. */
  constructor(
    /** What went wrong, for programs. */
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An engine found more triangle pairs than the request's `most`. The caller may fall back to another method. */
export class TooManyPairs extends NearfieldError {
  constructor(most: number) {
    super('out-of-memory', `more than ${most} pairs of triangles meet or may meet`);
  }
}

/** Whether an error says that memory ran out. The code tells, because the jobs of threads are a bundle with error classes of its own. */
export const isOutOfMemory = (error: unknown): boolean =>
  (error as Partial<NearfieldError> | undefined)?.code === 'out-of-memory';

// What the calling thread and another thread say to each other about work that JavaScript does (shared-items.ts, jobs.ts).

/** Items that several threads answer. It is cloned into every thread, but for what is in shared buffers. */
export interface Task {
  /** The name of the job, which knows what an item is. */
  readonly job: string;
  /** The data that the job needs about all items, and its key: a thread keeps for a while what it prepared from it. */
  readonly data: unknown;
  readonly key: number;
  /** What is asked about the items in this round. */
  readonly round: unknown;
  /** The most bytes that the engine of a thread may have. */
  readonly maxMemory: number;
  /** How many items there are, and how many threads share them. */
  readonly count: number;
  readonly threads: number;
  /** The words below, in shared memory. */
  readonly words: Int32Array;
}

/** Words of a task: the next item that no thread has taken, and 1 once the answers are no longer wanted. */
export const nextItem = 0;
export const stopped = 1;

/** Items [from, to). */
export interface Chunk {
  readonly from: number;
  readonly to: number;
}

/** A message of a thread: the result of some items, or that it takes no more of them. */
export type Reply = (Chunk & { readonly result: unknown }) | { readonly over: 'done' | 'failed' | 'import' };

/**
 * A thread takes one in so many of its part of the items that are left, so that all threads end at about the same
 * time.
 */
const shares = 8;
/** The most items that are taken at once, so that progress is seen. */
const mostItems = 1024;

/** Takes the next items. Undefined if there are none. */
export function takeItems({ words, count, threads }: Task): Chunk | undefined {
  for (;;) {
    const from = Atomics.load(words, nextItem);
    if (from >= count) return undefined;
    const to = from + Math.max(1, Math.min(mostItems, Math.floor((count - from) / (shares * threads))));
    if (Atomics.compareExchange(words, nextItem, from, to) === from) return { from, to };
  }
}

/**
 * The file with the library's jobs: bundled by itself, so that it can be copied wherever an application's build puts it.
 * Builds recognise this expression. Undefined where a module has no address.
 */
export function jobsUrl(): string | undefined {
  try {
    return new URL('./jobs.js', import.meta.url).href;
  } catch {
    return undefined;
  }
}

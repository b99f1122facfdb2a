// What the calling thread and another thread say to each other about work that JavaScript does (shared-items.ts, jobs.ts).

/** Items that several threads answer. It is cloned into every thread, but for what is in shared buffers. */
export interface Task {
  /** The name of the job, which knows what an item is. */
  readonly job: string;
  /** What the job needs to know of all items, and its number: a thread keeps for a while what it made of it. */
  readonly data: unknown;
  readonly key: number;
  /** What is asked about the items this time. */
  readonly round: unknown;
  /** The most bytes that the engine of a thread may have. */
  readonly maxMemory: number;
  /** How many items there are, and how many threads share them. */
  readonly count: number;
  readonly threads: number;
  /** The words below, in shared memory. */
  readonly words: Int32Array;
}

/** Words of a task: the next item that nobody has taken, and 1 once nobody wants the answers. */
export const nextItem = 0;
export const stopped = 1;

/** Items [from, to). */
export interface Chunk {
  readonly from: number;
  readonly to: number;
}

/** What a thread says: the result of some items, or that it takes no more of them. */
export type Reply = (Chunk & { readonly result: unknown }) | { readonly over: 'done' | 'failed' | 'import' };

/** Threads take this share of what is left for each of them, so that all end at about the same time. */
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

// What the calling thread and another thread say to each other about work that JavaScript does (shared-items.ts, jobs.ts).

/** Items that several threads answer. It is cloned into every thread, but for what is in shared buffers. */
export interface Task {
  /** The name of the job, which knows what an item is. */
  readonly job: string;
  /** What the job needs to know of all items. */
  readonly data: unknown;
  /** The most bytes that the engine of a thread may have. */
  readonly maxMemory: number;
  /** Items from `first` to `count` - 1 are shared, `size` of them per chunk. */
  readonly first: number;
  readonly count: number;
  readonly size: number;
  /** The words below, in shared memory. */
  readonly words: Int32Array;
}

/** Words of a task: the number of the next chunk that nobody has taken, and 1 once nobody wants the answers. */
export const nextChunk = 0;
export const stopped = 1;

/** What a thread says: the result of a chunk, or that it takes no more of them. */
export type Reply =
  | { readonly chunk: number; readonly result: unknown }
  | { readonly over: 'done' | 'failed' | 'import' };

/** Takes a chunk: the number of the next one. */
export const takeChunk = ({ words }: Task): number => Atomics.add(words, nextChunk, 1);

export const chunkCount = ({ first, count, size }: Task): number => Math.ceil((count - first) / size);

/** The items of a chunk, [from, to). */
export function itemsOf({ first, count, size }: Task, chunk: number): { from: number; to: number } {
  const from = first + chunk * size;
  return { from, to: Math.min(from + size, count) };
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

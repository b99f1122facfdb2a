// What a page's thread for a package is: a worker whose script calls `serveForeign`.

/** The part of a `Worker` that is used. */
export interface PageThread {
  /** Sends the question. */
  postMessage(message: unknown): void;
  /** Hears the answer, or that the thread failed. */
  addEventListener(type: 'message' | 'error', listener: (event: Event) => void): void;
  /** Ends the thread. */
  terminate(): void;
}

/** Opens a thread of a page: `() => new Worker(new URL('./reader.js', import.meta.url), { type: 'module' })`. */
export type OpenThread = () => PageThread;

/** What the thread is asked, once. */
export interface ThreadQuestion {
  /** The package. */
  readonly name: string;
  readonly question: unknown;
  readonly wasm: ArrayBuffer | undefined;
  /** Bytes that its WebAssembly may take. */
  readonly memory: number;
}

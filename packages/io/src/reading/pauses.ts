// Lets other tasks run while a large file is read: timers, and the Ctrl-C of a user who waits.

/** Milliseconds of work between two pauses. */
const turn = 50;

export class Pauses {
  readonly #signal: AbortSignal | undefined;
  #resumed = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Lets tasks that wait run, if that is due. Rejects with the signal's reason. */
  async take(): Promise<void> {
    if (performance.now() - this.#resumed < turn) return;
    await new Promise(resolve => setTimeout(resolve));
    this.#signal?.throwIfAborted();
    this.#resumed = performance.now();
  }
}

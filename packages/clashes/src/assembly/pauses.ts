// Lets other tasks run between questions. A question that takes less than a slice of time does not yield, and whoever
// awaits thousands of them, one after the other, keeps timers and Ctrl-C waiting.

import { otherTasks } from '../report/draw/steps.ts';

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
    await otherTasks(this.#signal);
    this.#resumed = performance.now();
  }
}

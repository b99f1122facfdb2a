// Options of every question that takes time: cancellation and progress.

/** How a question that waits is cancelled and watched. */
export interface Limits {
  /**
   * Cancels the question, which then rejects with the signal's reason. The signal is checked when the question is asked
   * and whenever the work yields to the event loop: every few milliseconds on the CPU, between dispatches on a GPU.
   * Building a tree is not interrupted. Questions whose names end in `Sync` never yield and cannot be cancelled.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called with the fraction done, 0 to 1, whenever the signal is checked. */
  readonly progress?: ((done: number) => void) | undefined;
}

/** The limits of a part of the work, which takes the progress from one fraction to another. */
export const limitsOfPart = ({ signal, progress }: Limits, from: number, to: number): Limits => ({
  signal,
  progress: progress && (done => progress(from + (to - from) * done)),
});

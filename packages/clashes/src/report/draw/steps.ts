// Drawing keeps its thread busy for seconds if bodies are large. So it is written as steps: between two of them a
// caller that waits lets other things happen, such as a Ctrl-C, and a caller in a hurry goes on at once.

/** Work in steps, none of which takes longer than about a tenth of a second. Returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Milliseconds of work between two looks at the signal. */
const turn = 50;

/**
 * Does the steps in turns, with the event loop running in between. `count` is told how many steps are done, now and
 * then. Rejects with the signal's reason.
 */
export async function finishInTurns<T>(
  steps: Steps<T>,
  signal?: AbortSignal,
  count?: (done: number) => void,
): Promise<T> {
  for (let done = 0; ; ) {
    const until = performance.now() + turn;
    do {
      const step = steps.next();
      if (step.done) return step.value;
      done++;
    } while (performance.now() < until);
    count?.(done);
    await otherTasks(signal);
  }
}

/** Lets tasks that wait run, which promises alone do not. Rejects with the signal's reason. */
export async function otherTasks(signal: AbortSignal | undefined): Promise<void> {
  await new Promise(resolve => setTimeout(resolve));
  signal?.throwIfAborted();
}

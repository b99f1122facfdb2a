// Lets other tasks run while a long piece of work goes on: between its steps, and between questions. A question that takes
// less than a slice of time does not yield. So a loop that awaits thousands of such questions would keep timers and Ctrl-C
// waiting.

import { itemsPerStep, type Steps } from './steps.ts';

/** Milliseconds of work between two pauses. */
const usualTurn = 50;
/** The same while other threads look for something: they now and then need the thread that works. */
export const shortTurn = 4;

export class Pauses {
  readonly #signal: AbortSignal | undefined;
  readonly #turn: number;
  #resumed = performance.now();

  constructor(signal: AbortSignal | undefined, turn = usualTurn) {
    this.#signal = signal;
    this.#turn = turn;
  }

  /** Lets tasks that wait run, if that is due. Rejects with the signal's reason. */
  async take(): Promise<void> {
    if (this.#isDue) await this.#takeNow();
  }

  /** Does steps, with pauses in between. `count` is told how many steps are done, now and then. */
  async finish<T>(steps: Steps<T>, count?: (done: number) => void): Promise<T> {
    for (let done = 0; ; done++) {
      const step = steps.next();
      if (step.done) return step.value;
      if (!this.#isDue) continue;
      count?.(done + 1);
      await this.#takeNow();
    }
  }

  get #isDue(): boolean {
    return performance.now() - this.#resumed >= this.#turn;
  }

  async #takeNow(): Promise<void> {
    await otherTasks(this.#signal);
    this.#resumed = performance.now();
  }
}

/** A part of a stage: the progress of the stage, and the shares at which the part begins and ends. */
export interface Part {
  readonly progress: ((done: number) => void) | undefined;
  readonly from: number;
  readonly to: number;
}

/** For `finish`: reports steps as a share of a stage, if the work visits about `visits` items of lists. */
export const shareOf =
  ({ progress, from, to }: Part, visits: number) =>
  (steps: number): void =>
    progress?.(from + (to - from) * Math.min(1, (steps * itemsPerStep) / Math.max(visits, 1)));

/** For `shareOf`: how many items `sorted` visits. It sorts runs, and visits every item once whenever runs are merged. */
export const sortVisits = (count: number): number => count * Math.max(1, Math.log2(count / 512));

/** Does steps with pauses in between, the first of them no sooner than it is due. Rejects with the signal's reason. */
export const finishInTurns = <T>(
  steps: Steps<T>,
  signal?: AbortSignal,
  count?: (done: number) => void,
): Promise<T> => new Pauses(signal).finish(steps, count);

/** Lets tasks that wait run, which promises alone do not. Rejects with the signal's reason. */
export async function otherTasks(signal: AbortSignal | undefined): Promise<void> {
  await new Promise(resolve => setTimeout(resolve));
  signal?.throwIfAborted();
}

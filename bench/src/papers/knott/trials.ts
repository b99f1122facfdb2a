// The protocol of Knott's thesis: each figure is the mean over trials, and the bodies are placed anew for each.

import { shapes } from 'nearfield';
import type { Lab } from '../paper.ts';

export interface Spread {
  readonly mean: number;
  /** The standard deviation. */
  readonly deviation: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/**
 * The times of each task, one per placement, in milliseconds. All tasks are asked about every placement, `repeats` times
 * in turn, and the least time counts: the host of a GPU is shared. Before that, `warmUps` placements are asked about
 * without being timed, so that JavaScript is compiled.
 */
export async function trialsOf(
  { signal }: Pick<Lab, 'signal'>,
  count: number,
  place: (random: shapes.Random) => void,
  tasks: readonly ((isTimed: boolean) => Promise<unknown>)[],
  { repeats = 1, warmUps = 2 } = {},
): Promise<number[][]> {
  const random = shapes.createRandom(1);
  const times: number[][] = tasks.map(() => []);
  for (let trial = -warmUps; trial < count; trial++) {
    signal?.throwIfAborted();
    place(random);
    const least = tasks.map(() => Infinity);
    for (let repeat = 0; repeat < (trial >= 0 ? repeats : 1); repeat++) {
      for (const [i, task] of tasks.entries()) {
        const started = performance.now();
        await task(trial >= 0);
        least[i] = Math.min(least[i], performance.now() - started);
      }
    }
    if (trial >= 0) for (const [i, time] of least.entries()) times[i].push(time);
  }
  return times;
}

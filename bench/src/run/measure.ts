// Timing by many short runs. On a shared machine single times mean little. So engines take turns, which makes a busy
// moment hit all of them, and medians and quartiles are kept. Beside wall-clock time, CPU time is measured (over all
// threads, so garbage collection and compilation count). Other programs hardly disturb it, but it does not include
// time spent waiting for a GPU.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { quantile } from './quantile.ts';

/** One timed run, in milliseconds. */
export interface Sample {
  readonly clock: number;
  readonly processor: number;
  /** The turn it was taken in. */
  readonly turn?: number;
}

export interface Times {
  /** Wall-clock time. */
  readonly median: number;
  /** Median of the CPU time. */
  readonly processor: number;
  /** Quartiles: half of the runs lie between them. */
  readonly low: number;
  readonly high: number;
  readonly mean: number;
  readonly processorMean: number;
  readonly least: number;
  /** The median of the turn with the lowest median: the least disturbed one. */
  readonly calm: number;
  readonly runs: number;
}

export function summarise(samples: readonly Sample[]): Times {
  if (samples.length === 0) throw new Error('no samples');
  const ascending = (a: number, b: number) => a - b;
  const sorted = samples.map(({ clock }) => clock).sort(ascending);
  const processor = samples.map(sample => sample.processor).sort(ascending);
  return {
    median: quantile(sorted, 0.5),
    processor: quantile(processor, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    mean: meanOf(sorted),
    processorMean: meanOf(processor),
    least: sorted[0],
    calm: calmest(samples),
    runs: sorted.length,
  };
}

function calmest(samples: readonly Sample[]): number {
  const turns = new Map<number, number[]>();
  for (const { clock, turn = 0 } of samples) {
    const own = turns.get(turn);
    if (own) own.push(clock);
    else turns.set(turn, [clock]);
  }
  const medians = [...turns.values()].map(list =>
    quantile(
      list.sort((a, b) => a - b),
      0.5,
    ),
  );
  return Math.min(...medians);
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A task that is run repeatedly; the argument is the number of the run. `before` is not timed. */
export interface Task {
  (run: number): unknown;
  readonly before?: ((run: number) => void) | undefined;
}

export interface Effort {
  /** Turns per task, and milliseconds per turn. */
  readonly turns: number;
  readonly turnTime: number;
  /** A turn ends at a multiple of this many runs, so that every frame has the same weight. */
  readonly cycle: number;
}

/**
 * Runs the tasks in turns and returns the samples of each. Runs shorter than 0.1 ms are timed in batches. A task so
 * slow that one turn uses up the time of all its turns gets no further one.
 */
export async function takeTurns(tasks: readonly Task[], effort: Effort): Promise<Sample[][]> {
  const states: TurnState[] = [];
  for (const task of tasks) {
    // Warm-up: three runs, more if they are short, one if it is long. The last is timed to choose the batch.
    const started = performance.now();
    let last = started;
    let run = 0;
    do {
      task.before?.(run);
      last = performance.now();
      await settle(task(run++));
    } while (performance.now() - started < (run < 3 ? effort.turnTime : 30) && run < 200);
    const once = Math.max(performance.now() - last, 1e-4);
    const batch = once < 0.1 && task.before === undefined ? Math.ceil(0.2 / once) : 1;
    states.push({ task, batch, run: 0, spent: 0, samples: [] });
  }
  for (let turn = 0; turn < effort.turns; turn++) {
    for (const state of states) {
      if (state.spent > effort.turns * effort.turnTime) continue;
      const started = performance.now();
      do {
        for (let i = 0; i < effort.cycle; i += state.batch) await takeSample(state, turn);
      } while (performance.now() - started < effort.turnTime);
      state.spent += performance.now() - started;
    }
  }
  return states.map(({ samples }) => samples);
}

interface TurnState {
  readonly task: Task;
  readonly batch: number;
  run: number;
  /** Milliseconds spent in its turns so far. */
  spent: number;
  readonly samples: Sample[];
}

async function takeSample(state: TurnState, turn: number): Promise<void> {
  const { task, batch } = state;
  task.before?.(state.run);
  const stop = startWatch();
  for (let i = 0; i < batch; i++) {
    const result = task(state.run++);
    if (result instanceof Promise) await result;
  }
  const { clock, processor } = stop();
  state.samples.push({ clock: clock / batch, processor: processor / batch, turn });
}

/** Starts timing; the returned function stops and reads. */
export function startWatch(): () => Sample {
  const used = process.cpuUsage();
  const start = performance.now();
  return () => {
    const clock = performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    return { clock, processor: (user + system) / 1000 };
  };
}

/** Awaits only promises, so that a synchronous answer is not charged for a turn of the event loop. */
export async function settle<T>(value: T | Promise<T>): Promise<T> {
  return value instanceof Promise ? await value : value;
}

/** Collects garbage, so that the next task does not pay for it. */
export function collectGarbage(): void {
  collect ??= globalThis.gc ?? collector();
  collect();
}

let collect: (() => void) | undefined;

/** V8 gives the function to contexts that are made while a flag is set. It works without the flag, which is off again afterwards. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as () => void;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}

// Measures how the cost of a question grows with its size, free of other effects. All sizes of a series are loaded at
// once and visited in turn, round after round. A changing clock, or another program, then affects every size equally.
// Measured one size after the other, an H200 that halves its clock in between shows steps instead of a line. The cost
// of a size must not depend on the previous size. But caches hold that one's bodies, and an engine keeps buffers, and
// reads back as much, as the last question needed. So the first question of a visit is not counted, and over the rounds
// every size follows every other equally often (a square balanced for carry-over effects: Williams 1949).

import type { Case } from '../case.ts';
import type { Engine, Session } from '../peers/engine.ts';
import { collectGarbage, type Sample, settle, startWatch, summarise } from './measure.ts';

/** The times of all sizes for one engine, in milliseconds. */
export interface Growth {
  readonly scene: string;
  readonly series: string;
  readonly unit: string;
  readonly engine: string;
  readonly points: readonly { readonly size: number; readonly time: number }[];
}

export interface SeriesEffort {
  /** Approximate milliseconds for all sizes together, and the minimum and maximum of rounds. */
  readonly time: number;
  readonly leastRounds: number;
  readonly mostRounds: number;
  /** Questions per visit: first those that are not counted, then those that are. */
  readonly uncounted: number;
  readonly counted: number;
  /**
   * Whether a question takes wall-clock time or CPU time. CPU time shows the cost of a software GPU whatever else
   * runs on the machine.
   */
  readonly by: keyof Sample;
}

/**
 * Enough for a line, and the same for every series: all rows of the square. On a software GPU a question takes so
 * long that carry-over effects are negligible; it is measured by CPU time.
 */
export const seriesEffort = (time: number, software: boolean): SeriesEffort =>
  software
    ? { time, leastRounds: 3, mostRounds: 60, uncounted: 0, counted: 1, by: 'processor' }
    : { time, leastRounds: 8, mostRounds: 64, uncounted: 1, counted: 4, by: 'clock' };

/**
 * The indices of a round, in the order of visits. Over `count` rounds (twice as many if it is odd), each index
 * follows each other one equally often.
 */
export function visitOrder(count: number, round: number): number[] {
  // 0, 1, last, 2, last but one …: each step is a different one around the circle.
  const places = Array.from({ length: count }, (_, k) => {
    const step = k % 2 === 0 ? count - k / 2 : (k + 1) / 2;
    return (step + round) % count;
  });
  const isMirrored = count % 2 === 1 && Math.floor(round / count) % 2 === 1;
  return isMirrored ? places.reverse() : places;
}

/** Measures the cases of one series; undefined if the engine cannot answer them. */
export async function measureSeries(
  jobs: readonly Case[],
  engine: Engine,
  { time, leastRounds, mostRounds, uncounted, counted, by }: SeriesEffort,
): Promise<Growth | undefined> {
  const { series } = jobs[0];
  if (series === undefined || jobs.some(job => engine.cannot(job) !== undefined)) return undefined;
  const sessions: Session[] = [];
  const samples: Sample[][] = jobs.map(() => []);
  try {
    for (const job of jobs) sessions.push(await settle(engine.load(job)));
    const asked = jobs.map(() => 0);
    const ask = async (i: number): Promise<Sample> => {
      const { frames } = jobs[i];
      const stop = startWatch();
      await settle(sessions[i].ask(frames[asked[i]++ % frames.length]));
      return stop();
    };
    // Warm-up: trees and buffers are made, code is compiled, and garbage is collected.
    for (let round = 0; round < 2; round++) for (let i = 0; i < jobs.length; i++) await ask(i);
    collectGarbage();
    const end = performance.now() + time;
    for (let round = 0; round < leastRounds || (performance.now() < end && round < mostRounds); round++) {
      for (const i of visitOrder(jobs.length, round)) {
        for (let k = 0; k < uncounted; k++) await ask(i);
        for (let k = 0; k < counted; k++) samples[i].push(await ask(i));
      }
    }
  } finally {
    for (const session of sessions) session.close();
  }
  const points = jobs.map((job, i) => {
    const { median, processor } = summarise(samples[i]);
    return { size: job.series!.size, time: by === 'clock' ? median : processor };
  });
  return { scene: jobs[0].scene, series: series.name, unit: series.unit, engine: engine.name, points };
}

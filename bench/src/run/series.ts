// How the cost of a question grows with its size, measured so that nothing else shows: all sizes of a series are loaded at once and
// asked in turn, round after round, up and down. A clock that moves, or another program, then hits every size alike; asked one
// size after the other, an H200 that halves its clock in between draws steps in place of a line.

import type { Case } from '../case.ts';
import type { Engine, Session } from '../peers/engine.ts';
import { type Sample, settle, startWatch, summarise } from './measure.ts';

/** Of one engine, the times of all sizes, milliseconds. */
export interface Growth {
  readonly scene: string;
  readonly series: string;
  readonly unit: string;
  readonly engine: string;
  readonly points: readonly { readonly size: number; readonly time: number }[];
}

export interface SeriesEffort {
  /** Milliseconds for all sizes together, about, and rounds at least and at most. */
  readonly time: number;
  readonly leastRounds: number;
  readonly mostRounds: number;
  /**
   * What is taken of a question: on the clock, or on a processor, which tells the cost of a GPU that is a program on this
   * machine whatever else runs there.
   */
  readonly by: keyof Sample;
}

/** Enough for a line; by the processor where the GPU is a program. */
export const seriesEffort = (time: number, software: boolean): SeriesEffort => ({
  time,
  leastRounds: software ? 3 : 9,
  mostRounds: 60,
  by: software ? 'processor' : 'clock',
});

/** Cases of one series; undefined where the engine cannot answer them. */
export async function measureSeries(
  jobs: readonly Case[],
  engine: Engine,
  { time, leastRounds, mostRounds, by }: SeriesEffort,
): Promise<Growth | undefined> {
  const { series } = jobs[0];
  if (series === undefined || jobs.some(job => engine.cannot(job) !== undefined)) return undefined;
  const sessions: Session[] = [];
  const samples: Sample[][] = jobs.map(() => []);
  try {
    for (const job of jobs) sessions.push(await settle(engine.load(job)));
    const ask = async (i: number, round: number): Promise<Sample> => {
      const { frames } = jobs[i];
      const stop = startWatch();
      await settle(sessions[i].ask(frames[round % frames.length]));
      return stop();
    };
    // Trees and room are made, and the code is compiled.
    for (let round = 0; round < 2; round++) for (let i = 0; i < jobs.length; i++) await ask(i, round);
    const end = performance.now() + time;
    for (let round = 0; round < leastRounds || (performance.now() < end && round < mostRounds); round++) {
      for (let k = 0; k < jobs.length; k++) {
        const i = round % 2 === 0 ? k : jobs.length - 1 - k;
        samples[i].push(await ask(i, round));
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

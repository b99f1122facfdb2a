// Follows a scene frame by frame with one way of asking: how long each frame takes, what it finds, and what images leave.

import type { InterferenceOptions, Interferences, Nearfield } from 'nearfield';
import type { Case } from '../../case.ts';
import { comparePairs } from '../../compare.ts';
import { crowdSession } from '../../peers/crowd.ts';
import { quantile } from '../../run/quantile.ts';
import type { TimedGpu } from '../gpu-time.ts';
import type { Lab } from '../paper.ts';

/** If the frames take this many milliseconds, they are asked about once. */
export const slowRound = 2000;

/** What one frame took and left. */
export interface Followed {
  readonly milliseconds: number;
  /** Triangle pairs, numbered consecutively over all bodies. */
  readonly pairs: Uint32Array;
  /** Pairs of bodies that meet. */
  readonly meeting: number;
  readonly stats: Interferences['stats']['visibility'];
}

/**
 * Asks about some frames of a scene, one after the other, round after round. In the first rounds kernels are compiled,
 * JavaScript becomes fast and lists grow. Frames are timed once rounds are steady (`isSteady`), or when twice the time of
 * a figure is over. If the first round takes seconds, it is timed, and no other follows.
 */
export async function follow(
  lab: Lab,
  nf: Nearfield,
  job: Case,
  options: InterferenceOptions,
  chosen: readonly number[] = job.frames.map((_, i) => i),
): Promise<Followed[]> {
  const scene = nf.scene();
  const session = crowdSession(scene, job, detail => scene.interferences({ ...options, detail }));
  const found: Omit<Followed, 'milliseconds'>[] = [];
  /** Asks about all frames once. Returns how long each took. */
  const askRound = async (take?: (answer: Interferences) => void): Promise<number[]> => {
    const times: number[] = [];
    for (const i of chosen) {
      lab.signal?.throwIfAborted();
      const started = performance.now();
      const answer = (await session.ask(job.frames[i])) as Interferences;
      times.push(performance.now() - started);
      take?.(answer);
    }
    return times;
  };
  try {
    const began = performance.now();
    const first = await askRound(answer => {
      found.push({
        pairs: session.pairs(answer),
        meeting: answer.length,
        stats: answer.stats.visibility,
      });
    });
    if (lab.isSoftware || performance.now() - began > slowRound) return withTimes(found, [first]);
    const time = Math.min(lab.time, lab.left() / 20);
    const warming = performance.now();
    const warm: number[] = [];
    while (!isSteady(warm) && performance.now() - warming < 2 * time) warm.push(sumOf(await askRound()));
    const timing = performance.now();
    const rounds: number[][] = [];
    do rounds.push(await askRound());
    while (performance.now() - timing < time);
    return withTimes(found, rounds);
  } finally {
    session.close();
    scene.close();
  }
}

/** Rounds are steady if neither of the last two took less than this share of the least time before them. */
const steady = 0.95;

const isSteady = (rounds: readonly number[]): boolean =>
  rounds.length > 2 && Math.min(...rounds.slice(-2)) > steady * Math.min(...rounds.slice(0, -2));

/** What was found in each frame, with the median of its times. */
const withTimes = (
  found: readonly Omit<Followed, 'milliseconds'>[],
  rounds: readonly (readonly number[])[],
): Followed[] => found.map((each, k) => ({ ...each, milliseconds: medianOf(rounds.map(times => times[k])) }));

/** The median GPU time of a scene's frames, asked about in order, after a first round in which kernels are compiled. */
export async function followInGpuTime(
  timed: TimedGpu,
  job: Case,
  options: InterferenceOptions,
): Promise<number> {
  const scene = timed.nf.scene();
  const session = crowdSession(scene, job, detail => scene.interferences({ ...options, detail }));
  const times: number[] = [];
  for (const round of [0, 1]) {
    for (const frame of job.frames) {
      const time = await timed.time(() => Promise.resolve(session.ask(frame)));
      if (round > 0) times.push(time);
    }
  }
  session.close();
  scene.close();
  return medianOf(times);
}

const medianOf = (values: readonly number[]): number =>
  quantile(
    values.slice().sort((a, b) => a - b),
    0.5,
  );

export const frameTime = (followed: readonly Followed[]): number =>
  medianOf(followed.map(({ milliseconds }) => milliseconds));

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The pairs that were missed, over all frames. */
export const missedBy = (exact: readonly Followed[], given: readonly Followed[]): number =>
  sumOf(given.map(({ pairs }, i) => comparePairs(exact[i].pairs, pairs).missed));

/** Nearfield's own form without any tree. */
export const ownWithoutTrees: InterferenceOptions = { method: 'visibility', survivors: 'sweep' };

/** A few frames, the last one among them: scenes that break have most bodies at the end. */
export const fewFrames = ({ frames }: Case, count: number): number[] =>
  Array.from(
    { length: Math.min(count, frames.length) },
    (_, k) => Math.round(((k + 1) * frames.length) / Math.min(count, frames.length)) - 1,
  );

export const smallerNote = (lab: Lab): string[] =>
  lab.isSoftware ? ['On a software GPU the scenes are small, and images have 64 × 64 pixels.'] : [];

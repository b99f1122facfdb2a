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
 * Asks about some frames of a scene, one after the other, and again as long as there is time. The first time through,
 * kernels are compiled and lists grow; it is not timed unless it is the only one: it is if it takes seconds.
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
  const times: number[][] = chosen.map(() => []);
  const found: Omit<Followed, 'milliseconds'>[] = [];
  try {
    const began = performance.now();
    const isOver = () => performance.now() - began > Math.min(lab.time, lab.left() / 20);
    for (let round = 0; round < 2 || !isOver(); round++) {
      for (const [k, i] of chosen.entries()) {
        lab.signal?.throwIfAborted();
        const started = performance.now();
        const answer = (await session.ask(job.frames[i])) as Interferences;
        const milliseconds = performance.now() - started;
        if (round > 0) times[k].push(milliseconds);
        else {
          const pairs = session.pairs(answer);
          found.push({ pairs, meeting: answer.length, stats: answer.stats.visibility });
        }
      }
      // What takes seconds per frame is asked once.
      if (round === 0 && (lab.isSoftware || performance.now() - began > slowRound)) {
        for (const list of times) list.push((performance.now() - began) / chosen.length);
        break;
      }
    }
  } finally {
    session.close();
    scene.close();
  }
  return found.map((each, k) => ({ ...each, milliseconds: medianOf(times[k]) }));
}

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

// Occlusion queries of every triangle: one draw and one query per triangle, view, order and round, since only the GPU
// knows which triangles are left. So a frame takes seconds, in proportion to its triangles, and a page asks only for
// what it has time for.

import type { InterferenceOptions } from 'nearfield';
import { type Case, presentIn } from '../../case.ts';
import { type Lab, pageSeconds } from '../paper.ts';
import { type Followed, follow, sumOf } from './follow.ts';

/** Milliseconds per triangle, before any frame was asked about. */
const firstPace = 0.1;
/** What is asked about takes this many times a frame's own time: once before it is timed, and at least once timed. */
const asksPerFrame = 2;
/** Smaller frames always fit, and say nothing about the pace: their time is mostly a fixed cost. */
const leastTriangles = 10_000;
const slowest = new WeakMap<Lab, number>();

/** Milliseconds that a frame of so many triangles takes, as those asked about before took per triangle. */
export const expected = (lab: Lab, triangles: number): number => triangles * (slowest.get(lab) ?? firstPace);

/** Whether the page has time for it. */
export const doesFit = (lab: Lab, triangles: number): boolean =>
  triangles < leastTriangles || asksPerFrame * expected(lab, triangles) < lab.left();

/** Notes how long a frame took by itself. */
export function learn(lab: Lab, triangles: number, milliseconds: number): void {
  if (triangles < leastTriangles) return;
  slowest.set(lab, Math.max(slowest.get(lab) ?? 0, milliseconds / triangles));
}

/** The answers so far, for other tables of the page. */
const asked = new WeakMap<Case, Map<string, Followed>>();

/** Follows a frame by queries, once per frame. Undefined if the page has no time for it. */
export async function followByQueries(
  lab: Lab,
  job: Case,
  options: InterferenceOptions,
  frame: number,
): Promise<Followed | undefined> {
  let known = asked.get(job);
  if (known === undefined) asked.set(job, (known = new Map()));
  const key = JSON.stringify([options, frame]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const triangles = trianglesIn(job, frame);
  if (!doesFit(lab, triangles)) return undefined;
  const [followed] = await follow({ ...lab, time: 0 }, lab.gpu!, job, options, [frame]);
  learn(lab, triangles, followed.milliseconds);
  known.set(key, followed);
  return followed;
}

export const trianglesIn = (job: Case, frame: number): number =>
  sumOf(Array.from(presentIn(job, job.frames[frame]), body => job.bodies[body].mesh.triangleCount));

/** What is left out, with an estimate of a frame's time. */
export const skippedFrame = (lab: Lab, title: string, job: Case, frame: number): string => {
  const triangles = trianglesIn(job, frame);
  const seconds = (expected(lab, triangles) / 1000).toPrecision(2);
  return `${title} (${triangles.toLocaleString('en')} triangles in the frame, about ${seconds} s per frame)`;
};

/** A page's sentence about what was left out. */
export const leftOut = (what: readonly string[]): string[] =>
  what.length === 0
    ? []
    : [
        `Left out by queries: ${what.join(', ')}. A page may take ${pageSeconds} s, and more was expected, judged by the time per triangle of the frames that were asked about.`,
      ];

// All pairs of triangles of many pairs of bodies, level by level: the simultaneous breadth-first traversal of Gress &
// Zachmann (CG-2004-2, §4.2), as on the GPU. Both trees are descended together. The deeper one is first descended alone
// until both have equally many levels left, as if the other were padded at the top. The pairs of nodes of a level whose
// boxes meet form a list. Opening them makes the list of the next level. The last level consists of pairs of leaves.
//
// It tests the same boxes and finds the same triangles as the walk (pairs.as.ts), which needs little memory however
// many pairs there are. Starting at the level that paid off last time (their §4.4) does not pay here: sixteen boxes are
// tested at once, so starting at level L means 16^(L − 1) openings, and the openings above it, which this saves, are
// less than a fifteenth of that.

import { bodyAt } from '../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import { anyMode, candidateAt, entryAt, hasRoom, Job } from './job/job.as';
import { openPair, startPair } from './pairs.as';

/** Pairs that opening one pair may add to the next level. */
export const openedPairs: u32 = 16;

/**
 * Works on the candidates until it is done, an output is full (records or a level), or `budget` node pairs are opened.
 */
export function traverseLevels(job: Job, budget: i32): i32 {
  const stack = job.stack;
  const state = openLevels(job, budget);
  job.stack = stack;
  job.stackCount = 0;
  return state;
}

/** The same, but leaves the stack pointer at the next level's list. */
function openLevels(job: Job, budget: i32): i32 {
  const count = job.candidateCount;
  let candidate = job.candidate;
  for (; candidate < count; candidate++) {
    job.candidate = candidate;
    const pair = candidateAt(job, candidate);
    const a = bodyAt(job.table, pair.a);
    const b = bodyAt(job.table, pair.b);
    stackNextLevel(job);
    if (job.levelCount === 0) {
      // The first level is the pair of roots, if their boxes meet.
      startPair(job, a, b);
      endLevel(job);
    }
    while (job.levelCount > 0) {
      const opened = job.levelOpened;
      if (opened === job.levelCount) {
        endLevel(job);
        continue;
      }
      const next = job.stackCount;
      job.nextCount = next;
      if (!hasRoom(job) || next + openedPairs > job.levelCapacity) return jobFull;
      if (budget <= 0) return jobPaused;
      const entry = entryAt(job.level, opened);
      job.levelOpened = opened + 1;
      budget -= openPair(job, a, b, entry.a, entry.b, entry.sizeA, entry.sizeB);
      if (job.mode >= anyMode && job.found) {
        // One pair is enough.
        job.levelCount = 0;
        job.nextCount = 0;
      }
    }
  }
  job.candidate = candidate;
  return jobDone;
}

/** Makes the next level's list the stack, so that opened pairs are pushed there. */
function stackNextLevel(job: Job): void {
  job.stack = job.nextLevel;
  job.stackCount = job.nextCount;
}

/** The next level becomes this one. */
function endLevel(job: Job): void {
  const list = job.level;
  job.level = job.nextLevel;
  job.nextLevel = list;
  job.levelCount = job.stackCount;
  job.levelOpened = 0;
  job.nextCount = 0;
  stackNextLevel(job);
}

// All pairs of triangles of many pairs of bodies, level by level: the simultaneous breadth-first traversal of Gress &
// Zachmann (CG-2004-2, §4.2), as on the GPU. Both trees are descended together. The deeper one is first descended alone
// until both have equally many levels left, as if the other were padded at the top. The pairs of nodes of a level whose
// boxes meet form a list. Opening them makes the list of the next level. The last level consists of pairs of leaves.
//
// It tests the same boxes and finds the same triangles as the walk (pairs.as.ts), which needs little memory however
// many pairs there are. Starting at the level that paid off last time (their §4.4) does not pay here: sixteen boxes are
// tested at once, so starting at level L means 16^(L − 1) openings, and the openings above it, which this saves, are
// less than a fifteenth of that.

import { bodyBytes } from '../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import {
  anyMode,
  hasRoom,
  jobCandidate,
  jobCandidateCount,
  jobCandidates,
  jobFound,
  jobLevel,
  jobLevelCapacity,
  jobLevelCount,
  jobLevelOpened,
  jobMode,
  jobNextCount,
  jobNextLevel,
  jobStack,
  jobStackCount,
  jobTable,
  stackEntryBytes,
} from './job/job.as';
import { openPair, startPair } from './pairs.as';

/** Pairs that opening one pair may add to the next level. */
export const openedPairs: u32 = 16;

/**
 * Works on the candidates until it is done, an output is full (records or a level), or `budget` node pairs are opened.
 */
export function traverseLevels(job: usize, budget: i32): i32 {
  const stack = load<usize>(job, jobStack);
  const state = openLevels(job, budget);
  store<usize>(job, stack, jobStack);
  store<u32>(job, 0, jobStackCount);
  return state;
}

/** The same, but leaves the stack pointer at the next level's list. */
function openLevels(job: usize, budget: i32): i32 {
  const count = load<u32>(job, jobCandidateCount);
  let candidate = load<u32>(job, jobCandidate);
  for (; candidate < count; candidate++) {
    store<u32>(job, candidate, jobCandidate);
    const pair = load<usize>(job, jobCandidates) + ((<usize>candidate) << 3);
    const a = load<usize>(job, jobTable) + <usize>load<u32>(pair) * bodyBytes;
    const b = load<usize>(job, jobTable) + <usize>load<u32>(pair, 4) * bodyBytes;
    stackNextLevel(job);
    if (load<u32>(job, jobLevelCount) === 0) {
      // The first level is the pair of roots, if their boxes meet.
      startPair(job, a, b);
      endLevel(job);
    }
    while (load<u32>(job, jobLevelCount) > 0) {
      const opened = load<u32>(job, jobLevelOpened);
      if (opened === load<u32>(job, jobLevelCount)) {
        endLevel(job);
        continue;
      }
      const next = load<u32>(job, jobStackCount);
      store<u32>(job, next, jobNextCount);
      if (!hasRoom(job) || next + openedPairs > load<u32>(job, jobLevelCapacity)) return jobFull;
      if (budget <= 0) return jobPaused;
      const entry = load<usize>(job, jobLevel) + <usize>opened * stackEntryBytes;
      store<u32>(job, opened + 1, jobLevelOpened);
      const sizeA = load<f32>(entry, 8);
      budget -= openPair(job, a, b, load<u32>(entry), load<u32>(entry, 4), sizeA, load<f32>(entry, 12));
      if (load<u32>(job, jobMode) >= anyMode && load<u32>(job, jobFound)) {
        // One pair is enough.
        store<u32>(job, 0, jobLevelCount);
        store<u32>(job, 0, jobNextCount);
      }
    }
  }
  store<u32>(job, candidate, jobCandidate);
  return jobDone;
}

/** Makes the next level's list the stack, so that opened pairs are pushed there. */
function stackNextLevel(job: usize): void {
  store<usize>(job, load<usize>(job, jobNextLevel), jobStack);
  store<u32>(job, load<u32>(job, jobNextCount), jobStackCount);
}

/** The next level becomes this one. */
function endLevel(job: usize): void {
  const list = load<usize>(job, jobLevel);
  store<usize>(job, load<usize>(job, jobNextLevel), jobLevel);
  store<usize>(job, list, jobNextLevel);
  store<u32>(job, load<u32>(job, jobStackCount), jobLevelCount);
  store<u32>(job, 0, jobLevelOpened);
  store<u32>(job, 0, jobNextCount);
  stackNextLevel(job);
}

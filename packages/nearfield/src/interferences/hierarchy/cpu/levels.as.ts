// All pairs of triangles of many pairs of bodies, level by level: the simultaneous breadth-first traversal of Gress &
// Zachmann (CG-2004-2, §4.2), the one the GPU makes. Both trees are descended together; the deeper one first, alone, until
// as many levels are left of each, as if the other were padded at the top. The pairs of nodes of a level whose boxes
// meet are a list, and opening them makes the list of the next level; the last level is pairs of leaves.
//
// It tests the same boxes and finds the same triangles as the walk (pairs.as.ts), whose memory is small however many pairs
// there are. To begin at the level that paid last time (their §4.4) does not pay here: sixteen boxes are tested at once, so
// to begin at level L means 16^(L − 1) openings, where those above it, which it saves, are less than a fifteenth of that.

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

/** Works on the candidates until done, out of room (for records or for a level) or past `budget` node pairs. */
export function traverseLevels(job: usize, budget: i32): i32 {
  const stack = load<usize>(job, jobStack);
  const state = openLevels(job, budget);
  store<usize>(job, stack, jobStack);
  store<u32>(job, 0, jobStackCount);
  return state;
}

/** The same, with the stack left where the next level is. */
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
      // The pair of roots, where their boxes meet, is the first level.
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
        // One is enough.
        store<u32>(job, 0, jobLevelCount);
        store<u32>(job, 0, jobNextCount);
      }
    }
  }
  store<u32>(job, candidate, jobCandidate);
  return jobDone;
}

/** What is opened goes on the stack, which is the next level's list. */
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

// A job: one question in progress. Its state is in memory, so that a kernel can stop (output full, budget spent) and
// resume where it stopped. TypeScript reads the offsets as exports of the module.

import { frameBytes } from '../../../../bvh/cpu/place/frame.as';
import { leafCacheBytes } from '../leaves/leaf-cache.as';

/** Stack entries: node of A, node of B (level << 28 | index), and the sizes of their boxes in A's frame. */
export const stackEntryBytes: usize = 16;
/** Enough for 16 children per pair and two trees of at most 14 levels, descended one or both at a time. */
export const stackEntries: usize = 1024;

export const jobTable: usize = 0;
/** Pairs of bodies, two words each. */
export const jobCandidates: usize = 4;
export const jobCandidateCount: usize = 8;
/** Which candidate is being worked on. */
export const jobCandidate: usize = 12;
export const jobStack: usize = 16;
/** Entries on the stack; 0 if the candidate has not been started. */
export const jobStackCount: usize = 20;
export const jobCertain: usize = 24;
export const jobCertainCount: usize = 28;
export const jobCertainCapacity: usize = 32;
export const jobUnsure: usize = 36;
export const jobUnsureCount: usize = 40;
export const jobUnsureCapacity: usize = 44;
/** listMode, countMode, anyMode or firstMode. */
export const jobMode: usize = 48;
/** One word per candidate, in countMode. */
export const jobCounts: usize = 52;
/** Whether the candidate already has a certain pair (anyMode), or a certain or unsure pair (firstMode). */
export const jobFound: usize = 56;
/** depthFirst, bruteForce or breadthFirst. */
export const jobTraversal: usize = 60;
export const jobTriangleTests: usize = 64;
export const jobBoxTests: usize = 72;
/** Grows with every pair of bodies, so that cached leaves of earlier pairs are recognised as stale. */
export const jobSerial: usize = 80;
/** 1 if the pair's frame is not useful and boxes are compared in the world. */
export const jobFlat: usize = 84;
/** Lists of node pairs (levels.as.ts), laid out as stacks: this level's, the next level's, and the capacity of each. */
export const jobLevel: usize = 88;
export const jobNextLevel: usize = 92;
export const jobLevelCapacity: usize = 96;
/** Pairs of this level, how many of them have been opened, and pairs of the next level so far. */
export const jobLevelCount: usize = 100;
export const jobLevelOpened: usize = 104;
export const jobNextCount: usize = 108;
/** One word per candidate: 1 if the oriented boxes around the two bodies certainly share no point. */
export const jobApart: usize = 112;
/** If one pair of triangles is enough: whether the last pair of nodes opened left nothing to open. */
export const jobDeadEnd: usize = 116;
export const jobFrame: usize = 128;
export const jobLeafScratch: usize = jobFrame + frameBytes;
export const leafScratchBytes: usize = 2048;
export const jobLeafCache: usize = jobLeafScratch + leafScratchBytes;
/** If one pair of triangles is enough: how promising each stack entry is, one float per entry. */
export const jobPromises: usize = jobLeafCache + leafCacheBytes;
export const jobBytes: usize = jobPromises + 4 * stackEntries + 16;

export const listMode: u32 = 0;
export const countMode: u32 = 1;
export const anyMode: u32 = 2;
export const firstMode: u32 = 3;

/** Traversals: depth first; every pair of leaves without boxes; level by level. */
export const depthFirst: u32 = 0;
export const bruteForce: u32 = 1;
export const breadthFirst: u32 = 2;

/**
 * Counts one certain pair and, unless only a count is wanted, records it. The caller makes sure that there is space.
 */
export function emitCertain(job: usize, a: u32, b: u32): void {
  const candidate = load<u32>(job, jobCandidate);
  if (load<u32>(job, jobMode) === countMode) {
    const at = load<usize>(job, jobCounts) + ((<usize>candidate) << 2);
    // Saturates at the largest number; TypeScript refuses counts near it.
    const more = load<u32>(at) + 1;
    if (more !== 0) store<u32>(at, more);
    return;
  }
  const count = load<u32>(job, jobCertainCount);
  const at = load<usize>(job, jobCertain) + <usize>count * 12;
  store<u32>(at, candidate);
  store<u32>(at, a, 4);
  store<u32>(at, b, 8);
  store<u32>(job, count + 1, jobCertainCount);
  store<u32>(job, 1, jobFound);
}

export function emitUnsure(job: usize, a: u32, b: u32): void {
  const count = load<u32>(job, jobUnsureCount);
  const at = load<usize>(job, jobUnsure) + <usize>count * 12;
  store<u32>(at, load<u32>(job, jobCandidate));
  store<u32>(at, a, 4);
  store<u32>(at, b, 8);
  store<u32>(job, count + 1, jobUnsureCount);
  if (load<u32>(job, jobMode) === firstMode) store<u32>(job, 1, jobFound);
}

/** Most records of each kind that one step may add: sixteen pairs of leaves with sixteen pairs of triangles each. */
export const stepRecords: u32 = 256;

/** Whether there is space for the records of one more step. */
export function hasRoom(job: usize): bool {
  return (
    load<u32>(job, jobCertainCount) + stepRecords <= load<u32>(job, jobCertainCapacity) &&
    load<u32>(job, jobUnsureCount) + stepRecords <= load<u32>(job, jobUnsureCapacity)
  );
}

/** Pushes a pair of nodes. */
export function push(job: usize, a: u32, b: u32, sizeA: f32, sizeB: f32): void {
  const count = load<u32>(job, jobStackCount);
  const entry = load<usize>(job, jobStack) + <usize>count * stackEntryBytes;
  store<u32>(entry, a);
  store<u32>(entry, b, 4);
  store<f32>(entry, sizeA, 8);
  store<f32>(entry, sizeB, 12);
  store<u32>(job, count + 1, jobStackCount);
}

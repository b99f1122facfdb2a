// A job: one question in progress. Its state is in memory, so that a kernel can stop (output full, budget spent) and
// resume where it stopped.

import { frameBytes } from '../../../../bvh/cpu/place/frame.as';
import { leafCacheBytes } from '../leaves/leaf-cache.as';

/** A pair of nodes on the stack. */
@unmanaged
export class StackEntry {
  /** Nodes of A and of B, as in node-word.as.ts. */
  a: u32;
  b: u32;
  /** The sizes of their boxes in A's frame. */
  sizeA: f32;
  sizeB: f32;
}

export const stackEntryBytes: usize = offsetof<StackEntry>();
/** Enough for 16 children per pair and two trees of at most 14 levels, descended one or both at a time. */
export const stackEntries: usize = 1024;

/** A candidate: the places of two bodies in the table. */
@unmanaged
export class Candidate {
  a: u32;
  b: u32;
}

/** A certain or unsure pair of triangles. */
@unmanaged
class PairRecord {
  candidate: u32;
  a: u32;
  b: u32;
}

@unmanaged
export class Job {
  table: usize;
  candidates: usize;
  candidateCount: u32;
  /** Which candidate is being worked on. */
  candidate: u32;
  stack: usize;
  /** Entries on the stack; 0 if the candidate has not been started. */
  stackCount: u32;
  certain: usize;
  certainCount: u32;
  certainCapacity: u32;
  unsure: usize;
  unsureCount: u32;
  unsureCapacity: u32;
  /** listMode, countMode, anyMode or firstMode. */
  mode: u32;
  /** One word per candidate: in countMode, and in listMode for `oneSidedPair`; else 0. */
  counts: usize;
  /** Whether the candidate already has a certain pair (anyMode), or a certain or unsure pair (firstMode). */
  found: u32;
  /** depthFirst, bruteForce or 2. */
  traversal: u32;
  triangleTests: f64;
  boxTests: f64;
  /** Grows with every pair of bodies, so that cached leaves of earlier pairs are recognised as stale. */
  serial: u32;
  /** 1 if the pair's frame is not useful and boxes are compared in the world. */
  flat: u32;
  /** One word per candidate: `isApart`, `oneSidedPair`, `knownCrossing`, or 0. */
  known: usize;
  /** One word per candidate: whose corners certainly lie outside the other body, as `RawAnswer.outside` has it. */
  outside: usize;
  /** If one pair of triangles is enough: whether the last pair of nodes opened left nothing to open. */
  deadEnd: u32;
  /** For one body against itself: δ, and the bit that marks flat fans, or 0 if they must not be used (self.as.ts). */
  selfUncertainty: f32;
  flatFans: u32;
  /** Candidates that this job has taken and not begun (tasks.as.ts): the next, and the one after the last. */
  chunkNext: u32;
  chunkEnd: u32;
  /** 1 if it counts among the hungry. */
  hungry: u32;
  /** 1 if other threads work on the same question and write to the same counts. */
  shared: u32;

  /** The frame of the pair of bodies. */
  get frame(): usize {
    return changetype<usize>(this) + frameOffset;
  }

  get leafScratch(): usize {
    return changetype<usize>(this) + jobLeafScratch;
  }

  /** The last leaves of A and of B (leaves.as.ts). */
  get leafCache(): usize {
    return changetype<usize>(this) + leafCacheOffset;
  }

  /** If one pair of triangles is enough: how promising each stack entry is, one float per entry. */
  get promises(): usize {
    return changetype<usize>(this) + promisesOffset;
  }
}

const frameOffset: usize = (offsetof<Job>() + 15) & ~(<usize>15);
export const jobLeafScratch: usize = frameOffset + frameBytes;
const leafScratchBytes: usize = 2048;
const leafCacheOffset: usize = jobLeafScratch + leafScratchBytes;
const promisesOffset: usize = leafCacheOffset + leafCacheBytes;
export const jobBytes: usize = promisesOffset + 4 * stackEntries + 16;

/** The candidate that a job works on, or the one with a given number. */
export function candidateAt(job: Job, candidate: u32): Candidate {
  return changetype<Candidate>(job.candidates + ((<usize>candidate) << 3));
}

/** The address of an entry of a stack. */
export function entryAt(stack: usize, place: u32): StackEntry {
  return changetype<StackEntry>(stack + <usize>place * stackEntryBytes);
}

export const listMode: u32 = 0;
export const countMode: u32 = 1;
export const anyMode: u32 = 2;
export const firstMode: u32 = 3;

/**
 * What is known of a candidate. The oriented boxes around the two bodies certainly share no point: then neither solid contains
 * a part of the other.
 */
export const isApart: u32 = 1;
/**
 * Both bodies are star-shaped or embedded solids, each on one side of all its triangles (relation/solids): once two triangles
 * cross, nothing but the number of pairs is wanted.
 */
export const oneSidedPair: u32 = 2;
/**
 * The same, and two triangles were found to cross: the relation of the bodies is 'crossing', and not all of their pairs are
 * listed.
 */
export const knownCrossing: u32 = 3;

/** Whose corners certainly lie outside the other body. */
export const firstOutside: u32 = 1;
export const secondOutside: u32 = 2;
export const bothOutside: u32 = 3;

/** Traversals: depth first; every pair of leaves without boxes. Level by level (breadth-first/) is 2. */
export const depthFirst: u32 = 0;
export const bruteForce: u32 = 1;

/**
 * Records one certain pair, or only counts it. The caller makes sure that there is space. `crosses`: unless one is
 * degenerate, the triangles certainly cross. Their planes differ, and their relative interiors share a segment.
 */
export function emitCertain(job: Job, a: u32, b: u32, crosses: bool): void {
  const counts = job.counts;
  if (counts !== 0 && (job.mode === countMode || (crosses && noteCrossing(job)))) {
    const at = counts + ((<usize>job.candidate) << 2);
    // Saturates at the largest number; TypeScript refuses counts near it.
    if (!job.shared) {
      const more = load<u32>(at) + 1;
      if (more !== 0) store<u32>(at, more);
    } else if (atomic.add<u32>(at, 1) === 0xffffffff) atomic.store<u32>(at, 0xffffffff);
    return;
  }
  record(job, job.certain, job.certainCount, a, b);
  job.certainCount++;
  job.found = 1;
}

/** If the candidate is a `oneSidedPair`, notes that its bodies cross and returns true. */
function noteCrossing(job: Job): bool {
  const at = job.known + ((<usize>job.candidate) << 2);
  if (load<u32>(at) < oneSidedPair) return false;
  // Several threads may write this, all of them the same.
  store<u32>(at, knownCrossing);
  return true;
}

export function emitUnsure(job: Job, a: u32, b: u32): void {
  record(job, job.unsure, job.unsureCount, a, b);
  job.unsureCount++;
  if (job.mode === firstMode) job.found = 1;
}

function record(job: Job, list: usize, count: u32, a: u32, b: u32): void {
  const pair = changetype<PairRecord>(list + <usize>count * offsetof<PairRecord>());
  pair.candidate = job.candidate;
  pair.a = a;
  pair.b = b;
}

/** Most records of each kind that one step may add: sixteen pairs of leaves with sixteen pairs of triangles each. */
export const stepRecords: u32 = 256;

/** Whether there is space for the records of one more step. */
export function hasRoom(job: Job): bool {
  return (
    job.certainCount + stepRecords <= job.certainCapacity &&
    job.unsureCount + stepRecords <= job.unsureCapacity
  );
}

/** Pushes a pair of nodes. */
export function push(job: Job, a: u32, b: u32, sizeA: f32, sizeB: f32): void {
  const entry = entryAt(job.stack, job.stackCount++);
  entry.a = a;
  entry.b = b;
  entry.sizeA = sizeA;
  entry.sizeB = sizeB;
}

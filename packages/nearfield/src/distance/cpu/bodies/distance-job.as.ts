// A distance in progress (interferences/hierarchy/cpu/job/job.as.ts explains more of the fields). A kernel can stop and
// go on.

import { frameBytes } from '../../../bvh/cpu/place/frame.as';
import { Body } from '../../../bvh/cpu/place/place.as';
import { Closest, closestBytes } from '../points/closest.as';
import { Refined, refinedBytes } from '../triangles/refine.as';
import { pairBytes, TrianglePair } from '../triangles/triangle-pair.as';
import { alongAlone, limitAlone } from './along.as';
import { settleBytes } from './settle.as';

@unmanaged
export class DistanceJob {
  a: Body;
  b: Body;
  /** The room for entries of the queue or stack (queue.as.ts). */
  stack: usize;
  /** How many node pairs are still to be opened. */
  open: u32;
  /** Whether they are a queue, and 1 once its places have been numbered. */
  queued: u32;
  places: u32;
  /** Pairs that may be the nearest (`PairRecord`). */
  list: usize;
  listCount: u32;
  listCapacity: u32;
  /** 1 if the search ends at triangles that meet or may meet. */
  stopAtMeeting: u32;
  /** 1 if all pairs within the first limit are listed, not only those that may be the nearest. */
  listAll: u32;
  /** 1 if triangles may meet, 2 if they certainly do. */
  meets: u32;
  started: u32;
  /** Grows with every pair of bodies. It tells whether what is kept about a leaf belongs to this pair. */
  serial: u32;
  /**
   * 1 if pairs are measured in double-double as they come, because there are many and that tells them apart; 2 if it
   * did not.
   */
  refining: u32;
  /** What the direction is used for (along.as.ts). */
  along: u32;
  /** The best distance squared, for boxes in A's frame, for boxes in B's, for triangles in A's. */
  limitA: f32;
  limitB: f32;
  leafLimit: f32;
  /** u·T − slack of the direction, rounded down. */
  alongLift: f32;
  /** An upper bound of the distance, and a correction to it. Their sum is an upper bound as well. */
  best: f64;
  bestLow: f64;
  boxTests: f64;
  triangleTests: f64;
  /** Factors from world distances to distances in A's frame and in B's frame, rounded up (world-point.as.ts). */
  unitA: f64;
  unitB: f64;
  leafSlack: f64;
  /** A corner of A's triangle of the best pair, and the best distance when `polish` last started from there. */
  fromX: f64;
  fromY: f64;
  fromZ: f64;
  polished: f64;
  /** u·T, the slack, and how far B reaches from A's middle. */
  alongOffset: f64;
  alongSlack: f64;
  alongReach: f64;
  /** The best distance when the direction was last chosen. */
  alongBest: f64;
  /** 1 if the answer was settled (settle.as.ts): then distance, points and triangles are these. */
  settled: u32;
  triangleA: u32;
  triangleB: u32;
  distance: f64;
  pointAX: f64;
  pointAY: f64;
  pointAZ: f64;
  pointBX: f64;
  pointBY: f64;
  pointBZ: f64;

  /** The addresses of three doubles each. */
  get from(): usize {
    return changetype<usize>(this) + offsetof<DistanceJob>('fromX');
  }

  get pointA(): usize {
    return changetype<usize>(this) + offsetof<DistanceJob>('pointAX');
  }

  get pointB(): usize {
    return changetype<usize>(this) + offsetof<DistanceJob>('pointBX');
  }

  /** Twelve rows of four floats: u, |u|, Rᵀu, |Rᵀu|. */
  get alongRows(): usize {
    return changetype<usize>(this) + alongRowsOffset;
  }

  get frame(): usize {
    return changetype<usize>(this) + frameOffset;
  }

  /** Scratch memory: the bounds of two triangles in double and in double-double, and their world corners. */
  get pair(): TrianglePair {
    return changetype<TrianglePair>(changetype<usize>(this) + pairOffset);
  }

  get refined(): Refined {
    return changetype<Refined>(changetype<usize>(this) + refinedOffset);
  }

  get cornersA(): usize {
    return changetype<usize>(this) + cornersOffset;
  }

  get cornersB(): usize {
    return changetype<usize>(this) + cornersOffset + 72;
  }

  /** Scratch memory: bounds of four boxes, then keys for their order. */
  get keys(): usize {
    return changetype<usize>(this) + keysOffset;
  }

  get closest(): Closest {
    return changetype<Closest>(changetype<usize>(this) + closestOffset);
  }

  get settleScratch(): usize {
    return changetype<usize>(this) + settleOffset;
  }

  /** A cache of B's leaves (leaf-distance.as.ts). */
  get kept(): usize {
    return changetype<usize>(this) + keptOffset;
  }

  get heap(): usize {
    return changetype<usize>(this) + heapOffset;
  }
}

// What follows the fields.
const alongRowsOffset: usize = (offsetof<DistanceJob>() + 15) & ~(<usize>15);
const frameOffset: usize = alongRowsOffset + 192;
const pairOffset: usize = frameOffset + frameBytes;
const refinedOffset: usize = pairOffset + pairBytes;
const cornersOffset: usize = refinedOffset + refinedBytes;
const keysOffset: usize = cornersOffset + 144;
const closestOffset: usize = keysOffset + 64;
const settleOffset: usize = closestOffset + closestBytes;
const keptOffset: usize = (settleOffset + settleBytes + 63) & ~(<usize>63);
export const keptBytes: usize = 320;
export const keptCount: u32 = 64;
const heapOffset: usize = keptOffset + <usize>keptCount * keptBytes;
export const queueEntries: u32 = 512;
export const distanceBytes: usize = heapOffset + 8 * <usize>queueEntries;
/** A stack holds at most three entries per level of both trees, plus what the queue held before. */
export const distanceEntries: usize = 2 * <usize>queueEntries + 256;

/** A pair that may be the nearest. */
@unmanaged
export class PairRecord {
  /** A lower bound of the distance, the sum of two doubles. */
  low: f64;
  lowRest: f64;
  /** Slots of A and of B. Once the search is done: triangles. */
  a: u32;
  b: u32;
}

export function recordAt(job: DistanceJob, place: u32): PairRecord {
  return changetype<PairRecord>(job.list + <usize>place * offsetof<PairRecord>());
}

const up: f64 = 1.0000009536743164; // 1 + 2^-20

/** Brings the limits up to date with the best distance. 2^-20 covers the roundings of sums of squares and of these. */
export function limitDistance(job: DistanceJob): void {
  if (job.along === alongAlone) {
    limitAlone(job);
    return;
  }
  const best = job.best;
  const a = best * job.unitA;
  const b = best * job.unitB;
  const leaf = a + job.leafSlack;
  job.limitA = <f32>(a * a * up);
  job.limitB = <f32>(b * b * up);
  job.leafLimit = <f32>(leaf * leaf * up);
}

/** Drops the pairs that are certainly farther than the best. */
export function compact(job: DistanceJob): void {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < job.listCount; i++) {
    const record = recordAt(job, i);
    if (isBeyond(job, record.low, record.lowRest)) continue;
    const to = recordAt(job, kept++);
    to.low = record.low;
    to.lowRest = record.lowRest;
    to.a = record.a;
    to.b = record.b;
  }
  job.listCount = kept;
}

/** Whether a lower bound exceeds the best upper one. */
export function isBeyond(job: DistanceJob, high: f64, low: f64): bool {
  const best = job.best;
  return high > best || (high === best && low > job.bestLow);
}

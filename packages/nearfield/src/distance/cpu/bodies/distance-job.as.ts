// The memory layout of a distance in progress (interferences/hierarchy/cpu/job/job.as.ts explains the fields). A kernel
// can stop and go on.

import { frameBytes } from '../../../bvh/cpu/place/frame.as';
import { closestBytes } from '../points/closest.as';
import { refinedBytes } from '../triangles/refine.as';
import { pairBytes } from '../triangles/triangle-pair.as';
import { alongAlone, limitAlone } from './along.as';
import { settleBytes } from './settle.as';

// Each field begins where the one before it ends, so that none can overlap another. Words:
export const distanceA: usize = 0;
export const distanceB: usize = distanceA + 4;
/** The room for their entries. */
export const distanceStack: usize = distanceB + 4;
/**
 * How many node pairs are still to be opened, whether they are a queue (queue.as.ts), and 1 once its places have been
 * numbered.
 */
export const distanceOpen: usize = distanceStack + 4;
export const distanceQueued: usize = distanceOpen + 4;
export const distancePlaces: usize = distanceQueued + 4;
/**
 * Pairs that may be the nearest: a lower bound of the distance (the sum of two doubles), slot of A, slot of B. Once the
 * search is done: triangle of A and of B.
 */
export const distanceList: usize = distancePlaces + 4;
export const distanceListCount: usize = distanceList + 4;
export const distanceListCapacity: usize = distanceListCount + 4;
/** 1 if the search ends at triangles that meet or may meet. */
export const distanceStopAtMeeting: usize = distanceListCapacity + 4;
/** 1 if triangles may meet, 2 if they certainly do. */
export const distanceMeets: usize = distanceStopAtMeeting + 4;
export const distanceStarted: usize = distanceMeets + 4;
/** Grows with every pair of bodies. It tells whether what is kept about a leaf belongs to this pair. */
export const distanceSerial: usize = distanceStarted + 4;
/**
 * 1 if pairs are measured in double-double as they come, because there are many and that tells them apart; 2 if it did
 * not.
 */
export const distanceRefining: usize = distanceSerial + 4;
/** What the direction is used for (along.as.ts). Its parts are below. */
export const distanceAlong: usize = distanceRefining + 4;
/** Floats: the best distance squared, for boxes in A's frame, for boxes in B's, for triangles in A's. */
export const distanceLimitA: usize = distanceAlong + 4;
export const distanceLimitB: usize = distanceLimitA + 4;
export const distanceLeafLimit: usize = distanceLimitB + 4;
export const alongLift: usize = distanceLeafLimit + 4;
/** Doubles: an upper bound of the distance, and a correction to it. Their sum is an upper bound as well. */
export const distanceBest: usize = (alongLift + 4 + 7) & ~(<usize>7);
export const distanceBestLow: usize = distanceBest + 8;
export const distanceBoxTests: usize = distanceBestLow + 8;
export const distanceTriangleTests: usize = distanceBoxTests + 8;
/** Factors from world distances to distances in A's frame and in B's frame, rounded up (world-point.as.ts). */
export const distanceUnitA: usize = distanceTriangleTests + 8;
export const distanceUnitB: usize = distanceUnitA + 8;
export const distanceLeafSlack: usize = distanceUnitB + 8;
/** A corner of A's triangle of the best pair, and the best distance when `polish` last started from there. */
export const distanceFrom: usize = distanceLeafSlack + 8;
export const distancePolished: usize = distanceFrom + 24;
export const alongOffset: usize = distancePolished + 8;
export const alongSlack: usize = alongOffset + 8;
export const alongReach: usize = alongSlack + 8;
/** The best distance when the direction was last chosen. */
export const alongBest: usize = alongReach + 8;
/** Twelve rows of four floats. */
export const alongRows: usize = (alongBest + 8 + 15) & ~(<usize>15);
export const distanceFrame: usize = alongRows + 192;
export const scratchPair: usize = distanceFrame + frameBytes;
export const scratchRefined: usize = scratchPair + pairBytes;
export const scratchCornersA: usize = scratchRefined + refinedBytes;
export const scratchCornersB: usize = scratchCornersA + 72;
export const scratchKeys: usize = scratchCornersB + 72;
export const scratchClosest: usize = scratchKeys + 64;
export const scratchSettled: usize = scratchClosest + closestBytes;
/** The answer if it was settled (settle.as.ts): 1, then distance, points and triangles. */
export const distanceSettled: usize = (scratchSettled + settleBytes + 7) & ~(<usize>7);
export const settledTriangleA: usize = distanceSettled + 4;
export const settledTriangleB: usize = settledTriangleA + 4;
export const settledDistance: usize = (settledTriangleB + 4 + 7) & ~(<usize>7);
export const settledPointA: usize = settledDistance + 8;
export const settledPointB: usize = settledPointA + 24;
export const distanceKept: usize = (settledPointB + 24 + 63) & ~(<usize>63);
export const keptBytes: usize = 320;
export const keptCount: u32 = 64;
export const distanceHeap: usize = distanceKept + <usize>keptCount * keptBytes;
export const queueEntries: u32 = 512;
export const distanceBytes: usize = distanceHeap + 8 * <usize>queueEntries;
/** A stack holds at most three entries per level of both trees, plus what the queue held before. */
export const distanceEntries: usize = 2 * <usize>queueEntries + 256;

/** queue.as.ts describes an entry. */
export const distanceEntryBytes: usize = 20;
export const distanceRecordBytes: usize = 24;
export const recordSlots: usize = 16;

const up: f64 = 1.0000009536743164; // 1 + 2^-20

/** Brings the limits up to date with the best distance. 2^-20 covers the roundings of sums of squares and of these. */
export function limitDistance(job: usize): void {
  if (load<u32>(job, distanceAlong) === alongAlone) {
    limitAlone(job);
    return;
  }
  const best = load<f64>(job, distanceBest);
  const a = best * load<f64>(job, distanceUnitA);
  const b = best * load<f64>(job, distanceUnitB);
  const leaf = a + load<f64>(job, distanceLeafSlack);
  store<f32>(job, <f32>(a * a * up), distanceLimitA);
  store<f32>(job, <f32>(b * b * up), distanceLimitB);
  store<f32>(job, <f32>(leaf * leaf * up), distanceLeafLimit);
}

/** Drops the pairs that are certainly farther than the best. */
export function compact(job: usize): void {
  const list = load<usize>(job, distanceList);
  const end = list + <usize>load<u32>(job, distanceListCount) * distanceRecordBytes;
  let to = list;
  for (let at = list; at < end; at += distanceRecordBytes) {
    if (isBeyond(job, load<f64>(at), load<f64>(at, 8))) continue;
    v128.store(to, v128.load(at));
    store<u64>(to, load<u64>(at, recordSlots), recordSlots);
    to += distanceRecordBytes;
  }
  store<u32>(job, <u32>((to - list) / distanceRecordBytes), distanceListCount);
}

/** Whether a lower bound exceeds the best upper one. */
export function isBeyond(job: usize, high: f64, low: f64): bool {
  const best = load<f64>(job, distanceBest);
  return high > best || (high === best && low > load<f64>(job, distanceBestLow));
}

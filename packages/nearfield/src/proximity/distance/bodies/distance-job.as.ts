// A distance in progress, as it lies in memory (methods/hierarchy/job.as.ts has the words): a kernel can stop and go on.

import { frameBytes } from '../../../methods/hierarchy/frame.as';
import { closestBytes } from '../points/closest.as';
import { refinedBytes } from '../triangles/refine.as';
import { pairBytes } from '../triangles/triangle-pair.as';
import { alongAlone, limitAlone } from './along.as';

export const distanceA: usize = 0;
export const distanceB: usize = 4;
/** Room for their entries. */
export const distanceStack: usize = 8;
/** Node pairs still to be opened, and whether they are a queue (queue.as.ts). */
export const distanceOpen: usize = 12;
/**
 * Pairs that may be the nearest: a lower bound of the distance (two doubles, their sum), slot of A, slot of B; once the search
 * is done, triangle of A and of B.
 */
export const distanceList: usize = 16;
export const distanceListCount: usize = 20;
export const distanceListCapacity: usize = 24;
/** 1 where triangles that meet, or may, end the search. */
export const distanceStopAtMeeting: usize = 28;
/** An upper bound of the distance, and what it is less than that: two doubles whose sum is a bound as well. */
export const distanceBest: usize = 32;
/** 1 where triangles may meet, 2 where they certainly do. */
export const distanceMeets: usize = 40;
export const distanceStarted: usize = 44;
export const distanceBoxTests: usize = 48;
export const distanceTriangleTests: usize = 56;
/** World distances to distances in A's frame, in B's frame: no less (world-point.as.ts). */
export const distanceUnitA: usize = 72;
export const distanceUnitB: usize = 80;
/** The best distance squared, for boxes in A's frame, for boxes in B's, for triangles in A's. */
export const distanceLimitA: usize = 88;
export const distanceLimitB: usize = 92;
export const distanceLeafLimit: usize = 96;
export const distanceLeafSlack: usize = 104;
/** Grows with every pair of bodies, so that what is kept of leaves is known to be of this pair. */
export const distanceSerial: usize = 112;
/** 1 where pairs are measured in double-double as they come: there are many, and that tells them apart; 2 where it did not. */
export const distanceRefining: usize = 116;
export const distanceBestLow: usize = 64;
export const distanceQueued: usize = 188;
/** 1 once the queue's places have been numbered. */
export const distancePlaces: usize = 200;
/** A corner of A's triangle of the best pair, and the best distance when nearest points were last taken in turns from there. */
export const distanceFrom: usize = 128;
export const distancePolished: usize = 152;
/** What is known along one direction (along.as.ts), and what that is made of. */
export const distanceAlong: usize = 124;
export const alongOffset: usize = 160;
export const alongSlack: usize = 168;
export const alongReach: usize = 176;
export const alongLift: usize = 184;
/** The best distance when the direction was last taken. */
export const alongBest: usize = 192;
export const alongRows: usize = 208;
export const distanceFrame: usize = 400;
export const scratchPair: usize = distanceFrame + frameBytes;
export const scratchRefined: usize = scratchPair + pairBytes;
export const scratchCornersA: usize = scratchRefined + refinedBytes;
export const scratchCornersB: usize = scratchCornersA + 72;
export const scratchKeys: usize = scratchCornersB + 72;
export const scratchClosest: usize = scratchKeys + 64;
export const scratchSettled: usize = scratchClosest + closestBytes;
const settleBytes: usize = 480;
/** The answer where it was settled (settle.as.ts): 1, then distance, points and triangles. */
export const distanceSettled: usize = scratchSettled + settleBytes;
export const settledTriangleA: usize = distanceSettled + 4;
export const settledTriangleB: usize = distanceSettled + 8;
export const settledDistance: usize = distanceSettled + 16;
export const settledPointA: usize = distanceSettled + 24;
export const settledPointB: usize = distanceSettled + 48;
export const distanceKept: usize = (distanceSettled + 72 + 63) & ~(<usize>63);
export const keptBytes: usize = 320;
export const keptCount: u32 = 64;
export const distanceHeap: usize = distanceKept + <usize>keptCount * keptBytes;
export const queueEntries: u32 = 512;
export const distanceBytes: usize = distanceHeap + 8 * <usize>queueEntries;
/** A stack holds at most three for each level of both trees, and what the queue held before. */
export const distanceEntries: usize = 2 * <usize>queueEntries + 256;

/** queue.as.ts says what is in them. */
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

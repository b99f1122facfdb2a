// The lists that a question about distances fills on the GPU.

import { CountedLists } from '../../gpu/buffers/counted-lists.ts';
import { DistanceResult } from './layouts.ts';

/** Initial capacities, in records. */
export interface DistanceRoom {
  candidates: number;
  blockPairs: number;
  /** Pairs that may have been the nearest when they were found, and those that still may be in the end. */
  listed: number;
  nearPairs: number;
}

export const usualDistanceRoom: DistanceRoom = {
  candidates: 256,
  blockPairs: 2 ** 16,
  listed: 2 ** 15,
  nearPairs: 4096,
};

/** States and gains have one word per frame. */
const recordBytes = { blockPairs: 12, listed: 16, nearPairs: 12, states: 4, gains: 4 };

/** If there are more pairs than this in all, every candidate is left to the CPU. */
export const mostPairs = 2 ** 23;
/**
 * A candidate with more pairs than this is left to the CPU, whose search distinguishes them with twice a double's
 * digits.
 */
export const mostOfOne = 2 ** 11;

export type DistanceLists = CountedLists<keyof typeof recordBytes>;

export const createDistanceLists = (
  device: GPUDevice,
  { blockPairs, listed, nearPairs }: DistanceRoom,
): DistanceLists => new CountedLists(device, 'distances', recordBytes, { blockPairs, listed, nearPairs });

/** The number of records that a question counted, as far as they are listed. */
export const countedBy = (head: Uint32Array) => ({
  blockPairs: head[DistanceResult.blockPairs],
  listed: Math.min(head[DistanceResult.listed], mostPairs),
  nearPairs: Math.min(head[DistanceResult.nearPairs], mostPairs),
});

// The lists that the hierarchy method fills on the GPU.

import { CountedLists } from '../../../gpu/buffers/counted-lists.ts';
import { Result } from './layouts.ts';

/** Initial capacities. Lists grow to what a query needed and stay that long. */
export interface Room {
  candidates: number;
  leafPairs: number;
  certain: number;
  unsure: number;
  nodePairs: number;
  /** The maximum number of candidates per submission. By default, as many as the device can bind frames for. */
  atOnce?: number;
  /** The number of work items at which their counter wraps. By default, that of a word. */
  wrapAt?: number;
}

/** Unsure corners are six per pair, of three singles each. */
const recordBytes = { leafPairs: 12, certainPairs: 12, unsurePairs: 12, unsureCorners: 72 };

export type PairListName = keyof typeof recordBytes;

/** The list of corners becomes as long as that of unsure pairs when a question first wants corners. */
export const createPairLists = (
  device: GPUDevice,
  { leafPairs, certain, unsure }: Room,
): CountedLists<PairListName> =>
  new CountedLists(device, 'hierarchy', recordBytes, {
    ...{ leafPairs, certainPairs: certain, unsurePairs: unsure },
  });

/** The number of records that a query counted, per list. */
export const countedBy = (head: Uint32Array) => ({
  leafPairs: head[Result.leafPairs],
  certainPairs: head[Result.certain],
  unsurePairs: head[Result.unsure],
});

// The lists that the hierarchy method fills on the GPU.

import { CountedLists } from '../../../gpu/buffers/counted-lists.ts';
import { Result } from './layouts.ts';

/** Records there is room for at first. Lists grow to what a query asked for and stay there. */
export interface Room {
  candidates: number;
  leafPairs: number;
  certain: number;
  unsure: number;
  nodePairs: number;
  /** The most candidates taken in one go; as many as the device can bind frames for where left out. */
  atOnce?: number;
}

/** Unsure corners are six of three singles. */
const recordBytes = { leafPairs: 12, certainPairs: 12, unsurePairs: 12, unsureCorners: 72 };

export type PairListName = keyof typeof recordBytes;

/** Corners are as long as the unsure pairs, once a question wants them. */
export const createPairLists = (
  device: GPUDevice,
  { leafPairs, certain, unsure }: Room,
): CountedLists<PairListName> =>
  new CountedLists(device, 'hierarchy', recordBytes, {
    ...{ leafPairs, certainPairs: certain, unsurePairs: unsure },
  });

/** Records that a query counted. */
export const countedBy = (head: Uint32Array) => ({
  leafPairs: head[Result.leafPairs],
  certainPairs: head[Result.certain],
  unsurePairs: head[Result.unsure],
});

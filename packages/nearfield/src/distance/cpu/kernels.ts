// Distances of bodies and of points: the kernels' signatures and offsets (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  /** In the mesh's own coordinates: no less than the distance, within 2^-46 (closest.as.ts has the bounds). */
  closestOnTree(tree: number, x: number, y: number, z: number, bound: number, scratch: number): number;
  closestPoints(job: number, budget: number): number;
  runDistance(job: number, budget: number): number;
}

/** Offsets and sizes, by the names they have in the `.as.ts` files. */
const names = [
  'candidateBytes',
  'bodyBytes',
  'closestBytes',
  'closestFeature',
  'closestHigh',
  'closestLow',
  'closestSlot',
  'distanceA',
  'distanceB',
  'distanceBest',
  'distanceBoxTests',
  'distanceBytes',
  'distanceEntries',
  'distanceEntryBytes',
  'distanceList',
  'distanceListCapacity',
  'distanceListCount',
  'distanceMeets',
  'distanceRecordBytes',
  'distanceSettled',
  'distanceStack',
  'distanceStarted',
  'distanceStopAtMeeting',
  'distanceTriangleTests',
  'noTriangle',
  'pointAnswerBytes',
  'pointsAnswers',
  'pointsAt',
  'pointsBody',
  'pointsBounds',
  'pointsBytes',
  'pointsCandidateCapacity',
  'pointsCandidateCount',
  'pointsCandidates',
  'pointsCount',
  'pointsGiven',
  'pointsNext',
  'pointsRounded',
  'pointsSingle',
  'pointsSlots',
  'pointsUnsure',
  'pointsUnsureCapacity',
  'pointsUnsureCount',
  'pointsUpTo',
  'recordSlots',
  'settledDistance',
  'settledPointA',
  'settledPointB',
  'settledTriangleA',
  'settledTriangleB',
  'treeOrder',
  'unsureTriangle',
] as const;

export const distanceKernels = new KernelModule<Functions, (typeof names)[number]>(bytes, names);

export type DistanceKernels = KernelsOf<typeof distanceKernels>;

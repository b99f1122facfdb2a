// Distances of bodies and of points: the kernels' signatures (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  closestPoints(job: number, budget: number): number;
  largestOf(numbers: number, count: number): number;
  /** Memory for an ordering of points, its start, and its phases (points/spatial-order.as.ts). */
  orderBytes(count: number): number;
  startOrdering(job: number, memory: number): void;
  startPhase(job: number, phase: number): void;
  orderPoints(job: number, scratch: number, chunks: number): number;
  /** Bytes of the oriented boxes of a tree, and their nodes [first, end) of a level, from the lowest level up. */
  orientedSize(tree: number): number;
  orientNodes(tree: number, at: number, level: number, first: number, end: number): void;
  runDistance(job: number, budget: number): number;
}

export const distanceKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type DistanceKernels = KernelsOf<typeof distanceKernels>;

// Distances of bodies and of points: the kernels' signatures (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  closestPoints(job: number, budget: number): number;
  largestOf(numbers: number, count: number): number;
  orderBytes(count: number): number;
  orderPoints(points: number, count: number, scratch: number): number;
  /** Bytes of the oriented boxes of a tree, and their nodes [first, end) of a level, from the lowest level up. */
  orientedSize(tree: number): number;
  orientNodes(tree: number, at: number, level: number, first: number, end: number): void;
  runDistance(job: number, budget: number): number;
}

export const distanceKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type DistanceKernels = KernelsOf<typeof distanceKernels>;

// Signatures of the broad-phase kernels (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  broadScratchBytes(bodyCount: number): number;
  keepMeeting(boxes: number, pairs: number, count: number): number;
  runBroad(broad: number): number;
  sortPairs(from: number, other: number, counters: number, count: number, bits: number): number;
  startBroad(broad: number, scratch: number): void;
}

export const broadKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type BroadKernels = KernelsOf<typeof broadKernels>;

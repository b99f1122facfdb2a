// Signatures of the kernels that find pairs of triangles, of two bodies or of one (kernels.as.ts). Addresses and sizes
// are in bytes.

import { KernelModule, type KernelsOf } from '../../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  invertCandidates(job: number, first: number): void;
  markFans(tree: number, words: number, scratch: number): void;
  renewSerial(job: number): void;
  runTasks(job: number, tasks: number, budget: number, mayWait: number): number;
  startSelf(job: number): void;
  traversePairs(job: number, budget: number): number;
  traverseSelf(job: number, budget: number): number;
  /** 0 certainly apart, 1 certainly meeting, 2 unsure. Nine doubles per triangle. */
  trianglesMeet(a: number, b: number): number;
  vertexNeighboursMeet(apex: number, a1: number, a2: number, b1: number, b2: number): number;
}

export const pairKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type PairKernels = KernelsOf<typeof pairKernels>;

// Signatures of the kernels that find pairs of triangles, of two bodies (kernels.as.ts). Addresses and sizes
// are in bytes.

import { KernelModule, type KernelsOf } from '../../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  renewSerial(job: number): void;
  runTasks(job: number, tasks: number, budget: number, mayWait: number): number;
  traversePairs(job: number, budget: number): number;
  /** 0 certainly apart, 1 certainly meeting, 2 unsure. Nine doubles per triangle. */
  trianglesMeet(a: number, b: number): number;
}

export const pairKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type PairKernels = KernelsOf<typeof pairKernels>;

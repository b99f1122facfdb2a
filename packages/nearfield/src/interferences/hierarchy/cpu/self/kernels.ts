// Signatures of the kernels that find pairs of triangles of one body (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule } from '../../../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  markFans(tree: number, words: number, scratch: number): void;
  runTasks(job: number, tasks: number, budget: number, mayWait: number): number;
  startSelf(job: number): void;
  traverseSelf(job: number, budget: number): number;
  vertexNeighboursMeet(apex: number, a1: number, a2: number, b1: number, b2: number): number;
}

export const selfKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

// Signatures of the kernels of the walk (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  fillTree(
    tree: number,
    start: number,
    end: number,
    indices: number,
    order: number,
    x: number,
    y: number,
    z: number,
    unit: number,
  ): void;
  walkPairs(walk: number, budget: number): number;
}

export const walkKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type WalkKernels = KernelsOf<typeof walkKernels>;

// Boxes and spheres: the kernels' signatures (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  searchRegions(job: number, budget: number): number;
}

export const regionKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type RegionKernels = KernelsOf<typeof regionKernels>;

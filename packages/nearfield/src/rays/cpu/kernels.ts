// Rays: the kernels' signatures (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  castRays(job: number, budget: number): number;
}

export const rayKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type RayKernels = KernelsOf<typeof rayKernels>;

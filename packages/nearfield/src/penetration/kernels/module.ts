// Depths, sweeps and pieces of solids: the kernels' signatures (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  carve(model: number, x: number, y: number, z: number): number;
  convexExcess(
    tree: number,
    sign: number,
    tolerance: number,
    from: number,
    count: number,
    work: number,
  ): number;
  deepest(model: number, budget: number, box: number): void;
  depthOf(model: number, x: number, y: number, z: number, inB: boolean): number;
  growBall(model: number, x: number, y: number, z: number): number;
  sampleInside(model: number, budget: number, out: number): number;
  support(tree: number, dx: number, dy: number, dz: number, beyond: number, work: number): number;
  sweep(model: number, dx: number, dy: number, dz: number, from: number, enough: number, out: boolean): void;
}

export const solidModule = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type ModuleKernels = KernelsOf<typeof solidModule>;

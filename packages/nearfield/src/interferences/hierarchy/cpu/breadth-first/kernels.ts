// Signatures of the kernels of the breadth-first traversal (kernels.as.ts). Addresses and sizes are in bytes.

import { KernelModule, type KernelsOf } from '../../../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  binaryTreeBytes(leafCount: number, slabCount: number): number;
  buildBinaryTree(out: number, tree: number, slabCount: number, slots: number): void;
  enterFront(levels: number, count: number): void;
  enterLevel(levels: number, level: number): void;
  entriesAt(a: number, b: number, level: number): number;
  shortenFront(levels: number, job: number, round: number): void;
  startLevels(levels: number, job: number): number;
  traverseLevels(levels: number, job: number, budget: number): number;
}

export const levelKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type LevelKernels = KernelsOf<typeof levelKernels>;

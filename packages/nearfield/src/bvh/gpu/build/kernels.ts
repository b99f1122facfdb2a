// The kernels that build and refit trees, compiled once per device.

import { isSoftware } from '../../../gpu/device/device.ts';
import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import { createSortKernels, type SortKernels } from '../../../gpu/sort/radix-sort.ts';
import wideModule from '../../../math/gpu/wide.wgsl';
import { BatchLayout, chunkTriangles, faultWords, mostSmall, TreeBuildLayout } from '../layouts.ts';
import commonBoxModule from '../modules/common-box.wgsl';
import leafModule from '../modules/leaf.wgsl';
import leafBoundsModule from '../modules/leaf-bounds.wgsl';
import storedModule from '../modules/stored-vertex.wgsl';
import treeBuildsModule from './batches/tree-builds.wgsl';
import gatherSource from './gather-leaves.wgsl';
import hilbertModule from './hilbert.wgsl';
import joinSource from './join-chunks.wgsl';
import reduceSource from './reduce-levels.wgsl';
import buildSmallSource from './small/build-small.wgsl';
import keysSource from './spatial-keys.wgsl';
import storeLeavesSource from './store-leaves.wgsl';
import storeSource from './store-vertices.wgsl';

export interface TreeKernels {
  readonly sort: SortKernels;
  readonly buildSmall: Kernel;
  readonly store: Kernel;
  readonly keys: Kernel;
  readonly gatherSorted: Kernel;
  readonly gatherKept: Kernel;
  readonly reduce: Kernel;
}

/** The kernels that store shapes without trees. */
export interface StoreKernels {
  readonly leaves: Kernel;
  readonly join: Kernel;
}

const leaf = [leafBoundsModule, leafModule];

export async function createTreeKernels(
  device: GPUDevice,
  threads = threadsOf(device),
): Promise<TreeKernels> {
  const common = [BatchLayout.wgsl, TreeBuildLayout.wgsl, treeBuildsModule];
  const faults = `const faultWords = ${faultWords}u;`;
  const small = [TreeBuildLayout.wgsl, `const mostSmall = ${mostSmall}u;`, storedModule, ...leaf];
  const [sort, buildSmall, store, keys, gatherSorted, gatherKept, reduce] = await Promise.all([
    createSortKernels(device),
    createKernel(device, 'build-small', [...small, wideModule, hilbertModule, buildSmallSource], {
      threads,
    }),
    createKernel(device, 'store-vertices', [...common, faults, wideModule, storedModule, storeSource]),
    createKernel(device, 'spatial-keys', [...common, hilbertModule, keysSource]),
    createKernel(device, 'gather-leaves', [...common, ...leaf, gatherSource], { fromSort: 1 }),
    createKernel(device, 'gather-leaves', [...common, ...leaf, gatherSource], { fromSort: 0 }),
    createKernel(device, 'reduce-levels', [reduceSource]),
  ]);
  return { sort, buildSmall, store, keys, gatherSorted, gatherKept, reduce };
}

export async function createStoreKernels(device: GPUDevice): Promise<StoreKernels> {
  const chunked = `const chunkTriangles = ${chunkTriangles}u;`;
  const storing = [TreeBuildLayout.wgsl, ...leaf, chunked];
  const constants = { threads: Math.min(256, threadsOf(device)) };
  const [leaves, join] = await Promise.all([
    createKernel(device, 'store-leaves', [...storing, commonBoxModule, storeLeavesSource], constants),
    createKernel(device, 'join-chunks', [commonBoxModule, joinSource], constants),
  ]);
  return { leaves, join };
}

/**
 * The workgroup size of kernels that benefit from many threads: as many as the device allows, up to 1024; no device
 * allows fewer than 256. A software GPU runs threads one after the other and switches between them at every barrier:
 * with 256 threads a tree of a dozen triangles takes it 2.4 ms, with 16 a sixth of a millisecond.
 */
const threadsOf = (device: GPUDevice): number => (isSoftware(device.adapterInfo) ? 16 : mostThreads(device));

/** The size on a GPU that runs threads in parallel. */
export function mostThreads({ limits }: GPUDevice): number {
  return Math.min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX) >= 1024
    ? 1024
    : 256;
}

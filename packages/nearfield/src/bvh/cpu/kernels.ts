// Signatures of the kernels for trees, placed bodies and walks through one tree (kernels.as.ts). Addresses and sizes are
// in bytes.

import { KernelModule, type KernelsOf } from '../../cpu/kernels.ts';
import bytes from './kernels.wasm';

interface Functions {
  boundBodies(poses: number, trees: number, boxes: number, first: number, end: number): number;
  /** The address of a node's box: six floats, 16 bytes apart. */
  boxAt(tree: number, level: number, node: number): number;
  buildScratchBytes(triangleCount: number, vertexCount: number): number;
  fitLeaves(tree: number, scratch: number, begin: number, end: number, before: number): number;
  fitLevels(tree: number, areas: number): void;
  fitScratchBytes(vertexCount: number): number;
  /** The steps of a build, in this order. They take ranges of triangles, of slots and of leaves. */
  frameVertices(tree: number, scratch: number): void;
  groupLists(job: number, scratch: number, chunks: number): number;
  groupRecords(
    records: number,
    other: number,
    scratch: number,
    count: number,
    firstGroup: number,
    groups: number,
    start: number,
  ): number;
  layTree(tree: number, triangleCount: number, vertexCount: number, doubles: number): void;
  placeBody(body: number, pose: number, tree: number): void;
  placeCentres(tree: number, indices: number, scratch: number, first: number, end: number): void;
  placePairs(
    table: number,
    poses: number,
    trees: number,
    slots: number,
    rows: number,
    pairs: number,
    count: number,
    out: number,
  ): void;
  refitTree(tree: number, scratch: number): void;
  sortRecords(records: number, other: number, scratch: number, count: number): void;
  splitCentres(
    tree: number,
    scratch: number,
    first: number,
    count: number,
    capacity: number,
    deep: boolean,
  ): void;
  takeOrder(tree: number, indices: number, scratch: number, first: number, end: number): void;
  treeBytes(triangleCount: number, vertexCount: number, doubles: number): number;
  walkBoxQuery(body: number, box: number, scratch: number, out: number, capacity: number): number;
  walkRayQuery(
    body: number,
    ray: number,
    slack: number,
    scratch: number,
    out: number,
    capacity: number,
  ): number;
  weldLeaves(tree: number, identities: number): void;
}

export const bvhKernels = /* @__PURE__ */ new KernelModule<Functions>(bytes);

export type BvhKernels = KernelsOf<typeof bvhKernels>;

// The binary trees of shapes (volumes.as.ts), in the kernels' memory. One is built from the shape's own tree when it is first
// needed, again after that tree has changed, and freed when the shape is forgotten or garbage-collected.

import type { Shape } from '../../../../bodies/snapshot/snapshot.ts';
import { type Tree as CpuTree, treesOf } from '../../../../bvh/cpu/build/trees.ts';
import { Tree } from '../../../../bvh/cpu/kernels.layout.ts';
import { hilbertOrder } from '../../../../bvh/hilbert-order.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import type { BoundingVolumes, LeafOrder } from '../../../request.ts';
import * as layout from './kernels.layout.ts';
import { type LevelKernels, levelKernels } from './kernels.ts';

const slabs: Readonly<Record<BoundingVolumes, number>> = {
  boxes: layout.boxSlabs,
  '18-dops': layout.dopSlabs,
};

export interface BinaryTree {
  /** Address of the header. */
  readonly at: number;
  readonly leafCount: number;
  /** The stamp of the tree it was built from. */
  readonly stamp: number;
  /** The number of questions in progress that read it. It is not freed while there are any. */
  users: number;
  isDropped: boolean;
}

type Kinds = Partial<Record<`${BoundingVolumes} ${LeafOrder}`, BinaryTree | undefined>>;

/** The engine's binary trees. */
export const binaryTreesOf = (engine: CpuEngine): BinaryTrees => engine.part(createBinaryTrees);

const createBinaryTrees = (engine: CpuEngine): BinaryTrees => new BinaryTrees(engine);

class BinaryTrees {
  readonly #engine: CpuEngine;
  readonly #kernels: LevelKernels;
  readonly #kept = new WeakMap<Shape, Kinds>();
  readonly #collected: FinalizationRegistry<Kinds>;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.#kernels = engine.kernels(levelKernels);
    this.#collected = new FinalizationRegistry(kinds => this.#dropAll(kinds));
  }

  /** The binary tree of a shape in its current revision, which must have triangles. Call `release` when done with it. */
  take(shape: Shape, volumes: BoundingVolumes, leaves: LeafOrder = 'splits'): BinaryTree {
    const tree = treesOf(this.#engine).of(shape);
    const kinds = this.#kindsOf(shape);
    const kind = `${volumes} ${leaves}` as const;
    let known = kinds[kind];
    if (known?.stamp !== tree.stamp) {
      if (known !== undefined) this.#drop(known);
      // Forgotten first: memory may run out for the new one.
      kinds[kind] = undefined;
      known = this.#build(shape, tree, volumes, leaves);
      kinds[kind] = known;
    }
    known.users++;
    return known;
  }

  release(tree: BinaryTree): void {
    tree.users--;
    if (tree.isDropped && tree.users === 0) this.#kernels.memory.free(tree.at);
  }

  forget(shape: Shape): void {
    const kinds = this.#kept.get(shape);
    if (kinds === undefined) return;
    this.#kept.delete(shape);
    this.#collected.unregister(kinds);
    this.#dropAll(kinds);
  }

  #kindsOf(shape: Shape): Kinds {
    let kinds = this.#kept.get(shape);
    if (kinds === undefined) {
      kinds = {};
      this.#kept.set(shape, kinds);
      this.#collected.register(shape, kinds, kinds);
    }
    return kinds;
  }

  #build(
    shape: Shape,
    { at: tree, triangleCount: leafCount, stamp }: CpuTree,
    volumes: BoundingVolumes,
    leaves: LeafOrder,
  ): BinaryTree {
    const { call, memory } = this.#kernels;
    const bytes = call.binaryTreeBytes(leafCount, slabs[volumes]);
    const what = `a binary tree of ${leafCount} triangles`;
    const slots = leaves === 'hilbert' ? memory.allocate(4 * leafCount, what) : 0;
    try {
      if (slots !== 0) this.#writeSlots(slots, tree, hilbertOrder(shape));
      const at = memory.allocate(bytes, what);
      call.buildBinaryTree(at, tree, slabs[volumes], slots);
      return { at, leafCount, stamp, users: 0, isDropped: false };
    } finally {
      if (slots !== 0) memory.free(slots);
    }
  }

  /** Writes where the body's tree has triangles, in their order. */
  #writeSlots(slots: number, tree: number, triangles: Uint32Array): void {
    const { u32 } = this.#kernels.memory;
    const order = u32[(tree + Tree.order) >>> 2] >>> 2;
    const slotOf = new Uint32Array(triangles.length);
    for (let slot = 0; slot < triangles.length; slot++) slotOf[u32[order + slot]] = slot;
    triangles.forEach((triangle, i) => {
      u32[(slots >>> 2) + i] = slotOf[triangle];
    });
  }

  #dropAll(kinds: Kinds): void {
    for (const tree of Object.values(kinds)) if (tree !== undefined) this.#drop(tree);
  }

  #drop(tree: BinaryTree): void {
    tree.isDropped = true;
    if (tree.users === 0) this.#kernels.memory.free(tree.at);
  }
}

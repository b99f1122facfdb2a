// The bodies of a question in the kernels' memory: poses, trees and world boxes of all bodies, row by row, and the rest
// (place.as.ts) for bodies in a candidate pair. Kept between questions; only what has changed is updated.

import type { Placed, Shape, Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import { NearfieldError } from '../../../core/errors.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { type Tree, type Trees, treesOf } from '../build/trees.ts';
import * as layout from '../kernels.layout.ts';
import { type BvhKernels, bvhKernels } from '../kernels.ts';

/**
 * If fewer unchanged rows than this lie between changed rows, they are copied and bounded together: a call costs as
 * much.
 */
const shortGap = 8;
/**
 * Rows copied and bounded together: 64 KiB of poses. Fewer rows would fit a smaller cache, but every block needs a new
 * view.
 */
const rowsAtOnce = 512;

export class PlacedBodies {
  readonly #kernels: BvhKernels;
  readonly #allTrees: Trees;
  #capacity = 0;
  /**
   * Address and capacity of the copied poses. `#poses` is where the rows' poses are: here, or in their table's own
   * memory.
   */
  #copies = 0;
  #copyCapacity = 0;
  #poses = 0;
  #treeAt = 0;
  #slots = 0;
  #boxes = 0;
  /** Address and capacity of the placed bodies. */
  #table = 0;
  #tableCapacity = 0;
  /** The table that the rows belong to, and its revision; 0 if they belong to none. */
  #number = 0;
  #revision = 0;
  #count = 0;
  #usedCount = 0;
  /** `Trees.changes` when the rows were last compared with the trees. */
  #treeChanges = -1;
  readonly #shapes: Shape[] = [];
  readonly #trees: Tree[] = [];
  readonly #stamps: number[] = [];
  /** The trees of all rows, without repeats. Undefined after the tree of a row has changed. */
  #distinct: readonly Tree[] | undefined;
  /** Set if there is one body outside any table. */
  #single: Placed | undefined;
  #singleRevision = 0;

  constructor(engine: CpuEngine) {
    const { memory } = (this.#kernels = engine.kernels(bvhKernels));
    this.#allTrees = treesOf(engine);
    this.#reserve(16);
    this.#tableCapacity = 2;
    this.#table = memory.allocate(2 * layout.bodyBytes, 'a table of bodies');
  }

  /** Address of the world boxes, one per row. */
  get boxes(): number {
    return this.#boxes;
  }
  /** Address of the placed bodies. */
  get table(): number {
    return this.#table;
  }
  get count(): number {
    return this.#count;
  }
  /** The number of rows whose bodies have triangles. */
  get usedCount(): number {
    return this.#usedCount;
  }
  /** The number of the table that the rows belong to. */
  get number(): number {
    return this.#number;
  }

  /** The trees of all rows, each once. */
  trees(): readonly Tree[] {
    return (this.#distinct ??= [...new Set(this.#trees)]);
  }

  /** Brings the rows up to date and bounds those that changed. Yields 0 while it builds trees. */
  *update(bodies: Snapshot): Generator<number, void> {
    const { count, table, revision, shapesChanged, shapeStates } = bodies;
    const known = table === this.#number && revision >= this.#revision;
    const seen = known ? this.#revision : -1;
    const trees = this.#allTrees;
    const otherTrees = !known || shapesChanged > seen || trees.changes !== this.#treeChanges;
    // Until this succeeds, the rows belong to no table.
    this.#number = 0;
    this.#single = undefined;
    if (otherTrees) {
      trees.checkRoom(shapeStates);
      yield* trees.makeNew(shapeStates, this.#shapes);
    }
    if (count > this.#capacity) this.#reserve(Math.max(count, 2 * this.#capacity));
    this.#count = count;
    const here = bodies.room?.memory === this.#kernels.memory;
    if (!here) this.#reserveCopies();
    this.#poses = here ? bodies.room!.at : this.#copies;
    if (otherTrees) this.#findTrees(bodies);
    if (bodies.replaced > seen && !otherTrees) this.#bound(bodies, 0, count);
    else this.#boundChanged(bodies, seen, otherTrees);
    this.#treeChanges = trees.changes;
    this.#number = table;
    this.#revision = revision;
  }

  /** Bounds the rows whose poses or trees have changed since a revision. */
  #boundChanged(bodies: Snapshot, seen: number, otherTrees: boolean): void {
    const { count, changed } = bodies;
    const stamps = this.#stamps;
    const fresh = this.#trees;
    let first = -1;
    let end = 0;
    for (let i = 0; i < count; i++) {
      if (changed[i] <= seen && (!otherTrees || stamps[i] === fresh[i].stamp)) continue;
      if (otherTrees) stamps[i] = fresh[i].stamp;
      if (first >= 0 && i >= end + shortGap) {
        this.#bound(bodies, first, end);
        first = -1;
      }
      if (first < 0) first = i;
      end = i + 1;
    }
    if (first >= 0) this.#bound(bodies, first, end);
  }

  /** Places a single body. Returns its address. */
  single(body: Placed): number {
    const trees = this.#allTrees;
    if (
      this.#single !== body ||
      this.#singleRevision !== body.poseRevision ||
      this.#treeChanges !== trees.changes ||
      this.#trees[0].revision !== body.shape.revision
    ) {
      const { call, memory } = this.#kernels;
      this.#number = 0;
      this.#single = undefined;
      const tree = trees.of(body.shape);
      this.#count = this.#shapes.length = this.#trees.length = this.#stamps.length = 1;
      this.#shapes[0] = body.shape;
      this.#trees[0] = tree;
      this.#distinct = undefined;
      this.#stamps[0] = tree.stamp;
      memory.u32[this.#treeAt >>> 2] = tree.at;
      this.#reserveCopies();
      this.#poses = this.#copies;
      for (let k = 0; k < 16; k++) memory.f64[(this.#poses >>> 3) + k] = body.pose[k];
      this.#boundRange(0, 1);
      call.placeBody(this.#table, this.#poses, tree.at);
      this.#single = body;
      this.#singleRevision = body.poseRevision;
      this.#treeChanges = trees.changes;
    }
    return this.#table;
  }

  /** Places the bodies of the pairs at `pairs`, and writes the pairs as indices into `table` to `out`. */
  placePairs(pairs: number, count: number, out: number): void {
    const { call, memory } = this.#kernels;
    const most = Math.min(2 * count, this.#count);
    this.#single = undefined;
    if (most > this.#tableCapacity) {
      const capacity = Math.max(most, 2 * this.#tableCapacity);
      this.#table = memory.replace(this.#table, capacity * layout.bodyBytes, `a table of ${most} bodies`);
      this.#tableCapacity = capacity;
    }
    call.placePairs(this.#table, this.#poses, this.#treeAt, this.#slots, this.#count, pairs, count, out);
  }

  /**
   * Looks up the tree of every row whose shape may have changed. If memory runs out for a tree, a row must not look as
   * if it had the new shape. So a row gets its shape only together with that shape's tree, and rows not reached keep
   * their shape, tree and address.
   */
  #findTrees({ count, shapeStates }: Snapshot): void {
    const shapes = this.#shapes;
    const trees = this.#trees;
    const stamps = this.#stamps;
    shapes.length = Math.min(shapes.length, count);
    trees.length = stamps.length = shapes.length;
    this.#distinct = undefined;
    this.#usedCount = 0;
    for (let i = 0; i < count; i++) {
      const { shape } = shapeStates[i];
      const known = i < shapes.length && shapes[i] === shape && !trees[i].forgotten;
      if (!known || trees[i].revision !== shape.revision) {
        const tree = this.#allTrees.of(shape);
        shapes[i] = shape;
        trees[i] = tree;
        // Forces the row to be bounded again.
        stamps[i] = 0;
        this.#kernels.memory.u32[(this.#treeAt >>> 2) + i] = tree.at;
      }
      if (trees[i].triangleCount > 0) this.#usedCount++;
    }
  }

  /** Bounds rows in small blocks, so that copied poses are still in the cache when they are read. */
  #bound({ poses }: Snapshot, first: number, end: number): void {
    if (this.#poses !== this.#copies) {
      this.#boundRange(first, end);
      return;
    }
    const { f64 } = this.#kernels.memory;
    for (let from = first; from < end; from += rowsAtOnce) {
      const to = Math.min(end, from + rowsAtOnce);
      f64.set(poses.subarray(16 * from, 16 * to), (this.#poses >>> 3) + 16 * from);
      this.#boundRange(from, to);
    }
  }

  #boundRange(first: number, end: number): void {
    const { call } = this.#kernels;
    const bad = call.boundBodies(this.#poses, this.#treeAt, this.#boxes, first, end);
    if (bad < end) {
      throw new NearfieldError('not-finite', `body ${bad}: its world positions do not fit in doubles`);
    }
  }

  #reserve(rows: number): void {
    const { memory } = this.#kernels;
    const what = `a table of ${rows} bodies`;
    const enlarge = (at: number, bytes: number) =>
      at === 0 ? memory.allocate(bytes, what) : memory.enlarge(at, bytes, what);
    this.#treeAt = enlarge(this.#treeAt, rows * 4);
    this.#slots = enlarge(this.#slots, rows * 4);
    this.#boxes = enlarge(this.#boxes, rows * layout.worldBoxBytes);
    this.#capacity = rows;
  }

  /** Allocates memory for a copy of every row's pose. */
  #reserveCopies(): void {
    const { memory } = this.#kernels;
    const rows = this.#capacity;
    if (rows === this.#copyCapacity) return;
    const bytes = rows * layout.poseBytes;
    const what = `a table of ${rows} bodies`;
    this.#copies =
      this.#copies === 0 ? memory.allocate(bytes, what) : memory.enlarge(this.#copies, bytes, what);
    this.#copyCapacity = rows;
  }
}

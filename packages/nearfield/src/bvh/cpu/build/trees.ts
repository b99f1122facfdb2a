// Trees of shapes in the kernels' memory: built when a shape is first asked about, refitted or rebuilt when it has
// been deformed, freed when it is forgotten or collected. Questions with a limit of time have large ones built in steps, and
// what they leave unfinished is there for the next.

import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import { toEnd } from '../../../core/waiting.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import type { Positions } from '../../../mesh/mesh.ts';
import { type BvhKernels, bvhKernels } from '../kernels.ts';
import { buildInSteps } from './tree-steps.ts';

export interface Tree {
  /** Address of the header. */
  readonly at: number;
  readonly triangleCount: number;
  readonly doubles: boolean;
  /** Changes whenever what the tree holds changes, and differs between trees. */
  stamp: number;
  revision: number;
  /** Questions in progress that read it. It is neither refitted nor freed meanwhile. */
  users: number;
  forgotten: boolean;
  /** How loosely the leaves fit (layout.as.ts, treeSpread) when the order of triangles was made. */
  builtSpread: number;
  /** Whether they have grown so loose that the tree is to be built anew when there is time. */
  loose: boolean;
  /** `builds` of the shape at that time. */
  builds: number;
  /** Vertices that no triangle uses, and one that is used. */
  readonly unused: Uint32Array;
  readonly someUsed: number;
  /** Address of the leaves' position identities, 0 until self-intersections are asked for. */
  weldAt: number;
  welded: boolean;
  /** Vertices at which sides of triangles do not pair up; undefined until a second self-intersection is asked for. */
  unbalanced: Uint32Array | undefined;
  /** The stamp when flat fans were marked (fans.as.ts); 0 where they are not. */
  fansStamp: number;
}

/** What a build in progress holds of the kernels' memory; 0 for nothing. */
interface Room {
  tree: number;
  scratch: number;
}

interface Begun {
  readonly revision: number;
  readonly work: Generator<undefined, Tree>;
}

/** A deformed tree whose leaves have grown this much looser, relative to the whole, is built anew. */
const rebuildGrowth = 1.8;

/** The engine's trees. */
export const treesOf = (engine: CpuEngine): Trees => engine.part(createTrees);

const createTrees = (engine: CpuEngine): Trees => new Trees(engine.kernels(bvhKernels));

export class Trees {
  readonly #kernels: BvhKernels;
  readonly #trees = new WeakMap<Shape, Tree>();
  readonly #collected: FinalizationRegistry<Tree>;
  readonly #begun = new WeakMap<Shape, Begun>();
  readonly #abandoned: FinalizationRegistry<Room>;
  #stamps = 0;
  /** Grows whenever a tree is built, refitted or forgotten. */
  changes = 0;

  constructor(kernels: BvhKernels) {
    this.#kernels = kernels;
    this.#collected = new FinalizationRegistry(tree => this.#drop(tree));
    this.#abandoned = new FinalizationRegistry(room => this.#freeRoom(room));
  }

  /** The tree of a shape as it is now. */
  of(shape: Shape): Tree {
    const known = this.#current(shape, false);
    if (known === undefined) {
      const work = this.#begunOf(shape)?.work ?? this.#build(shape, { tree: 0, scratch: 0 }, false);
      return this.#keep(shape, toEnd(work));
    }
    if (known.loose && known.users === 0) {
      this.#change(known);
      this.#order(known, shape);
    }
    return known;
  }

  /**
   * Makes sure that there is that tree. Yields before each step: whoever stops goes on from there the next time, with these
   * or with `of`.
   */
  *make(shape: Shape): Generator<undefined, void> {
    // Somebody else may end it meanwhile, or forget it.
    while (!this.has(shape)) {
      yield;
      if (this.#current(shape, true) !== undefined) return;
      const step = (this.#begunOf(shape) ?? this.#begin(shape)).work.next();
      if (step.done) this.#keep(shape, step.value);
    }
  }

  /** Whether there is a tree of a shape as it is now. */
  has(shape: Shape): boolean {
    return this.#trees.get(shape)?.revision === shape.revision;
  }

  forget(shape: Shape): void {
    this.#giveUp(shape);
    const tree = this.#trees.get(shape);
    if (tree === undefined) return;
    this.#trees.delete(shape);
    this.#collected.unregister(tree);
    this.#drop(tree);
  }

  hold(tree: Tree): void {
    tree.users++;
  }

  release(tree: Tree): void {
    tree.users--;
    if (tree.forgotten && tree.users === 0) this.#free(tree);
  }

  #drop(tree: Tree): void {
    this.changes++;
    tree.forgotten = true;
    if (tree.users === 0) this.#free(tree);
  }

  #free(tree: Tree): void {
    this.#kernels.memory.free(tree.at);
    if (tree.weldAt !== 0) this.#kernels.memory.free(tree.weldAt);
    tree.weldAt = 0;
  }

  /** The tree there is, brought up to date; where there is no time, it may stay loose. */
  #current(shape: Shape, hurried: boolean): Tree | undefined {
    const known = this.#trees.get(shape);
    if (known === undefined || known.revision === shape.revision) return known;
    const sameKind = known.doubles === shape.positions instanceof Float64Array;
    if (known.users === 0 && sameKind) {
      this.#refit(known, shape, hurried);
      return known;
    }
    this.forget(shape);
    return undefined;
  }

  /** The build that was begun of a shape as it is now. */
  #begunOf(shape: Shape): Begun | undefined {
    const known = this.#begun.get(shape);
    if (known?.revision === shape.revision) return known;
    this.#giveUp(shape);
    return undefined;
  }

  #begin(shape: Shape): Begun {
    const room: Room = { tree: 0, scratch: 0 };
    const begun: Begun = { revision: shape.revision, work: this.#build(shape, room, true) };
    this.#begun.set(shape, begun);
    this.#abandoned.register(shape, room, room);
    return begun;
  }

  /** What was begun is of no use any more. */
  #giveUp(shape: Shape): void {
    const begun = this.#begun.get(shape);
    this.#begun.delete(shape);
    begun?.work.return(undefined as never);
  }

  #freeRoom(room: Room): void {
    if (room.tree !== 0) this.#kernels.memory.free(room.tree);
    if (room.scratch !== 0) this.#kernels.memory.free(room.scratch);
    room.tree = room.scratch = 0;
  }

  #keep(shape: Shape, tree: Tree): Tree {
    this.changes++;
    this.#trees.set(shape, tree);
    this.#collected.register(shape, tree, tree);
    return tree;
  }

  *#build(shape: Shape, room: Room, inSteps: boolean): Generator<undefined, Tree> {
    try {
      const tree = this.#lay(shape, room);
      if (tree.triangleCount > 0) {
        this.#copyPositions(tree, shape.positions);
        if (inSteps) yield;
        const { indices, scratch } = this.#roomToOrder(tree, shape, room);
        if (inSteps) yield* buildInSteps(this.#kernels, tree.at, tree.triangleCount, indices, scratch);
        else this.#kernels.call.buildTree(tree.at, indices, scratch);
        this.#ordered(tree, shape);
      }
      room.tree = 0;
      return tree;
    } finally {
      // Also where it is given up, or there is not the memory.
      this.#begun.delete(shape);
      this.#abandoned.unregister(room);
      this.#freeRoom(room);
    }
  }

  /** Room for a tree, and what is known of it without an order. */
  #lay(shape: Shape, room: Room): Tree {
    const { call, memory } = this.#kernels;
    const { mesh, positions } = shape;
    const vertexCount = positions.length / 3;
    const triangleCount = mesh.triangleCount;
    const doubles = positions instanceof Float64Array;
    const what = `a tree of ${triangleCount} triangles`;
    room.tree = memory.allocate(call.treeBytes(triangleCount, vertexCount, doubles ? 1 : 0), what);
    call.layTree(room.tree, triangleCount, vertexCount, doubles ? 1 : 0);
    const { unused, someUsed } = findUnused(mesh.indices, vertexCount);
    return {
      at: room.tree,
      triangleCount,
      doubles,
      stamp: ++this.#stamps,
      revision: shape.revision,
      users: 0,
      forgotten: false,
      builtSpread: 0,
      loose: false,
      builds: 0,
      unused,
      someUsed,
      weldAt: 0,
      welded: false,
      unbalanced: undefined,
      fansStamp: 0,
    };
  }

  #order(tree: Tree, shape: Shape): void {
    const room: Room = { tree: 0, scratch: 0 };
    const { indices, scratch } = this.#roomToOrder(tree, shape, room);
    this.#kernels.call.buildTree(tree.at, indices, scratch);
    this.#freeRoom(room);
    this.#ordered(tree, shape);
  }

  /** A copy of the mesh's indices, and behind it what a build needs besides. */
  #roomToOrder(
    { triangleCount }: Tree,
    { mesh, positions }: Shape,
    room: Room,
  ): { indices: number; scratch: number } {
    const { call, memory } = this.#kernels;
    const indexBytes = mesh.indices.length * 4;
    const bytes = call.buildScratchBytes(triangleCount, positions.length / 3) + indexBytes + 64;
    room.scratch = memory.allocate(bytes, `building a tree of ${triangleCount} triangles`);
    memory.u32.set(mesh.indices, room.scratch / 4);
    return { indices: room.scratch, scratch: Math.ceil((room.scratch + indexBytes) / 64) * 64 };
  }

  #ordered(tree: Tree, shape: Shape): void {
    const { layout, memory } = this.#kernels;
    tree.builtSpread = memory.f64[(tree.at + layout.treeSpread) / 8];
    tree.builds = shape.builds ?? 0;
    tree.loose = false;
    tree.welded = false;
  }

  #change(tree: Tree): void {
    this.changes++;
    tree.stamp = ++this.#stamps;
  }

  #refit(tree: Tree, shape: Shape, hurried: boolean): void {
    this.#change(tree);
    // Of no revision until it is done: there may not be the memory, and boxes are those of other positions.
    tree.revision = -1;
    if (tree.triangleCount > 0) this.#fit(tree, shape, hurried);
    tree.revision = shape.revision;
  }

  #fit(tree: Tree, shape: Shape, hurried: boolean): void {
    const { call, layout, memory } = this.#kernels;
    this.#copyPositions(tree, shape.positions);
    const asked = tree.builds !== (shape.builds ?? 0);
    if (asked && !hurried) {
      this.#order(tree, shape);
      return;
    }
    const scratch = memory.allocate(call.fitScratchBytes(shape.positions.length / 3), 'refitting a tree');
    call.refitTree(tree.at, scratch);
    memory.free(scratch);
    const grown = memory.f64[(tree.at + layout.treeSpread) / 8] > tree.builtSpread * rebuildGrowth;
    tree.loose = grown || asked;
    if (tree.loose && !hurried) this.#order(tree, shape);
  }

  /** Vertices that no triangle uses are put where one is that does, so that they cannot widen the tree's frame. */
  #copyPositions(tree: Tree, positions: Positions): void {
    const { layout, memory } = this.#kernels;
    const at = memory.u32[(tree.at + layout.treePositions) / 4];
    const target = tree.doubles ? memory.f64 : memory.f32;
    const first = at / target.BYTES_PER_ELEMENT;
    target.set(positions, first);
    const used = first + tree.someUsed * 3;
    for (const vertex of tree.unused) target.copyWithin(first + vertex * 3, used, used + 3);
  }

  /** Makes sure the leaves know which corners share a position: vertices the mesh welds do so in every revision. */
  weld(tree: Tree, { mesh }: Shape): void {
    if (!tree.welded && tree.triangleCount > 0) this.#weldLeaves(tree, mesh.welds.vertexOf);
  }

  #weldLeaves(tree: Tree, vertexOf: Uint32Array): void {
    const { call, layout, memory } = this.#kernels;
    if (tree.weldAt === 0) {
      const leafCount = memory.u32[(tree.at + layout.treeLeafCount) / 4];
      tree.weldAt = memory.allocate(leafCount * layout.weldBytes, 'the position identities of a tree');
      memory.u32[(tree.at + layout.treeWeld) / 4] = tree.weldAt;
    }
    const scratch = memory.allocate(vertexOf.length * 4, 'position identities');
    memory.u32.set(vertexOf, scratch / 4);
    call.weldLeaves(tree.at, scratch);
    memory.free(scratch);
    tree.welded = true;
    tree.fansStamp = 0;
  }
}

function findUnused(
  indices: ArrayLike<number>,
  vertexCount: number,
): { unused: Uint32Array; someUsed: number } {
  const used = new Uint8Array(vertexCount);
  let usedCount = 0;
  for (let i = 0; i < indices.length; i++) {
    const vertex = indices[i];
    usedCount += 1 - used[vertex];
    used[vertex] = 1;
  }
  const unused = new Uint32Array(vertexCount - usedCount);
  if (unused.length > 0) for (let v = 0, n = 0; v < vertexCount; v++) if (used[v] === 0) unused[n++] = v;
  return { unused, someUsed: indices.length > 0 ? indices[0] : 0 };
}

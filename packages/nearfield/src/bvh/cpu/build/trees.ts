// Trees of shapes in the kernels' memory. A tree is built when it is first needed, refitted or rebuilt after its shape
// deformed, and freed when the shape is forgotten or garbage-collected. Questions with a time limit build large trees
// in steps; the next question continues an unfinished build.

import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import { NearfieldError } from '../../../core/errors.ts';
import { toEnd } from '../../../core/waiting.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import type { Positions } from '../../../mesh/mesh.ts';
import * as layout from '../kernels.layout.ts';
import { type BvhKernels, bvhKernels } from '../kernels.ts';
import { buildInSteps, stepTriangles } from './tree-steps.ts';

export interface Tree {
  /** Address of the header. */
  readonly at: number;
  readonly triangleCount: number;
  readonly doubles: boolean;
  /** Changes whenever the tree's contents change. No two trees have the same. */
  stamp: number;
  revision: number;
  /** The number of questions in progress that read it. It is neither refitted nor freed while there are any. */
  users: number;
  forgotten: boolean;
  /** How loosely the leaves fitted (treeSpread in layout.as.ts) when the triangles were ordered. */
  builtSpread: number;
  /** Whether they fit so loosely now that the tree should be rebuilt when there is time. */
  loose: boolean;
  /** The shape's `builds` when the triangles were ordered. */
  builds: number;
  /** Vertices that no triangle uses, and one vertex that is used. */
  readonly unused: Uint32Array;
  readonly someUsed: number;
  /** Address of the leaves' position identities; 0 until a self-intersection is asked for. */
  weldAt: number;
  welded: boolean;
  /**
   * Vertices with an edge that has more sides one way than the other; undefined until a second self-intersection is
   * asked for.
   */
  unbalanced: Uint32Array | undefined;
  /** The stamp when flat fans were marked (fans.as.ts); 0 if they are not marked. */
  fansStamp: number;
  /** What points are searched with (distance/cpu/points/packet/oriented.ts). */
  readonly oriented: OrientedRoom;
}

/** Memory beside a tree, freed with it. */
export interface OrientedRoom {
  /** Its address; 0 if there is none. */
  at: number;
  /** The tree's stamp when it was filled. */
  stamp: number;
  /** The tree's stamp when points were last counted, and how many points were asked about since. */
  askedStamp: number;
  asked: number;
}

/** The addresses of a build in progress in the kernels' memory; 0 for nothing. */
interface Room {
  tree: number;
  scratch: number;
}

interface Begun {
  readonly revision: number;
  readonly work: Generator<undefined, Tree>;
}

/** More than a tree takes per vertex index, positions apart: nodes, order and indices of a triangle. */
const mostBytesPerIndex = 64;

/** A deformed tree is rebuilt if its leaves have grown looser by this factor, relative to the whole. */
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

  /** The tree of a shape in its current revision. */
  of(shape: Shape): Tree {
    const known = this.#current(shape, false);
    if (known === undefined) {
      const work = this.#begunOf(shape)?.work ?? this.#build(shape, { tree: 0, scratch: 0 });
      return this.#keep(shape, toEnd(work));
    }
    if (known.loose && known.users === 0) {
      this.#change(known);
      this.#order(known, shape);
    }
    return known;
  }

  /**
   * Builds that tree in steps, if necessary. Yields before each step. A caller that stops continues from there the next
   * time, with this or with `of`.
   */
  *make(shape: Shape): Generator<undefined, void> {
    // Another question may finish or forget the build between two steps.
    while (!this.has(shape)) {
      yield;
      if (this.#current(shape, true) !== undefined) return;
      const step = (this.#begunOf(shape) ?? this.#begin(shape)).work.next();
      if (step.done) this.#keep(shape, step.value);
    }
  }

  /**
   * Builds the trees of all shapes that have none, in steps. If known[i] is the shape of states[i], the shape is known to
   * have a tree; the others are looked up. Yields 0 after each step, or each small tree.
   */
  *makeNew(
    states: readonly { readonly shape: Shape }[],
    known: readonly Shape[] = [],
  ): Generator<number, void> {
    for (let i = 0; i < states.length; i++) {
      const { shape } = states[i];
      if (shape === known[i] || this.#trees.has(shape)) continue;
      if (shape.mesh.triangleCount > stepTriangles) for (const _ of this.make(shape)) yield 0;
      else this.of(shape);
      yield 0;
    }
  }

  /** Whether there is a tree of a shape in its current revision. */
  has(shape: Shape): boolean {
    return this.#trees.get(shape)?.revision === shape.revision;
  }

  /**
   * Throws 'out-of-memory' if the trees that these shapes still need certainly do not fit: before any of them is built, and with
   * what they would take.
   */
  checkRoom(states: readonly { readonly shape: Shape }[]): void {
    const { call, memory } = this.#kernels;
    let most = 0;
    for (const { shape } of states)
      most += shape.mesh.indices.length * mostBytesPerIndex + shape.positions.length * 8;
    // Mostly not even all of them, each for itself, would fill the memory.
    if (most < memory.maximumBytes / 2) return;
    const missing = new Set<Shape>();
    let bytes = 0;
    let triangles = 0;
    for (const { shape } of states) {
      if (missing.has(shape) || this.has(shape)) continue;
      missing.add(shape);
      const { triangleCount } = shape.mesh;
      triangles += triangleCount;
      const doubles = shape.positions instanceof Float64Array ? 1 : 0;
      bytes += call.treeBytes(triangleCount, shape.positions.length / 3, doubles);
    }
    if (bytes <= memory.maximumBytes - memory.usedBytes) return;
    const megabytes = (size: number) => `${Math.floor(size / 1e6)} MB`;
    const what = `the trees of ${missing.size} meshes with ${triangles} triangles need ${megabytes(bytes)}`;
    const limit = `an engine has at most ${megabytes(memory.maximumBytes)}, of which ${megabytes(memory.usedBytes)} are in use`;
    throw new NearfieldError(
      'out-of-memory',
      `${what}, but ${limit}: raise maxMemory (up to 4 GiB), ask about parts of the scene one by one, or share meshes`,
    );
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
    if (tree.oriented.at !== 0) this.#kernels.memory.free(tree.oriented.at);
    tree.weldAt = tree.oriented.at = 0;
  }

  /** The existing tree, refitted if necessary. If `hurried`, it may stay loose. */
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

  /** The unfinished build of a shape in its current revision. */
  #begunOf(shape: Shape): Begun | undefined {
    const known = this.#begun.get(shape);
    if (known?.revision === shape.revision) return known;
    this.#giveUp(shape);
    return undefined;
  }

  #begin(shape: Shape): Begun {
    const room: Room = { tree: 0, scratch: 0 };
    const begun: Begun = { revision: shape.revision, work: this.#build(shape, room) };
    this.#begun.set(shape, begun);
    this.#abandoned.register(shape, room, room);
    return begun;
  }

  /** Drops an unfinished build. */
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

  *#build(shape: Shape, room: Room): Generator<undefined, Tree> {
    try {
      const tree = this.#lay(shape, room);
      if (tree.triangleCount > 0) {
        this.#copyPositions(tree, shape.positions);
        yield;
        const { indices, scratch } = this.#roomToOrder(tree, shape, room);
        yield;
        yield* buildInSteps(this.#kernels, tree.at, tree.triangleCount, indices, scratch);
        this.#ordered(tree, shape);
      }
      room.tree = 0;
      return tree;
    } finally {
      // Also after it was given up or ran out of memory.
      this.#begun.delete(shape);
      this.#abandoned.unregister(room);
      this.#freeRoom(room);
    }
  }

  /** Allocates a tree and fills in what does not depend on the order of triangles. */
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
      oriented: { at: 0, stamp: 0, askedStamp: 0, asked: 0 },
    };
  }

  #order(tree: Tree, shape: Shape): void {
    const room: Room = { tree: 0, scratch: 0 };
    const { indices, scratch } = this.#roomToOrder(tree, shape, room);
    toEnd(buildInSteps(this.#kernels, tree.at, tree.triangleCount, indices, scratch));
    this.#freeRoom(room);
    this.#ordered(tree, shape);
  }

  /** Allocates a copy of the mesh's indices, followed by a build's scratch memory. */
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
    const { memory } = this.#kernels;
    tree.builtSpread = memory.f64[(tree.at + layout.Tree.spread) / 8];
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
    // No valid revision until it is done: memory may run out, and the boxes would then belong to other positions.
    tree.revision = -1;
    if (tree.triangleCount > 0) this.#fit(tree, shape, hurried);
    tree.revision = shape.revision;
  }

  #fit(tree: Tree, shape: Shape, hurried: boolean): void {
    const { call, memory } = this.#kernels;
    this.#copyPositions(tree, shape.positions);
    const rebuildAsked = tree.builds !== (shape.builds ?? 0);
    if (rebuildAsked && !hurried) {
      this.#order(tree, shape);
      return;
    }
    const scratch = memory.allocate(call.fitScratchBytes(shape.positions.length / 3), 'refitting a tree');
    call.refitTree(tree.at, scratch);
    memory.free(scratch);
    const grown = memory.f64[(tree.at + layout.Tree.spread) / 8] > tree.builtSpread * rebuildGrowth;
    tree.loose = grown || rebuildAsked;
    if (tree.loose && !hurried) this.#order(tree, shape);
  }

  /** Moves vertices that no triangle uses to a used one, so that they cannot enlarge the tree's frame. */
  #copyPositions(tree: Tree, positions: Positions): void {
    const { memory } = this.#kernels;
    const at = memory.u32[(tree.at + layout.Tree.positions) / 4];
    const target = tree.doubles ? memory.f64 : memory.f32;
    const first = at / target.BYTES_PER_ELEMENT;
    target.set(positions, first);
    const used = first + tree.someUsed * 3;
    for (const vertex of tree.unused) target.copyWithin(first + vertex * 3, used, used + 3);
  }

  /**
   * Stores in the leaves which corners share a position, once. Vertices that the mesh welds share it in every revision.
   */
  weld(tree: Tree, { mesh }: Shape): void {
    if (!tree.welded && tree.triangleCount > 0) this.#weldLeaves(tree, mesh.welds.vertexOf);
  }

  #weldLeaves(tree: Tree, vertexOf: Uint32Array): void {
    const { call, memory } = this.#kernels;
    if (tree.weldAt === 0) {
      const leafCount = memory.u32[(tree.at + layout.Tree.leafCount) / 4];
      tree.weldAt = memory.allocate(leafCount * layout.weldBytes, 'the position identities of a tree');
      memory.u32[(tree.at + layout.Tree.weld) / 4] = tree.weldAt;
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

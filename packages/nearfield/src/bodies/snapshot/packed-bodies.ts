// Bodies in a few flat arrays of shared memory, for threads that answer questions about them. Threads read the numbers
// where they are: nothing is copied per thread, however large the meshes are.

import { rawMemory } from '../../core/raw-memory.ts';
import { Mesh, type Positions } from '../../mesh/mesh.ts';
import type { KeptBodies } from '../kept-bodies.ts';
import type { Shape } from './snapshot.ts';
import type { SnapshotBody } from './snapshot-body.ts';

/** Bodies that can be given to another thread. */
export interface PackedBodies {
  /** The numbers of all positions in single and in double precision, and of all indices. */
  readonly singles: Float32Array;
  readonly doubles: Float64Array;
  readonly indices: Uint32Array;
  /** Per mesh: where its positions are and their kind, then where its indices are (`meshNumbers`). */
  readonly meshes: Float64Array;
  /** Per shape: its mesh, and where its positions are and their kind; -1 if they are the mesh's own (`shapeNumbers`). */
  readonly shapes: Float64Array;
  /** Per body: its shape. */
  readonly shapeOf: Uint32Array;
  /** 16 numbers per body. */
  readonly poses: Float64Array;
}

/** First number, the one after the last, kind (1 for doubles); first index, the one after the last. */
const meshNumbers = 5;
/** Mesh, first number, the one after the last, kind. */
const shapeNumbers = 4;

/** The bodies that are packed before the clock is read again. */
const bodiesAtOnce = 512;

/** A body without its pose. */
type PackedShape = Pick<SnapshotBody, 'mesh' | 'positions'>;

/** Packs `count` bodies, in steps. Throws 'out-of-memory' if there is no memory for it. */
export function* packBodies(
  count: number,
  bodyAt: (i: number) => SnapshotBody,
): Generator<number, PackedBodies> {
  const poses = new Float64Array(rawMemory(128 * count, true));
  return yield* packShapes(count, poses, i => {
    const body = bodyAt(i);
    for (let k = 0; k < 16; k++) poses[16 * i + k] = body.pose[k];
    return body;
  });
}

/** The same for bodies whose poses are in shared memory. A body without a shape is left out: nobody asks about it. */
function* packShapes(
  count: number,
  poses: Float64Array,
  shapeOfBody: (i: number) => PackedShape | undefined,
): Generator<number, PackedBodies> {
  const lists = {
    singles: new List(Float32Array),
    doubles: new List(Float64Array),
    indices: new List(Uint32Array),
  };
  const rangeOf = (positions: Positions) =>
    positions instanceof Float64Array
      ? [...lists.doubles.add(positions), 1]
      : [...lists.singles.add(positions), 0];
  const numbered = new Map<Mesh, { readonly number: number; readonly shapes: Map<Positions, number> }>();
  const meshes: number[] = [];
  const shapes: number[] = [];
  const shapeOf = new Uint32Array(rawMemory(4 * count, true));
  for (let i = 0; i < count; i++) {
    if (i % bodiesAtOnce === 0) yield i / count;
    const body = shapeOfBody(i);
    if (body === undefined) continue;
    const { mesh, positions } = body;
    let found = numbered.get(mesh);
    if (found === undefined) {
      found = { number: numbered.size, shapes: new Map() };
      numbered.set(mesh, found);
      meshes.push(...rangeOf(mesh.positions), ...lists.indices.add(mesh.indices));
    }
    let shape = found.shapes.get(positions);
    if (shape === undefined) {
      shape = shapes.length / shapeNumbers;
      found.shapes.set(positions, shape);
      shapes.push(found.number, ...(positions === mesh.positions ? [-1, -1, -1] : rangeOf(positions)));
    }
    shapeOf[i] = shape;
  }
  return {
    singles: yield* lists.singles.joined(),
    doubles: yield* lists.doubles.joined(),
    indices: yield* lists.indices.joined(),
    meshes: Float64Array.from(meshes),
    shapes: Float64Array.from(shapes),
    shapeOf,
    poses,
  };
}

/** The bodies that an answer names: one per row if the poses of all rows are given, in shared memory; else one per name. */
export function packKeptBodies(
  kept: KeptBodies,
  poses: Float64Array | undefined,
): Generator<number, PackedBodies> {
  const { rows } = kept;
  if (poses === undefined) return packBodies(rows.length, i => kept.bodyAt(i));
  const count = poses.length / 16;
  const isNamed = new Uint8Array(count);
  for (let i = 0; i < rows.length; i++) isNamed[rows[i]] = 1;
  const shapeOf = (row: number) => (isNamed[row] === 1 ? kept.stateOf(row) : undefined);
  return packShapes(count, poses, shapeOf);
}

type Numbers = Float32Array | Float64Array | Uint32Array;

/** Arrays that become one. */
class List<A extends Numbers> {
  readonly #kind: new (
    buffer: SharedArrayBuffer,
  ) => A;
  readonly #arrays: ArrayLike<number>[] = [];
  #length = 0;

  constructor(kind: new (buffer: SharedArrayBuffer) => A) {
    this.#kind = kind;
  }

  /** Where the numbers of an array will be: the first, and the one after the last. */
  add(array: ArrayLike<number>): [start: number, end: number] {
    const start = this.#length;
    this.#arrays.push(array);
    this.#length += array.length;
    return [start, this.#length];
  }

  *joined(): Generator<number, A> {
    const bytes = this.#kind === (Float64Array as unknown) ? 8 : 4;
    const all = new this.#kind(rawMemory(bytes * this.#length, true));
    let at = 0;
    for (const array of this.#arrays) {
      all.set(array, at);
      at += array.length;
      yield 1;
    }
    return all;
  }
}

/** Makes the bodies again, when they are asked for. Bodies of one shape share it, and facts of its mesh are found once. */
export function unpackBodies(packed: PackedBodies): (i: number) => SnapshotBody {
  const { singles, doubles, indices, meshes, shapes, shapeOf, poses } = packed;
  const madeMeshes: Mesh[] = [];
  const madeShapes: Shape[] = [];
  const positionsAt = (table: Float64Array, at: number): Positions =>
    (table[at + 2] === 1 ? doubles : singles).subarray(table[at], table[at + 1]);
  const meshAt = (m: number): Mesh => {
    const at = meshNumbers * m;
    return (madeMeshes[m] ??= new Mesh(
      positionsAt(meshes, at),
      indices.subarray(meshes[at + 3], meshes[at + 4]),
    ));
  };
  const shapeAt = (s: number): Shape => {
    const at = shapeNumbers * s;
    const mesh = meshAt(shapes[at]);
    const positions = shapes[at + 1] < 0 ? mesh.positions : positionsAt(shapes, at + 1);
    return (madeShapes[s] ??= { mesh, positions, revision: 0 });
  };
  return i => {
    const shape = shapeAt(shapeOf[i]);
    const { mesh, positions, revision } = shape;
    // A view takes less time than an array of its own. Nobody writes into the poses of a snapshot.
    const pose = poses.subarray(16 * i, 16 * i + 16);
    return { shape, mesh, positions, revision, onGpu: undefined, pose, poseRevision: 0 };
  };
}

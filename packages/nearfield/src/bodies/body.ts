// A body: a mesh that is placed in the world by a pose and may be deformed by new positions.

import { anything, aString, checkOptions, inWords, type Rules, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Box } from '../math/box.ts';
import { identity, type Pose } from '../math/pose.ts';
import { Mesh, type Positions } from '../mesh/mesh.ts';
import { boundIfFinite, notFinite } from '../mesh/vertices.ts';
import type { Copies } from './copies.ts';
import type { Engine } from './engine.ts';
import { type DeformOptions, type DeviceBuffer, deformRules, isBuffer } from './on-gpu/buffers.ts';
import type { GpuPositions } from './on-gpu/gpu-positions.ts';
import type { Shape, ShapeState } from './snapshot/snapshot.ts';
import type { SnapshotBody } from './snapshot/snapshot-body.ts';
import type { BodyTable } from './table.ts';
import { keepsWelds } from './welds.ts';

/** How a body begins. */
export interface BodyOptions {
  /**
   * Local to world: 16 numbers, column-major, last row 0 0 0 1. Default: the identity. Anything else throws 'bad-pose'.
   */
  pose?: ArrayLike<number>;
  /** Used in error messages and JSON. Default: `body` and the index. */
  name?: string;
  /** With `groups: 'different'`, a question does not pair bodies of the same group with each other. */
  group?: string | number;
}

const bodyRules: Rules<BodyOptions> = {
  pose: anything,
  name: aString,
  group(given, what) {
    const isGroup = typeof given === 'string' || (typeof given === 'number' && !Number.isNaN(given));
    if (!isGroup) throw wrong(what, 'a string or a number', given);
  },
};

/** What a body needs from its scene. */
export interface BodyHost {
  /** Holds the poses of all bodies. */
  readonly table: BodyTable;
  /** One shape per mesh, reference-counted, so that engines keep one tree for all bodies that share the mesh. */
  acquire(mesh: Mesh): ShapeState;
  release(shape: Shape): void;
  /** Copies of an application's GPUBuffers. Undefined without a GPU. */
  readonly appBuffers: Engine['appBuffers'];
  /** Gives such a copy back at once. Call it only when the body has other positions and no question waits. */
  releaseGpuPositions(positions: GpuPositions): void;
  /** Whether questions are waiting. The shapes they see must not change. */
  readonly waiting: boolean;
  /** Memory for copies of the positions that bodies are deformed to. */
  readonly copies: Copies;
}

const noOptions: DeformOptions = {};

/** Receives the box of the positions that `deform` is checking. */
const checkedBox: Box = new Float64Array(6);

/** A mesh placed in the world. `scene.add` makes it; it belongs to that scene until it is removed. */
export class Body {
  /** What messages and JSON call it: as given, or `body` and the index. */
  readonly name: string;
  /** As given. With `groups: 'different'`, a question does not pair bodies of the same group. */
  readonly group: string | number | undefined;
  /**
   * Its row in the scene's table, set by the table. Negative after the body was removed: its last pose, if known, is then row
   * ~row of `#lastPoses`. @internal
   */
  row = -1;
  #host: BodyHost | undefined;
  #state: ShapeState;
  #ownsShape = false;
  #snapshot: SnapshotBody | undefined;
  /** The pose when the body was removed, with those of other bodies that were removed with it. */
  #lastPoses: Float64Array | undefined;

  /** Use `scene.add(mesh, options)`. */
  constructor(
    /** How many bodies were added to the scene before it. An index is never reused. */
    readonly index: number,
    /** The mesh it was added with. Deforming the body does not change it. */
    readonly mesh: Mesh,
    options: BodyOptions,
    host: BodyHost,
  ) {
    checkOptions(options, bodyRules, 'scene.add');
    this.name = options.name ?? `body ${index}`;
    this.group = options.group;
    this.#state = host.acquire(mesh);
    this.#host = host;
    try {
      host.table.add(this, this.#state, options.pose === undefined ? identity() : options.pose);
    } catch (error) {
      // The pose was refused.
      host.release(this.#state.shape);
      throw error;
    }
  }

  /**
   * Local to world: 16 doubles, column-major, last row 0 0 0 1. Reading gives a copy; assign a new pose to move the
   * body. `scene.setPoses` moves many bodies faster. If the poses came in a GPUBuffer, reading and assigning throw
   * 'unsupported' until `await scene.readPoses()`. After the body was removed, reading gives its last pose.
   */
  get pose(): Pose {
    const row = ~this.row;
    return this.#lastPoses?.slice(16 * row, 16 * row + 16) ?? this.#hostNow().table.poseOf(this.row);
  }
  /**
   * Any rigid or affine pose; nothing is rebuilt. Throws 'bad-pose' if it is none, 'closed' after the body was removed.
   */
  set pose(values: ArrayLike<number>) {
    this.#hostNow().table.setPose(this.row, values, this.name);
  }

  /**
   * Whether the body, as it is now deformed, is closed and consistently oriented. Throws 'unsupported' if that depends
   * on positions that came in a GPUBuffer and were not read back.
   */
  get solid(): boolean {
    return (this.#state.onGpu?.meshNow ?? this.#state.mesh).solid;
  }

  /**
   * Gives all vertices new positions: x, y, z per vertex in local coordinates, in the mesh's order. The array is
   * copied. Trees are refitted, or rebuilt if that is cheaper. Vertices that shared a position and no longer do come
   * apart: a box with 24 vertices can open. Throws 'bad-array' for a wrong length or type, 'not-finite' for NaN or
   * infinity, 'closed' after the body was removed. If it throws, the body is unchanged.
   *
   * A simulation on the GPU passes a GPUBuffer instead (without a GPU: 'no-gpu'). The buffer belongs to the device that
   * the backend was opened with, has usage COPY_SRC, and contains x, y, z in single precision, tightly packed or as
   * `options` say. It is copied in queue order, and the copy stays on the GPU. The next question checks that all of it
   * is finite. Only questions that need every position on the CPU read it back (`inside`, `curves`, relations, one
   * solid within another). If the device refuses the copy, questions about the body reject until it is deformed again:
   * with 'out-of-memory', or with 'bad-array' if the buffer cannot be copied.
   */
  deform(positions: Positions | DeviceBuffer, options: DeformOptions = noOptions): void {
    // Hundreds of bodies may deform in every frame, mostly without options: skip the check then.
    if (options !== noOptions) checkOptions(options, deformRules, 'deform');
    if (!isPositions(positions)) {
      this.#deformFromBuffer(positions, options);
      return;
    }
    const { length } = this.mesh.positions;
    if (positions.length !== length) {
      const message = `${this.name}: deform takes positions, three numbers per vertex: ${length}, not ${positions.length}`;
      throw new NearfieldError('bad-array', message);
    }
    // The copy is checked, not the argument: nobody else can write to the copy.
    const host = this.#hostNow();
    const copy = host.copies.of(positions);
    if (!boundIfFinite(copy, checkedBox)) throw notFinite(copy, `${this.name}: deformed position`);
    const { shape, mesh } = this.#state;
    // Everything that can fail comes first, so that a failure leaves the body as it was.
    if (this.#ownsShape && !host.waiting && keepsWelds(mesh, copy)) {
      // No waiting question sees the shape, and nobody else keeps its box: both may be overwritten.
      const extent = (shape.extent ??= new Float64Array(6));
      for (let k = 0; k < 6; k++) extent[k] = checkedBox[k];
      this.#replace(shape, copy, undefined, options);
    } else {
      const now = keepsWelds(this.mesh, copy) ? this.mesh : new Mesh(copy, this.mesh.indices);
      this.#takeOn(shapeStateOf({ mesh: now, positions: copy, revision: 0, extent: checkedBox.slice() }));
    }
  }

  /** Replaces the body's shape by one that no other body shares. */
  #takeOn(state: ShapeState): void {
    const { shape } = this.#state;
    const host = this.#hostNow();
    host.table.setShapeState(this.row, state);
    this.#state = state;
    this.#ownsShape = true;
    host.release(shape);
  }

  /**
   * A copy of all current positions: x, y, z per vertex, local coordinates. They are read back if they are on the GPU.
   * Rejects with 'closed' if the body changes meanwhile, and with 'not-finite' if the buffer contains NaN or infinity.
   */
  async readPositions(): Promise<Positions> {
    const { onGpu, positions } = this.#state;
    return (onGpu === undefined ? positions : (await onGpu.read()).positions).slice();
  }

  /** For `JSON.stringify`: which body it is, without its mesh. */
  toJSON(): {
    /** `Body.index`. */
    index: number;
    /** `Body.name`. */
    name: string;
  } {
    return { index: this.index, name: this.name };
  }

  /** The body at this moment. Called by the scene. @internal */
  snapshotNow(): SnapshotBody {
    const { table } = this.#hostNow();
    const poseRevision = table.poseRevisionOf(this.row);
    const known = this.#snapshot;
    // Every revision of a shape has its own positions array, so the same array means the same revision.
    if (known?.poseRevision === poseRevision && known.positions === this.#state.positions) return known;
    const { shape, mesh, positions, revision, onGpu } = this.#state;
    const pose = table.poseOf(this.row);
    return (this.#snapshot = { shape, mesh, positions, revision, onGpu, pose, poseRevision });
  }

  /** Removes the body from its scene. Called by the scene, which may have a copy of all poses already. @internal */
  leave(poses?: Float64Array): void {
    const { table, release, copies } = this.#hostNow();
    const { row } = this;
    this.#lastPoses = poses ?? (table.isKnown ? table.poseOf(row) : undefined);
    table.remove(this);
    if (poses !== undefined) this.row = ~row;
    release(this.#state.shape);
    if (this.#ownsShape) copies.drop(this.mesh.positions.length);
    this.#host = undefined;
  }

  #deformFromBuffer(buffer: object, options: DeformOptions): void {
    const host = this.#hostNow();
    if (!isBuffer(buffer)) {
      const message = `${this.name}: deform takes positions as a Float32Array, a Float64Array or a GPUBuffer, not ${inWords(buffer)}`;
      throw new NearfieldError('bad-array', message);
    }
    if (host.appBuffers === undefined) {
      const message = `${this.name}: deform takes a GPUBuffer only on the GPU backend, from the device that it was opened with`;
      throw new NearfieldError('no-gpu', message);
    }
    const onGpu = host.appBuffers.positions(buffer, this.mesh, options, this.name);
    const { shape } = this.#state;
    if (this.#ownsShape && !host.waiting && shape.mesh === this.mesh) {
      this.#replace(shape, onGpu.unread, onGpu, options);
      shape.extent = undefined;
    } else {
      this.#takeOn(shapeStateOf({ mesh: this.mesh, positions: onGpu.unread, revision: 0, onGpu }));
    }
  }

  /** Gives the body's own shape new positions. */
  #replace(
    shape: Shape,
    positions: Positions,
    onGpu: GpuPositions | undefined,
    { rebuild = false }: DeformOptions,
  ): void {
    if (shape.onGpu !== undefined) this.#hostNow().releaseGpuPositions(shape.onGpu);
    shape.positions = positions;
    shape.onGpu = onGpu;
    shape.revision++;
    if (rebuild) shape.builds = (shape.builds ?? 0) + 1;
    this.#state = shapeStateOf(shape);
    this.#hostNow().table.setShapeState(this.row, this.#state);
  }

  #hostNow(): BodyHost {
    if (this.#host === undefined) {
      throw new NearfieldError('closed', `${this.name} is no longer in its scene`);
    }
    return this.#host;
  }
}

/** A shape as it is now. */
export function shapeStateOf(shape: Shape): ShapeState {
  const { mesh, positions, revision, onGpu } = shape;
  return { shape, mesh, positions, revision, onGpu };
}

const isPositions = (given: unknown): given is Positions =>
  given instanceof Float32Array || given instanceof Float64Array;

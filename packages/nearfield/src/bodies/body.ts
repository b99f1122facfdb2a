// A body: a mesh placed in the world by a pose, or deformed by new positions.

import { anything, aString, checkOptions, inWords, type Rules, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Box } from '../math/box.ts';
import { identity, type Pose } from '../math/pose.ts';
import { Mesh, type Positions } from '../mesh/mesh.ts';
import { lookOver, notFinite } from '../mesh/vertices.ts';
import type { Copies } from './copies.ts';
import type { Engine } from './engine.ts';
import {
  type DeformOptions,
  type DeviceBuffer,
  deformRules,
  GpuPositions,
  isBuffer,
} from './on-gpu/gpu-positions.ts';
import type { Shape, ShapeState } from './snapshot/snapshot.ts';
import type { SnapshotBody } from './snapshot/snapshot-body.ts';
import type { BodyTable } from './table.ts';
import { keepsWelds } from './welds.ts';

export interface BodyOptions {
  /** 16 numbers, column-major, last row 0 0 0 1. The identity if left out. */
  pose?: ArrayLike<number>;
  name?: string;
  /** Bodies of one group are not paired with each other when a question says `groups: 'different'`. */
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

/** What a body needs of its scene. */
export interface Host {
  /** Where the poses are. */
  readonly table: BodyTable;
  /** One shape a mesh, counted, so that engines keep one tree for all bodies that share it. */
  acquire(mesh: Mesh): ShapeState;
  release(shape: Shape): void;
  /** Copies an application's buffer; undefined without a GPU. */
  readonly hold: Engine['hold'];
  /** Gives such a copy back at once: the body stands on other positions, and no question waits. */
  releaseGpuPositions(onGpu: GpuPositions): void;
  /** Whether questions are waiting: the shapes they see must not change. */
  readonly waiting: boolean;
  /** Of the positions bodies are deformed to. */
  readonly copies: Copies;
}

const noOptions: DeformOptions = {};

/** The box of positions that are being looked over. */
const lookedOver: Box = new Float64Array(6);

export class Body {
  readonly name: string;
  readonly group: string | number | undefined;
  /** Its row in the scene's table, which sets it; -1 once it has left. @internal */
  row = -1;
  #host: Host | undefined;
  #form: ShapeState;
  #ownsShape = false;
  #moment: SnapshotBody | undefined;
  /** Where it was when it left. */
  #lastPose: Pose | undefined;

  /** Use `scene.add(mesh, options)`. */
  constructor(
    /** Its place in the order of adding; never given to another body of the scene. */
    readonly index: number,
    /** The mesh it was added with. */
    readonly mesh: Mesh,
    options: BodyOptions,
    host: Host,
  ) {
    checkOptions(options, bodyRules, 'scene.add');
    this.name = options.name ?? `body ${index}`;
    this.group = options.group;
    this.#form = host.acquire(mesh);
    this.#host = host;
    try {
      host.table.add(this, this.#form, options.pose === undefined ? identity() : options.pose);
    } catch (error) {
      // What is no pose.
      host.release(this.#form.shape);
      throw error;
    }
  }

  /**
   * A copy; to move the body, set it. To move many, `scene.setPoses` takes less time. Of poses that came in a GPUBuffer
   * neither can be done before `await scene.readPoses()`.
   */
  get pose(): Pose {
    return this.#lastPose?.slice() ?? this.#hostNow().table.poseOf(this.row);
  }
  /** Rigid or affine motion: nothing is rebuilt. */
  set pose(values: ArrayLike<number>) {
    this.#hostNow().table.setPose(this.row, values, this.name);
  }

  /** Closed and consistently oriented as it now stands, deformed or not. */
  get solid(): boolean {
    return (this.#form.onGpu?.meshNow ?? this.#form.mesh).solid;
  }

  /**
   * New positions for all vertices, in the mesh's own order. Copied. Trees are refitted, or rebuilt where that
   * is cheaper. Vertices that were one position and no longer are come apart: a box of 24 vertices opens.
   *
   * A simulation on the GPU gives a GPUBuffer instead: of the device that `open({ device })` took, with COPY_SRC, x, y
   * and z in single precision, tightly packed or as `options` say. It is copied in the queue's order, and stays on the
   * GPU: the next question says whether all of it is finite, and only questions that need every position on the CPU
   * (`inside`, `curves`, relations, one solid within another) read it. If the device refuses the copy, questions about the
   * body are refused ('out-of-memory', or 'bad-array' where the buffer cannot be copied) until it is deformed again.
   */
  deform(positions: Positions | DeviceBuffer, options: DeformOptions = noOptions): void {
    // Bodies deform by the hundred in every frame, mostly without options.
    if (options !== noOptions) checkOptions(options, deformRules, 'deform');
    if (!isPositions(positions)) {
      this.#deformFromBuffer(positions, options);
      return;
    }
    const { length } = this.mesh.positions;
    if (positions.length !== length) {
      const message = `${this.name}: deform takes positions of ${length} numbers, three a vertex, not ${positions.length}`;
      throw new NearfieldError('bad-array', message);
    }
    // What is looked over is the copy: nobody else writes to it.
    const host = this.#hostNow();
    const copy = host.copies.of(positions);
    if (!lookOver(copy, lookedOver)) throw notFinite(copy, `${this.name}: deformed position`);
    const { shape, mesh } = this.#form;
    // Everything that can fail comes first, so that a failure leaves the body as it was.
    if (this.#ownsShape && !host.waiting && keepsWelds(mesh, copy)) {
      // No question that is waiting sees the shape, and nobody else keeps its box.
      const extent = (shape.extent ??= new Float64Array(6));
      for (let k = 0; k < 6; k++) extent[k] = lookedOver[k];
      this.#replace(shape, copy, undefined, options);
    } else {
      const now = keepsWelds(this.mesh, copy) ? this.mesh : new Mesh(copy, this.mesh.indices);
      this.#takeOn(shapeStateOf({ mesh: now, positions: copy, revision: 0, extent: lookedOver.slice() }));
    }
  }

  /** A shape of its own in place of the one it had. */
  #takeOn(form: ShapeState): void {
    const { shape } = this.#form;
    const host = this.#hostNow();
    host.table.setShapeState(this.row, form);
    this.#form = form;
    this.#ownsShape = true;
    host.release(shape);
  }

  /** All positions as they now are, read from the GPU where they are there. A copy. */
  async readPositions(): Promise<Positions> {
    const { onGpu, positions } = this.#form;
    return (onGpu === undefined ? positions : (await onGpu.read()).positions).slice();
  }

  /** For `JSON.stringify`: which body it is, without its mesh. */
  toJSON(): { index: number; name: string } {
    return { index: this.index, name: this.name };
  }

  /** The body as it now stands, to be kept. Called by the scene. @internal */
  snapshotNow(): SnapshotBody {
    const { table } = this.#hostNow();
    const poseRevision = table.poseRevisionOf(this.row);
    const known = this.#moment;
    // A form of its own for every revision of the shape: equal positions, equal form.
    if (known?.poseRevision === poseRevision && known.positions === this.#form.positions) return known;
    const { shape, mesh, positions, revision, onGpu } = this.#form;
    const pose = table.poseOf(this.row);
    return (this.#moment = { shape, mesh, positions, revision, onGpu, pose, poseRevision });
  }

  /** Called by the scene. @internal */
  leave(): void {
    const { table, release } = this.#hostNow();
    if (table.isKnown) this.#lastPose = table.poseOf(this.row);
    table.remove(this);
    release(this.#form.shape);
    this.#host = undefined;
  }

  #deformFromBuffer(buffer: object, options: DeformOptions): void {
    const host = this.#hostNow();
    if (!isBuffer(buffer)) {
      const message = `${this.name}: deform takes positions, a Float32Array, a Float64Array or a GPUBuffer, not ${inWords(buffer)}`;
      throw new NearfieldError('bad-array', message);
    }
    if (host.hold === undefined) {
      const message = `${this.name}: deform takes a GPUBuffer on the GPU backend, of the device given to open({ device })`;
      throw new NearfieldError('no-gpu', message);
    }
    const vertices = { what: 'vertices', count: this.mesh.vertexCount, numbers: 3 } as const;
    const copy = host.hold(buffer, vertices, options, this.name);
    const onGpu = new GpuPositions(this.name, this.mesh, copy);
    const { shape } = this.#form;
    if (this.#ownsShape && !host.waiting && shape.mesh === this.mesh) {
      this.#replace(shape, onGpu.unread, onGpu, options);
      shape.extent = undefined;
    } else {
      this.#takeOn(shapeStateOf({ mesh: this.mesh, positions: onGpu.unread, revision: 0, onGpu }));
    }
  }

  /** New positions in the shape the body has. */
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
    this.#form = shapeStateOf(shape);
    this.#hostNow().table.setShapeState(this.row, this.#form);
  }

  #hostNow(): Host {
    if (this.#host === undefined) {
      throw new NearfieldError('closed', `${this.name} is no longer in its scene`);
    }
    return this.#host;
  }
}

/** A shape as it is. */
export function shapeStateOf(shape: Shape): ShapeState {
  const { mesh, positions, revision, onGpu } = shape;
  return { shape, mesh, positions, revision, onGpu };
}

const isPositions = (given: unknown): given is Positions =>
  given instanceof Float32Array || given instanceof Float64Array;

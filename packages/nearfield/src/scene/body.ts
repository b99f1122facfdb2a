// A body: a mesh placed in the world by a pose, or deformed by new positions.

import { NearfieldError } from '../errors.ts';
import { identity, type Pose, readPose } from '../math/pose.ts';
import { checkFinite, Mesh, type Positions } from '../mesh/mesh.ts';
import type { Shape } from './engine.ts';
import { type Moment, momentOf, type Standing } from './moment.ts';

export interface BodyOptions {
  /** 16 numbers, column-major, last row 0 0 0 1. The identity if left out. */
  pose?: ArrayLike<number>;
  name?: string;
  /** Bodies of one group are not paired with each other when a question says `groups: 'different'`. */
  group?: string | number;
}

/** What a body needs of its scene. */
export interface Host {
  /** One shape a mesh, counted, so that engines keep one tree for all bodies that share it. */
  acquire(mesh: Mesh): Shape;
  release(shape: Shape): void;
  /** Called before a body changes: questions that are waiting for an answer keep what they saw of it. */
  beforeChange(body: Body): void;
  /** Whether questions are waiting: the shapes they see must not change. */
  readonly waiting: boolean;
}

export class Body {
  readonly name: string;
  readonly group: string | number | undefined;
  /** What engines read. It is always as the body now stands. */
  readonly placed: { -readonly [K in keyof Standing]: Standing[K] };
  #host: Host | undefined;
  #ownsShape = false;
  #moment: Moment | undefined;

  /** Use `scene.add(mesh, options)`. */
  constructor(
    /** Its place in the order of adding; never given to another body of the scene. */
    readonly index: number,
    /** The mesh it was added with. */
    readonly mesh: Mesh,
    options: BodyOptions,
    host: Host,
  ) {
    this.name = options.name ?? `body ${index}`;
    this.group = options.group;
    const pose = identity();
    if (options.pose) readPose(options.pose, this.name, pose);
    this.placed = { shape: host.acquire(mesh), mesh, positions: mesh.positions, pose, poseRevision: 0 };
    this.#host = host;
  }

  /** A copy; to move the body, set it. */
  get pose(): Pose {
    return this.placed.pose.slice();
  }
  /** Rigid or affine motion: nothing is rebuilt. */
  set pose(values: ArrayLike<number>) {
    this.#beforeChange();
    readPose(values, this.name, this.placed.pose);
    this.placed.poseRevision++;
  }

  /** Closed and consistently oriented as it now stands, deformed or not. */
  get solid(): boolean {
    return this.placed.mesh.solid;
  }

  /**
   * New positions for all vertices, in the mesh's own order. Copied. Trees are refitted, or rebuilt where that
   * is cheaper. Vertices that were one position and no longer are come apart: a box of 24 vertices opens.
   */
  deform(positions: Positions): void {
    const { length } = this.mesh.positions;
    if (positions.length !== length) {
      const message = `${this.name}: deform takes ${length} numbers, one position a vertex, not ${positions.length}`;
      throw new NearfieldError('bad-array', message);
    }
    checkFinite(positions, `${this.name}: deformed position`);
    const host = this.#beforeChange();
    const copy = positions.slice();
    const { placed } = this;
    placed.positions = copy;
    if (this.#ownsShape && !host.waiting && keepsWelds(placed.mesh, copy)) {
      placed.shape.positions = copy;
      placed.shape.revision++;
      return;
    }
    host.release(placed.shape);
    placed.mesh = keepsWelds(this.mesh, copy) ? this.mesh : new Mesh(copy, this.mesh.indices);
    placed.shape = { mesh: placed.mesh, positions: copy, revision: 0 };
    this.#ownsShape = true;
  }

  /** The body as it now stands, to be kept. Called by the scene. */
  moment(): Moment {
    return (this.#moment ??= momentOf(this.placed));
  }

  /** Called by the scene. */
  leave(): void {
    this.#beforeChange().release(this.placed.shape);
    this.#host = undefined;
  }

  #beforeChange(): Host {
    if (this.#host === undefined) {
      throw new NearfieldError('closed', `${this.name} is no longer in its scene`);
    }
    this.#host.beforeChange(this);
    this.#moment = undefined;
    return this.#host;
  }
}

/** Whether vertices of equal position in the mesh still are: then its facts hold of the new positions too. */
function keepsWelds(mesh: Mesh, positions: Positions): boolean {
  const { vertexOf, positionCount } = mesh.welds;
  if (positionCount === vertexOf.length) return true;
  for (let v = 0; v < vertexOf.length; v++) {
    const [at, other] = [3 * v, 3 * vertexOf[v]];
    if (positions[at] !== positions[other]) return false;
    if (positions[at + 1] !== positions[other + 1]) return false;
    if (positions[at + 2] !== positions[other + 2]) return false;
  }
  return true;
}

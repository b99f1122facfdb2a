// A body: a mesh placed in the world by a pose, or deformed by new positions.

import { NearfieldError } from '../errors.ts';
import { identity, type Pose, toPose } from '../math/pose.ts';
import { checkFinite, Mesh, type Positions } from '../mesh/mesh.ts';
import type { Form, Shape } from './engine.ts';
import type { Moment } from './moment.ts';
import type { SceneTable } from './table.ts';

export interface BodyOptions {
  /** 16 numbers, column-major, last row 0 0 0 1. The identity if left out. */
  pose?: ArrayLike<number>;
  name?: string;
  /** Bodies of one group are not paired with each other when a question says `groups: 'different'`. */
  group?: string | number;
}

/** What a body needs of its scene. */
export interface Host {
  /** Where the poses are. */
  readonly table: SceneTable;
  /** One shape a mesh, counted, so that engines keep one tree for all bodies that share it. */
  acquire(mesh: Mesh): Form;
  release(shape: Shape): void;
  /** Whether questions are waiting: the shapes they see must not change. */
  readonly waiting: boolean;
}

export class Body {
  readonly name: string;
  readonly group: string | number | undefined;
  /** Its row in the scene's table, which sets it; -1 once it has left. */
  row = -1;
  #host: Host | undefined;
  #form: Form;
  #ownsShape = false;
  #moment: Moment | undefined;
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
    this.name = options.name ?? `body ${index}`;
    this.group = options.group;
    // Before a shape is acquired, which nobody would release if this throws.
    const pose = toPose(options.pose ?? identity(), this.name);
    this.#form = host.acquire(mesh);
    this.#host = host;
    host.table.add(this, this.#form, pose);
  }

  /** A copy; to move the body, set it. To move many, `scene.setPoses` takes less time. */
  get pose(): Pose {
    return this.#lastPose?.slice() ?? this.#hostNow().table.poseOf(this.row);
  }
  /** Rigid or affine motion: nothing is rebuilt. */
  set pose(values: ArrayLike<number>) {
    this.#hostNow().table.setPose(this.row, values, this.name);
  }

  /** Closed and consistently oriented as it now stands, deformed or not. */
  get solid(): boolean {
    return this.#form.mesh.solid;
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
    const host = this.#hostNow();
    const copy = positions.slice();
    const { shape, mesh } = this.#form;
    if (this.#ownsShape && !host.waiting && keepsWelds(mesh, copy)) {
      shape.positions = copy;
      shape.revision++;
      this.#form = { shape, mesh, positions: copy, revision: shape.revision };
    } else {
      host.release(shape);
      const now = keepsWelds(this.mesh, copy) ? this.mesh : new Mesh(copy, this.mesh.indices);
      this.#form = formOf({ mesh: now, positions: copy, revision: 0 });
      this.#ownsShape = true;
    }
    host.table.setForm(this.row, this.#form);
  }

  /** The body as it now stands, to be kept. Called by the scene. */
  moment(): Moment {
    const { table } = this.#hostNow();
    const poseRevision = table.poseRevisionOf(this.row);
    const known = this.#moment;
    // A form of its own for every revision of the shape: equal positions, equal form.
    if (known?.poseRevision === poseRevision && known.positions === this.#form.positions) return known;
    return (this.#moment = { ...this.#form, pose: table.poseOf(this.row), poseRevision });
  }

  /** Called by the scene. */
  leave(): void {
    const { table, release } = this.#hostNow();
    this.#lastPose = table.poseOf(this.row);
    table.remove(this);
    release(this.#form.shape);
    this.#host = undefined;
  }

  #hostNow(): Host {
    if (this.#host === undefined) {
      throw new NearfieldError('closed', `${this.name} is no longer in its scene`);
    }
    return this.#host;
  }
}

/** A shape as it is. */
export function formOf(shape: Shape): Form {
  return { shape, mesh: shape.mesh, positions: shape.positions, revision: shape.revision };
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

// A body: a mesh placed in the world by a pose, or deformed by new positions.

import { NearfieldError } from '../errors.ts';
import { type Pose, toPose } from '../math/pose.ts';
import { checkFinite, Mesh, type Positions } from '../mesh/mesh.ts';
import type { Placed, Shape } from './engine.ts';

export interface BodyOptions {
  /** 16 numbers, column-major, last row 0 0 0 1. The identity if left out. */
  pose?: ArrayLike<number>;
  name?: string;
  /** Bodies of one group are not paired with each other when a question says `groups: 'different'`. */
  group?: string | number;
}

/** How a scene counts the bodies that share one mesh, so engines keep one tree for all of them. */
export interface ShapeStore {
  acquire(mesh: Mesh): Shape;
  release(shape: Shape): void;
}

export class Body implements Placed {
  readonly name: string;
  readonly group: string | number | undefined;
  #store: ShapeStore | undefined;
  #shape: Shape;
  #pose: Pose;
  #poseRevision = 0;
  #ownsShape = false;

  /** Use `scene.add(mesh, options)`. */
  constructor(
    /** Its place in the order of adding; never given to another body of the scene. */
    readonly index: number,
    /** The mesh it was added with. */
    readonly mesh: Mesh,
    options: BodyOptions,
    store: ShapeStore,
  ) {
    this.name = options.name ?? `body ${index}`;
    this.group = options.group;
    this.#pose = toPose(options.pose ?? identityValues, this.name);
    this.#shape = store.acquire(mesh);
    this.#store = store;
  }

  /** A new array each time one is set: an answer that holds the old one stays right. Do not write into it. */
  get pose(): Pose {
    return this.#pose;
  }
  /** Rigid or affine motion: nothing is rebuilt. */
  set pose(values: ArrayLike<number>) {
    this.#checkPresent();
    this.#pose = toPose(values, this.name);
    this.#poseRevision++;
  }
  get poseRevision(): number {
    return this.#poseRevision;
  }
  get shape(): Shape {
    return this.#shape;
  }
  /** Closed and consistently oriented as it now stands, deformed or not. */
  get solid(): boolean {
    return this.#shape.mesh.solid;
  }

  /**
   * New positions for all vertices, in the mesh's own order. Copied. Trees are refitted, or rebuilt where that
   * is cheaper. Vertices that were one position and no longer are come apart: a box of 24 vertices opens.
   */
  deform(positions: Positions): void {
    const store = this.#checkPresent();
    const { length } = this.mesh.positions;
    if (positions.length !== length) {
      const message = `${this.name}: deform takes ${length} numbers, one position a vertex, not ${positions.length}`;
      throw new NearfieldError('bad-array', message);
    }
    checkFinite(positions, `${this.name}: deformed position`);
    const copy = positions.slice();
    if (this.#ownsShape && keepsWelds(this.#shape.mesh, copy)) {
      this.#shape.positions = copy;
      this.#shape.revision++;
      return;
    }
    store.release(this.#shape);
    const mesh = keepsWelds(this.mesh, copy) ? this.mesh : new Mesh(copy, this.mesh.indices);
    this.#shape = { mesh, positions: copy, revision: 0 };
    this.#ownsShape = true;
  }

  /** Called by the scene. */
  leave(): void {
    this.#checkPresent().release(this.#shape);
    this.#store = undefined;
  }

  #checkPresent(): ShapeStore {
    if (this.#store === undefined) {
      throw new NearfieldError('closed', `${this.name} is no longer in its scene`);
    }
    return this.#store;
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

const identityValues: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

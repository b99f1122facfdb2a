// A rigid piece: its position, its motion, and the effect of impulses at a point. Its moment of inertia is the same
// about every axis, so rotation keeps its axis.

import { exponential } from '../elementary.ts';
import {
  compose,
  cross,
  dot,
  inverse,
  length,
  normalised,
  plus,
  type Quaternion,
  rotate,
  times,
  type Vector,
} from '../rigid/vector.ts';
import type { Hull } from './hulls.ts';

export interface PieceOptions {
  readonly mass: number;
  /** About any axis through the middle. */
  readonly inertia: number;
  readonly position: Vector;
  readonly orientation?: Quaternion;
  readonly velocity?: Vector;
  readonly turning?: Vector;
  /** About the middle. */
  readonly hulls: readonly Hull[];
}

export class Piece {
  readonly hulls: readonly Hull[];
  /** The radius of a ball about the middle that contains all hulls. */
  readonly reach: number;
  position: Vector;
  orientation: Quaternion;
  velocity: Vector;
  turning: Vector;
  /** The fastest impact on it in the last step. */
  struck = 0;
  readonly #inverseMass: number;
  readonly #inverseInertia: number;
  #before: { readonly position: Vector; readonly orientation: Quaternion };

  constructor(options: PieceOptions) {
    this.#inverseMass = 1 / options.mass;
    this.#inverseInertia = 1 / options.inertia;
    this.hulls = options.hulls;
    this.reach = Math.max(0, ...options.hulls.map(({ center, radius }) => length(center) + radius));
    this.position = options.position;
    this.orientation = options.orientation ?? [0, 0, 0, 1];
    this.velocity = options.velocity ?? [0, 0, 0];
    this.turning = options.turning ?? [0, 0, 0];
    this.#before = { position: this.position, orientation: this.orientation };
  }

  velocityAt(offset: Vector): Vector {
    return plus(this.velocity, cross(this.turning, offset));
  }

  /** How easily an impulse along a direction moves the point at an offset. */
  yielding(offset: Vector, direction: Vector): number {
    const lever = cross(offset, direction);
    return this.#inverseMass + this.#inverseInertia * dot(lever, lever);
  }

  /** Moves as an impulse at an offset would move it. */
  shift(push: Vector, offset: Vector): void {
    this.position = plus(this.position, push, this.#inverseMass);
    this.orientation = turnedBy(this.orientation, times(cross(offset, push), this.#inverseInertia));
  }

  /** Changes its motion as an impulse at an offset would. */
  kick(push: Vector, offset: Vector): void {
    this.velocity = plus(this.velocity, push, this.#inverseMass);
    this.turning = plus(this.turning, cross(offset, push), this.#inverseInertia);
  }

  /** Moves freely. `drag` and `spinDrag` are shares of motion lost per second. */
  predict(h: number, gravity: Vector, drag: number, spinDrag: number): void {
    this.#before = { position: this.position, orientation: this.orientation };
    this.velocity = times(plus(this.velocity, gravity, h), exponential(-drag * h));
    this.turning = times(this.turning, exponential(-spinDrag * h));
    this.position = plus(this.position, this.velocity, h);
    this.orientation = turnedBy(this.orientation, times(this.turning, h));
  }

  /** How far the point now at an offset has moved since then. */
  movedAt(offset: Vector): Vector {
    const { position, orientation } = this.#before;
    const back = rotate(orientation, rotate(inverse(this.orientation), offset));
    return plus(plus(this.position, offset), plus(position, back), -1);
  }

  /** The motion that takes it from there to where it was shifted. */
  takeVelocity(h: number): void {
    const { position, orientation } = this.#before;
    this.velocity = times(plus(this.position, position, -1), 1 / h);
    const [x, y, z, w] = compose(this.orientation, inverse(orientation));
    this.turning = times([x, y, z], (w < 0 ? -2 : 2) / h);
  }
}

/** To first order, which is enough for the small rotations of a step. */
function turnedBy(q: Quaternion, [x, y, z]: Vector): Quaternion {
  const d = compose([x, y, z, 0], q);
  return normalised([q[0] + d[0] / 2, q[1] + d[1] / 2, q[2] + d[2] / 2, q[3] + d[3] / 2]);
}

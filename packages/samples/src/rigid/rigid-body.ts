// A rigid body: its position, its motion, and the effect of forces. It stores momenta, so that without forces these
// do not change with any step: v = p/m, ω = R·I⁻¹·Rᵀ·L.

import type { Body, Mesh, Scene } from 'nearfield';
import { exponential } from '../elementary.ts';
import {
  compose,
  cross,
  dot,
  inverse,
  normalised,
  plus,
  poseOf,
  type Quaternion,
  rotate,
  times,
  turnAbout,
  type Vector,
} from './vector.ts';

export interface RigidOptions {
  name: string;
  /** For a mesh whose centre is the origin and whose axes are its principal ones. */
  mesh: Mesh;
  mass: number;
  /** Moments of inertia about x, y and z. */
  inertia: Vector;
  position: Vector;
  orientation: Quaternion;
}

export class RigidBody {
  readonly body: Body;
  readonly mass: number;
  readonly #inertia: Vector;
  #position: Vector;
  #orientation: Quaternion;
  #momentum: Vector = [0, 0, 0];
  #spin: Vector = [0, 0, 0];
  #force: Vector = [0, 0, 0];
  #torque: Vector = [0, 0, 0];

  constructor(scene: Scene, { name, mesh, mass, inertia, position, orientation }: RigidOptions) {
    this.mass = mass;
    this.#inertia = inertia;
    this.#position = position;
    this.#orientation = orientation;
    this.body = scene.add(mesh, { name, pose: poseOf(orientation, position) });
  }

  get position(): Vector {
    return this.#position;
  }
  get velocity(): Vector {
    return times(this.#momentum, 1 / this.mass);
  }
  get #turning(): Vector {
    const local = rotate(inverse(this.#orientation), this.#spin);
    const scaled: Vector = [
      local[0] / this.#inertia[0],
      local[1] / this.#inertia[1],
      local[2] / this.#inertia[2],
    ];
    return rotate(this.#orientation, scaled);
  }

  /** How a point of the body moves. */
  velocityAt(point: Vector): Vector {
    return plus(this.velocity, cross(this.#turning, plus(point, this.#position, -1)));
  }

  /** Adds a force at a point of the world, until the next step. */
  push(force: Vector, point: Vector): void {
    this.#force = plus(this.#force, force);
    this.#torque = plus(this.#torque, cross(plus(point, this.#position, -1), force));
  }

  /**
   * Semi-implicit: first momenta, then positions from the new momenta. `damping` is the share of motion lost per
   * second.
   */
  advance(dt: number, gravity: Vector, damping: number): void {
    const kept = exponential(-damping * dt);
    this.#momentum = times(plus(plus(this.#momentum, this.#force, dt), gravity, this.mass * dt), kept);
    this.#spin = times(plus(this.#spin, this.#torque, dt), kept);
    this.#force = this.#torque = [0, 0, 0];
    this.#position = plus(this.#position, this.velocity, dt);
    const turning = this.#turning;
    const rate = Math.sqrt(dot(turning, turning));
    if (rate > 0) {
      const turn = turnAbout(times(turning, 1 / rate), rate * dt);
      this.#orientation = normalised(compose(turn, this.#orientation));
    }
    this.body.pose = poseOf(this.#orientation, this.#position);
  }

  /** Kinetic and potential energy. */
  energy(gravity: Vector): number {
    const moving = dot(this.#momentum, this.#momentum) / (2 * this.mass) + dot(this.#spin, this.#turning) / 2;
    return moving - this.mass * dot(gravity, this.#position);
  }
}

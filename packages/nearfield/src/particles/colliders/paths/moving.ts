// A path in a collider's own coordinates: a parabola if the collider does not turn, else q = pivot + Rᵀ·P with P = p −
// c − pivot, q' = Rᵀ(P' − ω×P), |q''| ≤ |P''| + 2ω|P'| + ω²|P|.

import type { CompiledMotion } from '../../compiled.ts';
import { relativeTo, rotation, turnBack, turnsAtBirth } from '../../motion/rigid.ts';
import { placeOn, velocityOn } from '../../motion/segment.ts';

export class OwnCurve {
  /** Without the turn: relative to the moved pivot if it turns, in own coordinates if it does not. */
  readonly #path = new Float64Array(9);
  readonly #matrix = new Float64Array(9);
  readonly #place = new Float64Array(3);
  readonly #velocity = new Float64Array(3);
  #motion: CompiledMotion | undefined;
  #turns = 0;
  #omega = 0;
  #speedUp = 0;
  /** Place and velocity in own coordinates at the last σ. */
  readonly place = new Float64Array(3);
  readonly velocity = new Float64Array(3);
  /** The greatest |q'| and |q''| within the reach asked for, and the magnitude of coordinates. */
  speed = 0;
  bend = 0;
  scale = 0;

  begin(motion: CompiledMotion | undefined, birth: number, since: number, path: Float64Array): void {
    if (motion === undefined) this.#path.set(path);
    else relativeTo(motion, birth, since, path, this.#path);
    this.#motion = motion?.turns ? motion : undefined;
    if (this.#motion !== undefined) {
      for (let axis = 0; axis < 3; axis++) this.#path[axis] -= this.#motion.pivot[axis];
      this.#turns = turnsAtBirth(this.#motion, birth) + this.#motion.turnsPerSecond * since;
      this.#omega = this.#motion.turnsPerSecond * 2 * Math.PI;
    }
    this.#speedUp = length(this.#path, 6);
  }

  /** Place and velocity at σ, and bounds for σ ± reach. */
  at(sigma: number, reach: number): void {
    const path = this.#path;
    const motion = this.#motion;
    const a = this.#speedUp;
    if (motion === undefined) {
      placeOn(path, sigma, this.place);
      velocityOn(path, sigma, this.velocity);
      this.bend = a;
      this.speed = length(this.velocity, 0) + a * reach;
      this.scale = length(this.place, 0);
      return;
    }
    placeOn(path, sigma, this.#place);
    velocityOn(path, sigma, this.#velocity);
    const x = this.#place[0];
    const y = this.#place[1];
    const z = this.#place[2];
    const vx = this.#velocity[0];
    const vy = this.#velocity[1];
    const vz = this.#velocity[2];
    const { axis, pivot } = motion;
    const omega = this.#omega;
    rotation(motion, this.#turns + motion.turnsPerSecond * sigma, this.#matrix);
    turnBack(this.#matrix, x, y, z, this.place);
    turnBack(
      this.#matrix,
      vx - omega * (axis[1] * z - axis[2] * y),
      vy - omega * (axis[2] * x - axis[0] * z),
      vz - omega * (axis[0] * y - axis[1] * x),
      this.velocity,
    );
    for (let i = 0; i < 3; i++) this.place[i] += pivot[i];
    const far = length(this.#place, 0);
    const fast = length(this.#velocity, 0);
    const farthest = far + (fast + 0.5 * a * reach) * reach;
    this.bend = a + 2 * omega * (fast + a * reach) + omega * omega * farthest;
    this.speed = length(this.velocity, 0) + this.bend * reach;
    this.scale = far + Math.abs(pivot[0]) + Math.abs(pivot[1]) + Math.abs(pivot[2]);
  }
}

const length = (v: Float64Array, at: number): number =>
  Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);

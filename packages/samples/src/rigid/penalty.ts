// The response of Hoff, Zaferakis, Lin and Manocha (section 6): the common volume of two bodies is sampled, and at
// every sample a spring pushes, in proportion to its depth, towards the nearest point of the two surfaces. If that
// point is on A, the spring pushes B's matter out of A there, and vice versa. A sample stands for the volume of its
// cell, so forces do not depend on the sampling density.

import type { Body, Scene } from 'nearfield';
import type { RigidBody } from './rigid-body.ts';
import { dot, length, plus, times, type Vector } from './vector.ts';

export interface PenaltyOptions {
  /** How far off the sampled region may be: half the diagonal of a cell. */
  readonly tolerance: number;
  /** Force per depth and volume. */
  readonly stiffness: number;
  /** The share by which a force grows per metre per second of closing speed, and shrinks with opening speed. */
  readonly damping: number;
  /** The friction force as a share of the normal force. */
  readonly friction: number;
}

export interface Pressed {
  readonly points: number;
  readonly deepest: number;
  /**
   * The energy of the springs: stiffness·depth² over the volume. A layer of thickness h between two flat surfaces
   * pushes with ∫ stiffness·depth = stiffness·h²/4 per area, and the work done on it is the integral of that,
   * stiffness·h³/12.
   */
  readonly energy: number;
}

/** Below this sliding speed, friction is in proportion to it: it stops the slide and does not push it back. */
const slowSliding = 0.05;

/** Pushes two bodies apart where they overlap. A fixed body is given without its motion. */
export async function pushApart(
  scene: Scene,
  bodies: readonly [Body, Body],
  moving: readonly [RigidBody | undefined, RigidBody | undefined],
  options: PenaltyOptions,
): Promise<Pressed> {
  const { tolerance, stiffness, damping, friction } = options;
  const volume = await scene.intersectionVolume(bodies, { tolerance, depths: true });
  const { points, count, depths } = volume;
  if (count === 0 || depths === undefined) return { points: 0, deepest: 0, energy: 0 };
  const cell = volume.volume / count;
  let [deepest, energy] = [0, 0];
  for (let i = 0; i < count; i++) {
    const depth = depths.depth[i];
    const out: Vector = [depths.direction[3 * i], depths.direction[3 * i + 1], depths.direction[3 * i + 2]];
    const point: Vector = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    const [held, pushed] = depths.body[i] === 0 ? [moving[0], moving[1]] : [moving[1], moving[0]];
    const still: Vector = [0, 0, 0];
    const speed = plus(pushed?.velocityAt(point) ?? still, held?.velocityAt(point) ?? still, -1);
    const opening = dot(speed, out);
    const size = stiffness * cell * depth * Math.max(0, 1 - damping * opening);
    const sliding = plus(speed, out, -opening);
    const slowing = (friction * size) / Math.max(length(sliding), slowSliding);
    const force = plus(times(out, size), sliding, -slowing);
    pushed?.push(force, point);
    held?.push(times(force, -1), point);
    deepest = Math.max(deepest, depth);
    energy += stiffness * cell * depth * depth;
  }
  return { points: count, deepest, energy };
}

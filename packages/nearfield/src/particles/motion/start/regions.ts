// Regions over which starts are distributed: checked, written as numbers (seam.ts), and a point of one for a particle
// and a generation. No point is ever rejected: the greatest of two uniform numbers is distributed like the radius in a
// disc, that of three like the radius in a ball.

import { inWords } from '../../../core/arguments.ts';
import { NearfieldError } from '../../../core/errors.ts';
import type { Box } from '../../../math/box.ts';
import { cross } from '../../../math/vector.ts';
import { atLeastZero, finiteNumber, finiteVector, unitVector } from '../../check.ts';
import type { Vector } from '../../colliders/shapes.ts';
import type { CompiledRegion } from '../../compiled.ts';
import type { Region } from '../../options.ts';
import { turnBy, turned } from '../sine.ts';
import { hashGeneration, hashParticle, hashSeed } from './hash.ts';

/** Two unit vectors perpendicular to an axis and to each other: axis, right, up are right-handed. */
export function frameOf(axis: Vector): { right: Vector; up: Vector } {
  const [x, y, z] = axis;
  // Away from the axis' longest coordinate.
  const across: Vector =
    Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)
      ? [1, 0, 0]
      : Math.abs(y) <= Math.abs(z)
        ? [0, 1, 0]
        : [0, 0, 1];
  const along = across[0] * x + across[1] * y + across[2] * z;
  const right = unitVector([across[0] - along * x, across[1] - along * y, across[2] - along * z], 'right');
  return { right, up: cross(axis, right) };
}

export function compileRegion(region: Region, channel: number, what: string): CompiledRegion {
  if (typeof region !== 'object' || region === null) {
    throw new NearfieldError(
      'bad-option',
      `${what} must be a point, box, disc, ball or cone, not ${inWords(region)}`,
    );
  }
  if ('point' in region) {
    const point = finiteVector(region.point, `${what}: point`);
    return { kind: 'point', numbers: Float64Array.from(point), channel, box: boxOf(point, point) };
  }
  if ('box' in region) {
    const low = finiteVector(region.box?.[0], `${what}: box's low corner`);
    const high = finiteVector(region.box?.[1], `${what}: box's high corner`);
    const size = high.map((value, axis) => value - low[axis]);
    if (size.some(value => value < 0)) {
      throw new NearfieldError('bad-option', `${what}: the box's low corner is not below its high corner`);
    }
    return { kind: 'box', numbers: Float64Array.from([...low, ...size]), channel, box: boxOf(low, high) };
  }
  if ('disc' in region) {
    const centre = finiteVector(region.disc?.centre, `${what}: disc's centre`);
    const normal = unitVector(region.disc?.normal, `${what}: disc's normal`);
    const radius = atLeastZero(region.disc.radius, `${what}: disc's radius`);
    const { right, up } = frameOf(normal);
    const numbers = [...centre, ...right.map(value => value * radius), ...up.map(value => value * radius)];
    return { kind: 'disc', numbers: Float64Array.from(numbers), channel, box: ballBox(centre, radius) };
  }
  if ('ball' in region) {
    const centre = finiteVector(region.ball?.centre, `${what}: ball's centre`);
    const radius = atLeastZero(region.ball.radius, `${what}: ball's radius`);
    return {
      kind: 'ball',
      numbers: Float64Array.from([...centre, radius]),
      channel,
      box: ballBox(centre, radius),
    };
  }
  if ('cone' in region) {
    const axis = unitVector(region.cone?.axis, `${what}: cone's axis`);
    const angle = atLeastZero(region.cone.angle, `${what}: cone's angle`);
    const low = finiteNumber(region.cone.speed?.[0], `${what}: cone's speed`);
    const high = finiteNumber(region.cone.speed?.[1], `${what}: cone's speed`);
    if (angle > Math.PI)
      throw new NearfieldError('bad-option', `${what}: a cone's angle must be at most π, not ${angle}`);
    if (low > high)
      throw new NearfieldError('bad-option', `${what}: the cone's speeds go from ${low} to ${high}`);
    const { right, up } = frameOf(axis);
    turnBy(angle / (2 * Math.PI));
    const numbers = [...axis, ...right, ...up, 1 - turned[1], low, high - low];
    const most = Math.max(Math.abs(low), Math.abs(high));
    return { kind: 'cone', numbers: Float64Array.from(numbers), channel, box: ballBox([0, 0, 0], most) };
  }
  throw new NearfieldError('bad-option', `${what} must be a point, box, disc, ball or cone`);
}

const boxOf = (low: Vector, high: Vector): Box => Float64Array.from([...low, ...high]);
/** Slightly larger than the ball, for the rounding of points in it. */
const ballBox = (centre: Vector, radius: number): Box => {
  const more = centre.map(value => radius + 2 ** -50 * (Math.abs(value) + radius));
  return Float64Array.from([
    ...centre.map((value, axis) => value - more[axis]),
    ...centre.map((value, axis) => value + more[axis]),
  ]);
};

/** Draws numbers of a region for one particle after the other: the seed's part of the hash is computed once. */
export class RegionSampler {
  readonly #region: CompiledRegion;
  readonly #seeds: Int32Array;

  constructor(region: CompiledRegion, seed: number) {
    this.#region = region;
    this.#seeds = Int32Array.from({ length: 5 }, (_, i) => hashSeed(seed, region.channel + i));
  }

  /** Writes three numbers. */
  sample(particle: number, generation: number, out: Float64Array, at: number): void {
    const { kind, numbers: n } = this.#region;
    if (kind === 'box') {
      for (let axis = 0; axis < 3; axis++)
        out[at + axis] = n[axis] + n[3 + axis] * this.#uniform(axis, particle, generation);
    } else if (kind === 'point') {
      for (let axis = 0; axis < 3; axis++) out[at + axis] = n[axis];
    } else if (kind === 'disc') {
      const r = Math.max(this.#uniform(0, particle, generation), this.#uniform(1, particle, generation));
      turnBy(this.#uniform(2, particle, generation));
      const along = r * turned[1];
      const across = r * turned[0];
      for (let axis = 0; axis < 3; axis++)
        out[at + axis] = n[axis] + (n[3 + axis] * along + n[6 + axis] * across);
    } else if (kind === 'ball') {
      const first = Math.max(this.#uniform(0, particle, generation), this.#uniform(1, particle, generation));
      const r = n[3] * Math.max(first, this.#uniform(2, particle, generation));
      const z = 2 * this.#uniform(3, particle, generation) - 1;
      turnBy(this.#uniform(4, particle, generation));
      const across = r * Math.sqrt(1 - z * z);
      out[at] = n[0] + across * turned[1];
      out[at + 1] = n[1] + across * turned[0];
      out[at + 2] = n[2] + r * z;
    } else {
      const d = this.#uniform(0, particle, generation) * n[9];
      const side = Math.sqrt(d * (2 - d));
      turnBy(this.#uniform(1, particle, generation));
      const speed = n[10] + n[11] * this.#uniform(2, particle, generation);
      const right = side * turned[1];
      const up = side * turned[0];
      for (let axis = 0; axis < 3; axis++)
        out[at + axis] = speed * (n[axis] * (1 - d) + (n[3 + axis] * right + n[6 + axis] * up));
    }
  }

  #uniform(channel: number, particle: number, generation: number): number {
    return (hashGeneration(hashParticle(this.#seeds[channel], particle), generation) >>> 8) * 2 ** -24;
  }
}

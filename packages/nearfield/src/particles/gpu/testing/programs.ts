// Forces given as WGSL and TypeScript whose motion has a closed form, each with a particle whose first impact is known.

import type { Vector } from '../../colliders/shapes.ts';
import type { ForceProgram, ParticleOptions } from '../../options.ts';

export interface Programmed {
  readonly force: ForceProgram;
  /** One particle, stepped. */
  readonly options: (step: number) => ParticleOptions;
  /** Its x at a time, and when it first hits the plane x = −0.5. */
  readonly xOf: (time: number) => number;
  readonly exact: number;
}

function programmed(
  force: ForceProgram,
  position: readonly number[],
  velocity: readonly number[],
  xOf: (time: number) => number,
): Programmed {
  let [low, high] = [0, 0];
  while (xOf(high) > -0.5 && high < 4) high += 1 / 256;
  low = high - 1 / 256;
  while (high - low > 1e-13) {
    const middle = 0.5 * (low + high);
    if (xOf(middle) > -0.5) low = middle;
    else high = middle;
  }
  return {
    force,
    xOf,
    exact: low,
    options: step => ({
      count: 1,
      generations: 1,
      start: { position: Float64Array.from(position), velocity: Float64Array.from(velocity), life: 4 },
      colliders: [{ plane: { point: [-0.5, 0, 0], normal: [1, 0, 0] } }],
      motion: { step, order: 2, force },
    }),
  };
}

const module = (body: string) =>
  `fn acceleration(place: vec3f, velocity: vec3f, time: f32) -> vec3f {\n  ${body}\n}\n`;

/** x″ = −4x from 1: x = cos 2t. */
export const oscillator = programmed(
  {
    wgsl: module('return -4.0 * place;'),
    acceleration: ([x, y, z]) => [-4 * x, -4 * y, -4 * z],
    greatest: 8,
    slopes: { place: 4, velocity: 0, time: 0 },
  },
  [1, 0, 0],
  [0, 0, 0],
  t => Math.cos(2 * t),
);

const [decay, frequency] = [0.3, Math.sqrt(4 - 0.09)];

/** x″ = −4x − 0.6x′. */
export const damped = programmed(
  {
    wgsl: module('return -4.0 * place - 0.6 * velocity;'),
    acceleration: (p, v) => [0, 1, 2].map(i => -4 * p[i] - 0.6 * v[i]) as unknown as Vector,
    greatest: 8,
    slopes: { place: 4, velocity: 0.6, time: 0 },
  },
  [1, 0, 0],
  [0, 0, 0],
  t => Math.exp(-decay * t) * (Math.cos(frequency * t) + (decay / frequency) * Math.sin(frequency * t)),
);

/** v′ = 3·v × z: a circle of radius 1. */
export const magnetic = programmed(
  {
    wgsl: module('return 3.0 * cross(velocity, vec3f(0.0, 0.0, 1.0));'),
    acceleration: (_, [vx, vy]) => [3 * vy, -3 * vx, 0],
    greatest: 12,
    slopes: { place: 0, velocity: 3, time: 0 },
  },
  [0.25, 0, 0],
  [-3, 0, 0],
  t => 0.25 - Math.sin(3 * t),
);

/** x″ = −4x + t from rest at 1. */
export const pushed = programmed(
  {
    wgsl: module('return vec3f(-4.0 * place.x + time, -4.0 * place.yz);'),
    acceleration: ([x, y, z], _, t) => [-4 * x + t, -4 * y, -4 * z],
    greatest: 12,
    slopes: { place: 4, velocity: 0, time: 1 },
  },
  [1, 0, 0],
  [0, 0, 0],
  t => t / 4 + Math.cos(2 * t) - Math.sin(2 * t) / 8,
);

/** The particle of `gusty` ends up swinging by wave·cos 3t + sway·sin 3t. */
const [wave, sway] = [-0.3 / (5 + 1.8 ** 2 / 5), 0.108 / (5 + 1.8 ** 2 / 5)];

/**
 * x″ = −4x − 0.6x′ + 0.3·cos 3t, in gusts of wind. Its helpers and constants have names of their own, some with letters that
 * follow the name of a function or type of WGSL. It is not a number where z < −2. A software GPU compiles every module for
 * seconds, so one serves all tests.
 */
export const gusty = programmed(
  {
    wgsl: `
// No @group(0) @binding(1) var<uniform> system here.
const _ветер = 0.6;
struct vec3fΔ { speed: vec3f }
fn lengthé(time: f32) -> vec3fΔ { return vec3fΔ(vec3f(0.5 * cos(3.0 * time), 0.2, 0.0)); }
fn acceleration(place: vec3f, velocity: vec3f, time: f32) -> vec3f {
  let pull = 4.0 * (1.0 + select(0.0, sqrt(place.z + 2.0), place.z < -2.0));
  return -pull * place - _ветер * (velocity - lengthé(time).speed);
}`,
    acceleration: ([x, y, z], [vx, vy, vz], t) => [
      -4 * x - 0.6 * (vx - 0.5 * Math.cos(3 * t)),
      -4 * y - 0.6 * (vy - 0.2),
      -4 * z - 0.6 * vz,
    ],
    greatest: 12,
    slopes: { place: 4.1, velocity: 0.61, time: 0.95 },
    error: 1e-4,
    about: [0, 0, 1],
  },
  [1, 0, 0],
  [0, 0, 0],
  t =>
    Math.exp(-decay * t) *
      ((1 - wave) * Math.cos(frequency * t) +
        ((decay * (1 - wave) - 3 * sway) / frequency) * Math.sin(frequency * t)) +
    wave * Math.cos(3 * t) +
    sway * Math.sin(3 * t),
);

// Forces of stepped motion, sampled at the middles of a grid's cells when the system is made. Any function will do:
// what is stepped is the samples, which are the same on every backend.

import {
  anything,
  bad,
  checkOptions,
  inWords,
  isObject,
  type Rule,
  type Rules,
} from '../../../core/arguments.ts';
import { type Grid, samplePosition } from '../../../sampled/field/grid.ts';
import { finiteVector, positive } from '../../check.ts';
import type { Vector } from '../../colliders/shapes.ts';
import type { Force, ForceField } from '../../options.ts';

const forceRules: Rules<ForceField> = { grid: anything, acceleration: anything };

/** Accelerations in world units, three per cell; checked. `grid` has been checked. */
export function sampleForce(given: ForceField): Float64Array {
  checkOptions(given, forceRules, 'particles: motion: force', 'force');
  const { grid, acceleration } = given;
  const cells = grid.dimensions[0] * grid.dimensions[1] * grid.dimensions[2];
  if (acceleration instanceof Float32Array) {
    if (acceleration.length !== 3 * cells) {
      throw bad(
        `motion: the force's acceleration must be a Float32Array of ${3 * cells} numbers, three per cell`,
      );
    }
    return checked(Float64Array.from(acceleration));
  }
  const forces = (Array.isArray(acceleration) ? acceleration : [acceleration]) as readonly Force[];
  const functions = forces.map(functionOf);
  const out = new Float64Array(3 * cells);
  eachMiddle(grid, (place, at) => {
    for (const force of functions) {
      const [x, y, z] = finiteVector(force(place), 'motion: the acceleration that a force returns');
      out[at] += x;
      out[at + 1] += y;
      out[at + 2] += z;
    }
  });
  return checked(out);
}

function checked(values: Float64Array): Float64Array {
  const wrong = values.findIndex(value => !Number.isFinite(value));
  if (wrong >= 0)
    throw bad(`motion: the force's acceleration in cell ${Math.floor(wrong / 3)} is not finite`);
  return values;
}

/** The greatest of the accelerations. */
export function greatestForce(values: Float64Array): number {
  let squared = 0;
  for (let i = 0; i < values.length; i += 3) {
    squared = Math.max(squared, values[i] ** 2 + values[i + 1] ** 2 + values[i + 2] ** 2);
  }
  return Math.sqrt(squared);
}

function eachMiddle(grid: Grid, visit: (place: Vector, at: number) => void): void {
  let at = 0;
  for (let k = 0; k < grid.dimensions[2]; k++) {
    for (let j = 0; j < grid.dimensions[1]; j++) {
      for (let i = 0; i < grid.dimensions[0]; i++, at += 3) {
        visit([samplePosition(grid, 0, i), samplePosition(grid, 1, j), samplePosition(grid, 2, k)], at);
      }
    }
  }
}

type Well = Extract<Force, { readonly well: unknown }>['well'];
type Vortex = Extract<Force, { readonly vortex: unknown }>['vortex'];
const wellRules: Rules<Well> = { centre: finiteVector, strength: finiteNumber, radius: positive };
const vortexRules: Rules<Vortex> = { ...wellRules, axis: finiteVector };

function finiteNumber(value: unknown, what: string): void {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw bad(`${what} must be a number, not ${inWords(value)}`);
}

function functionOf(force: Force): (place: Vector) => Vector {
  if (typeof force === 'function') return force;
  if (isObject(force) && 'well' in force) {
    checkOptions(force.well, wellRules, 'motion: a well', 'well');
    const { centre, strength, radius } = complete(force.well, wellRules, 'motion: a well');
    return ([x, y, z]) => {
      const way = [x - centre[0], y - centre[1], z - centre[2]];
      const squared = way[0] ** 2 + way[1] ** 2 + way[2] ** 2 + radius * radius;
      const pull = -strength / (squared * Math.sqrt(squared));
      return [pull * way[0], pull * way[1], pull * way[2]];
    };
  }
  if (isObject(force) && 'vortex' in force) {
    checkOptions(force.vortex, vortexRules, 'motion: a vortex', 'vortex');
    const { centre, axis, strength, radius } = complete(force.vortex, vortexRules, 'motion: a vortex');
    const size = Math.hypot(...axis);
    if (!(size > 0)) throw bad('motion: the axis of a vortex has length 0');
    const [a, b, c] = axis.map(value => value / size);
    return ([x, y, z]) => {
      const [dx, dy, dz] = [x - centre[0], y - centre[1], z - centre[2]];
      const around = [b * dz - c * dy, c * dx - a * dz, a * dy - b * dx];
      const squared = around[0] ** 2 + around[1] ** 2 + around[2] ** 2 + radius * radius;
      return [
        (strength * around[0]) / squared,
        (strength * around[1]) / squared,
        (strength * around[2]) / squared,
      ];
    };
  }
  throw bad(`motion: a force is a function, a well or a vortex, not ${inWords(force)}`);
}

/** Nothing may be left out. */
function complete<T extends object>(given: T, rules: Rules<T>, what: string): T {
  for (const [name, rule] of Object.entries<Rule>(rules)) rule(given[name as keyof T], `${what}: ${name}`);
  return given;
}

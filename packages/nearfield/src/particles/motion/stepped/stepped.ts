// Motion without a formula (Knott, section 3.7): drag against a wind that differs from place to place, and forces,
// stepped in integers, so that every backend makes the same steps. With `order: 1` the path between steps is a chord, and
// colliders are tested as for straight paths.
//
// Units. Places are i32 multiples of `unit` about the setup's origin; everything lies within 2^28 of them. Velocities
// are i32 multiples of unit·2^-shift per step. With `order: 1`, one step from (x, v) is
//   v' = v + gain − floor((v − wind(x))·drag / 2^31),   x' = x + floor((v' + half) / 2^shift),
// half being half of 2^shift. So rounding moves a place by at most half a unit per step, and changes a velocity by at
// most one unit of velocity per step. This method is of first order: places are off by about the time times half the
// change of velocity in a step.
//
// With `order: 2`, the default, a step is symmetric (Strang 1968): half of it with the old velocity, then the change of velocity by
// what acts at that place, exact for constant wind and acceleration g: v' = w + (v − w)·e^−kh + g·(1 − e^−kh)/k; then the
// other half with the new velocity,
//   y = x + round(v / 2^(shift + 1)),   v' = v + gain + force(y) − round((v − wind(y))·drag / 2^31),
//   x' = x + floor((v + v' + 2^shift) / 2^(shift + 1)).
// Each part is a flow, and a symmetric composition of flows has an error of h³ per step. Wind and forces are interpolated,
// so that they have no jumps. Between steps the path is the parabola from x to x' that begins with the velocity v. Its
// velocity at the end is v' up to rounding, so there are no kinks; and it is off by h³ from the true path too.
//
// A force given as a program is evaluated at y and in the middle of the step's time, in doubles, and what it adds is
// rounded once. If it depends on the velocity, the old one gives a first v', and the force is that of the mean of
// both: the mean is off by h², what it adds by h³ again.
//
// After an impact a particle continues from the unit place nearest to it, and steps are counted from that time on. That
// place may lie on the wrong side of surfaces nearby by up to a unit: all surfaces within two are contacts
// (lives/contacts.ts).

import {
  anything,
  bad,
  checkOptions,
  inWords,
  isObject,
  oneOf,
  type Rules,
} from '../../../core/arguments.ts';
import type { Grid } from '../../../sampled/field/grid.ts';
import { atLeastZero, finiteVector, positive } from '../../check.ts';
import type { CompiledProgram, CompiledStepped, Setup } from '../../compiled.ts';
import type { SteppedMotion } from '../../options.ts';
import { compileProgram, ProgramCall } from './force-program.ts';
import { greatestForce, sampleForce } from './forces.ts';
import { nearestPartOf, partOf } from './part-of.ts';
import { compileGrid, sampleGrid } from './sampled-grid.ts';

const mostSteps = 65_536;
/** The unit of length: coordinates are at most 2^28 of them. */
const unitOf = (lengthExponent: number): number => 2 ** (lengthExponent - 28);
const stepTicksOf = (given: SteppedMotion, tick: number): number =>
  Math.max(1, Math.round(positive(given.step, 'motion: step') / tick));

/** The slowest rebound that takes a particle past the two units within which surfaces count as touched. */
export const stepRestSpeed = (given: SteppedMotion, tick: number, lengthExponent: number): number =>
  (4.001 * unitOf(lengthExponent)) / (stepTicksOf(given, tick) * tick);

/** Coordinates beyond this are out of range: four times as far as everything. */
export const farthest = 2 ** 30;

/** `fastest` is the greatest speed that a particle can have, including the wind's; `forces` come from `forcesOf`. */
export function compileStepped(
  given: SteppedMotion | undefined,
  setup: Omit<Setup, 'stepped'>,
  fastest: number,
  forces: Forces | undefined,
): CompiledStepped | undefined {
  if (given === undefined) return undefined;
  const { tick, longestLifeTicks, lengthExponent, acceleration } = setup;
  const stepTicks = stepTicksOf(given, tick);
  const steps = Math.ceil(longestLifeTicks / stepTicks);
  if (steps > mostSteps)
    throw bad(`motion: a life has ${steps} steps, more than ${mostSteps}: make them longer`);
  const step = stepTicks * tick;
  const unit = unitOf(lengthExponent);
  // Velocities stay below 2^29 in their own unit, with as many bits as that leaves them.
  let shift = 0;
  while (shift < 16 && ((fastest * step) / unit) * 2 ** (shift + 1) < 2 ** 29) shift++;
  const perStep = (step / unit) * 2 ** shift;
  if (fastest * perStep >= 2 ** 29)
    throw bad(`motion: a step of ${step} s takes particles too far: make it shorter`);
  const drag = atLeastZero(given.drag ?? 0, 'motion: drag');
  checkResponses(setup, step, unit);
  const { order = 2 } = given;
  // With drag k an acceleration g adds g·(1 − e^−kh)/k in a step.
  const gainTime = order === 2 && drag > 0 ? -Math.expm1(-drag * step) / drag : step;
  const { wind } = given;
  const { origin } = setup;
  return {
    order,
    gainTime,
    blowing:
      order === 2 && wind !== undefined
        ? compileGrid("motion: the wind's grid", wind.grid, wind.velocity, perStep, origin, unit)
        : undefined,
    pushing:
      forces?.samples !== undefined
        ? compileGrid(
            "motion: the force's grid",
            forces.grid!,
            forces.samples,
            gainTime * perStep,
            origin,
            unit,
          )
        : undefined,
    program: forces?.program,
    stepTicks,
    step,
    mostSteps: steps,
    unit,
    shift,
    perStep,
    gain: Int32Array.from(acceleration, each => Math.round(each * gainTime * perStep)),
    drag: Math.round(-Math.expm1(-drag * step) * 2 ** 31),
    wind: order === 1 ? compileWind(given, setup, unit, perStep) : undefined,
  };
}

/** A rebound takes a particle past the two units within which surfaces count as touched. */
function checkResponses({ colliders }: Omit<Setup, 'stepped'>, step: number, unit: number): void {
  for (const { name, response } of colliders) {
    if (response.bounces && response.restSpeed * step < 4 * unit) {
      throw bad(
        `${name}: restSpeed is below ${(4 * unit) / step}, what stepped motion of this extent can tell from rest`,
      );
    }
  }
}

const steppedRules: Rules<SteppedMotion> = {
  step: positive,
  order: oneOf(1, 2),
  drag: atLeastZero,
  wind: anything,
  force: anything,
};

/** The forces of a motion: samples on a grid, or a program. */
export interface Forces {
  readonly greatest: number;
  readonly grid?: Grid;
  /** Accelerations, three per cell. */
  readonly samples?: Float64Array;
  readonly program?: CompiledProgram;
}

export function forcesOf(given: SteppedMotion | undefined): Forces | undefined {
  const force = given?.force;
  if (force === undefined) return undefined;
  if (given!.order === 1) throw bad('motion: force needs order 2');
  if (!isObject(force)) throw bad(`motion: force needs a grid or WGSL, not ${inWords(force)}`);
  if ('wgsl' in force) {
    const program = compileProgram(force);
    return { program, greatest: program.greatest };
  }
  checkGrid(force.grid, "the force's");
  const samples = sampleForce(force);
  return { grid: force.grid, samples, greatest: greatestForce(samples) };
}

/** The greatest speed of the wind. */
export function windSpeed(given: SteppedMotion | undefined): number {
  if (given === undefined) return 0;
  checkOptions(given, steppedRules, 'particles: motion', 'motion');
  if (given.wind === undefined) return 0;
  const { wind } = given;
  if (!isObject(wind)) throw bad(`motion: wind needs a grid and velocities, not ${inWords(wind)}`);
  const { grid, velocity } = wind;
  checkGrid(grid, "the wind's");
  const cells = grid.dimensions[0] * grid.dimensions[1] * grid.dimensions[2];
  if (!(velocity instanceof Float32Array) || velocity.length !== 3 * cells) {
    throw bad(`motion: the wind's velocity must be a Float32Array of ${3 * cells} numbers, three per cell`);
  }
  let squared = 0;
  for (let i = 0; i < velocity.length; i += 3) {
    const cell = velocity[i] ** 2 + velocity[i + 1] ** 2 + velocity[i + 2] ** 2;
    if (!Number.isFinite(cell)) throw bad(`motion: the wind's velocity in cell ${i / 3} is not finite`);
    if (cell > squared) squared = cell;
  }
  return Math.sqrt(squared);
}

function checkGrid(grid: Grid, whose: string): void {
  if (typeof grid !== 'object' || grid === null) throw bad(`motion: ${whose} grid is ${inWords(grid)}`);
  positive(grid.cell, `motion: the cell of ${whose} grid`);
  finiteVector(grid.origin, `motion: the origin of ${whose} grid`);
  for (const count of finiteVector(grid.dimensions, `motion: the dimensions of ${whose} grid`)) {
    if (!Number.isInteger(count) || count < 1)
      throw bad(`motion: ${whose} grid has ${count} cells along an axis`);
  }
}

function compileWind(
  { wind }: SteppedMotion,
  { origin }: Omit<Setup, 'stepped'>,
  unit: number,
  perStep: number,
): CompiledStepped['wind'] {
  if (wind === undefined) return undefined;
  const { grid, velocity } = wind;
  const low = [0, 1, 2].map(axis => Math.round((grid.origin[axis] - origin[axis]) / unit));
  const cell = Math.round(grid.cell / unit);
  if (cell < 1 || cell > farthest || low.some(value => Math.abs(value) > farthest)) {
    throw bad("motion: the wind's grid is too fine or too far for where particles get");
  }
  const { dimensions } = grid;
  return {
    velocity: Int32Array.from(velocity, each => Math.round(each * perStep)),
    low: Int32Array.from(low),
    cell,
    dimensions,
  };
}

/** A number as an integer. What does not fit is clamped; the first step then finds it out of range. */
const inRange = (value: number): number => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.round(value)));
export const unitsOfPlace = ({ unit }: CompiledStepped, origin: number, place: number): number =>
  inRange((place - origin) / unit);
export const unitsOfVelocity = ({ perStep }: CompiledStepped, velocity: number): number =>
  inRange(velocity * perStep);
export const unitsOfGain = ({ gainTime, perStep }: CompiledStepped, acceleration: number): number =>
  inRange(acceleration * gainTime * perStep);

/** Steps one particle. */
export class Stepper {
  readonly #stepped: CompiledStepped;
  readonly #origin: readonly [number, number, number];
  readonly x = new Int32Array(3);
  readonly v = new Int32Array(3);
  readonly #gain = new Int32Array(3);
  readonly #from = new Int32Array(3);
  readonly #fromV = new Int32Array(3);
  readonly #middle = new Int32Array(3);
  readonly #blown = new Int32Array(3);
  readonly #pushed = new Int32Array(3);
  readonly #change = new Int32Array(3);
  readonly #program: ProgramCall | undefined;
  /** When the particle is at x, in seconds; only programs need it. */
  time = 0;

  constructor({ stepped, origin }: Setup) {
    this.#stepped = stepped!;
    this.#origin = origin;
    if (stepped!.program !== undefined) this.#program = new ProgramCall(stepped!, stepped!.program, origin);
  }

  /** Begins at a path's start; its acceleration is what it gains in each step. */
  start(path: Float64Array, time: number): void {
    this.time = time;
    const stepped = this.#stepped;
    for (let axis = 0; axis < 3; axis++) {
      this.x[axis] = unitsOfPlace(stepped, this.#origin[axis], path[axis]);
      this.v[axis] = unitsOfVelocity(stepped, path[3 + axis]);
      this.#gain[axis] = unitsOfGain(stepped, path[6 + axis]);
    }
  }

  /** Makes a step. Returns false if it leads out of range. */
  step(): boolean {
    if (this.#stepped.order === 2) return this.#symmetricStep();
    const { x, v } = this;
    const { drag, wind, shift } = this.#stepped;
    const half = shift > 0 ? 2 ** (shift - 1) : 0;
    const cell = wind === undefined ? -1 : this.#cellOf(x);
    let isIn = true;
    for (let axis = 0; axis < 3; axis++) {
      const blown = cell < 0 ? 0 : wind!.velocity[3 * cell + axis];
      const faster = v[axis] + this.#gain[axis] - (drag > 0 ? partOf(v[axis] - blown, drag) : 0);
      const farther = x[axis] + Math.floor((faster + half) / 2 ** shift);
      if (Math.abs(farther) > farthest || Math.abs(faster) > farthest) isIn = false;
      v[axis] = faster;
      x[axis] = farther;
    }
    return isIn;
  }

  #symmetricStep(): boolean {
    const { x, v } = this;
    const { drag, blowing, pushing, shift, step } = this.#stepped;
    const [half, whole] = [2 ** shift, 2 ** (shift + 1)];
    const program = this.#program;
    for (let axis = 0; axis < 3; axis++) this.#middle[axis] = x[axis] + Math.floor((v[axis] + half) / whole);
    if (blowing !== undefined) sampleGrid(blowing, this.#middle, this.#blown);
    if (pushing !== undefined) sampleGrid(pushing, this.#middle, this.#pushed);
    program?.push(this.#middle, v, undefined, this.time + 0.5 * step, this.#pushed);
    if (program?.dependsOnVelocity) {
      for (let axis = 0; axis < 3; axis++) this.#change[axis] = this.#changeOf(axis, drag);
      program.push(this.#middle, v, this.#change, this.time + 0.5 * step, this.#pushed);
    }
    let isIn = true;
    for (let axis = 0; axis < 3; axis++) {
      const faster = v[axis] + this.#changeOf(axis, drag);
      const farther = x[axis] + Math.floor((v[axis] + faster + half) / whole);
      if (Math.abs(farther) > farthest || Math.abs(faster) > farthest) isIn = false;
      v[axis] = faster;
      x[axis] = farther;
    }
    this.time += step;
    return isIn;
  }

  /** By how much a step of second order changes the velocity. */
  #changeOf(axis: number, drag: number): number {
    const lost = drag > 0 ? nearestPartOf(this.v[axis] - this.#blown[axis], drag) : 0;
    return this.#gain[axis] + this.#pushed[axis] - lost;
  }

  /**
   * Makes the next step and writes its path: a chord without acceleration, or with order 2 a parabola. Returns false as in
   * `step`.
   */
  chord(path: Float64Array): boolean {
    const { unit, step, order, shift } = this.#stepped;
    this.#from.set(this.x);
    this.#fromV.set(this.v);
    const isIn = this.step();
    if (order === 2) {
      const speed = unit / (step * 2 ** shift);
      for (let axis = 0; axis < 3; axis++) {
        const from = this.#from[axis];
        const velocity = this.#fromV[axis];
        path[axis] = this.#origin[axis] + from * unit;
        path[3 + axis] = velocity * speed;
        path[6 + axis] = (((this.x[axis] - from) * 2 ** shift - velocity) * 2 * speed) / step;
      }
      return isIn;
    }
    for (let axis = 0; axis < 3; axis++) {
      const from = this.#from[axis];
      path[axis] = this.#origin[axis] + from * unit;
      path[3 + axis] = ((this.x[axis] - from) * unit) / step;
      path[6 + axis] = 0;
    }
    return isIn;
  }

  /** The cell of a place; −1 if the air is still. */
  #cellOf(x: Int32Array): number {
    const { low, cell, dimensions } = this.#stepped.wind!;
    let at = 0;
    for (let axis = 2; axis >= 0; axis--) {
      const i = Math.floor((x[axis] - low[axis]) / cell);
      if (i < 0 || i >= dimensions[axis]) return -1;
      at = at * dimensions[axis] + i;
    }
    return at;
  }
}

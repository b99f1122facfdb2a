// A force given as WGSL and TypeScript, on the CPU: its options, and what it adds to a velocity in a step. The GPU's
// form is force-program.wgsl.

import {
  aFunction,
  aString,
  bad,
  checkOptions,
  inWords,
  type Rules,
  wrong,
} from '../../../core/arguments.ts';
import { atLeastZero, finiteVector, positive } from '../../check.ts';
import type { Vector } from '../../colliders/shapes.ts';
import type { CompiledProgram, CompiledStepped } from '../../compiled.ts';
import type { ForceProgram } from '../../options.ts';

const slopeRules: Rules<ForceProgram['slopes']> = {
  place: atLeastZero,
  velocity: atLeastZero,
  time: atLeastZero,
};
const programRules: Rules<ForceProgram> = {
  wgsl: aString,
  acceleration: aFunction,
  greatest: positive,
  slopes: (given, what) => checkOptions(given as ForceProgram['slopes'], slopeRules, what, 'slopes'),
  error: atLeastZero,
  about: finiteVector,
};

const what = 'motion: force';

export function compileProgram(given: ForceProgram): CompiledProgram {
  checkOptions(given, programRules, what, 'force');
  const { wgsl, acceleration, greatest, slopes, error = 2 ** -18 * greatest } = given;
  if (wgsl === undefined) throw wrong(`${what}: wgsl`, 'a WGSL module', wgsl);
  if (acceleration === undefined)
    throw bad(
      `${what}: WGSL needs the same acceleration as a function too, which decides what a GPU leaves open`,
    );
  if (greatest === undefined) throw wrong(`${what}: greatest`, 'a length per second squared', greatest);
  for (const name of ['place', 'velocity', 'time'] as const) {
    if (slopes?.[name] === undefined)
      throw bad(`${what}: slopes: ${name} must be a number, 0 if the acceleration does not depend on it`);
  }
  const about = finiteVector(given.about ?? [0, 0, 0], `${what}: about`);
  return { wgsl, acceleration, greatest, slopes: { ...slopes }, error, about };
}

/** Calls a program for the steps of one particle. */
export class ProgramCall {
  readonly #stepped: CompiledStepped;
  readonly #program: CompiledProgram;
  /** The setup's origin, relative to `about`. */
  readonly #origin: Vector;

  constructor(stepped: CompiledStepped, program: CompiledProgram, origin: Vector) {
    this.#stepped = stepped;
    this.#program = program;
    this.#origin = relativeOrigin(program, origin);
  }

  get dependsOnVelocity(): boolean {
    return this.#program.slopes.velocity > 0;
  }

  /**
   * What velocities gain in a step with the middle `x`, in the integers of stepped.ts. With a change of the velocity,
   * for the mean of the old and the changed one. Throws if the acceleration is not as it was stated.
   */
  push(x: Int32Array, v: Int32Array, change: Int32Array | undefined, time: number, out: Int32Array): void {
    const { unit, perStep, gainTime } = this.#stepped;
    const { greatest } = this.#program;
    const at = (axis: number) => this.#origin[axis] + x[axis] * unit;
    const speed = (axis: number) => (v[axis] + 0.5 * (change?.[axis] ?? 0)) / perStep;
    const place: Vector = [at(0), at(1), at(2)];
    const pull = accelerationAt(this.#program, place, [speed(0), speed(1), speed(2)], time);
    const size = Math.hypot(...pull);
    if (size > greatest * (1 + 2 ** -40)) {
      throw bad(
        `${what}: the acceleration at ${place.join(' ')} is ${size} long, more than greatest, ${inWords(greatest)}`,
      );
    }
    for (let axis = 0; axis < 3; axis++) out[axis] = Math.round(pull[axis] * gainTime * perStep);
  }
}

/**
 * Calls a program with copies: it may write to its arguments and return the same array every time, without effect
 * elsewhere.
 */
export function accelerationAt(
  { acceleration }: Pick<CompiledProgram, 'acceleration'>,
  place: Vector,
  velocity: Vector,
  time: number,
): Vector {
  const given = acceleration([...place], [...velocity], time);
  return finiteVector(given, `${what}: the acceleration at ${place.join(' ')}`);
}

/** The setup's origin as programs see it. */
export const relativeOrigin = ({ about }: CompiledProgram, origin: Vector): Vector => [
  origin[0] - about[0],
  origin[1] - about[1],
  origin[2] - about[2],
];

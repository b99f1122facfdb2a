// Tries a force given as a program along the paths of a few particles, as if there were no colliders: whether its
// TypeScript changes as it was stated. The GPU is tried with the same arguments (gpu/forces/try-force.ts).

import { bad } from '../../../core/arguments.ts';
import type { Vector } from '../../colliders/shapes.ts';
import type { Setup } from '../../compiled.ts';
import { Starts } from '../start/start.ts';
import { birthTicksOf } from '../ticks.ts';
import { accelerationAt } from './force-program.ts';
import { Stepper } from './stepped.ts';

/** One call of a program. */
export interface ProgramSample {
  readonly place: Vector;
  readonly velocity: Vector;
  readonly time: number;
  readonly acceleration: Vector;
}

const mostPaths = 8;
const mostSteps = 32;

/** The calls along the first steps of some particles, path by path. */
export function tryProgram(setup: Setup): ProgramSample[][] {
  const program = setup.stepped!.program!;
  let samples: ProgramSample[] = [];
  const acceleration = (place: Vector, velocity: Vector, time: number): Vector => {
    const given = accelerationAt(program, place, velocity, time);
    samples.push({ place, velocity, time, acceleration: given });
    return given;
  };
  const stepped = { ...setup.stepped!, program: { ...program, acceleration } };
  const stepper = new Stepper({ ...setup, stepped });
  const starts = new Starts(setup);
  const path = new Float64Array(9);
  const paths: ProgramSample[][] = [];
  const count = Math.min(mostPaths, setup.count);
  for (let i = 0; i < count; i++) {
    const particle = Math.floor((i * setup.count) / count);
    starts.of(particle, 0, path);
    stepper.start(path, birthTicksOf(setup, particle) * setup.tick);
    samples = [];
    const steps = Math.min(mostSteps, stepped.mostSteps);
    for (let made = 0; made < steps && stepper.step(); made++);
    paths.push(samples);
  }
  return paths;
}

/** Throws if two calls in a row differ by more than the slopes say. */
export function checkProgram(setup: Setup): void {
  const { slopes, greatest } = setup.stepped!.program!;
  const apart = (a: Vector, b: Vector) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  for (const samples of tryProgram(setup)) {
    for (let i = 1; i < samples.length; i++) {
      const [a, b] = [samples[i - 1], samples[i]];
      const differ = apart(a.acceleration, b.acceleration);
      const most =
        slopes.place * apart(a.place, b.place) +
        slopes.velocity * apart(a.velocity, b.velocity) +
        slopes.time * Math.abs(a.time - b.time);
      if (differ <= most + 2 ** -40 * greatest) continue;
      throw bad(
        `motion: force: between ${a.place.join(' ')} at ${a.time} s and ${b.place.join(' ')} at ${b.time} s the acceleration ` +
          `changes by ${differ}; its slopes allow at most ${most}`,
      );
    }
  }
}

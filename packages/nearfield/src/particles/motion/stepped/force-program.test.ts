// Forces given as WGSL and TypeScript, on the CPU: closed forms as oracles, order two, and what is refused. The GPU's
// are in gpu/forces/force-program.gpu.test.ts.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CpuNearfield, open } from '../../../nearfield.ts';
import { damped, magnetic, oscillator, type Programmed, pushed } from '../../gpu/testing/programs.ts';
import type { ForceProgram } from '../../options.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const steps = [1 / 8, 1 / 16, 1 / 32, 1 / 64];

/** By how much the first impact is off at each step, and the place a second after the birth. */
function errorsOf({ options, exact, xOf }: Programmed): { times: number[]; places: number[] } {
  const [times, places]: number[][] = [[], []];
  for (const step of steps) {
    const particles = nf.particlesSync(options(step));
    const { time, count } = particles.impactsSync(0, 4);
    expect(count, `step ${step}`).toBe(1);
    times.push(Math.abs(time[0] - exact));
    particles.close();
    const free = nf.particlesSync({ ...options(step), colliders: [] });
    places.push(Math.abs(free.stateSync(1).position[0] - xOf(1)));
    free.close();
  }
  return { times, places };
}

const orderOf = (errors: readonly number[]): number =>
  Math.log2(errors[0] / errors.at(-1)!) / (errors.length - 1);

describe('a force as WGSL and TypeScript', () => {
  it.each([
    ['of a harmonic oscillator', oscillator],
    ['that depends on the velocity: damped', damped],
    ['that turns velocities: a magnetic field', magnetic],
    ['that depends on the time: an oscillator that is pushed', pushed],
  ])('is of second order, against its closed form: %s', (_, system) => {
    const { times, places } = errorsOf(system);
    // Errors vary with the place of an impact in its step, and with the rounding of places.
    for (const errors of [times, places]) {
      expect(orderOf(errors), `errors ${errors}`).toBeGreaterThan(1.85);
      expect(errors.at(-1)).toBeLessThan(2e-3);
    }
  });

  it('has its places relative to a point, and the times of impacts', () => {
    const far = [4e6, -2e6, 1e6] as const;
    const seen: number[][] = [];
    const force: ForceProgram = {
      ...oscillator.force,
      acceleration: (place, velocity, time) => {
        seen.push([...place, time]);
        return oscillator.force.acceleration(place, velocity, time);
      },
      about: far,
    };
    const particles = nf.particlesSync({
      count: 1,
      generations: 1,
      start: {
        position: Float64Array.of(4e6 + 1, -2e6, 1e6),
        velocity: new Float64Array(3),
        life: 4,
        birth: 100,
      },
      colliders: [],
      motion: { step: 1 / 64, order: 2, force },
    });
    // Half of a period of 2π/√4.
    const { position } = particles.stateSync(100 + Math.PI / 2);
    expect(position[0] - far[0]).toBeCloseTo(-1, 3);
    expect(seen.every(([x, y, z, t]) => Math.hypot(x, y, z) < 1.01 && t > 100 && t < 104)).toBe(true);
    particles.close();
  });

  it('refuses bounds that are not true, and one form without the other', () => {
    const made = (change: Partial<ForceProgram>) => () =>
      nf.particlesSync({
        ...oscillator.options(1 / 16),
        motion: { step: 1 / 16, order: 2, force: { ...oscillator.force, ...change } as ForceProgram },
      });
    expect(made({ acceleration: undefined as never })).toThrow(
      /WGSL needs the same acceleration as a function/,
    );
    expect(made({ wgsl: undefined as never })).toThrow(/wgsl must be a WGSL module/);
    expect(made({ wgsl: 3 as never })).toThrow(/wgsl must be a string/);
    expect(made({ greatest: undefined as never })).toThrow(/greatest/);
    expect(made({ slopes: { place: 4, velocity: 0 } as never })).toThrow(/slopes: time must be a number/);
    expect(made({ slopes: { place: 1, velocity: 0, time: 0 } })).toThrow(
      /changes by .* its slopes allow at most/,
    );
    expect(made({ greatest: 0.5 })).toThrow(/more than greatest, 0.5/);
    expect(made({ acceleration: () => [0, Number.NaN, 0] })).toThrow(/acceleration at .*y is NaN/);
    expect(made({ error: -1 })).toThrow(/error/);
    const { motion, ...others } = oscillator.options(1 / 16);
    expect(() => nf.particlesSync({ ...others, motion: { ...motion!, order: 1 } })).toThrow(
      /force needs order 2/,
    );
  });

  it('may write to its arguments and give the same array every time', () => {
    const result: [number, number, number] = [0, 0, 0];
    const acceleration: ForceProgram['acceleration'] = (place, velocity, time) => {
      const found = oscillator.force.acceleration(place, velocity, time);
      found.forEach((value, axis) => void (result[axis] = value));
      for (const given of [place, velocity] as unknown as number[][]) given.fill(99);
      return result;
    };
    const impacts = (change: Partial<ForceProgram>) => {
      const force = { ...oscillator.force, ...change };
      const particles = nf.particlesSync({
        ...oscillator.options(1 / 64),
        motion: { step: 1 / 64, order: 2, force },
      });
      const { time } = particles.impactsSync(0, 4);
      particles.close();
      return [...time];
    };
    expect(impacts({ acceleration })).toEqual(impacts({}));
    // The first trials show that the slope is greater than stated.
    expect(() => impacts({ acceleration, slopes: { place: 1, velocity: 0, time: 0 } })).toThrow(/changes by/);
  });

  it('is right again after the function threw', () => {
    let throws = false;
    const force: ForceProgram = {
      ...oscillator.force,
      acceleration: (...of) => {
        if (throws) throw new Error('on purpose');
        return oscillator.force.acceleration(...of);
      },
    };
    const options = oscillator.options(1 / 64);
    const expected = nf.particlesSync(options).impactsSync(0, 4);
    const particles = nf.particlesSync({ ...options, motion: { step: 1 / 64, order: 2, force } });
    throws = true;
    expect(() => particles.impactsSync(0, 4)).toThrow('on purpose');
    throws = false;
    expect([...particles.impactsSync(0, 4).time]).toEqual([...expected.time]);
    particles.close();
  });
});

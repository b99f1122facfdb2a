// Stepped motion: its limit as steps get shorter, its integers by hand and in whole numbers of any size, chords that
// join without losing an impact.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failures } from '../../../../../../test/oracle/failures.ts';
import { type CpuNearfield, open } from '../../../nearfield.ts';
import { createRandom } from '../../../shapes/random.ts';
import type { ParticleOptions } from '../../options.ts';
import { nearestPartOf, partOf } from './part-of.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const thrown = (velocity: number[], more: Partial<ParticleOptions>): ParticleOptions => ({
  count: 1,
  start: { position: new Float64Array(3), velocity: Float64Array.from(velocity), life: 4 },
  colliders: [],
  generations: 1,
  ...more,
});

describe('stepped motion', () => {
  it('takes parts of integers, rounded down only', () => {
    const random = createRandom(3);
    const failures = new Failures();
    for (let i = 0; i < 20_000; i++) {
      const a = Math.floor(random.between(-(2 ** 31), 2 ** 31));
      const share =
        i % 10 === 0 ? [0, 1, 2 ** 31, 2 ** 31 - 1, 65536][i % 5] : Math.floor(random.between(0, 2 ** 31));
      const product = BigInt(a) * BigInt(share);
      const exact = Number(product >> 31n);
      failures.check(partOf(a, share) === exact, () => `seed 3/${i}: ${a} · ${share}`);
      const nearest = Number((product + 2n ** 30n) >> 31n);
      failures.check(nearestPartOf(a, share) === nearest, () => `seed 3/${i}: ${a} · ${share}, nearest`);
    }
    expect(failures.list).toEqual([]);
  });

  it('slows down by drag as e^−kt', () => {
    for (const step of [0.02, 0.005, 0.00125]) {
      const particles = nf.particlesSync(thrown([8, 0, 0], { motion: { order: 1, step, drag: 0.7 } }));
      const { position, velocity } = particles.stateSync(3);
      expect(velocity[0]).toBeCloseTo(8 * Math.exp(-0.7 * 3), step > 0.01 ? 1 : 2);
      // First order in the step.
      expect(Math.abs(position[0] - (8 / 0.7) * (1 - Math.exp(-0.7 * 3)))).toBeLessThan(8 * step);
      particles.close();
    }
  });

  it('approaches the formula of free fall as steps get shorter', () => {
    const errors = [0.02, 0.01, 0.005].map(step => {
      const particles = nf.particlesSync(
        thrown([1, 0, 5], { acceleration: [0, 0, -9.81], motion: { order: 1, step } }),
      );
      const { position } = particles.stateSync(2);
      expect(position[0]).toBeCloseTo(2, 4);
      particles.close();
      return Math.abs(position[2] - (10 - 2 * 9.81));
    });
    expect(errors[0] / errors[1]).toBeCloseTo(2, 1);
    expect(errors[1] / errors[2]).toBeCloseTo(2, 1);
  });

  /** Errors at halving steps, and the orders that neighbours show. */
  const ordersOf = (errors: readonly number[]) =>
    errors.slice(1).map((error, i) => Math.log2(errors[i] / error));

  it('is of second order in fall and drag, against the formula', () => {
    const [k, g, v] = [0.7, -9.81, 12];
    // z(t) of z″ = g − k·z′, and the time at which it comes down to −5.
    const height = (t: number) => ((v - g / k) / k) * -Math.expm1(-k * t) + (g / k) * t;
    let [low, high] = [1, 4];
    while (high - low > 1e-12) {
      const middle = 0.5 * (low + high);
      if (height(middle) > -5) low = middle;
      else high = middle;
    }
    const steps = [0.16, 0.08, 0.04, 0.02, 0.01];
    const errorsOf = (order: 1 | 2 | undefined) =>
      steps.map(step => {
        const particles = nf.particlesSync(
          thrown([1, 0, v], {
            acceleration: [0, 0, g],
            motion: { step, drag: k, order },
            colliders: [{ plane: { point: [0, 0, -5], normal: [0, 0, 1] } }],
          }),
        );
        const { time, count } = particles.impactsSync(0, 4);
        expect(count).toBe(1);
        particles.close();
        return Math.abs(time[0] - low);
      });
    for (const order of ordersOf(errorsOf(1))) expect(order).toBeCloseTo(1, 0);
    // The default is the second order.
    expect(errorsOf(undefined)).toEqual(errorsOf(2));
    const second = errorsOf(2);
    // With constant forces the kick is exact; what is left is the drift.
    for (const order of ordersOf(second)) expect(order).toBeGreaterThan(1.8);
    expect(second.at(-1)).toBeLessThan(1e-4);
  });

  it('is of second order after bounces: times, speeds and places of the fourth impact', () => {
    const steps = [0.08, 0.04, 0.02, 0.01];
    const exact = { time: 0, speed: 0 };
    {
      const particles = nf.particlesSync(bouncing(undefined));
      const impacts = particles.impactsSync(0, 4);
      exact.time = impacts.time[3];
      exact.speed = impacts.speed[3];
      particles.close();
    }
    const found = steps.map(step => {
      const particles = nf.particlesSync(bouncing({ step, order: 2 }));
      const impacts = particles.impactsSync(0, 4);
      particles.close();
      return [Math.abs(impacts.time[3] - exact.time), Math.abs(impacts.speed[3] - exact.speed)];
    });
    // Parabolas are exact without drag, however long the steps are: only rounding is left.
    for (const [time, speed] of found) {
      expect(time).toBeLessThan(5e-5);
      expect(speed).toBeLessThan(1e-4);
    }
    function bouncing(motion: ParticleOptions['motion']): ParticleOptions {
      return thrown([0.3, 0, 1], {
        acceleration: [0, 0, -9.81],
        motion,
        colliders: [{ plane: { point: [0, 0, -1], normal: [0, 0, 1] } }],
        response: { kind: 'bounce', restitution: 0.9 },
      });
    }
  });

  it('is of second order in forces and winds, against Runge and Kutta in doubles', () => {
    // Both are linear in the place, so that interpolating samples of them is exact.
    const pull = ([x, y, z]: readonly number[]) => [-4 * x + 0.5 * y, -3 * y, 1 - 2 * z] as const;
    const blow = ([x, y]: readonly number[]) => [-0.8 * y, 0.8 * x, 0.3] as const;
    const grid = { origin: [-8, -8, -8], cell: 0.5, dimensions: [32, 32, 32] } as const;
    const velocity = new Float32Array(3 * 32 ** 3);
    for (let cell = 0; cell < 32 ** 3; cell++) {
      const at = [cell % 32, Math.floor(cell / 32) % 32, Math.floor(cell / 1024)];
      velocity.set(blow(at.map(i => -8 + 0.5 * (i + 0.5))), 3 * cell);
    }
    const [start, push, drag] = [[2, 0.3, 0.4], [-0.3, 1.5, 0.6], 0.6];
    const exact = rungeKutta(start, push, (x, v) => {
      const [force, wind] = [pull(x), blow(x)];
      return force.map((each, axis) => each - drag * (v[axis] - wind[axis]));
    });
    const steps = [1 / 8, 1 / 16, 1 / 32, 1 / 64];
    const errors = steps.map(step => {
      const particles = nf.particlesSync({
        ...thrown([0, 0, 0], {
          colliders: [{ plane: { point: [-1, 0, 0], normal: [1, 0, 0] } }],
          motion: { step, order: 2, drag, wind: { grid, velocity }, force: { grid, acceleration: pull } },
        }),
        start: { position: Float64Array.from(start), velocity: Float64Array.from(push), life: 4 },
      });
      const { time, count } = particles.impactsSync(0, 4);
      expect(count, `step ${step}`).toBe(1);
      particles.close();
      return Math.abs(time[0] - exact);
    });
    for (const order of ordersOf(errors)) expect(order, `errors ${errors}`).toBeGreaterThan(1.8);
    expect(errors[3]).toBeLessThan(2e-4);

    /** When x reaches −1. */
    function rungeKutta(
      from: readonly number[],
      with_: readonly number[],
      pulled: (x: readonly number[], v: readonly number[]) => number[],
    ): number {
      const h = 1 / 4096;
      let [x, v] = [from, with_];
      const plus = (a: readonly number[], b: readonly number[], share: number) =>
        a.map((each, i) => each + share * b[i]);
      for (let i = 0; ; i++) {
        const a1 = pulled(x, v);
        const [x2, v2] = [plus(x, v, h / 2), plus(v, a1, h / 2)];
        const a2 = pulled(x2, v2);
        const [x3, v3] = [plus(x, v2, h / 2), plus(v, a2, h / 2)];
        const a3 = pulled(x3, v3);
        const [x4, v4] = [plus(x, v3, h), plus(v, a3, h)];
        const a4 = pulled(x4, v4);
        const next = x.map((each, k) => each + (h / 6) * (v[k] + 2 * v2[k] + 2 * v3[k] + v4[k]));
        if (next[0] <= -1) return h * (i + (x[0] + 1) / (x[0] - next[0]));
        v = v.map((each, k) => each + (h / 6) * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]));
        x = next;
      }
    }
  });

  it('samples forces as they were given, and refuses others', () => {
    const grid = { origin: [-8, -8, -8], cell: 1, dimensions: [16, 16, 16] } as const;
    const at = (place: [number, number, number], acceleration: never) => {
      const particles = nf.particlesSync({
        ...thrown([0, 0, 0], { motion: { step: 1 / 64, order: 2, force: { grid, acceleration } } }),
        start: { position: Float64Array.from(place), velocity: new Float64Array(3), life: 4 },
      });
      const { velocity } = particles.stateSync(1 / 64);
      particles.close();
      return Array.from(velocity, each => each * 64);
    };
    const near = (found: number[], expected: number[]) =>
      found.forEach((value, i) => {
        expect(value, `${found}`).toBeCloseTo(expected[i], 3);
      });
    // At the middle of a cell, between two of them, and beyond the grid.
    near(
      at([2.5, 0.5, 0.5], { well: { centre: [0.5, 0.5, 0.5], strength: 3, radius: 1e-9 } } as never),
      [-0.75, 0, 0],
    );
    near(
      at([2.5, 0.5, 0.5], {
        vortex: { centre: [0.5, 0.5, 7], axis: [0, 0, 2], strength: 3, radius: 1e-9 },
      } as never),
      [0, 1.5, 0],
    );
    near(at([2.75, 0.5, -3], (([x, , z]: number[]) => [x, 2 * z, 1]) as never), [2.75, -6, 1]);
    near(at([20, 0.5, 0.5], (([x]: number[]) => [0, x, 0]) as never), [0, 7.5, 0]);
    expect(() => at([0, 0, 0], 'well' as never)).toThrow(/a force is a function, a well or a vortex/);
    expect(() => at([0, 0, 0], { well: { centre: [0, 0, 0], strength: 1 } } as never)).toThrow(/radius/);
    expect(() => at([0, 0, 0], (() => [0, Number.NaN, 0]) as never)).toThrow(/force returns/);
    expect(() =>
      nf.particlesSync(
        thrown([1, 0, 0], { motion: { order: 1, step: 0.1, force: { grid, acceleration: [] } } }),
      ),
    ).toThrow(/force needs order 2/);
  });

  it('is carried by the wind of the cell it is in', () => {
    const grid = { origin: [-10, -10, -10], cell: 10, dimensions: [2, 2, 2] } as const;
    const velocity = new Float32Array(24);
    for (let cell = 0; cell < 8; cell++) velocity[3 * cell + 1] = cell % 2 === 0 ? 3 : -3;
    const options = (x: number): ParticleOptions => ({
      ...thrown([0, 0, 0], { motion: { order: 1, step: 0.01, drag: 2, wind: { grid, velocity } } }),
      start: { position: Float64Array.of(x, 0.5, 0.5), velocity: new Float64Array(3), life: 4 },
    });
    for (const [x, sign] of [
      [-5, 1],
      [5, -1],
    ]) {
      const particles = nf.particlesSync(options(x));
      expect(particles.stateSync(2).velocity[1]).toBeCloseTo(sign * 3 * (1 - Math.exp(-4)), 1);
      particles.close();
    }
    const outside = nf.particlesSync(options(20));
    expect(outside.stateSync(2).velocity[1]).toBe(0);
    outside.close();
  });

  it('finds every impact once where chords join', () => {
    // 1/64 of a second, a power-of-two speed and planes where steps end: every crossing is at a join.
    const planes = Array.from({ length: 8 }, (_, i) => ({
      plane: { point: [(i + 1) / 4, 0, 0] as const, normal: [i % 2 === 0 ? 1 : -1, 0, 0] as const },
      response: { kind: 'vanish' } as const,
    }));
    for (let first = 0; first < 8; first++) {
      const particles = nf.particlesSync(
        thrown([1, 0, 0], { colliders: planes.slice(first), motion: { order: 1, step: 1 / 64 } }),
      );
      const impacts = particles.impactsSync(0, 4);
      expect(impacts.count).toBe(1);
      expect(impacts.time[0]).toBeCloseTo((first + 1) / 4, 6);
      particles.close();
    }
  });

  it('bounces within a box, and stays in it', () => {
    const sides = [0, 1, 2].flatMap(axis =>
      [-1, 1].map(sign => {
        const at = [0, 0, 0];
        at[axis] = sign;
        return {
          plane: {
            point: at as [number, number, number],
            normal: at.map(x => -x) as [number, number, number],
          },
        };
      }),
    );
    const particles = nf.particlesSync({
      count: 50,
      seed: 8,
      start: {
        from: {
          box: [
            [-0.9, -0.9, -0.9],
            [0.9, 0.9, 0.9],
          ],
        },
        velocity: { ball: { centre: [0, 0, 0], radius: 3 } },
        life: 8,
        birth: 0,
      },
      acceleration: [0, 0, -2],
      colliders: sides,
      response: { kind: 'bounce', restitution: 0.9, restSpeed: 0.05 },
      motion: { order: 1, step: 0.02, drag: 0.1 },
      generations: 1,
    });
    const impacts = particles.impactsSync(0, 8);
    expect(impacts.count).toBeGreaterThan(200);
    for (const time of [1, 3, 5, 7.9]) {
      for (const x of particles.stateSync(time).position)
        expect(Math.abs(x), `at ${time}`).toBeLessThan(1 + 1e-6);
    }
    // Adjoining windows give the same.
    const times: number[] = [];
    for (let i = 1; i <= 40; i++) times.push(...particles.advanceSync(i / 5).time);
    expect(times).toEqual(Array.from(impacts.time));
    particles.close();
  });

  it('refuses what it cannot do', () => {
    const refused = (motion: ParticleOptions['motion']) => () =>
      nf.particlesSync(thrown([1, 0, 0], { motion }));
    expect(refused({ step: 0 })).toThrow(/step must be above 0/);
    expect(refused({ step: 1e-6 })).toThrow(/more than 65536/);
    expect(refused({ step: 0.1, drag: -1 })).toThrow(/drag must be at least 0/);
  });
});

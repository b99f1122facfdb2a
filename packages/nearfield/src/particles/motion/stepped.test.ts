// Stepped motion: its limit as steps get shorter, its integers by hand and in whole numbers of any size, chords that
// join without losing an impact.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failures } from '../../../../../test/oracle/failures.ts';
import { type CpuNearfield, open } from '../../nearfield.ts';
import { createRandom } from '../../shapes/random.ts';
import type { ParticleOptions } from '../options.ts';
import { partOf } from './stepped.ts';

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
    }
    expect(failures.list).toEqual([]);
  });

  it('slows down by drag as e^−kt', () => {
    for (const step of [0.02, 0.005, 0.00125]) {
      const particles = nf.particlesSync(thrown([8, 0, 0], { motion: { step, drag: 0.7 } }));
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
        thrown([1, 0, 5], { acceleration: [0, 0, -9.81], motion: { step } }),
      );
      const { position } = particles.stateSync(2);
      expect(position[0]).toBeCloseTo(2, 4);
      particles.close();
      return Math.abs(position[2] - (10 - 2 * 9.81));
    });
    expect(errors[0] / errors[1]).toBeCloseTo(2, 1);
    expect(errors[1] / errors[2]).toBeCloseTo(2, 1);
  });

  it('is carried by the wind of the cell it is in', () => {
    const grid = { origin: [-10, -10, -10], cell: 10, dimensions: [2, 2, 2] } as const;
    const velocity = new Float32Array(24);
    for (let cell = 0; cell < 8; cell++) velocity[3 * cell + 1] = cell % 2 === 0 ? 3 : -3;
    const options = (x: number): ParticleOptions => ({
      ...thrown([0, 0, 0], { motion: { step: 0.01, drag: 2, wind: { grid, velocity } } }),
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
        thrown([1, 0, 0], { colliders: planes.slice(first), motion: { step: 1 / 64 } }),
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
      motion: { step: 0.02, drag: 0.1 },
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
    expect(refused({ step: 0 })).toThrow(/step is above 0/);
    expect(refused({ step: 1e-6 })).toThrow(/more than 65536/);
    expect(refused({ step: 0.1, drag: -1 })).toThrow(/drag is at least 0/);
  });
});

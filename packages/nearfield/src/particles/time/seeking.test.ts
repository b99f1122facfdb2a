// The order in which seeks and questions are processed that are made while others are being answered, and what stays
// the same meanwhile.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CpuNearfield, open } from '../../nearfield.ts';
import type { ParticleOptions } from '../options.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const options: ParticleOptions = {
  count: 200,
  seed: 4,
  start: {
    from: {
      box: [
        [-1, -1, 1],
        [1, 1, 2],
      ],
    },
    velocity: { point: [0, 0, -1] },
    life: [1, 3],
  },
  colliders: [{ plane: { point: [0, 0, 0], normal: [0, 0, 1] } }],
};

describe('seek', () => {
  it('takes effect at once if nothing is being answered', () => {
    const particles = nf.particlesSync(options);
    particles.seek(3, { lookAhead: 0.5 });
    expect(particles.time).toBe(3);
    const { from, to } = particles.advanceSync(4);
    expect([from, to]).toEqual([3.5, 4.5]);
    particles.close();
  });

  it('takes its turn between the questions before it and those after it', async () => {
    const particles = await nf.particles(options);
    const first = particles.advance(1);
    particles.seek(5);
    const second = particles.advance(6);
    const third = particles.advance(7);
    particles.seek(2, { lookAhead: 0.25 });
    particles.seek(9);
    const fourth = particles.advance(10);
    const windows = (await Promise.all([first, second, third, fourth])).map(({ from, to }) => [from, to]);
    expect(windows).toEqual([
      [0, 1],
      [5, 6],
      [6, 7],
      [9.25, 10.25],
    ]);
    expect(particles.time).toBe(10);
    for (const [i, answer] of (await Promise.all([first, second])).entries()) {
      const [from, to] = windows[i];
      expect([...answer.time]).toEqual([...(await particles.impacts(from, to)).time]);
    }
    particles.close();
  });

  it('has taken effect when the question before it is answered', async () => {
    const particles = await nf.particles(options);
    const asked = particles.advance(1);
    particles.seek(5);
    expect(particles.time).toBe(0);
    await asked;
    expect(particles.time).toBe(5);
    expect(particles.advanceSync(6).from).toBe(5);
    particles.close();
  });

  it('takes effect even if the question before it is given up, and is refused if it is wrong', async () => {
    const particles = await nf.particles(options);
    const controller = new AbortController();
    const asked = particles.advance(1, { signal: controller.signal });
    particles.seek(5);
    expect(() => particles.seek(Number.NaN)).toThrow(/time must be a number of seconds/);
    controller.abort();
    await expect(asked).rejects.toThrow();
    expect(particles.time).toBe(5);
    particles.close();
  });
});

describe('colliders', () => {
  it('are one array until others are set', async () => {
    const particles = await nf.particles(options);
    const { colliders } = particles;
    expect(particles.colliders).toBe(colliders);
    expect(colliders).toEqual(options.colliders);
    await particles.setColliders([{ sphere: { centre: [0, 0, 0], radius: 1 } }]);
    expect(particles.colliders).not.toBe(colliders);
    expect(particles.colliders).toHaveLength(1);
    particles.close();
  });
});

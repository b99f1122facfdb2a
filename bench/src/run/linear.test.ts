import { shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { fitLine } from './linear.ts';

const sizes = [100, 250, 600, 1500, 4000, 10_000, 25_000, 60_000];

it('finds the line that points lie on', () => {
  const { fixed, slope, rSquared } = fitLine(sizes.map(size => ({ size, time: 0.25 + 3e-5 * size })));
  expect(fixed).toBeCloseTo(0.25, 12);
  expect(slope).toBeCloseTo(3e-5, 16);
  expect(rSquared).toBeCloseTo(1, 12);
});

it('finds the line through noise, and how much of the variation it explains', () => {
  const seed = 11;
  const random = shapes.createRandom(seed);
  const points = Array.from({ length: 4000 }, () => {
    const size = random.between(0, 1);
    return { size, time: 1 + 2 * size + random.between(-1, 1) };
  });
  const { fixed, slope, rSquared } = fitLine(points);
  expect(Math.abs(fixed - 1), `seed ${seed}`).toBeLessThan(0.1);
  expect(Math.abs(slope - 2), `seed ${seed}`).toBeLessThan(0.15);
  // The variance of the line is 4/12, that of the noise 1/3: half each.
  expect(Math.abs(rSquared - 0.5), `seed ${seed}`).toBeLessThan(0.05);
});

it('does not fit a square as a line', () => {
  const { rSquared } = fitLine(sizes.map(size => ({ size, time: size * size })));
  expect(rSquared).toBeLessThan(0.95);
});

it('is level if nothing changes, and needs two sizes', () => {
  expect(fitLine(sizes.map(size => ({ size, time: 5 })))).toEqual({ fixed: 5, slope: 0, rSquared: 1 });
  expect(() => fitLine([{ size: 1, time: 1 }])).toThrow('two sizes');
});

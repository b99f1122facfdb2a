// The kernel's bound for underflow held for products of doubles, but not for what they are multiplied by afterwards: a direction with a denormal
// component and coordinates near 10^58 gave a hit beside the triangle, and times off by 2·10^-4 of themselves.

import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';

test('a ray with a denormal direction misses a triangle that it passes, and hits the other side of the corner', async () => {
  const nearfield = await open({ backend: 'cpu' });
  const scene = nearfield.scene();
  const body = scene.add(mesh(new Float64Array([0, 0, 0, 2e58, 0, 0, 0, 0, 1e-10])));
  // Its product with 10^-10 is a denormal, off by 2·10^-4 of itself.
  const slope = 1.00020235e-310;
  // The ray reaches the triangle's plane at x = (share − 1)·10^58.
  const cast = (share: number) =>
    scene.raysSync(body, new Float64Array([-1e58, -1e58 * slope * share, 2.5e-11, 1, slope, 0]));
  expect(cast(1 - 1e-4).count).toBe(0);
  const { count, times } = cast(1 + 1e-4);
  expect(count).toBe(1);
  expect(Math.abs(times[0] / 1.0001e58 - 1)).toBeLessThan(1e-9);
  nearfield.close();
});

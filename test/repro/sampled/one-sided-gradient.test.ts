// One-sided gradients took the larger difference along every axis, which is too large beside every edge: for 15.5 %
// of the samples outside a box the length was off by more than 5 %.

import { open, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { Failures } from '../../oracle/failures.ts';

const nearfield = await open({ backend: 'cpu' });

test('one-sided gradients around a box have length 1', () => {
  const scene = nearfield.scene();
  const body = scene.add(shapes.box({ size: [2, 1, 1] }));
  const failures = new Failures();
  for (const [resolution, share, most] of [
    [32, 0.02, 0.1],
    [64, 0.002, 0.1],
  ]) {
    const field = scene.fieldSync(body, { resolution });
    const gradient = field.gradient('one-sided');
    const direct = field.gradient('direct');
    let [outside, off, turned] = [0, 0, 0];
    for (let sample = 0; sample < field.distance.length; sample++) {
      if (field.distance[sample] < 0) continue;
      outside++;
      const [x, y, z] = gradient.subarray(3 * sample, 3 * sample + 3);
      const length = Math.hypot(x, y, z);
      failures.check(
        Math.abs(length - 1) < most,
        () => `resolution ${resolution}, sample ${sample}: length ${length}`,
      );
      if (Math.abs(length - 1) > 0.05) off++;
      const [u, v, w] = direct.subarray(3 * sample, 3 * sample + 3);
      if ((x * u + y * v + z * w) / length < Math.cos(0.3)) turned++;
    }
    expect(off / outside, `resolution ${resolution}`).toBeLessThan(share);
    expect(turned / outside, `resolution ${resolution}`).toBeLessThan(0.05);
  }
  expect(failures.list).toEqual([]);
  scene.close();
});

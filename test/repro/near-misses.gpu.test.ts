// Bodies so near that single precision cannot tell whether they meet, and do not: the CPU settled their distance by itself, and
// it was not looked at, so that they were nowhere near each other.

import { mesh, open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/test-device.ts';

const gpu = await open({ device: (await testDevice()).device });
afterAll(() => gpu.close());

// Edges that cross at right angles, one above the other, askew in space: turned by exact thirds (1, 2, 2), (2, 1, −2),
// (2, −2, 1), so that lengths grow by 3.
const turned = (corners: readonly (readonly number[])[]): number[] =>
  corners.flatMap(([x, y, z]) => [x + 2 * y + 2 * z, 2 * x + y - 2 * z, 2 * x - 2 * y + z]);

test.each([2 ** -8, 2 ** -15, 2 ** -20, 2 ** -24, 2 ** -28, 2 ** -40])(
  'edges that cross %f apart',
  async gap => {
    const scene = gpu.scene();
    const below = [
      [-1, 0, 0],
      [1, 0, 0],
      [0.25, -0.5, -1],
    ];
    const above = [
      [0, -1, gap],
      [0, 1, gap],
      [0.5, 0.125, 1],
    ];
    const a = scene.add(mesh(new Float64Array(turned(below))));
    const b = scene.add(mesh(new Float64Array(turned(above))));
    const [pair, ...others] = await scene.within(0.5);
    expect(others).toEqual([]);
    expect([pair?.distance, pair?.triangleA, pair?.triangleB]).toEqual([3 * gap, 0, 0]);
    expect((await scene.distance(a, b)).distance).toBe(3 * gap);
    expect((await scene.interferences({ detail: 'any' })).length).toBe(0);
    scene.close();
  },
);

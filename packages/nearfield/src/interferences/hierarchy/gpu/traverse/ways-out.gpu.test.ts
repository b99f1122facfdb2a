// Corners reported as outside are outside: spheres, boxes and hollow bodies within one another, with the exact
// winding number as oracle.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { finderOf } from '../../../../bvh/cpu/walk/finder.ts';
import { createCpuEngine } from '../../../../cpu/engine.ts';
import type { GpuEngine } from '../../../../gpu/engine.ts';
import { testDevice } from '../../../../gpu/testing/test-device.ts';
import { pointsInside } from '../../../../inside/winding.ts';
import { createGpuEngine } from '../../../../open-gpu.ts';
import { box, createRandom, icosphere, torus } from '../../../../shapes/index.ts';
import { interfere } from '../../../driver.ts';
import { isApart } from '../../../request.ts';
import { place, poseOf, rotation } from '../test-answers.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

// Without trees, all leaves are looked at. One pixel per image leaves no body out.
test.each([
  ['by trees', undefined],
  ['by all leaves', { survivors: 'sweep', resolution: 1 }],
] as const)(
  'a corner reported as outside is outside, and most outside corners are reported, %s',
  {
    timeout: 300_000,
  },
  async (_, visibility) => {
    const seed = 3;
    const random = createRandom(seed);
    const shapes = [icosphere({ frequency: 3 }), box(), torus({ majorSegments: 12, minorSegments: 6 })];
    // There are more than few-bodies.wgsl takes. By their sizes some lie within one another, some beside and some
    // across.
    const bodies = Array.from({ length: 40 }, () => {
      const size = random.between(0.05, 1);
      const turned = rotation(random.between(0, 6), [random.between(-1, 1), 1, random.between(-1, 1)]);
      const linear = turned.map(row => row.map(x => size * x));
      return place(
        shapes[random.integer(3)],
        poseOf(linear, random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)),
      );
    });
    const { candidates, certain, unsure, outside, known } = await interfere(engine, bodies, {
      detail: 'list',
      visibility,
    });
    const meeting = new Set([...certain, ...unsure].filter((_, i) => i % 3 === 0));
    const cpu = await createCpuEngine();
    let [held, said, left] = [0, 0, 0];
    for (let c = 0; c < candidates.length / 2; c++) {
      // Skip pairs whose surfaces meet or whose boxes are apart.
      if (meeting.has(c) || known![c] === isApart) continue;
      for (const [bit, own, other] of [
        [1, candidates[2 * c], candidates[2 * c + 1]],
        [2, candidates[2 * c + 1], candidates[2 * c]],
      ]) {
        const { positions } = bodies[own].shape;
        const { pose } = bodies[own];
        const point = [0, 1, 2].map(
          k =>
            pose[k] * positions[0] + pose[4 + k] * positions[1] + pose[8 + k] * positions[2] + pose[12 + k],
        );
        const inside = pointsInside(finderOf(cpu), bodies[other], new Float64Array(point))[0] !== 0;
        if (inside) held++;
        if ((outside![c] & bit) !== 0) said++;
        else if (!inside) left++;
        expect(inside && (outside![c] & bit) !== 0, `seed ${seed}, candidate ${c}, side ${bit}`).toBe(false);
      }
    }
    expect(held).toBeGreaterThan(3);
    expect(said).toBeGreaterThan(left);
    cpu.close();
  },
);

import { expect, test } from 'vitest';
import { testDevice } from '../gpu/testing/test-device.ts';
import { open } from '../nearfield.ts';
import * as shapes from '../shapes/index.ts';

test('overlaps and common points found on the GPU equal those of the CPU to the last bit', async () => {
  const answers = [];
  for (const backend of ['cpu', 'gpu'] as const) {
    const nf = await open(backend === 'gpu' ? { device: (await testDevice()).device } : { backend });
    const scene = nf.scene();
    const floor = scene.add(shapes.box({ size: [4, 4, 1] }));
    const pose = [0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1, 0, 0.2, 0.1, 0.8, 1];
    const ring = scene.add(shapes.torus({ majorSegments: 24, minorSegments: 12 }), { pose });
    const { stats, backend: used, ...measured } = await scene.overlap(floor, ring);
    expect(used).toBe(backend);
    expect(stats.dispatches > 0).toBe(backend === 'gpu');
    answers.push({ ...measured, points: await (await scene.interferences()).points() });
    nf.close();
  }
  expect(answers[0].volume).toBeGreaterThan(0);
  expect(answers[1]).toEqual(answers[0]);
});

// Steps of the methods that draw, against the same methods' own answers.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { icosphere, torus } from '../mesh/shapes/index.ts';
import { type Nearfield, open } from '../nearfield.ts';

let nf: Nearfield;
beforeAll(async () => {
  nf = await open({ backend: 'gpu' });
});
afterAll(() => nf.close());

it('gives the maps of layers, of two bodies among others, in either order', async () => {
  const scene = nf.scene();
  const ball = icosphere({ frequency: 4 });
  scene.add(ball);
  const a = scene.add(ball, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9, 0.2, 0.1, 1] });
  const b = scene.add(torus({ majorSegments: 24, minorSegments: 12 }));
  const options = { method: 'layers', resolution: 24 } as const;
  const found = await scene.interferences({ ...options, keep: (p, q) => p === a && q === b });
  const { maps, meets, stats } = await scene.steps([b, a], options);
  expect(meets).toBe(true);
  expect(stats.resolution).toBe(found.layers.resolution);
  expect(maps.map(({ cases }) => cases)).toEqual(found.mapsOf({ a, b }).map(({ cases }) => cases));
  expect(maps[0].meeting).toBeGreaterThan(0);
  scene.close();
});

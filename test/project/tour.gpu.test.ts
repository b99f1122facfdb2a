// The tours of ARCHITECTURE.md on a GPU: every question enters the files that its tour names.

import { open, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { faultsOf, filesEnteredBy, filesOfTour } from './tour.ts';

const nf = await open({ device: (await testDevice()).device });
afterAll(() => nf.close());
const scene = nf.scene();
const a = scene.add(shapes.box());
const b = scene.add(shapes.box(), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1] });
scene.add(shapes.icosphere({ frequency: 2 }));

test('interferences on a GPU', async () => {
  const entered = await filesEnteredBy(async () => (await scene.interferences()).pairs[0].triangles);
  // The loaders are called once, before the first question.
  const tour = filesOfTour('`scene.interferences()` on a GPU').filter(path => !path.endsWith('/open-gpu.ts'));
  expect(faultsOf(tour, entered)).toEqual([]);
});

test('distance on a GPU', async () => {
  const entered = await filesEnteredBy(async () => {
    await scene.distance(a, b);
    await scene.within(0.5);
  });
  const tour = filesOfTour('`scene.distance(a, b)`').filter(path => !path.includes('/cpu/'));
  expect(faultsOf(tour, entered)).toEqual([]);
});

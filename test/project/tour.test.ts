// The tours of ARCHITECTURE.md are true: every question enters the files that its tour names.

import { mesh, open, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { boxObj, runIn, testFolder } from '../../packages/cli/src/testing.ts';
import { faultsOf, filesEnteredBy, filesOfTour } from './tour.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const scene = nf.scene();
const a = scene.add(shapes.box());
// Flush with the first, so that there is something for the exact stage; and one that crosses both.
const placed = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
const b = scene.add(shapes.box(), { pose: placed(1) });
scene.add(shapes.icosphere({ frequency: 2 }));

test('interferences on the CPU', async () => {
  const entered = await filesEnteredBy(async () => (await scene.interferences()).pairs[0].triangles);
  expect(faultsOf(filesOfTour('`scene.interferences()` on the CPU'), entered)).toEqual([]);
});

test('distance on the CPU', async () => {
  const entered = await filesEnteredBy(async () => {
    await scene.distance(a, b);
    await scene.within(0.5);
  });
  const tour = filesOfTour('`scene.distance(a, b)`').filter(path => !path.includes('/gpu/'));
  expect(faultsOf(tour, entered)).toEqual([]);
});

test('clearances on the CPU', async () => {
  const gaps = nf.scene();
  for (const x of [0, 1.25]) gaps.add(shapes.box(), { pose: placed(x) });
  const entered = await filesEnteredBy(async () => {
    expect((await gaps.within(0.5)).pairs[0].distance).toBe(0.25);
  });
  expect(faultsOf(filesOfTour('`scene.within(clearance)`'), entered)).toEqual([]);
});

test('rays and regions on the CPU', async () => {
  const crowd = nf.scene();
  for (let i = 0; i < 9; i++) crowd.add(shapes.box({ size: [2, 2, 2] }), { pose: placed(i) });
  const entered = await filesEnteredBy(async () => {
    // Through a corner of some; and a box that an edge of a slanted triangle only just touches.
    await crowd.rays(crowd.bodies, Float64Array.of(0, 0, 0, 1, 1, 1), { hits: 'all' });
    await crowd.inBox(crowd.bodies, Float64Array.of(-1, -1, -1, 1, 1, 1));
    const slanted = scene.add(mesh(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), Uint32Array.of(0, 1, 2)));
    await scene.inBox(slanted, Float64Array.of(-1, -1, -1, 0.25, 0.25, 0.5));
    scene.remove(slanted);
  });
  const tour = filesOfTour('`scene.rays(bodies, rays)` and `scene.inBox(bodies, boxes)`');
  const onCpu = tour.filter(path => !path.includes('/gpu/') && !path.endsWith('/given-triangles.ts'));
  expect(faultsOf(onCpu, entered)).toEqual([]);
});

test('first contacts of bodies that move', async () => {
  const moving = nf.scene();
  const [near, far] = [1.5, 3].map(x => moving.add(shapes.box(), { pose: placed(x) }));
  moving.add(shapes.box());
  const turning = moving.add(shapes.box(), { pose: placed(6) });
  // Once a quarter turn about z.
  const turned = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 3.4, 0, 0, 1];
  const bodies = [
    { body: near, to: placed(0) },
    { body: far, to: placed(3) },
    { body: turning, to: turned },
  ];
  const entered = await filesEnteredBy(async () => {
    expect((await moving.firstContact({ bodies })).length).toBeGreaterThan(1);
    await moving.sweep({ bodies });
    await moving.nearestApproach({ bodies });
  });
  expect(faultsOf(filesOfTour('`scene.firstContact(motion)`'), entered)).toEqual([]);
});

test('nearfield check', async () => {
  const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(0.5, 0, 0) });
  const entered = await filesEnteredBy(async () => {
    expect((await runIn(folder, ['check', '*.obj'])).status).toBe(1);
    expect((await runIn(folder, ['check', '*.obj', '--json', '--clearance', '1'])).status).toBe(1);
  });
  // main.ts is the process itself.
  const tour = filesOfTour('`nearfield check`').filter(path => !path.endsWith('/main.ts'));
  expect(faultsOf(tour, entered)).toEqual([]);
});

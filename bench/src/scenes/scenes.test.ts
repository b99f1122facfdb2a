import { mesh } from 'nearfield';
import { expect, it } from 'vitest';
import type { Case } from '../case.ts';
import { comparePairs } from '../compare.ts';
import { createNearfield } from '../peers/nearfield.ts';
import { quaternionOf, turnAbout } from '../poses.ts';
import { movingBoxes } from './boxes.ts';
import { foldingSphere } from './deform.ts';
import { wall } from './exact/flush.ts';
import { bumpySphere, filled, overlapping } from './meshes/generated.ts';
import { thinned } from './meshes/thinned.ts';

const numbers = ({ bodies, frames }: Case): number[] => [
  ...bodies.flatMap(({ mesh, pose }) => [...mesh.positions, ...mesh.indices, ...pose]),
  ...frames.flatMap(({ poses = [], positions = [] }) => [...poses.flatMap(pose => [...pose]), ...positions]),
];

it('makes the same numbers every time', () => {
  for (const make of [() => movingBoxes('turned', 20), () => foldingSphere(4), () => wall(3)]) {
    expect(numbers(make())).toEqual(numbers(make()));
  }
});

it('keeps positions in single precision, so that every engine gets the same numbers', () => {
  for (const job of [movingBoxes('axis-aligned', 5), foldingSphere(3), wall(2)]) {
    for (const { mesh } of job.bodies) expect(mesh.positions).toBeInstanceOf(Float32Array);
  }
});

it('converts poses to quaternions of the same rotation', () => {
  for (const angle of [0.1, 1.5, 3.1, -2]) {
    const [x, y, z, w] = quaternionOf(turnAbout([1, 2, 2], angle, [0, 0, 0], [0, 0, 0]));
    const s = Math.sin(angle / 2) / 3;
    const sign = Math.sign(w * Math.cos(angle / 2)) || 1;
    [x, y, z, w].forEach((value, i) => {
      expect(sign * value).toBeCloseTo([s, 2 * s, 2 * s, Math.cos(angle / 2)][i], 12);
    });
  }
});

it('has a wall whose cubes touch all cubes around them', async () => {
  const nearfield = await createNearfield('cpu');
  const job = wall(3);
  const session = await nearfield.load(job);
  for (const frame of job.frames) {
    const pairs = session.pairs(await session.ask(frame));
    // (3·3 − 2)³ ordered neighbours, including each cube itself.
    expect(pairs.length / 2).toBe((7 ** 3 - 27) / 2);
  }
  nearfield.close?.();
});

it('has an exact answer that brute force confirms', async () => {
  const { open } = await import('nearfield');
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  for (const { mesh, pose } of overlapping(bumpySphere(720), 0.3)) scene.add(mesh, { pose });
  const [found] = scene.interferencesSync();
  const [forced] = scene.interferencesSync({ traversal: 'brute-force' });
  expect(found.triangles.length).toBeGreaterThan(0);
  expect(comparePairs(forced.triangles, found.triangles)).toMatchObject({ missed: 0, false: 0 });
  nf.close();
});

it('closes the holes of an open mesh', () => {
  const { indices, positions } = bumpySphere(720).mesh;
  const open = mesh(positions, Uint32Array.from(indices.subarray(9)));
  expect([open.closed, filled(open).solid]).toEqual([false, true]);
});

it('thins a closed mesh and leaves it closed', () => {
  const sphere = bumpySphere(720).mesh;
  const thin = thinned(sphere, 300);
  expect(thin.solid).toBe(true);
  expect(thin.indices.length / 3).toBeLessThanOrEqual(300);
  expect(thin.volume / sphere.volume).toBeGreaterThan(0.9);
});

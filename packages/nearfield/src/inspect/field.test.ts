// Tests the steps of the field method: slices agree with the inside test, common samples with the volume.

import { afterAll, expect, it } from 'vitest';
import { open } from '../nearfield.ts';
import { samplePosition } from '../sampled/field/grid.ts';
import { box, cloth, icosphere } from '../shapes/index.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

it('marks the samples that lie in either body', async () => {
  const scene = nf.scene();
  const a = scene.add(icosphere({ frequency: 6 }));
  const b = scene.add(box({ size: [1, 1, 1] }), {
    pose: [0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0, 0, 0, 1, 0, 0.71, 0.13, 0.29, 1],
  });
  const { grid, slices, volume, fieldA } = await scene.steps([a, b], { method: 'field', resolution: 14 });
  expect(volume.grid).toEqual(grid);
  expect(fieldA.dimensions).toEqual(grid.dimensions);
  const [nx, ny, nz] = grid.dimensions;
  expect(slices).toHaveLength(nz);
  const points = new Float64Array(3 * nx * ny * nz);
  for (let i = 0; i < nx * ny * nz; i++) {
    points[3 * i] = samplePosition(grid, 0, i % nx);
    points[3 * i + 1] = samplePosition(grid, 1, Math.floor(i / nx) % ny);
    points[3 * i + 2] = slices[Math.floor(i / (nx * ny))].z;
  }
  const [inA, inB] = [await scene.inside(a, points), await scene.inside(b, points)];
  const flat = (side: 'inA' | 'inB') => slices.flatMap(slice => Array.from(slice[side]));
  expect(flat('inA')).toEqual(Array.from(inA, Math.sign));
  expect(flat('inB')).toEqual(Array.from(inB, Math.sign));
  const [ofA, ofB] = [flat('inA'), flat('inB')];
  expect(ofA.filter((inside, i) => inside && ofB[i]).length).toBe(volume.count);
  expect(volume.count).toBeGreaterThan(20);
  expect(volume.depths!.depth).toHaveLength(volume.count);
  scene.close();
});

it('shows both bodies if their boxes are apart, and refuses a body without an inside', async () => {
  const scene = nf.scene();
  const a = scene.add(icosphere({ frequency: 2 }));
  const b = scene.add(icosphere({ frequency: 2 }), {
    pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1],
  });
  const { slices, volume } = await scene.steps([a, b], { method: 'field', resolution: 20 });
  expect(volume.count).toBe(0);
  const middle = slices[slices.length >> 1];
  expect(middle.inA.some(Boolean) && middle.inB.some(Boolean)).toBe(true);
  const open = scene.add(cloth());
  const refused = expect.objectContaining({ code: 'not-solid' });
  await expect(scene.steps([a, open], { method: 'field' })).rejects.toEqual(refused);
  scene.close();
});

it('is about the bodies as they were when the steps were asked for', async () => {
  const scene = nf.scene();
  const a = scene.add(icosphere({ frequency: 3 }));
  const b = scene.add(box(), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0, 0, 1] });
  const ask = () => scene.steps([a, b], { method: 'field', resolution: 8 });
  const still = await ask();
  const asked = ask();
  b.pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 30, 0, 0, 1];
  const { volume, fieldB } = await asked;
  expect(volume.count).toBe(still.volume.count);
  expect(fieldB.distance).toEqual(still.fieldB.distance);
  scene.close();
});

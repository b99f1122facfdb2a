// Sweeps of linear motions with a wide `width`: nothing is said of the time within a cell that is not so.

import { type CpuScene, mesh, open } from 'nearfield';
import { afterAll, expect, it } from 'vitest';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const flat = mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
const upright = (bottom: number, top: number) =>
  Float64Array.of(0.2, 0.2, bottom, 0.3, 0.2, bottom, 0.25, 0.2, top);

const sweepOf = async (scene: CpuScene, from: Float64Array, to: Float64Array) => {
  const body = scene.add(mesh(from));
  const [{ intervals }] = await scene.sweep(
    { bodies: [{ body, positions: to }] },
    { upTo: 0.3, width: 1 / 8 },
  );
  return intervals[0];
};

it('a contact that ends or begins in the last cell does so there, not at upTo', async () => {
  const scene = nf.scene();
  scene.add(flat);
  const { ends } = await sweepOf(scene, upright(-0.28, 0.5), upright(0.72, 1.5));
  expect(ends.from).toBeLessThanOrEqual(0.28);
  expect(ends.to).toBeGreaterThanOrEqual(0.28);
  const other = nf.scene();
  other.add(flat);
  const { begins } = await sweepOf(other, upright(0.28, 1), upright(-0.72, 0.5));
  expect(begins.from).toBeLessThanOrEqual(0.28);
  expect(begins.to).toBe(0.3);
});

it('two contacts with a gap between them are not one throughout', async () => {
  const scene = nf.scene();
  const pairs = [
    [-3, -3, -2, -3, -3, -2, -3, -3, -2, 0, -2, 1, -2, -3, 2, 0, -2, 1],
    [2, -3, 2, -3, 2, -1, 2, -3, 2, 1, 0, 0, 2, -2, -3, -1, 2, -1],
    [-3, -3, 1, 2, 1, -1, -3, -3, 1],
    [-2, -1, -2, 1, -3, 2, -3, -2, -1],
  ].map(numbers => Float64Array.from(numbers));
  const [a, b] = [scene.add(mesh(pairs[0])), scene.add(mesh(pairs[2]))];
  const motion = {
    bodies: [
      { body: a, positions: pairs[1] },
      { body: b, positions: pairs[3] },
    ],
  };
  const [{ intervals: fine }] = await scene.sweep(motion);
  expect(fine.length).toBeGreaterThan(1);
  for (const { begins, ends, throughout } of (await scene.sweep(motion, { width: 1 / 8 }))[0].intervals) {
    const gaps = fine
      .slice(1)
      .filter((next, i) => fine[i].ends.to > begins.to && next.begins.from < ends.from);
    if (throughout) expect(gaps).toEqual([]);
  }
});

import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const two = { 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) };

it('finds nothing in one box, and self-intersections in two boxes of one file', async () => {
  const folder = testFolder({ ...two, 'both.obj': boxObj(0, 0, 0, 2, 'one') + boxObj(1, 1, 1, 2, 'two') });
  const clean = await runIn(folder, ['self', 'a.obj', '--json', '--backend', 'cpu']);
  expect([clean.status, JSON.parse(clean.out)]).toEqual([0, { triangles: [] }]);
  const crossing = await runIn(folder, ['self', 'both.obj', '--json', '--backend', 'cpu']);
  expect(crossing.status).toBe(1);
  const { triangles } = JSON.parse(crossing.out);
  expect(triangles.length).toBeGreaterThan(0);
  for (const [i, j] of triangles) expect(i).toBeLessThan(j);
  const table = await runIn(folder, ['self', 'both.obj', '--backend', 'cpu']);
  expect(table.out).toMatch(/pairs of the 24 triangles of both intersect/);
  expect((await runIn(folder, ['self', 'a.obj', '--backend', 'cpu'])).out).toMatch(/No self-intersection/);
});

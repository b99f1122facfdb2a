import { type Mesh, mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { boxSides } from '../shapes.ts';

const box = (x: number, y: number, z: number): Mesh =>
  mesh(
    Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1) * [x, y, z][i % 3]),
    boxSides,
  );

const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

// A body a few units in the last place across: rounding to world doubles moves a face by a large part of the body.
// Before rounding the bodies overlap; after it they only touch, and that counts. A large ball in both was taken as
// proof although rounding could move more than its radius.
test('bodies whose world doubles only touch have no depth, whatever rounding removed', async () => {
  const nf = await open({ backend: 'cpu' });
  const far = 2 ** 20;
  const unit = 2 ** -32;
  for (const extra of [0, 0.1, 0.3, 0.45]) {
    const scene = nf.scene();
    const a = scene.add(box((8 + extra) * unit, 8 * unit, 8 * unit), { pose: at(far, far, far) });
    const b = scene.add(box(8 * unit, 8 * unit, 8 * unit), { pose: at(far + 8 * unit, far, far) });
    expect([...scene.interferencesSync()][0].relation, `extra ${extra}`).toBe('touching');
    expect(scene.penetrationSync(a, b).depth, `extra ${extra}`).toEqual({ lower: 0, upper: 0 });
    scene.close();
  }
  const scene = nf.scene();
  const a = scene.add(box(8 * unit, 8 * unit, 8 * unit), { pose: at(far, far, far) });
  const b = scene.add(box(8 * unit, 8 * unit, 8 * unit), { pose: at(far + 7 * unit, far, far) });
  const { lower, upper } = scene.penetrationSync(a, b).depth;
  expect(lower).toBeLessThanOrEqual(unit);
  expect(upper).toBeGreaterThanOrEqual(unit);
  nf.close();
});

// A solid that overlaps itself was cut along its own lines, the corners of the cut were rounded, and contacts were
// taken from the rounded surface. So solids that only touch had a patch of depth 2.5e-16, and mirrored ones had other
// patches.

import { mesh, open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

test('solids that overlap themselves and only touch one another have no depth', () => {
  const scene = nf.scene();
  const a = scene.add(
    mesh(
      Float64Array.of(
        ...[3, 2, 0, 2, -3, 1, 1, 2, -4, 3, 2, 0, 1, 2, -4, 2, 4, 0],
        ...[1, 2, -4, 2, -3, 1, 2, 4, 0, 3, 2, 0, 2, 4, 0, 2, -3, 1],
        ...[-2, -2, 4, -2, 0, 3, -1, -2, 1, -2, -2, 4, 3, -2, -1, -2, 0, 3],
        ...[-2, 0, 3, 3, -2, -1, -1, -2, 1, -2, -2, 4, -1, -2, 1, 3, -2, -1],
      ),
    ),
  );
  const b = scene.add(
    mesh(
      Float64Array.of(
        ...[0, 3, -3, 2, 1, -1, -3, -1, 0, 0, 3, -3, -4, 2, 1, 2, 1, -1],
        ...[2, 1, -1, -4, 2, 1, -3, -1, 0, 0, 3, -3, -3, -1, 0, -4, 2, 1],
        ...[0, 4, 1, -1, -3, -3, -1, -3, 0, 0, 4, 1, 1, 1, -2, -1, -3, -3],
        ...[-1, -3, -3, 1, 1, -2, -1, -3, 0, 0, 4, 1, -1, -3, 0, 1, 1, -2],
      ),
    ),
    { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1.5, -2, 2, 1] },
  );
  const { patches } = scene.contactsSync(a, b);
  expect(patches.length).toBeGreaterThan(0);
  expect(patches.map(({ depth, area }) => [depth, area])).toEqual(patches.map(() => [0, 0]));
  scene.close();
});

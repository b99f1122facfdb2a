// Triangles of one body with a common position are no pair of a motion. They were one if the body had been deformed
// so that they got that position: the numbers of equal positions are those of the mesh.

import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';

test('a body deformed so that vertices meet has the contacts of a mesh made so', async () => {
  const nf = await open({ backend: 'cpu' });
  const indices = Uint32Array.of(0, 1, 2, 3, 4, 5);
  const first = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  const apart = Float64Array.of(...first, 0, 0, 5, -1, 0, 5, 0, -1, 5);
  const joined = Float64Array.of(...first, -0, 0, 0, -1, 0, 0, 0, -1, 0.5);
  const positions = Float64Array.of(...first, 0, 0, -1, 2, 2, -1, 2, -1, 1);
  const scene = nf.scene();
  const body = scene.add(mesh(apart, indices));
  const options = { which: 'triangles', self: true } as const;
  // Without a common position the two meet.
  expect(scene.firstContactSync({ bodies: [{ body, positions }] }, options).length).toBe(1);
  body.deform(joined);
  const fresh = scene.add(mesh(joined, indices));
  for (const one of [body, fresh]) {
    const found = scene.firstContactSync(
      { bodies: [{ body: one, positions }] },
      { ...options, allowed: [[body, fresh]] },
    );
    expect(found.length).toBe(0);
  }
  nf.close();
});

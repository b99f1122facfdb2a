import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { cornerBox } from '../shapes.ts';

// A strip that runs out and back lists its triangles rising, then falling. Pivots at fixed places made the build of its
// tree quadratic: minutes for a million triangles, which now take a fraction of a second.
test('builds a long strip that runs out and back in time', async () => {
  const count = 600_000;
  const positions = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const x = 2 * Math.min(i, count - 1 - i);
    positions.set([x, 0, 0, x + 1, 0, 0, x, 1, 1], 9 * i);
  }
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  scene.add(mesh(positions));
  scene.add(cornerBox(2.5));
  const [pair] = scene.interferencesSync({ detail: 'count' }).pairs;
  expect(pair.triangleCount).toBeGreaterThan(0);
  nf.close();
}, 8_000);

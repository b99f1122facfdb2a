// In a thin prism no ball was found. It counted as convex with a ball of radius 0, and the rounding margin of heights
// became negative. A translation of 1.4e-10 separated the two, although the lower bound was 4.78.

import { mesh, open } from 'nearfield';
import { expect, it } from 'vitest';
import { extremePair, moderate } from '../../oracle/extremes.ts';
import { randomFrom } from '../../oracle/triangles/generators.ts';

it('brackets the depth of a thin prism and a plate', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const { parts } = extremePair(randomFrom(28), { ...moderate, aspect: 1e12 });
  const [a, b] = parts.map(part => scene.add(mesh(part.mesh.positions, part.mesh.indices)));
  const { depth } = scene.penetrationSync(a, b);
  expect(depth.upper).toBeGreaterThan(0);
  expect(depth.upper).toBeLessThan(1.4e-10);
  expect(depth.lower).toBeLessThanOrEqual(depth.upper);
  nf.close();
});

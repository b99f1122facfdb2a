// nearestApproach of coordinates near the largest doubles gave bounds of NaN and Infinity: the lengths of paths were
// not finite.

import { mesh, open } from 'nearfield';
import { expect, it } from 'vitest';

const triangle = (size: number, z: number) => Float64Array.of(-size, -size, z, size, -size, z, 0, size, z);

async function ask(size: number) {
  const nf = await open({ backend: 'cpu' });
  try {
    const scene = nf.scene();
    scene.add(mesh(triangle(size, 0), Uint32Array.of(0, 1, 2)), { name: 'still' });
    const body = scene.add(mesh(triangle(size, 0.5 * size), Uint32Array.of(0, 1, 2)), { name: 'moving' });
    return await scene.nearestApproach({ bodies: [{ body, positions: triangle(size, 0.25 * size) }] });
  } finally {
    nf.close();
  }
}

it('bounds are those of smaller bodies, times a power of two', async () => {
  const [usual] = await ask(1);
  for (const power of [-900, 900, 1000, 1019, 1020]) {
    const size = 2 ** power;
    const [found] = await ask(size);
    expect(found.distance.lower / size).toBe(usual.distance.lower);
    expect(found.distance.upper / size).toBe(usual.distance.upper);
    expect(found.time).toBe(usual.time);
  }
});

it.each([1.01 * 2 ** 1021, 8e307, 1.5e308])('a reach of %s is refused by name', async size => {
  await expect(ask(size)).rejects.toMatchObject({
    code: 'not-finite',
    message: expect.stringContaining('still reaches farther'),
  });
});

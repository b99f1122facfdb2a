import { type Mesh, mesh, open, shapes } from 'nearfield';
import { expect, test } from 'vitest';

type Point = readonly number[];

const tetrahedron = (corners: readonly Point[]): Mesh =>
  mesh(Float64Array.from(corners.flat()), Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3));

const [far, low] = [384, -64];
const around = [
  [low, low, low],
  [far, low, low],
  [low, far, low],
  [low, low, far],
];

// Products of two coordinates underflowed, and were then multiplied by a large one: the volume seemed to be certain, and a solid
// without volume to share interior points with the one around it.
test.each([
  [-540, -536, 500],
  [-540, -537, 420],
  [-537, 500, -538],
  [500, -540, -535],
  [-400, -400, -400],
  [0, 0, 0],
])('a flat solid within another, of sizes 2^%i, 2^%i and 2^%i, does not meet it', async (...exponents) => {
  const nf = await open({ backend: 'cpu', threads: 1 });
  const random = shapes.createRandom(3);
  const scaled = (p: Point) => p.map((x, axis) => x * 2 ** exponents[axis]);
  for (let i = 0; i < 20; i++) {
    const [a, b, c] = [0, 1, 2].map(() => [0, 1, 2].map(() => random.integer(15) - 7));
    const d = a.map((x, axis) => x + 2 * (b[axis] - x) + 3 * (c[axis] - x));
    const scene = nf.scene();
    const outer = scene.add(tetrahedron(around.map(scaled)));
    const inner = scene.add(tetrahedron([a, b, c, d].map(scaled)));
    expect(inner.mesh.solid, `case ${i}`).toBe(true);
    expect(scene.interferencesSync().length, `case ${i}`).toBe(0);
    expect(scene.distanceSync(outer, inner).distance, `case ${i}`).toBeGreaterThan(0);
    scene.close();
  }
  nf.close();
});

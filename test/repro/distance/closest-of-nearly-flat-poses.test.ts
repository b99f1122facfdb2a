// A pose whose linear part is all ones, plus 10⁻⁹ on the diagonal, has no inverse in doubles. `closest` and `field`
// found nothing there, and `penetration` with points divided by 0.
import { mesh, open, shapes } from 'nearfield';
import { afterAll, expect, it } from 'vitest';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const little = 1e-9;
const pose = [1, 1, 1, 0, 1, 1 + little, 1, 0, 1, 1, 1 + 2 * little, 0, 0, 0, 0, 1];

it('closest finds the body', () => {
  const scene = nf.scene();
  const body = scene.add(shapes.box(), { pose });
  const far = scene.add(shapes.box({ size: [1e-9, 1e-9, 1e-9] }), {
    pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 1, -1, 1],
  });
  const { distances, triangles } = scene.closestSync(body, Float64Array.of(3, 1, -1));
  expect(distances[0]).toBeCloseTo(scene.distanceSync(body, far).distance, 8);
  expect(triangles[0]).toBeGreaterThanOrEqual(0);
  expect([...scene.fieldSync(body, { resolution: 4, signed: false }).distance].every(Number.isFinite)).toBe(
    true,
  );
});

it('penetration with points answers', () => {
  const scene = nf.scene();
  const body = scene.add(shapes.box(), { pose });
  const size = little / 1000;
  const small = scene.add(shapes.box({ size: [size, size, size] }));
  const { depth } = scene.penetrationSync(body, small, { points: true });
  expect(depth.lower).toBeLessThanOrEqual(depth.upper);
});

it('closest finds a mesh whose vertices all coincide, from far away', () => {
  const scene = nf.scene();
  const body = scene.add(mesh(Float64Array.of(1, 1, 1, 1, 1, 1, 1, 1, 1)));
  const { distances, triangles } = scene.closestSync(body, Float64Array.of(1e25, 0, 0));
  expect([...triangles]).toEqual([0]);
  expect(distances[0]).toBeCloseTo(1e25, -11);
});

it('setPoses refuses bigints', () => {
  for (const wrong of [new BigInt64Array(0), new BigUint64Array(16)]) {
    expect(() => nf.scene().setPoses(wrong as never)).toThrow(expect.objectContaining({ code: 'bad-pose' }));
  }
});

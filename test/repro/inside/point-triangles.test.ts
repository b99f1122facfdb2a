import { open } from 'nearfield';
import { expect, test } from 'vitest';
import { pointTriangleBox } from '../shapes.ts';

// For a triangle that is a single point, every line is collinear with its sides. Far from the origin, where the
// engine offers all triangles for every ray, rays were cast without end.
test('a solid with a triangle that is a point, far from the origin, has an inside', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const far = 1e17;
  const pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, far, far, far, 1];
  const body = scene.add(pointTriangleBox(64), { pose });
  const points = [far + 32, far + 32, far + 32, far + 64, far + 32, far + 32, far - 64, far, far];
  expect([...scene.insideSync(body, new Float64Array(points))]).toEqual([1, 2, 0]);
  const inner = scene.add(pointTriangleBox(16), {
    pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, far + 32, far + 32, far + 32, 1],
  });
  const [pair] = scene.interferencesSync().pairs;
  expect([pair.a, pair.b, pair.relation]).toEqual([body, inner, 'contains']);
  nf.close();
});

import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { cornerBox } from '../shapes.ts';

// The broad phase keeps the order of many bodies from one question to the next, without bodies that have no
// triangles. When another body took the place of such a body in the list, the order still left that place out.
test('finds a body in the place of one without triangles', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const nothing = mesh(new Float64Array(0), new Uint32Array(0));
  const empty = scene.add(nothing);
  for (let i = 0; i < 60; i++) {
    scene.add(cornerBox(), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9 * i, 0, 0, 1] });
  }
  expect(scene.interferencesSync().length).toBe(59);
  scene.remove(empty);
  scene.add(nothing);
  expect(scene.interferencesSync().length).toBe(59);
  nf.close();
});

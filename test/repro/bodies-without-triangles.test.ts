import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { cornerBox } from './shapes.ts';

// The broad phase keeps the order of many bodies from one question to the next. A body without triangles is not in
// it; when another took its place in the list, the order went on leaving that place out.
test('a body that takes the place of one without triangles is found', async () => {
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

import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { cornerBox } from '../shapes.ts';

// For many bodies, a clearance enlarges their boxes. The box of a body without triangles reaches from ∞ to −∞.
// Enlarged, it became NaN, counted as a real box and displaced another in the order.
test('a body without triangles hides no body within a clearance', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const nothing = mesh(new Float64Array(0), new Uint32Array(0));
  const count = 60;
  for (let i = 0; i < count; i++) {
    if (i % 20 === 0) scene.add(nothing);
    scene.add(cornerBox(), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1.25 * i, 0, 0, 1] });
  }
  expect(scene.withinSync(0.5).length).toBe(count - 1);
  expect((await scene.within(0.5)).length).toBe(count - 1);
  nf.close();
});

// A clearance that made boxes infinite left their frame without a middle, and the sort did not end.
test('a clearance may be larger than any distance', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const count = 50;
  for (let i = 0; i < count; i++) {
    scene.add(cornerBox(), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1.25 * i, 0, 0, 1] });
  }
  for (const clearance of [1e300, Number.MAX_VALUE, Infinity]) {
    expect(scene.withinSync(clearance).length, `${clearance}`).toBe((count * (count - 1)) / 2);
  }
  nf.close();
});

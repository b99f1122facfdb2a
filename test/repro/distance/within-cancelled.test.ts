// `within` decided its unsure pairs in one go: it neither yielded to the event loop nor looked at the signal.
import { open, shapes } from 'nearfield';
import { expect, test } from 'vitest';

test('within can be cancelled after the engine has found the triangles', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  // The smaller sphere lies inside the larger one, so whether they are near is decided after the search.
  const [large, small] = [
    shapes.icosphere({ frequency: 4 }),
    shapes.icosphere({ frequency: 4, radius: 0.1 }),
  ];
  for (const mesh of [large, small]) scene.add(mesh);
  const cancel = new AbortController();
  const reason = new Error('enough');
  const progress = (done: number) => {
    if (done >= 0.9) cancel.abort(reason);
  };
  await expect(scene.within(0.01, { signal: cancel.signal, progress })).rejects.toBe(reason);
  expect((await scene.within(0.01)).length).toBe(1);
  nf.close();
});

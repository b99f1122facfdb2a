import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';

// Small copies of deformed positions share a buffer with others of their size. A scene kept the last buffer of every size
// that any of its bodies ever had.
test('the buffer of deformed positions goes with the body', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const triangle = mesh(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint32Array.of(0, 1, 2));
  const deformed = Float32Array.of(0, 0, 0, 2, 0, 0, 0, 2, 0);
  const positionsOf = (times: number) => {
    const body = scene.add(triangle);
    for (let i = 0; i < times; i++) body.deform(deformed);
    const { positions } = body.snapshotNow();
    scene.remove(body);
    return positions;
  };
  // The second copy begins a buffer that has space for another.
  const before = positionsOf(2);
  expect(before.buffer.byteLength).toBe(2 * before.byteLength);
  expect(positionsOf(1).buffer).not.toBe(before.buffer);
  nf.close();
});

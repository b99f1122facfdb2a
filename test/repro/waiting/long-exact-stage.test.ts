import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';

/** side² squares of the plane z = x + 2y, two triangles per square, shifted along it by a share of a square. */
function plane(side: number, shift: number) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let row = 0; row <= side; row++) {
    for (let column = 0; column <= side; column++) {
      const [x, y] = [(column + shift) / 64, (row + shift) / 64];
      positions.push(x, y, x + 2 * y);
      if (row === side || column === side) continue;
      const at = row * (side + 1) + column;
      indices.push(at, at + 1, at + side + 2, at, at + side + 2, at + side + 1);
    }
  }
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

// Coincident surfaces blocked the thread for as long as exact arithmetic took, ignoring the caller's signal.
test('the exact stage yields, reports progress and can be cancelled', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const side = 70;
  const [a, b] = [scene.add(plane(side, 0)), scene.add(plane(side, 0.5))];
  const sync = scene.interferencesSync();
  expect(sync.stats.unsure).toBeGreaterThan(20_000);

  const seen: number[] = [];
  const answer = await scene.interferences({ progress: done => seen.push(done) });
  expect(answer.pairs[0].triangles).toEqual(sync.pairs[0].triangles);
  // Exact decisions begin at 0.9 of the search's share, which is 0.85.
  expect(seen.filter(done => done > 0.78 && done < 1).length).toBeGreaterThan(0);
  expect(seen).toEqual(seen.slice().sort((p, q) => p - q));
  expect(seen.at(-1)).toBe(1);
  const counted = await scene.interferences({ detail: 'count' });
  expect(counted.pairs[0].triangleCount).toBe(sync.pairs[0].triangleCount);

  for (const ask of [
    (signal: AbortSignal, progress: (done: number) => void) => scene.interferences({ signal, progress }),
    (signal: AbortSignal, progress: (done: number) => void) => scene.curves(a, b, { signal, progress }),
  ]) {
    const controller = new AbortController();
    const stopped = ask(controller.signal, done => {
      if (done > 0.78) controller.abort();
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  }
  nf.close();
});

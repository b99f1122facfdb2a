import { mesh, open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';

const gpu = await open({ device: (await testDevice()).device });
afterAll(() => gpu.close());

/** 6 × 6 squares in a plane, with one common corner at another height. */
function sheet(height: number, corner = height) {
  const at = (i: number, j: number) => [i / 6, j / 6, i + j === 0 ? corner : height];
  const corners: number[] = [];
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < 6; j++) {
      corners.push(...at(i, j), ...at(i + 1, j), ...at(i + 1, j + 1));
      corners.push(...at(i, j), ...at(i + 1, j + 1), ...at(i, j + 1));
    }
  }
  return mesh(new Float64Array(corners));
}

// If a yes or no ends with unsure pairs, the CPU is asked again. Bodies whose boxes the CPU knows to be apart were
// missing in its answer, and the bodies after them got each other's results.
test('two pairs of sheets touch, others nearly do', async () => {
  const scene = gpu.scene();
  const gap = 2 ** -40;
  const [flat, above, touching] = [sheet(0), sheet(gap), sheet(gap, 0)];
  for (let i = 0; i < 7; i++) {
    const pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4 * i, 0, 0, 1];
    scene.add(flat, { pose });
    scene.add(i === 3 || i === 5 ? touching : above, { pose });
  }
  for (const traversal of ['walk', 'breadth-first', 'brute-force'] as const) {
    const { pairs } = await scene.interferences({ detail: 'any', traversal });
    expect(
      pairs.map(({ a, b }) => [a.index, b.index]),
      traversal,
    ).toEqual([
      [6, 7],
      [10, 11],
    ]);
  }
});

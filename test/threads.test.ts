// Answers do not depend on how many threads work on them, nor on threads that fail.

import { type CpuNearfield, mesh, open } from 'nearfield';
import { icosphere } from 'nearfield/shapes';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './oracle/triangles/generators.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;

/** Asks libraries with 1, 2, 3 and 8 threads the same, until all of their threads have joined. */
async function sameFor(ask: (nf: CpuNearfield) => Promise<ArrayBufferView[]>): Promise<void> {
  const one = await open({ backend: 'cpu', threads: 1 });
  const expected = bytesOf(await ask(one));
  one.close();
  for (const threads of [2, 3, 8]) {
    const nf = await open({ backend: 'cpu', threads });
    for (let round = 0; round < (slow ? 10 : 2); round++) {
      const answers = bytesOf(await ask(nf));
      const isSame = answers.every((answer, i) => answer.equals(expected[i]));
      expect(isSame, `${threads} threads`).toBe(true);
      // Threads that the first question started become ready.
      await new Promise(resolve => setTimeout(resolve, 200));
    }
    nf.close();
  }
}

const bytesOf = (arrays: ArrayBufferView[]): Buffer[] =>
  arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));

describe('any number of threads', () => {
  it('finds the same nearest points', async () => {
    const random = randomFrom(31);
    const sphere = icosphere({ frequency: 12 });
    // Around the sphere, on it, in its centre (every triangle is as near), and on its corners.
    const points = Float64Array.from({ length: 3 * 9000 }, () => 3 * random() - 1.5);
    points.set(sphere.positions.subarray(0, 3 * 300), 3 * 2000);
    points.fill(0, 3 * 7000, 3 * 7001);
    await sameFor(async nf => {
      const scene = nf.scene();
      const body = scene.add(sphere, { pose: [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0, 0, 1] });
      const answers = [await scene.closest(body, points), scene.closestSync(body, points, { upTo: 0.4 })];
      scene.close();
      return answers.flatMap(({ distances, points, triangles, features }) => [
        distances,
        points,
        triangles,
        features,
      ]);
    });
  });

  it('finds the same pairs, triangles and counts', async () => {
    const random = randomFrom(32);
    const box = mesh(
      new Float64Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]),
      new Uint32Array([
        0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3,
        4, 7,
      ]),
    );
    const sphere = icosphere({ frequency: 12 });
    // Half of the boxes are on a grid, so that they touch, coincide or lie in each other.
    const poses = Array.from({ length: 1500 }, (_, i) => {
      const at = () => (i % 2 === 0 ? Math.round(random() * 32) / 2 : random() * 16);
      return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, at(), at(), at(), 1];
    });
    await sameFor(async nf => {
      const scene = nf.scene();
      poses.forEach((pose, i) => {
        scene.add(i % 50 === 0 ? sphere : box, { pose });
      });
      const list = await scene.interferences();
      const counted = scene.interferencesSync({ detail: 'count' });
      const answers = [
        list.indices,
        ...list.pairs.map(pair => pair.triangles),
        Uint32Array.from(counted, pair => pair.triangleCount!),
        (await scene.interferences({ detail: 'any' })).indices,
      ];
      scene.close();
      return answers;
    });
  });
});

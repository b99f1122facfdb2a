// A GPU finds the same as the CPU, array by array: it only leaves out what it can prove. Single precision is put to the test by regions that
// touch, poses of any kind and places far from the origin.

import { expect, it } from 'vitest';
import { randomFrom, whole } from '../../../../test/oracle/triangles/generators.ts';
import { openBoth } from '../../../../test/spec/both-engines.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import * as shapes from '../shapes/index.ts';

const both = openBoth();
const details = ['list', 'count', 'any'] as const;
const slow = process.env['NEARFIELD_SLOW'] ? 20 : 1;

async function compare(
  parts: readonly (readonly [Mesh, (readonly number[])?])[],
  boxes: Float64Array,
  spheres: Float64Array,
  said: string,
): Promise<number> {
  const gpu = both.sceneOf(...parts);
  const cpu = both.cpu.scene();
  for (const [part, pose] of parts) cpu.add(part, pose ? { pose } : {});
  let growths = 0;
  for (const [kind, regions] of [
    ['inBox', boxes],
    ['inSphere', spheres],
  ] as const) {
    for (const detail of details) {
      const found = await gpu[kind](gpu.bodies, regions, { detail });
      const expected = cpu[`${kind}Sync`](cpu.bodies, regions, { detail });
      const what = `${said}: ${kind}, ${detail}`;
      expect([found.backend, found.stats.dispatches > 0], what).toEqual(['gpu', true]);
      for (const name of ['regions', 'bodies', 'starts', 'triangleStarts', 'triangles'] as const)
        expect(found[name], `${what}: ${name}`).toEqual(expected[name]);
      growths += found.stats.growths;
    }
  }
  gpu.close();
  cpu.close();
  return growths;
}

const between = (points: Float64Array): Float64Array =>
  points.map((x, i) => {
    const other = points[i % 6 < 3 ? i + 3 : i - 3];
    return i % 6 < 3 ? Math.min(x, other) : Math.max(x, other);
  });

it('on a small grid, where most regions touch corners, edges or planes', async () => {
  for (let seed = 1; seed <= 3 * slow; seed++) {
    const random = randomFrom(seed);
    const triangles = Float64Array.from({ length: 9 * 12 }, () => whole(random, -1, 2));
    const soup = mesh(
      triangles,
      Uint32Array.from({ length: 36 }, (_, i) => i),
    );
    const boxes = between(Float64Array.from({ length: 6 * 200 }, () => whole(random, -3, 4)));
    const spheres = Float64Array.from({ length: 4 * 200 }, (_, i) =>
      i % 4 === 3 ? whole(random, 0, 5) : whole(random, -3, 4),
    );
    await compare([[soup]], boxes, spheres, `seed ${seed}`);
  }
});

it('of a mesh with many levels, placed by any pose, by regions of any size; lists grow', async () => {
  const ball = shapes.icosphere({ frequency: 9 });
  let growths = 0;
  for (let seed = 1; seed <= 4 * slow; seed++) {
    const random = randomFrom(seed + 100);
    const [c, s] = [Math.cos(seed), Math.sin(seed)];
    const size = [1, 1e-30, 1e40, 1][seed % 4];
    const far = seed % 4 === 3 ? 1e6 : 0.5;
    const pose = [c, s, 0.1, 0, -s, c, 0.2, 0, 0, -0.3, 1.5, 0].map(x => x * size);
    pose.push(far * size, -far * size, 0.125 * size, 1);
    const at = (i: number) =>
      [0, 1, 2].map(k => pose[12 + k] + size * [0.001, 0.3, 2.5, 6][i % 4] * (random() - 0.5));
    const count = 160;
    const ends = Array.from({ length: count }, (_, i) => [...at(i), ...at(i)]);
    const spheres = Array.from({ length: count }, (_, i) => [
      ...at(i + 1),
      size * [0, 0.2, 1.5, 4][i % 4] * random(),
    ]);
    growths += await compare(
      [[ball, pose]],
      between(Float64Array.from(ends.flat())),
      Float64Array.from(spheres.flat()),
      `seed ${seed}`,
    );
  }
  expect(growths).toBeGreaterThan(0);
});

it('of several bodies, some far from all regions; and regions far from all bodies', async () => {
  const random = randomFrom(9);
  const shape = shapes.icosphere({ frequency: 2 });
  const parts = Array.from({ length: 12 }, (_, i) => {
    const place = i === 5 ? [1e9, 0, 0] : [0, 0, 0].map(() => whole(random, 0, 3));
    return [shape, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...place, 1]] as const;
  });
  const boxes = between(Float64Array.from({ length: 6 * 300 }, () => whole(random, -1, 5)));
  const spheres = Float64Array.from({ length: 4 * 300 }, (_, i) => whole(random, 0, i % 4 === 3 ? 3 : 4));
  boxes.set([-1e308, -1e308, -1e308, 1e308, 1e308, 1e308, 1e300, 0, 0, 1e300, 1, 1]);
  spheres.set([0, 0, 0, 1e308, 1e300, 0, 0, 1, 1e300, 0, 0, 1e300]);
  await compare(parts, boxes, spheres, 'several');
});

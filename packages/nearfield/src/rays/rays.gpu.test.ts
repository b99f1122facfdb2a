// A GPU finds the same hits as the CPU, array by array: it only leaves out what it can prove. Single precision is put to the test by rays through
// corners and edges, in planes of triangles, from far away, at poses of any kind.

import { expect, it } from 'vitest';
import { randomFrom, whole } from '../../../../test/oracle/triangles/generators.ts';
import { openBoth } from '../../../../test/spec/both-engines.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import * as shapes from '../shapes/index.ts';

const both = openBoth();
const slow = process.env['NEARFIELD_SLOW'] ? 20 : 1;

async function compare(
  parts: readonly (readonly [Mesh, (readonly number[])?])[],
  rays: Float64Array,
  said: string,
): Promise<void> {
  const gpu = both.sceneOf(...parts);
  const cpu = both.cpu.scene();
  for (const [part, pose] of parts) cpu.add(part, pose ? { pose } : {});
  for (const options of [{}, { hits: 'all' }, { upTo: 0.75 }, { hits: 'all', upTo: 0.75 }] as const) {
    const { backend, ...found } = await gpu.rays(gpu.bodies, rays, options);
    const { backend: _, ...expected } = cpu.raysSync(cpu.bodies, rays, options);
    expect(backend, said).toBe('gpu');
    expect(found, `${said}: ${JSON.stringify(options)}`).toEqual(expected);
  }
  gpu.close();
  cpu.close();
}

it('on a small grid, where most rays meet edges, corners or planes', async () => {
  for (let seed = 1; seed <= 3 * slow; seed++) {
    const random = randomFrom(seed);
    const soup = mesh(
      Float64Array.from({ length: 9 * 12 }, () => whole(random, -1, 2)),
      Uint32Array.from({ length: 36 }, (_, i) => i),
    );
    const rays = Float64Array.from({ length: 6 * 200 }, (_, i) => whole(random, -2, i % 6 < 3 ? 3 : 2));
    for (let i = 3; i < rays.length; i += 6) if (!rays[i] && !rays[i + 1] && !rays[i + 2]) rays[i] = 1;
    await compare([[soup]], rays, `seed ${seed}`);
  }
});

it('of a mesh with many levels, placed by any pose, from near and far', async () => {
  const ball = shapes.icosphere({ frequency: 9 });
  const { positions, vertexCount } = ball;
  for (let seed = 1; seed <= 4 * slow; seed++) {
    const random = randomFrom(seed + 100);
    const [c, s] = [Math.cos(seed), Math.sin(seed)];
    const size = [1, 1e-30, 1e40, 1][seed % 4];
    const far = seed % 4 === 3 ? 1e6 : 0.5;
    const pose = [c, s, 0.1, 0, -s, c, 0.2, 0, 0, -0.3, 1.5, 0].map(x => x * size);
    pose.push(far * size, -far * size, 0.125 * size, 1);
    // Towards vertices, middles of edges and other points, from within, from beside and from far away, by directions of any length.
    const rays = Array.from({ length: 300 }, (_, i) => {
      const [v, w] = [3 * whole(random, 0, vertexCount - 1), 3 * whole(random, 0, vertexCount - 1)];
      const local = [0, 1, 2].map(k =>
        i % 3 === 0 ? positions[v + k] : (positions[v + k] + positions[w + k]) / 2,
      );
      const target = [0, 1, 2].map(
        k => pose[k] * local[0] + pose[4 + k] * local[1] + pose[8 + k] * local[2] + pose[12 + k],
      );
      const origin = [0, 1, 2].map(k => pose[12 + k] + size * [0, 3, 30, 1e7][i % 4] * (random() - 0.5));
      const factor = [1, 1e-12, 1e20, 2][(i >> 2) % 4];
      const direction: number[] = target.map((x, k) => (x - origin[k]) * factor);
      if (!direction.some(x => x !== 0)) direction.fill(1);
      return [...origin, ...direction];
    });
    await compare([[ball, pose]], Float64Array.from(rays.flat()), `seed ${seed}`);
  }
});

it('of many bodies, and nothing leaks through a closed mesh', async () => {
  const random = randomFrom(9);
  const shape = shapes.icosphere({ frequency: 3 });
  const parts = Array.from({ length: 10 }, (_, i) => {
    const place = i === 5 ? [1e9, 0, 0] : [0, 0, 0].map(() => whole(random, 0, 3));
    return [shape, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...place, 1]] as const;
  });
  const rays = Float64Array.from({ length: 6 * 600 }, (_, i) => (i % 6 < 3 ? 4 * random() : random() - 0.5));
  await compare(parts, rays, 'many');
  const scene = both.sceneOf([shape]);
  const { positions } = shape;
  const out = Float64Array.from({ length: 2 * positions.length }, (_, i) =>
    i % 6 < 3 ? 0 : positions[3 * Math.floor(i / 6) + (i % 3)],
  );
  const first = await scene.rays(scene.bodies, out);
  expect([first.backend, first.firsts.every(hit => hit >= 0)]).toEqual(['gpu', true]);
  scene.close();
});

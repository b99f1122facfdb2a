// The worker of "Under the hood": generates pairs, replays the methods that the CPU has, and draws the pictures of
// the others.

import { mesh, open, type Scene } from 'nearfield';
import type { Limits } from '../engine/types.ts';
import { type Port, serve } from '../engine/worker/channel.ts';
import { edgesOf } from './drawn-by-cpu/edges.ts';
import { linesOf } from './drawn-by-cpu/layers.ts';
import { viewsOf } from './drawn-by-cpu/views.ts';
import { preparePair } from './prepared.ts';
import { type FieldData, type HoodTasks, resolution, type Two, type WorkerSteps } from './types.ts';

const opening = open({ backend: 'cpu' });

serve<HoodTasks>(globalThis as unknown as Port, {
  prepare: async name => preparePair(await opening, name),
  steps: async ({ two, method }, limits): Promise<WorkerSteps> => {
    if (method === 'layers') return linesOf(two, resolution);
    if (method === 'raycast') return edgesOf(two, resolution);
    const scene = (await opening).scene();
    try {
      const bodies = add(scene, two);
      if (method === 'field') return await fieldData(scene, bodies, limits);
      const found = await scene.steps(bodies, { method: 'hierarchy', ...limits });
      return method === 'hierarchy' ? found : viewsOf(two, resolution, found.trianglePairs);
    } finally {
      scene.close();
    }
  },
});

type Bodies = Parameters<Scene['steps']>[0];

function add(scene: Scene, two: Two): Bodies {
  const [a, b] = two.map(({ name, positions, indices, pose }) =>
    scene.add(mesh(positions, indices), { name, pose }),
  );
  return [a, b];
}

/** The part that a message can carry. */
async function fieldData(scene: Scene, bodies: Bodies, limits: Limits): Promise<FieldData> {
  const found = await scene.steps(bodies, { method: 'field', resolution: 72, ...limits });
  const { grid, fieldA, fieldB, volume } = found;
  const { depth, direction } = volume.depths!;
  const ways = direction.map((part, i) => part * depth[Math.floor(i / 3)]);
  return {
    method: 'field',
    grid,
    distances: [fieldA.distance, fieldB.distance],
    points: Float32Array.from(volume.points),
    ways,
    volume: volume.volume,
    deepest: depth.reduce((most, value) => Math.max(most, value), 0),
  };
}

import { mesh, open, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import type { Placed } from '../../../packages/nearfield/src/bodies/snapshot/snapshot.ts';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { interfere } from '../../../packages/nearfield/src/interferences/driver.ts';
import { identity } from '../../../packages/nearfield/src/math/pose.ts';
import { createGpuEngine } from '../../../packages/nearfield/src/open-gpu.ts';

const { device, software } = await testDevice();

test('a GPU stops if more pairs meet than it can list, and answers the next question', async () => {
  const engine = await createGpuEngine({ device });
  const own = shapes.icosphere({ frequency: 2 });
  const body = (): Placed => {
    const shape = { mesh: own, positions: own.positions, revision: 0 };
    return { shape, pose: identity(), poseRevision: 0 };
  };
  const bodies = [body(), body()];
  const candidates = Uint32Array.of(0, 1);
  const ask = (most?: number) => interfere(engine, bodies, { detail: 'list', candidates, most });
  await expect(ask(100)).rejects.toMatchObject({ code: 'out-of-memory', message: /more than 100 pairs/ });
  const all = await ask();
  expect((all.certain.length + all.unsure.length) / 3).toBeGreaterThan(100);
  const again = await ask(10_000);
  expect(again.certain.length + again.unsure.length).toBe(all.certain.length + all.unsure.length);
  engine.close();
});

const count = process.env['NEARFIELD_SLOW'] === undefined || software ? 300 : 20_000;

test(`the distance between ${count} triangles and their copies is 0`, async () => {
  const nf = await open({ device });
  const scene = nf.scene();
  const stacked = () =>
    mesh(
      Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      Uint32Array.from({ length: 3 * count }, (_, i) => i % 3),
    );
  const [a, b] = [scene.add(stacked()), scene.add(stacked())];
  expect(await scene.distance(a, b)).toMatchObject({ distance: 0, triangleA: 0, triangleB: 0 });
  nf.close();
});

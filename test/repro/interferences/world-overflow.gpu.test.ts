import { open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { cornerBox } from '../shapes.ts';

const gpu = await open({ device: (await testDevice()).device });
const cpu = await open({ backend: 'cpu' });
afterAll(() => {
  gpu.close();
  cpu.close();
});

const scaled = (s: number) => [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1];

// The GPU has exponents of its own and answered for bodies whose world positions are infinite.
test('bodies whose world positions do not fit in doubles are refused, as on the CPU', async () => {
  for (const nf of [gpu, cpu]) {
    const scene = nf.scene();
    const box = cornerBox(1e100);
    const first = scene.add(box);
    const body = scene.add(box, { pose: scaled(1e209) });
    await expect(scene.interferences()).rejects.toMatchObject({ code: 'not-finite' });
    await expect(scene.selfIntersections(body)).rejects.toMatchObject({ code: 'not-finite' });
    body.pose = scaled(1e207);
    first.pose = scaled(1e207);
    expect((await scene.interferences()).pairs.map(pair => pair.relation)).toEqual(['coincident']);
  }
});

test('both backends have the same limit', async () => {
  for (const factor of [0.5, 0.99, 0.9999999999, 1, 1.0000000001, 1.01, 2]) {
    const refused: boolean[] = [];
    for (const nf of [gpu, cpu]) {
      const scene = nf.scene();
      scene.add(cornerBox(1e100), { pose: scaled((Number.MAX_VALUE / 1e100) * factor) });
      scene.add(cornerBox(1e100));
      refused.push(
        await scene.interferences().then(
          () => false,
          () => true,
        ),
      );
    }
    expect(refused[0]).toBe(refused[1]);
  }
});

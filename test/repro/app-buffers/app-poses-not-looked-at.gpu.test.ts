import { mesh, open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { box } from '../../../packages/nearfield/src/shapes/index.ts';
import { at, bufferOf } from './app-buffers.ts';

const { device } = await testDevice();
const nf = await open({ device });
afterAll(() => nf.close());

// If positions in a GPUBuffer leave their frames, the question is asked again. The poses had been read from the GPU
// the first time, so they were known the second time, and the result of their check was ignored.
test('a question that is asked twice finds a matrix that is not a pose', async () => {
  const { positions, indices } = box();
  const corners = Float32Array.from([...indices].flatMap(v => [...positions.subarray(3 * v, 3 * v + 3)]));
  const shape = mesh(
    corners,
    new Uint32Array(indices.length).map((_, i) => i),
  );
  const scene = nf.scene();
  for (let i = 0; i < 3; i++) scene.add(shape);
  const [body] = scene.bodies;
  body.deform(bufferOf(device, corners));
  for (const x of [0.5, 0.6]) {
    scene.setPoses(bufferOf(device, [...at(0), ...at(x), ...at(5)]));
    expect((await scene.interferences({ detail: 'any' })).length).toBe(1);
  }
  const flat = [...at(0), ...at(0.6), ...at(5)];
  flat[16] = 0;
  body.deform(
    bufferOf(
      device,
      corners.map((x, i) => (i < 3 ? 0.9 * x : x)),
    ),
  );
  scene.setPoses(bufferOf(device, flat));
  const refused = { code: 'bad-pose', message: expect.stringMatching(/body 1.*singular/) };
  for (const detail of ['any', 'list'] as const) {
    await expect(scene.interferences({ detail })).rejects.toMatchObject(refused);
  }
  scene.close();
});

import { open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { deviceToLose, testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { interfere } from '../../../packages/nearfield/src/interferences/driver.ts';
import { place } from '../../../packages/nearfield/src/interferences/hierarchy/gpu/test-answers.ts';
import { createGpuEngine } from '../../../packages/nearfield/src/open-gpu.ts';
import { box } from '../../../packages/nearfield/src/shapes/index.ts';
import { at, bufferOf } from './app-buffers.ts';

const { device } = await testDevice();
const nf = await open({ device });
afterAll(() => nf.close());

// Any object with a usage was taken for a GPUBuffer. The device threw a TypeError, which left an error scope open
// that swallowed the application's errors from then on.
test('refuses attributes, textures and layouts in place of buffers, and names them', async () => {
  const scene = nf.scene();
  for (let i = 0; i < 2; i++) scene.add(box(), { pose: at(i) });
  const attribute = { usage: 35044, array: new Float32Array(32), itemSize: 16, count: 2 };
  const texture = device.createTexture({ size: [4, 4], format: 'rgba32float', usage: 5 });
  for (const given of [attribute, texture]) {
    const refused = expect.objectContaining({
      code: 'bad-array',
      message: expect.stringMatching(/GPUBuffer/),
    });
    expect(() => scene.setPoses(given as never)).toThrow(refused);
    expect(() => scene.bodies[0].deform(given as never)).toThrow(refused);
  }
  await expect(device.popErrorScope()).rejects.toThrow(/scope/);
  const bad = (code: string) => expect.objectContaining({ code });
  for (const given of [null, undefined])
    expect(() => scene.setPoses(given as never)).toThrow(bad('bad-pose'));
  expect(() => scene.setPoses([...at(0), ...at(1)], { stride: 64 } as never)).toThrow(bad('bad-option'));
  expect(scene.bodies.map(({ pose }) => pose[12])).toEqual([0, 1]);
  scene.close();
});

// Poses on the GPU were given up before the pose of the new body was checked.
test('a refused body leaves the others where they are', async () => {
  const scene = nf.scene();
  for (let i = 0; i < 2; i++) scene.add(box());
  scene.setPoses(bufferOf(device, [...at(0), ...at(0.5)]));
  expect(() => scene.add(box(), { pose: [1, 2, 3] })).toThrow(expect.objectContaining({ code: 'bad-pose' }));
  expect((await scene.interferences()).length).toBe(1);
  scene.close();
});

test('a scene without bodies has no unknown poses', async () => {
  const scene = nf.scene();
  scene.setPoses(bufferOf(device, []));
  scene.add(box());
  scene.add(box(), { pose: at(0.5) });
  expect((await scene.interferences()).length).toBe(1);
  scene.setPoses(bufferOf(device, [...at(0), ...at(0.6)]));
  for (const body of scene.bodies) scene.remove(body);
  for (const x of [0, 0.5, 1]) scene.add(box(), { pose: at(x) });
  expect((await scene.interferences()).length).toBe(3);
  scene.close();
});

// The device's own error was passed on.
test('reads report a lost device', async () => {
  const own = await deviceToLose();
  const [lost, engine] = [await open({ device: own }), await createGpuEngine({ device: own })];
  const scene = lost.scene();
  for (let i = 0; i < 2; i++) scene.add(box());
  scene.setPoses(bufferOf(own, [...at(0), ...at(0.5)]));
  await scene.interferences();
  scene.setPoses(bufferOf(own, [...at(0), ...at(0.6)]));
  const answer = await scene.interferences({ detail: 'any' });
  const [body] = scene.bodies;
  body.deform(bufferOf(own, body.mesh.positions));
  const reading = scene.readPoses();
  own.destroy();
  const gone = { code: 'gpu-lost' };
  await expect(reading).rejects.toMatchObject(gone);
  await expect(answer.relations()).rejects.toMatchObject(gone);
  await expect(scene.interferences()).rejects.toMatchObject(gone);
  await expect(body.readPositions()).rejects.toMatchObject(gone);
  // A device of the application is not opened again either.
  const placed = [0, 0.5].map(x => place(box(), Float64Array.from(at(x))));
  await expect(interfere(engine, placed, { detail: 'list' })).rejects.toMatchObject(gone);
  lost.close();
});

import { open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { deviceToLose, testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { interfere } from '../../packages/nearfield/src/interferences/driver.ts';
import { place } from '../../packages/nearfield/src/interferences/hierarchy/gpu/test-answers.ts';
import { createGpuEngine } from '../../packages/nearfield/src/open-gpu.ts';
import { box } from '../../packages/nearfield/src/shapes/index.ts';
import { at, bufferOf } from './held-buffers.ts';

const { device } = await testDevice();
const nf = await open({ device });
afterAll(() => nf.close());

// Whatever has a usage was taken for a GPUBuffer: a TypeError of the device's, which kept an error scope that nobody closed, and
// which swallowed the application's errors from then on.
test('attributes, textures and layouts in the wrong place are refused as what they are', async () => {
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

// Poses on the GPU were given up before the pose of the body to be added was looked at.
test('a body that is refused leaves the others where they are', async () => {
  const scene = nf.scene();
  for (let i = 0; i < 2; i++) scene.add(box());
  scene.setPoses(bufferOf(device, [...at(0), ...at(0.5)]));
  expect(() => scene.add(box(), { pose: [1, 2, 3] })).toThrow(expect.objectContaining({ code: 'bad-pose' }));
  expect((await scene.interferences()).length).toBe(1);
  scene.close();
});

test('of no bodies nothing is nowhere', async () => {
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

// Whatever the device said came out as it was.
test('a device that is lost is told of by those who read from it', async () => {
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
  // Nor is a device that is the application's own opened again.
  const placed = [0, 0.5].map(x => place(box(), Float64Array.from(at(x))));
  await expect(interfere(engine, placed, { detail: 'list' })).rejects.toMatchObject(gone);
  lost.close();
});

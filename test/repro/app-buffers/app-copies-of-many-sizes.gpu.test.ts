import { open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { box } from '../../../packages/nearfield/src/shapes/index.ts';
import { at, bufferOf } from './app-buffers.ts';

const { device } = await testDevice();
const nf = await open({ device });
afterAll(() => nf.close());

/** The memory that copies take on the device during an action. */
async function bytesTaken(work: () => Promise<void>): Promise<number> {
  let taken = 0;
  const { createBuffer } = device;
  device.createBuffer = given => {
    const buffer = createBuffer.call(device, given);
    if (given.label !== 'app copy') return buffer;
    taken += given.size;
    const { destroy } = buffer;
    buffer.destroy = () => {
      taken -= given.size;
      return destroy.call(buffer);
    };
    return buffer;
  };
  try {
    await work();
  } finally {
    device.createBuffer = createBuffer;
  }
  return taken;
}

// Spare buffers are kept by size for the next copy of that size; a growing scene never had one.
test('a scene that grows body by body does not keep a copy of every size', async () => {
  const scene = nf.scene();
  const shape = box();
  const count = 300;
  const taken = await bytesTaken(async () => {
    for (let i = 0; i < count; i++) {
      scene.add(shape);
      const buffer = bufferOf(
        device,
        scene.bodies.flatMap((_, i) => at(2 * i)),
      );
      scene.setPoses(buffer);
      buffer.destroy();
    }
    scene.close();
  });
  expect(taken).toBeLessThan(20 * 64 * count);
});

// Candidates keep what they saw as long as they exist; poses that had been read were kept on the GPU as well.
test('candidates of every frame keep no copies of poses that were read', async () => {
  const scene = nf.scene();
  const shape = box();
  const count = 30;
  for (let i = 0; i < count; i++) scene.add(shape);
  const taken = await bytesTaken(async () => {
    for (let frame = 0; frame < 20; frame++) {
      scene.setPoses(
        bufferOf(
          device,
          scene.bodies.flatMap((_, i) => at(0.9 * i, i / 64)),
        ),
      );
      await scene.within(0.01);
      expect(scene.candidates().length).toBe(count - 1);
    }
  });
  expect(taken).toBeLessThan(3 * 80 * count);
  scene.close();
});

// If the device refuses something, the current question reports it once; the next question is not affected.

import { type Body, type Nearfield, open, type Scene } from 'nearfield';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { addTwo } from '../../spec/faults/close-while-waiting.ts';
import { FaultInjector } from '../../spec/faults/faults.ts';
import { bufferOf } from '../app-buffers/app-buffers.ts';

const { device } = await testDevice();
let nf: Nearfield;
const ignore = (event: Event): void => event.preventDefault();
device.addEventListener('uncapturederror', ignore);
afterAll(() => device.removeEventListener('uncapturederror', ignore));

let injector: FaultInjector;
beforeEach(async () => {
  injector = new FaultInjector();
  nf = await open({ device });
});
afterEach(() => {
  injector.restore();
  nf.close();
});

/** Refuses the n-th buffer of a label. As when a device is out of memory, it still has the requested size. */
function refuseBuffers(label: string, n: number): void {
  const { createBuffer } = device;
  let count = 0;
  injector.replace(device, 'createBuffer', (given: GPUBufferDescriptor) => {
    if (given.label !== label || ++count !== n) return createBuffer.call(device, given);
    const buffer = createBuffer.call(device, { ...given, size: 2 ** 50 });
    Object.defineProperty(buffer, 'size', { value: given.size });
    return buffer;
  });
}

/** Two bodies that overlap, both deformed by a GPUBuffer. */
function deformedTwo(): { scene: Scene; bodies: readonly [Body, Body] } {
  const scene = nf.scene();
  addTwo(scene);
  for (const body of scene.bodies) body.deform(bufferOf(device, body.mesh.positions));
  return { scene, bodies: [scene.bodies[0], scene.bodies[1]] };
}

async function triangles(scene: Scene): Promise<Uint32Array[]> {
  return [...(await scene.interferences())].map(pair => pair.triangles);
}

// One of two simultaneous reads was refused. The other learned of it and ended the question before the first had
// ended. The next question waited for that first read too, and was refused for no reason.
test('a question does not wait for a refused read of another question', async () => {
  const { scene, bodies } = deformedTwo();
  const prototype = Object.getPrototypeOf(device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST }));
  const { mapAsync } = prototype;
  // The device refuses to map, but late.
  injector.replace(prototype, 'mapAsync', function (this: GPUBuffer, ...given: [number]) {
    return mapAsync.apply(this, given).catch(async (error: unknown) => {
      await new Promise(resolve => setTimeout(resolve, 300));
      throw error;
    });
  });
  refuseBuffers('app copy, read', 1);
  await expect(scene.penetration(...bodies)).rejects.toMatchObject({ code: 'out-of-memory' });
  const after = await scene.penetration(...bodies);
  expect(after.depth.upper).toBeGreaterThan(0);
  scene.close();
});

test('reports a copy that did not fit in memory by name, and does not use it again', async () => {
  const { scene, bodies } = deformedTwo();
  const [body] = bodies;
  const right = await triangles(scene);
  refuseBuffers('app copy', 1);
  const deform = () => body.deform(bufferOf(device, body.mesh.positions));
  deform();
  for (const ask of [
    () => scene.interferences(),
    () => scene.contacts(...bodies),
    () => body.readPositions(),
  ]) {
    await expect(ask()).rejects.toMatchObject({
      code: 'out-of-memory',
      message: expect.stringMatching(/no memory on the GPU for a copy.*again/),
    });
  }
  for (let frame = 0; frame < 4; frame++) {
    deform();
    expect(await triangles(scene)).toEqual(right);
  }
  scene.close();
});

test('reports poses that did not fit in memory, and accepts others', async () => {
  const { scene } = deformedTwo();
  const poses = await scene.readPoses();
  const right = await triangles(scene);
  refuseBuffers('app copy', 1);
  scene.setPoses(bufferOf(device, poses));
  for (const ask of [() => scene.interferences(), () => scene.readPoses()]) {
    await expect(ask()).rejects.toMatchObject({
      code: 'out-of-memory',
      message: expect.stringMatching(/no memory on the GPU for a copy.*again/),
    });
  }
  injector.restore();
  scene.setPoses(poses);
  expect(await triangles(scene)).toEqual(right);
  scene.setPoses(bufferOf(device, poses));
  expect(await triangles(scene)).toEqual(right);
  scene.close();
});

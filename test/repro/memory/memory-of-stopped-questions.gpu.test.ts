// A question that is cancelled, or whose library is closed, leaves nothing on an application's device. The device lives on, and
// garbage collection knows nothing of a GPU's memory.

import { type Nearfield, open, shapes } from 'nearfield';
import { openGpu } from 'nearfield/gpu';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { watchMemory } from '../../spec/faults/gpu-memory.ts';

const { device } = await testDevice();
const ignore = (event: Event): void => event.preventDefault();
device.addEventListener('uncapturederror', ignore);
afterAll(() => device.removeEventListener('uncapturederror', ignore));

let nf: Nearfield;
let memory: ReturnType<typeof watchMemory>;
beforeEach(async () => {
  memory = watchMemory(device);
  nf = await open({ device });
});
afterEach(() => {
  memory.restore();
  nf.close();
});

const system = {
  count: 40,
  start: { from: { point: [0, 0, 1] }, velocity: { ball: { centre: [0, 0, -2], radius: 1 } }, life: [1, 2] },
  colliders: [{ plane: { point: [0, 0, -1], normal: [0, 0, 1] } }],
} as const;

// The buffers of a system that was made while the library was closed stayed.
test('particles of a library that is closed while they are made', async () => {
  for (let turns = 0; turns < 4; turns++) {
    const own = await open({ device });
    const asked = own.particles(system).catch((error: unknown) => error);
    for (let i = 0; i < turns; i++) await new Promise(resolve => setTimeout(resolve, 0));
    own.close();
    await asked;
  }
  nf.close();
  await new Promise(resolve => setTimeout(resolve, 0));
  expect(memory.left()).toEqual([]);
});

// So did the textures of a field.
test('textures of a field that is cancelled', async () => {
  const controller = new AbortController();
  const scene = nf.scene();
  const body = scene.add(shapes.box());
  const limits = { signal: controller.signal, progress: () => controller.abort() };
  await expect(scene.fieldTexture(body, { ...limits, resolution: 4 })).rejects.toThrow('abort');
  expect(memory.left().filter(label => label.startsWith('createTexture'))).toEqual([]);
});

test('textures of a field whose library is closed', async () => {
  for (let turns = 0; turns < 8; turns++) {
    const own = await open({ device });
    const scene = own.scene();
    const asked = scene.fieldTexture(scene.add(shapes.box()), { resolution: 4 });
    const outcome = asked.then(
      textures => [textures.distance, textures.owner] as unknown as GPUTexture[],
      () => [],
    );
    for (let i = 0; i < turns; i++) await new Promise(resolve => setTimeout(resolve, 0));
    own.close();
    for (const texture of await outcome) texture.destroy();
    expect(memory.left().filter(label => label.startsWith('createTexture'))).toEqual([]);
  }
});

// The GPU was opened first, and stayed open.
test('openGpu where there is no memory for the CPU engine', async () => {
  nf.close();
  const { Memory } = WebAssembly;
  const refused = vi.spyOn(WebAssembly, 'Memory').mockImplementation(function (this: unknown, given) {
    // A GPU's own poses lie in memory that is not shared.
    if (given.shared !== true) return new Memory(given);
    throw new RangeError('injected');
  } as (given: WebAssembly.MemoryDescriptor) => WebAssembly.Memory);
  await expect(openGpu({ device })).rejects.toMatchObject({ code: 'out-of-memory' });
  refused.mockRestore();
  expect(memory.left()).toEqual([]);
});

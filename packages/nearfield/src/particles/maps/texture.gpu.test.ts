// Impact maps as textures equal the typed arrays, texel by texel.

import { expect, it } from 'vitest';
import { testDevice } from '../../gpu/testing/test-device.ts';
import type { Collider } from '../colliders/shapes.ts';
import { rain, systemOf } from '../gpu/testing/systems.ts';

it.each(['overwrite', 'count', 'sum'] as const)('is painted like the array: %s', async combine => {
  const seed = 41;
  const [width, height] = [16, 10];
  const colliders: Collider[] = [
    {
      plane: { point: [0, 0, 0], normal: [0, 0, 1] },
      within: { rectangle: [3, 3] },
      map: { width, height, combine },
    },
  ];
  const { gpu, cpu } = await systemOf(rain(400, seed, colliders));
  for (const time of [1.1, 1.4, 1.9]) {
    await gpu.advance(time);
    cpu.advanceSync(time);
  }
  const { device } = await testDevice();
  const texture = gpu.map(0).texture as GPUTexture;
  // Rows of texture copies are multiples of 256 bytes, as 16 texels of 16 bytes are.
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: 16 * width * height, usage });
  const encoder = device.createCommandEncoder();
  encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: 16 * width }, [width, height]);
  device.queue.submit([encoder.finish()]);
  await buffer.mapAsync(GPUMapMode.READ);
  const texels = new Float32Array(buffer.getMappedRange());
  const { values } = gpu.map(0);
  expect(values.some(value => value !== 0)).toBe(true);
  expect([...texels], `seed ${seed}`).toEqual([...values]);
  expect([...values]).toEqual([...cpu.map(0).values]);
  buffer.destroy();
  gpu.close();
});

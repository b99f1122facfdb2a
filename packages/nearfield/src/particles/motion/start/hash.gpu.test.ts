// Compares whole numbers on the GPU with those on the CPU: hashes, distributed ticks and generations, exactly.

import { expect, it } from 'vitest';
import { createKernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { readWords, testDevice } from '../../../gpu/testing/test-device.ts';
import { createRandom } from '../../../shapes/random.ts';
import { generationAt, spreadTicks } from '../ticks.ts';
import ticksModule from '../ticks.wgsl';
import { hash } from './hash.ts';
import hashModule from './hash.wgsl';

const main = `
@group(0) @binding(0) var<storage, read> given: array<u32>;
@group(0) @binding(1) var<storage, read_write> made: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = 12u * id.x;
  if (at >= arrayLength(&given)) { return; }
  made[4u * id.x] = hashOf(given[at], given[at + 1u], given[at + 2u], given[at + 3u]);
  let ticks = spreadTicks(vec2u(given[at + 4u], given[at + 5u]), given[at + 6u], given[at + 7u],
    hashOf(given[at], given[at + 1u], 0u, given[at + 3u]) >> 8u);
  made[4u * id.x + 1u] = ticks.x;
  made[4u * id.x + 2u] = ticks.y;
  made[4u * id.x + 3u] = divideWide(vec2u(given[at + 8u], given[at + 9u]), given[at + 10u]);
}`;

it('computes the same whole numbers on both sides', async () => {
  const { device } = await testDevice();
  const seed = 4;
  const random = createRandom(seed);
  const count = 500;
  const words = new Uint32Array(12 * count);
  const expected: number[][] = [];
  for (let i = 0; i < count; i++) {
    const [own, particle, generation, channel] = [
      random.bits(),
      random.bits(),
      random.bits(),
      random.integer(12),
    ];
    const base = Math.floor(random.next() * 2 ** 52);
    const range = Math.floor(random.next() * 2 ** random.integer(53));
    const life = 1 + random.integer(2 ** (1 + random.integer(30)));
    const time = Math.floor(random.next() * 2 ** 52);
    const split = (value: number) => [value % 2 ** 32, Math.floor(value / 2 ** 32)];
    const above = Math.floor(range / 2 ** 24);
    words.set(
      [
        own,
        particle,
        generation,
        channel,
        ...split(base),
        above,
        range - above * 2 ** 24,
        ...split(time),
        life,
      ],
      12 * i,
    );
    const ticks = spreadTicks({ base, range, channel }, own, particle);
    expected.push([
      hash(own, particle, generation, channel),
      ...split(ticks),
      generationAt(time, 0, life) % 2 ** 32,
    ]);
  }
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const given = device.createBuffer({ size: words.byteLength, usage });
  const made = device.createBuffer({ size: 16 * count, usage });
  device.queue.writeBuffer(given, 0, words);
  const resources = new Resources();
  resources.set('given', given);
  resources.set('made', made);
  const kernel = await createKernel(device, 'whole numbers', [hashModule, ticksModule, main]);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  new Launch(device, kernel, resources).encode(pass, Math.ceil(count / 64));
  pass.end();
  device.queue.submit([encoder.finish()]);
  const found = await readWords(device, made, 4 * count);
  for (let i = 0; i < count; i++) {
    expect([...found.subarray(4 * i, 4 * i + 4)], `seed ${seed}, case ${i}`).toEqual(expected[i]);
  }
});

// A distance field as textures, bound by a program that shares only the device with Nearfield: its own shader reads
// every sample of both textures, and marches along rays until the field says that the surface is near.

import { open, shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';

const { device } = await testDevice();

/** Runs a shader that binds both textures at 0 and 1 and writes words at 2, one thread per word. */
async function runWith(code: string, textures: readonly GPUTexture[], words: number): Promise<ArrayBuffer> {
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const out = device.createBuffer({ size: 4 * words, usage: STORAGE | COPY_SRC });
  const read = device.createBuffer({ size: 4 * words, usage: COPY_DST | MAP_READ });
  const pipeline = device.createComputePipeline({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }) },
  });
  const entries = [
    ...textures.map((texture, binding) => ({ binding, resource: texture.createView() })),
    { binding: 2, resource: { buffer: out } },
  ];
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(words / 64));
  pass.end();
  encoder.copyBufferToBuffer(out, 0, read, 0, 4 * words);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const result = read.getMappedRange().slice(0);
  read.destroy();
  out.destroy();
  return result;
}

it('are bound and read by another program on the same device', async () => {
  const nf = await open({ device });
  const scene = nf.scene();
  const body = scene.add(shapes.torus({ majorSegments: 24, minorSegments: 12 }));
  const options = { resolution: 20 };
  const field = await scene.field(body, options);
  const { distance, owner, grid } = await scene.fieldTexture(body, options);
  const textures = [distance, owner] as unknown as GPUTexture[];
  const [nx, ny, nz] = grid.dimensions;
  expect([...field.grid.dimensions]).toEqual([nx, ny, nz]);
  const count = nx * ny * nz;
  const declared = `
    @group(0) @binding(0) var distances: texture_3d<f32>;
    @group(0) @binding(1) var owners: texture_3d<u32>;
    @group(0) @binding(2) var<storage, read_write> words: array<u32>;`;
  const values = await runWith(
    `${declared}
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      let i = id.x / 2u;
      if (i >= ${count}u) { return; }
      let at = vec3u(i % ${nx}u, (i / ${nx}u) % ${ny}u, i / ${nx * ny}u);
      words[id.x] = select(
        bitcast<u32>(textureLoad(distances, at, 0).x), textureLoad(owners, at, 0).x, id.x % 2u == 1u);
    }`,
    textures,
    2 * count,
  );
  const [floats, words] = [new Float32Array(values), new Uint32Array(values)];
  for (let i = 0; i < count; i++) {
    expect(floats[2 * i], `sample ${i}`).toBe(field.distance[i]);
    expect(words[2 * i + 1] & 0x1fffffff, `sample ${i}`).toBe(field.owner[i]);
    expect(words[2 * i + 1] >>> 29, `sample ${i}`).toBe(field.feature[i]);
  }
  // Rays down through the samples of the top slice, half a distance per step: they end on the surface or leave the
  // grid.
  const hits = new Uint32Array(
    await runWith(
      `${declared}
      @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
        if (id.x >= ${nx * ny}u) { return; }
        let column = vec2u(id.x % ${nx}u, id.x / ${nx}u);
        var z = ${nz - 1};
        var d = 0.0;
        // Both are bound: an automatic layout has only what the shader uses.
        let unused = textureLoad(owners, vec3u(column, 0u), 0).x;
        loop {
          d = textureLoad(distances, vec3u(column, u32(z)), 0).x;
          if (d <= 0.0 || z == 0) { break; }
          z -= max(1, i32(floor(0.5 * d / ${grid.cell})));
          if (z < 0) { z = 0; }
        }
        words[id.x] = select(0u, 1u, d <= 0.0) + (unused & 0u);
      }`,
      textures,
      nx * ny,
    ),
  );
  for (let column = 0; column < nx * ny; column++) {
    const below = Array.from({ length: nz }, (_, z) => field.distance[z * nx * ny + column]);
    expect(hits[column], `column ${column}`).toBe(below.some(d => d <= 0) ? 1 : 0);
  }
  // The textures belong to the caller: they outlive the scene and the engine.
  scene.close();
  nf.close();
  const after = new Float32Array(
    await runWith(
      `${declared}
      @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
        if (id.x >= ${nx}u) { return; }
        let at = vec3u(id.x, 0u, 0u);
        words[id.x] = bitcast<u32>(textureLoad(distances, at, 0).x) | (textureLoad(owners, at, 0).x & 0u);
      }`,
      textures,
      nx,
    ),
  );
  expect([...after]).toEqual([...field.distance.slice(0, nx)]);
  for (const texture of textures) texture.destroy();
});

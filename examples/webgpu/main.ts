// Raw WebGPU: a compute shader waves a sheet in a buffer, and Nearfield tests it on the same device, without a copy to the CPU.
import { mesh, open } from 'nearfield';

const output = document.querySelector('output')!;
const adapter = await navigator.gpu?.requestAdapter();
if (!adapter) throw (output.textContent = 'This page needs WebGPU.');
const device = await adapter.requestDevice();
const nf = await open({ device });

// A flat sheet of 64 × 64 squares, and a ball-like octahedron below its middle.
const side = 65;
const flat = Float32Array.from({ length: 3 * side * side }, (_, i) => {
  const vertex = Math.floor(i / 3);
  return [(vertex % side) / 32 - 1, Math.floor(vertex / side) / 32 - 1, 0][i % 3];
});
const squares = Array.from({ length: (side - 1) ** 2 }, (_, i) => i + Math.floor(i / (side - 1)));
const indices = Uint32Array.from(squares.flatMap(i => [i, i + 1, i + side, i + 1, i + side + 1, i + side]));
const corners = Float32Array.of(
  0.3,
  0,
  -0.35,
  -0.3,
  0,
  -0.35,
  0,
  0.3,
  -0.35,
  0,
  -0.3,
  -0.35,
  0,
  0,
  -0.05,
  0,
  0,
  -0.65,
);
const faces = Uint32Array.of(0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5);

const scene = nf.scene();
const sheet = scene.add(mesh(flat, indices), { name: 'sheet' });
scene.add(mesh(corners, faces), { name: 'octahedron' });

const usage = GPUBufferUsage;
const positions = device.createBuffer({
  size: flat.byteLength,
  usage: usage.STORAGE | usage.COPY_SRC | usage.COPY_DST,
});
device.queue.writeBuffer(positions, 0, flat);
const time = device.createBuffer({ size: 4, usage: usage.UNIFORM | usage.COPY_DST });
const pipeline = device.createComputePipeline({
  layout: 'auto',
  compute: {
    module: device.createShaderModule({
      code: `
        @group(0) @binding(0) var<storage, read_write> positions: array<f32>;
        @group(0) @binding(1) var<uniform> time: f32;
        @compute @workgroup_size(64) fn wave(@builtin(global_invocation_id) id: vec3u) {
          let i = 3 * id.x;
          if (i >= arrayLength(&positions)) { return; }
          let x = positions[i];
          let y = positions[i + 1];
          positions[i + 2] = 0.15 * sin(3 * length(vec2f(x, y)) - time);
        }`,
    }),
  },
});
const group = device.createBindGroup({
  layout: pipeline.getBindGroupLayout(0),
  entries: [
    { binding: 0, resource: { buffer: positions } },
    { binding: 1, resource: { buffer: time } },
  ],
});

for (let frame = 0; ; frame++) {
  device.queue.writeBuffer(time, 0, Float32Array.of(frame / 20));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil((side * side) / 64));
  pass.end();
  device.queue.submit([encoder.finish()]);
  sheet.deform(positions); // copied in queue order: the buffer may be overwritten at once
  const [pair] = (await scene.interferences()).pairs;
  output.textContent = `frame ${frame}: ${pair ? `${pair.triangles.length / 2} pairs of triangles meet` : 'nothing meets'}`;
  await new Promise(requestAnimationFrame);
}

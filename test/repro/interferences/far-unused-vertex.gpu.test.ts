import { mesh, open, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';

const { device } = await testDevice();
const gpu = await open({ device });
const cpu = await open({ backend: 'cpu' });
afterAll(() => {
  gpu.close();
  cpu.close();
});

const sphere = shapes.icosphere({ radius: 1.5, frequency: 1 });

// In a frame for the far vertex all others vanished, a frame for nothing was too small, and so on without end.
test.each([
  [6.4e12, 1, 0],
  [6.4e12, 1e-6, 0],
  [1e30, 1, 0],
  [1e30, 1e-20, 0],
  [1e30, 1, 1e5],
  [1e30, 0, 1],
])(
  'a vertex at %d that no triangle uses, in a buffer whose others are %d times a sphere around %d',
  async (far, size, at) => {
    const positions = Float32Array.of(far, -far, far / 2, ...sphere.positions.map(x => x * size + at));
    const indices = sphere.indices.map(v => v + 1);
    const buffer = device.createBuffer({
      size: positions.byteLength,
      usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(buffer, 0, positions);
    const pose = [size || 1, 0, 0, 0, 0, size || 1, 0, 0, 0, 0, size || 1, 0, at, at, at, 1];
    const answers: string[] = [];
    for (const nf of [gpu, cpu]) {
      const scene = nf.scene();
      const body = scene.add(mesh(positions, indices));
      scene.add(shapes.box({ size: [2, 2, 2] }), { pose });
      body.deform(nf === gpu ? buffer : positions);
      const { pairs } = await scene.interferences();
      answers.push(pairs.map(pair => pair.triangles.join()).join(';'));
      scene.close();
    }
    expect(answers[0]).toBe(answers[1]);
    if (size > 0) expect(answers[1]).not.toBe('');
    buffer.destroy();
  },
  20_000,
);

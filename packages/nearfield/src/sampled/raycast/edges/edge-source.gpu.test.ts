// Whenever the inverse of the leaves' order is said to hold, it is that of the trees as they are. Questions overlap at random:
// each records what it needs, then is submitted or fails before that, and answers arrive later. Trees change in between.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import { createTreeKernels, GpuTrees } from '../../../bvh/gpu/trees.ts';
import { submit } from '../../../gpu/submit.ts';
import { readWords, testDevice } from '../../../gpu/testing/test-device.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { createRandom, type Random } from '../../../shapes/index.ts';
import { createInvertKernel, EdgeSource } from './edge-source.ts';

let device: GPUDevice;
let trees: GpuTrees;
let edges: EdgeSource;
beforeAll(async () => {
  device = (await testDevice()).device;
  trees = new GpuTrees(device, await createTreeKernels(device));
});
afterAll(() => trees.destroy());

const places = (triangles: number, random: Random): Float64Array =>
  Float64Array.from({ length: 9 * triangles }, () => random.between(-1, 1));

/** Compares the inverse with the order of a shape's leaves. */
async function expectInverse(shape: Shape, what: string): Promise<void> {
  const { leafOffset, leafCount } = trees.entryOf(shape);
  const inverse = edges.resources.get('leafOf') as GPUBuffer;
  const words = async (of: GPUBuffer) =>
    (await readWords(device, of, leafOffset + leafCount)).subarray(leafOffset);
  const [order, leafOf] = [await words(trees.buffers.order), await words(inverse)];
  expect(
    Array.from(order, triangle => leafOf[triangle]),
    what,
  ).toEqual(Array.from(order, (_, leaf) => leaf));
}

test.each([1, 2, 3, 4])('an inverse that is said to hold is that of the trees: seed %d', async seed => {
  const random = createRandom(seed);
  edges = new EdgeSource(device, trees, await createInvertKernel(device));
  const shapes: Shape[] = [5, 30].map(count => {
    const positions = places(count, random);
    return { mesh: mesh(positions), positions, revision: 0, builds: 0 };
  });
  /** The ages of the inverses whose answers are still to come. */
  const underWay: number[] = [];
  let held = 0;
  for (let step = 0; step < 200; step++) {
    for (const shape of shapes) {
      if (random.next() < 0.85) continue;
      shape.positions = places(shape.mesh.triangleCount, random);
      shape.revision++;
      shape.builds!++;
    }
    const asked = random.next() < 0.8 ? shapes : shapes.slice(1);
    trees.update([...shapes]);
    for (const { mesh } of asked) edges.recordsOf(mesh);
    edges.bind(new Set(asked.map(shape => trees.entryOf(shape))));
    if (edges.holds) {
      held++;
      for (const shape of asked) await expectInverse(shape, `seed ${seed}, step ${step}`);
    }
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    edges.encode(pass);
    pass.end();
    if (random.next() < 0.6) {
      await submit(device, encoder);
      underWay.push(edges.recordedAt);
    }
    while (underWay.length > 0 && random.next() < 0.6) edges.noteAnswer(underWay.shift()!);
  }
  expect(held).toBeGreaterThan(20);
  edges.destroy();
  for (const shape of shapes) trees.forget(shape);
});

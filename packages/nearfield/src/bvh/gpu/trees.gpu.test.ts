import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { Resources } from '../../gpu/kernel.ts';
import { readWords, testDevice } from '../../gpu/testing/test-device.ts';
import { mesh } from '../../mesh/mesh.ts';
import { boundsOfVertices } from '../../mesh/vertices.ts';
import { createRandom } from '../../shapes/index.ts';
import { mostThreads } from './build/kernels.ts';
import { depthOf, ShapeLayout } from './layouts.ts';
import { createTreeKernels, GpuTrees } from './trees.ts';

let device: GPUDevice;
let trees: GpuTrees;
beforeAll(async () => {
  device = (await testDevice()).device;
  // As many threads as a real GPU has. In all other tests a software GPU uses fewer.
  trees = new GpuTrees(device, await createTreeKernels(device, mostThreads(device)));
}, 120_000);
afterAll(() => trees.destroy());

function soup(triangles: number, seed: number): Shape {
  const random = createRandom(seed);
  const positions = new Float64Array(9 * triangles);
  for (let i = 0; i < triangles; i++) {
    const centre = random.direction();
    for (let k = 0; k < 9; k++) positions[9 * i + k] = 3 * centre[k % 3] + 0.01 * random.next();
  }
  return { mesh: mesh(positions), positions, revision: 0 };
}

/** Squares of two triangles each. They share vertices: a sixth as many as separate triangles would have. */
function sheet(triangles: number, seed: number): Shape {
  const random = createRandom(seed);
  const side = Math.ceil(Math.sqrt(triangles / 2)) + 1;
  const positions = Float64Array.from({ length: 3 * side * side }, (_, i) => {
    const vertex = Math.floor(i / 3);
    return 0.01 * ([vertex % side, Math.floor(vertex / side), 0][i % 3] + random.next());
  });
  const indices = Uint32Array.from({ length: 3 * triangles }, (_, i) => {
    const square = Math.floor(i / 6);
    const first = Math.floor(square / (side - 1)) * side + (square % (side - 1));
    return first + [0, 1, side + 1, 0, side + 1, side][i % 6];
  });
  return { mesh: mesh(positions, indices), positions, revision: 0 };
}

/** Every triangle is in one leaf whose box encloses it closely, and every node's box is that of its children. */
async function expectTree(shape: Shape, context: string) {
  const { leafCount, leafOffset, nodeOffset, frame } = trees.entryOf(shape);
  const { nodes, leaves, order } = trees.buffers;
  const { indices } = shape.mesh;
  const depth = depthOf(leafCount);
  const orderWords = (await readWords(device, order, leafOffset + leafCount)).subarray(leafOffset);
  expect(orderWords.length, context).toBe(leafCount);
  const misplaced = Uint32Array.from(orderWords)
    .sort()
    .findIndex((triangle, i) => triangle !== i);
  expect(misplaced, context).toBe(-1);
  const corners = new Int32Array((await readWords(device, leaves, 12 * (leafOffset + leafCount))).buffer);
  const slots = nodeOffset + 2 ** depth + leafCount;
  const boxes = new Float32Array((await readWords(device, nodes, 8 * slots)).buffer);
  const scale = 2 ** -frame.exponent;
  let worst = 0;
  let outside = 0;
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const box = 8 * (nodeOffset + 2 ** depth + leaf);
    for (let k = 0; k < 9; k++) {
      const axis = k % 3;
      const vertex = indices[3 * orderWords[leaf] + Math.floor(k / 3)];
      const local = (shape.positions[3 * vertex + axis] - frame.origin[axis]) * scale;
      const stored = corners[12 * (leafOffset + leaf) + 4 * Math.floor(k / 3) + axis] * 2 ** -29;
      worst = Math.max(worst, Math.abs(stored - local));
      if (stored < boxes[box + axis] || stored > boxes[box + 4 + axis]) outside++;
    }
  }
  expect(worst, context).toBeLessThanOrEqual(2 ** -30 * (1 + 2 ** -20));
  expect(outside, context).toBe(0);
  let wrong = 0;
  for (let level = depth - 1; level >= 0; level--) {
    const count = Math.ceil(leafCount / 2 ** (depth - level));
    const below = Math.ceil(leafCount / 2 ** (depth - level - 1));
    for (let i = 0; i < count; i++) {
      const at = 8 * (nodeOffset + 2 ** level + i);
      const left = 8 * (nodeOffset + 2 ** (level + 1) + 2 * i);
      const right = 2 * i + 1 < below ? left + 8 : left;
      for (let axis = 0; axis < 3; axis++) {
        if (boxes[at + axis] !== Math.min(boxes[left + axis], boxes[right + axis])) wrong++;
        if (boxes[at + 4 + axis] !== Math.max(boxes[left + 4 + axis], boxes[right + 4 + axis])) wrong++;
      }
    }
  }
  expect(wrong, `${context}: boxes that are not their children's`).toBe(0);
}

test('trees of all sizes are built together', async () => {
  const shapes = [1, 2, 3, 4, 5, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2049, 5000].map((size, i) =>
    soup(size, i + 1),
  );
  expect(trees.update(shapes)).toBeGreaterThan(0);
  expect(trees.update(shapes)).toBe(0);
  for (const shape of shapes) await expectTree(shape, `${shape.mesh.triangleCount} triangles`);
});

test('small shapes are added, removed and changed together, in singles and doubles, welded or not', async () => {
  for (let seed = 1; seed <= (process.env.NEARFIELD_SLOW ? 40 : 2); seed++) {
    const random = createRandom(seed);
    const shapes: Shape[] = [];
    for (let round = 0; round < 6; round++) {
      while (shapes.length > 0 && random.next() < 0.4)
        trees.forget(shapes.splice(random.integer(shapes.length), 1)[0]);
      for (const shape of shapes) {
        if (random.next() < 0.5) continue;
        const scale = random.between(0.5, 2);
        shape.positions = shape.positions.map(value => scale * value + 0.1);
        shape.extent = boundsOfVertices(shape.positions);
        shape.revision++;
      }
      for (let i = random.integer(5); i >= 0; i--) {
        const { positions } = soup(1 + random.integer([4, 300, 1500][random.integer(3)]), 100 * seed + i);
        const given = random.next() < 0.5 ? Float32Array.from(positions) : positions;
        const indices = Uint16Array.from({ length: given.length / 3 }, (_, v) => v);
        shapes.push({
          mesh: mesh(given, random.next() < 0.5 ? indices : null),
          positions: given,
          revision: 0,
        });
      }
      // A shape that is named twice is built once.
      trees.update([...shapes, shapes[0]], random.next() < 0.2);
      for (const [i, shape] of shapes.entries())
        await expectTree(shape, `seed ${seed}, round ${round}, ${i}`);
    }
    for (const shape of shapes) trees.forget(shape);
  }
});

test('positions in singles and in doubles are stored as the nearest whole numbers', async () => {
  const seed = 12;
  const random = createRandom(seed);
  const singles = Float32Array.from({ length: 9 * 2000 }, (_, i) => {
    const size = 2 ** -random.between(0, i % 5 === 0 ? 160 : 40);
    // Includes halves of a whole number, in a frame of 1 or 2.
    const half = (random.integer(2 ** 20) + 0.5) * 2 ** -(28 + (i % 3));
    return (random.next() < 0.5 ? -1 : 1) * (i % 4 === 0 ? half : size);
  });
  singles.set([0, -0, 1.5, -1.5, 2 ** -149, 1, 0, 0, 0]);
  for (const positions of [singles, Float64Array.from(singles)]) {
    const shape: Shape = { mesh: mesh(positions), positions, revision: 0 };
    trees.update([shape]);
    const { leafOffset, leafCount, frame } = trees.entryOf(shape);
    expect(frame.origin, `seed ${seed}`).toEqual([0, 0, 0]);
    const words = await readWords(device, trees.buffers.leaves, 12 * (leafOffset + leafCount));
    const order = await readWords(device, trees.buffers.order, leafOffset + leafCount);
    let wrong = 0;
    for (let leaf = leafOffset; leaf < leafOffset + leafCount; leaf++) {
      for (let k = 0; k < 9; k++) {
        const exact = singles[9 * order[leaf] + k] * 2 ** (29 - frame.exponent);
        const nearest = Math.sign(exact) * Math.floor(Math.abs(exact) + 0.5);
        if ((words[12 * leaf + 4 * Math.floor(k / 3) + (k % 3)] | 0) !== (nearest | 0)) wrong++;
      }
    }
    expect(wrong, `seed ${seed}, ${positions.constructor.name}`).toBe(0);
  }
});

test('neighbours in the order are neighbours in space', async () => {
  const shape = soup(5000, 77);
  trees.update([shape]);
  const { leafOffset, leafCount } = trees.entryOf(shape);
  const order = (await readWords(device, trees.buffers.order, leafOffset + leafCount)).subarray(leafOffset);
  let length = 0;
  for (let i = 1; i < leafCount; i++) {
    const [a, b] = [9 * order[i - 1], 9 * order[i]];
    const { positions } = shape;
    length += Math.hypot(
      positions[a] - positions[b],
      positions[a + 1] - positions[b + 1],
      positions[a + 2] - positions[b + 2],
    );
  }
  // Points on a sphere of radius 3 are about √(4π·9/5000) = 0.15 apart; at random they would be 4.
  expect(length / leafCount).toBeLessThan(0.35);
});

test('a tree with three rounds of reductions is built, refitted, and its memory reused', async () => {
  const shape = sheet(2 ** 18 + 1, 5);
  trees.update([shape]);
  await expectTree(shape, 'built');
  shape.positions = shape.positions.map(value => 1.5 * value + 0.01);
  shape.revision++;
  trees.update([shape]);
  await expectTree(shape, 'refitted');
  const before = trees.entryOf(shape);
  trees.forget(shape);
  const other = soup(1000, 6);
  trees.update([other]);
  expect(trees.entryOf(other).leafOffset).toBeLessThanOrEqual(before.leafOffset);
  await expectTree(other, 'in the place of another');
});

test('shapes on the GPU survive if there is no room for another', async () => {
  // A device that binds 2 MiB, room for the leaves of some 43,000 triangles.
  const limits = { maxBufferSize: 2 ** 21, maxStorageBufferBindingSize: 2 ** 21 };
  const small = new Proxy(device, {
    get: (_, name) => {
      if (name === 'limits') return limits;
      const value = Reflect.get(device, name, device);
      return typeof value === 'function' ? value.bind(device) : value;
    },
  });
  const own = new GpuTrees(small, await createTreeKernels(device));
  const shapes = [1, 2, 3, 4].map(seed => soup(5, seed));
  own.update(shapes);
  const written = async () => {
    const { nodes, leaves, order } = own.buffers;
    const resources = new Resources();
    own.bind(resources);
    const records = resources.get('shapes') as GPUBuffer;
    const lists: Uint32Array[] = [];
    // Read as much of each pool as these shapes take.
    for (const [buffer, words] of [
      [records, (ShapeLayout.bytes / 4) * 4],
      [nodes, 8 * 16],
      [leaves, 12 * 20],
      [order, 20],
    ] as const) {
      lists.push(await readWords(device, buffer, words));
    }
    return lists;
  };
  const before = await written();
  const large = soup(50_000, 5);
  expect(() => own.update([large])).toThrow(/needs \d+ bytes/);
  own.forget(large);
  expect(await written()).toEqual(before);
  own.destroy();
});

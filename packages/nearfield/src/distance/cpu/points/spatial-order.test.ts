import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { createRandom } from '../../../shapes/random.ts';
import { distanceKernels } from '../kernels.ts';

let engine: CpuEngine;
beforeAll(async () => {
  engine = await createCpuEngine();
});
afterAll(() => engine.close());

function spatialOrder(points: Float64Array): number[] {
  const { call, memory } = engine.kernels(distanceKernels);
  const count = points.length / 3;
  const at = memory.allocate(Math.max(8, 8 * points.length), 'points');
  const scratch = memory.allocate(call.orderBytes(count), 'points');
  memory.f64.set(points, at / 8);
  const first = call.orderPoints(at, count, scratch) / 4;
  const order = Array.from(memory.u32.subarray(first, first + count));
  memory.free(at);
  memory.free(scratch);
  return order;
}

/** The total length of the path through the points in this order. */
function wayThrough(points: Float64Array, order: Iterable<number>): number {
  let sum = 0;
  let last = -1;
  for (const i of order) {
    if (last >= 0) sum += Math.hypot(...[0, 1, 2].map(k => points[3 * i + k] - points[3 * last + k]));
    last = i;
  }
  return sum;
}

describe('spatial order', () => {
  it('lists each point once, with neighbours after each other', () => {
    const random = createRandom(1);
    const points = Float64Array.from({ length: 3000 }, () => random.between(-5, 9));
    const order = spatialOrder(points);
    const unordered = Array.from(order).sort((a, b) => a - b);
    expect(unordered).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(wayThrough(points, order)).toBeLessThan(0.3 * wayThrough(points, unordered));
  });

  it('handles points that coincide, lie in a row, or are too far apart for doubles', () => {
    for (const points of [
      new Float64Array(9),
      new Float64Array([1, 0, 0, 2, 0, 0, 3, 0, 0]),
      new Float64Array([-1.7e308, 0, 0, 1.7e308, 0, 0, 0, 5e-324, 0]),
      new Float64Array(0),
    ]) {
      const order = spatialOrder(points).sort();
      expect(order).toEqual(Array.from({ length: points.length / 3 }, (_, i) => i));
    }
  });
});

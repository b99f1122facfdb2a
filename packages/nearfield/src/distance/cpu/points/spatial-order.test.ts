import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toEnd } from '../../../core/waiting.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { createRandom } from '../../../shapes/random.ts';
import { orderPoints } from './spatial-order.ts';

let engine: CpuEngine;
beforeAll(async () => {
  engine = await createCpuEngine();
});
afterAll(() => engine.close());

function spatialOrder(points: Float64Array, on = engine, toShare?: number): number[] {
  const { memory } = on;
  const count = points.length / 3;
  const blocks: number[] = [];
  const reserve = (bytes: number): number => {
    blocks.push(memory.allocate(bytes, 'points'));
    return blocks.at(-1)!;
  };
  const at = reserve(Math.max(8, 8 * points.length));
  memory.f64.set(points, at / 8);
  const order = toEnd(orderPoints(on, { points: at, count }, reserve, toShare)) / 4;
  const numbers = Array.from(memory.u32.subarray(order, order + count));
  for (const block of blocks) memory.free(block);
  return numbers;
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

  it('is the same if memory grows, and moves, between its phases', () => {
    const random = createRandom(9);
    const points = Float64Array.from({ length: 3 * 3000 }, () => random.between(-5, 9));
    const own = createCpuEngine({ shared: false });
    try {
      const { memory } = own;
      const at = memory.allocate(8 * points.length, 'points');
      memory.f64.set(points, at / 8);
      const reserve = (bytes: number): number => {
        const block = memory.allocate(bytes, 'points');
        // There is no gap of this size: the memory grows.
        memory.allocate(memory.memory.buffer.byteLength, 'more');
        return block;
      };
      const order = toEnd(orderPoints(own, { points: at, count: 3000 }, reserve)) / 4;
      expect(Array.from(memory.u32.subarray(order, order + 3000))).toEqual(orderByCells(points));
    } finally {
      own.close();
    }
  });

  it('is that of the cells along the curve, by whichever threads', async () => {
    const random = createRandom(3);
    const threads = await createCpuEngine({ threads: 3 });
    try {
      // Spread evenly; crowded in a few places and on a plane, so that cells have from none to thousands; all at one place.
      const clouds = [
        Float64Array.from({ length: 3 * 50_000 }, () => random.between(-5, 9)),
        Float64Array.from({ length: 3 * 40_000 }, (_, i) =>
          i % 3 === 2 ? 1 : 8 * random.integer(3) + (i % 5 === 0 ? random.between(0, 1e-2) : 0),
        ),
        new Float64Array(3 * 20_000).fill(2.5),
      ];
      for (const points of clouds) {
        const expected = orderByCells(points);
        expect(spatialOrder(points)).toEqual(expected);
        // Threads join once they have started.
        for (let turn = 0; turn < 20; turn++) {
          expect(spatialOrder(points, threads, 1)).toEqual(expected);
          if (turn > 2 && threads.threads.ready === 2) break;
          await new Promise(resolve => setTimeout(resolve, 20));
        }
      }
      expect(threads.threads.ready).toBe(2);
    } finally {
      threads.close();
    }
  });
});

/** The same order by whole numbers: sorted by the cells, whose bits are interleaved one by one. */
function orderByCells(points: Float64Array): number[] {
  const count = points.length / 3;
  const axis = (k: number) => points.filter((_, i) => i % 3 === k);
  const lows = [0, 1, 2].map(k => axis(k).reduce((low, x) => Math.min(low, x)));
  const highs = [0, 1, 2].map(k => axis(k).reduce((high, x) => Math.max(high, x)));
  const size = Math.max(...highs.map((high, k) => high - lows[k]));
  const cellOf = (i: number): number => {
    let cell = 0;
    for (let bit = 0; bit < 10 && size > 0; bit++)
      for (let k = 0; k < 3; k++)
        cell +=
          ((Math.floor(((points[3 * i + k] - lows[k]) * 1023.999) / size) >> bit) & 1) * 8 ** bit * 2 ** k;
    return cell;
  };
  const cells = Array.from({ length: count }, (_, i) => cellOf(i));
  return Array.from({ length: count }, (_, i) => i).sort((i, j) => cells[i] - cells[j] || i - j);
}

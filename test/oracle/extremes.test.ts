// The generator of extreme shapes makes closed solids, finite coordinates, and slivers and sizes of all kinds.

import { describe, expect, it } from 'vitest';
import { extremePair, extremePoints, extremeSolid, extremeTriangle, moderate, sizeOf } from './extremes.ts';
import { randomFrom } from './triangles/generators.ts';

describe('the generator of extreme shapes', () => {
  it('repeats itself for a seed', () => {
    const once = () => {
      const random = randomFrom(5);
      const { kind, corners } = extremeTriangle(random);
      const pair = extremePair(random);
      return [kind, ...corners, pair.kind, ...pair.parts.flatMap(({ mesh }) => [...mesh.positions])];
    };
    expect(once()).toEqual(once());
  });

  it('makes closed solids, thin and thick, tiny and huge', () => {
    const random = randomFrom(1);
    const words = new Map<string, number>();
    let [least, most] = [Infinity, 0];
    for (let i = 0; i < 500; i++) {
      const { kind, mesh } = extremeSolid(random);
      expect(mesh.solid, `${i}: ${kind}`).toBe(true);
      expect(mesh.triangleCount, kind).toBeLessThanOrEqual(48);
      const { positions } = mesh;
      const points = Array.from({ length: positions.length / 3 }, (_, v): [number, number, number] => [
        positions[3 * v],
        positions[3 * v + 1],
        positions[3 * v + 2],
      ]);
      least = Math.min(least, sizeOf(points));
      most = Math.max(most, sizeOf(points));
      for (const word of [
        'needle',
        'flat',
        'bladed',
        'grid',
        'rod',
        'plate',
        'prism',
        'spindle',
        'slab',
        'bar',
      ])
        if (kind.includes(word)) words.set(word, (words.get(word) ?? 0) + 1);
    }
    expect(words.size).toBe(10);
    expect(least).toBeLessThan(1e-250);
    expect(most).toBeGreaterThan(1e250);
  });

  it('makes finite pairs and points within the requested limits', () => {
    const random = randomFrom(2);
    for (let i = 0; i < 200; i++) {
      const { kind, parts } = extremePair(random, i % 2 ? moderate : {});
      for (const { mesh } of parts) {
        expect(mesh.solid, `${i}: ${kind}`).toBe(true);
        if (i % 2) expect(Math.max(...mesh.positions.map(Math.abs)), `${i}: ${kind}`).toBeLessThan(1e40);
      }
      const triangle = extremeTriangle(random);
      const points = extremePoints(random, triangle.corners, 20);
      expect(points.every(Number.isFinite), triangle.kind).toBe(true);
    }
  });
});

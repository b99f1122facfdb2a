import { expect, it } from 'vitest';
import { createRandom } from '../../shapes/index.ts';
import { Frontier, type Plane } from './frontier.ts';

type Box = readonly (readonly [low: number, high: number])[];

/** The distance from the origin to the nearest point in no open box. Its coordinates are 0 or ends of boxes. */
function nearestOutside(boxes: readonly Box[]): number {
  const ends = [0, 1, 2].map(axis => [0, ...boxes.flatMap(box => box[axis])]);
  let best = Infinity;
  for (const x of ends[0]) {
    for (const y of ends[1]) {
      for (const z of ends[2]) {
        const p = [x, y, z];
        const length = Math.hypot(x, y, z);
        if (length < best && !boxes.some(box => box.every(([low, high], k) => low < p[k] && p[k] < high)))
          best = length;
      }
    }
  }
  return best;
}

/** Half-spaces beyond the sides of boxes, all rotated alike. */
function planesOf(boxes: readonly Box[], axes: readonly (readonly number[])[]): Plane[][] {
  let number = 0;
  return boxes.map(box =>
    box.flatMap(([low, high], k) => {
      const [x, y, z] = axes[k];
      return [
        { x, y, z, height: high, number: number++ },
        { x: -x, y: -y, z: -z, height: -low, number: number++ },
      ];
    }),
  );
}

/** Divides regions until the nearest lies in none of the polytopes. */
function search(polytopes: readonly Plane[][], limit: number): { length: number; steps: number } {
  const frontier = new Frontier();
  for (let steps = 0; ; steps++) {
    const { nearest } = frontier;
    if (nearest === undefined) return { length: Math.min(limit, frontier.floor), steps };
    const { x, y, z, length } = nearest;
    const around = polytopes.find(planes =>
      planes.every(p => p.x * x + p.y * y + p.z * z < p.height - 1e-12),
    );
    if (around === undefined) return { length: Math.min(length, frontier.floor), steps };
    frontier.divide(around, limit);
  }
}

it('finds the nearest point outside boxes, along the axes and turned', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    // Ends on a grid: sides of boxes lie in one plane, and boxes touch, more often than not.
    const boxes = Array.from(
      { length: 1 + random.integer(8) },
      (): Box =>
        [0, 1, 2].map(() => {
          const low = random.integer(9) / 4 - 1.5;
          return [low, low + (1 + random.integer(8)) / 4] as const;
        }),
    );
    const truth = nearestOutside(boxes);
    const [c, s] = [Math.cos(seed), Math.sin(seed)];
    for (const axes of [
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [
        [c * c, s * c, -s],
        [-s, c, 0],
        [s * c, s * s, c],
      ],
    ]) {
      const { length, steps } = search(planesOf(boxes, axes), 10);
      expect(length, `seed ${seed}`).toBeLessThanOrEqual(truth * (1 + 1e-15));
      expect(length, `seed ${seed}`).toBeGreaterThan(truth * (1 - 1e-9) - 1e-12);
      expect(steps, `seed ${seed}`).toBeLessThan(500);
    }
  }
});

it('leaves out regions that are no nearer than the limit, and reports it', () => {
  const box: Box = [
    [-1, 2],
    [-1.5, 2],
    [-3, 3],
  ];
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  expect(search(planesOf([box], axes), 0.5)).toEqual({ length: 0.5, steps: 1 });
  expect(search(planesOf([box], axes), 9).length).toBeCloseTo(1, 12);
});

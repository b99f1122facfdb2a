import { describe, expect, it } from 'vitest';
import { createRandom } from '../shapes/index.ts';
import { halfSolidAngle, halfSolidAngleToUp } from './solid-angle.ts';

type Vector = readonly [number, number, number];

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Vector): Vector => {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
};

const general = (a: Vector, b: Vector, c: Vector): number =>
  halfSolidAngle(
    dot(a, cross(b, c)),
    Math.hypot(...a),
    Math.hypot(...b),
    Math.hypot(...c),
    dot(a, b),
    dot(b, c),
    dot(c, a),
  );

/**
 * Girard's theorem: the angles of the spherical triangle, between planes through the origin, add up to π plus its area.
 */
function excess(a: Vector, b: Vector, c: Vector): number {
  const angleAt = (p: Vector, q: Vector, r: Vector): number => {
    const [m, n] = [unit(cross(p, q)), unit(cross(p, r))];
    return Math.acos(Math.max(-1, Math.min(1, dot(m, n))));
  };
  return angleAt(a, b, c) + angleAt(b, c, a) + angleAt(c, a, b) - Math.PI;
}

describe('halfSolidAngle', () => {
  it('is π/4 for an octant, and changes its sign with the order', () => {
    expect(general([2, 0, 0], [0, 3, 0], [0, 0, 5])).toBeCloseTo(Math.PI / 4, 14);
    expect(general([0, 3, 0], [2, 0, 0], [0, 0, 5])).toBeCloseTo(-Math.PI / 4, 14);
  });

  it('is half the spherical excess', () => {
    const seed = 11;
    const random = createRandom(seed);
    for (let i = 0; i < 2000; i++) {
      const [a, b, c] = [0, 1, 2].map(() => {
        const [x, y, z] = random.direction();
        const length = random.between(0.1, 10);
        return [x * length, y * length, z * length] as const;
      });
      if (Math.abs(dot(unit(a), cross(unit(b), unit(c)))) < 1e-3) continue;
      expect(Math.abs(general(a, b, c)), `seed ${seed}, triangle ${i}`).toBeCloseTo(excess(a, b, c) / 2, 6);
    }
  });

  it('with a corner straight up equals the general formula', () => {
    const seed = 12;
    const random = createRandom(seed);
    for (let i = 0; i < 2000; i++) {
      const [a, b] = [random.direction(), random.direction()];
      const volume = a[0] * b[1] - a[1] * b[0];
      const up = halfSolidAngleToUp(volume, a[0], a[1], a[2], b[0], b[1], b[2]);
      const same = general([a[0], a[1], a[2]], [b[0], b[1], b[2]], [0, 0, 1]);
      expect(up, `seed ${seed}, edge ${i}`).toBeCloseTo(same, 9);
    }
  });
});

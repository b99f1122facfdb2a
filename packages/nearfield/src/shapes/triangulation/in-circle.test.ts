import { incircle } from 'robust-predicates';
import { expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { inCircle } from './in-circle.ts';
import { circle, type Point2 } from './loops.ts';

const reference = (a: Point2, b: Point2, c: Point2, d: Point2): number =>
  Math.sign(incircle(a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]));

it('has the sign that expansions give, on a circle, beside it and anywhere', () => {
  const random = createRandom(7);
  const seen = new Set<number>();
  for (let i = 0; i < 20_000; i++) {
    const near = circle({ radius: 3, segments: 8 + random.integer(40), phase: random.between(0, 6) });
    const pick = (): Point2 => {
      const [x, y] = near[random.integer(near.length)];
      const off = random.integer(3) === 0 ? 2 ** -random.integer(56) : 0;
      return random.integer(5) === 0 ? [random.between(-4, 4), random.between(-4, 4)] : [x + off, y - off];
    };
    const points = [pick(), pick(), pick(), pick()] as const;
    const sign = Math.sign(inCircle(...points));
    if (sign !== reference(...points)) expect.fail(`${JSON.stringify(points)}: ${sign}`);
    seen.add(sign);
  }
  expect(seen).toEqual(new Set([-1, 0, 1]));
});

it('is right for corners of squares, at every size that doubles have', () => {
  for (let exponent = -1070; exponent <= 1020; exponent += 10) {
    const s = 2 ** exponent;
    const [a, b, c, d]: Point2[] = [
      [0, 0],
      [4 * s, 0],
      [4 * s, 4 * s],
      [0, 4 * s],
    ];
    expect(inCircle(a, b, c, d)).toBe(0);
    expect(inCircle(a, b, c, [s, 4 * s])).toBeGreaterThan(0);
    expect(inCircle(a, b, c, [-s, 4 * s])).toBeLessThan(0);
  }
});

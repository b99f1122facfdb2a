import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { circle, hull, type Loop, type Point2, rectangle, signedArea } from './loops.ts';
import { triangulate } from './triangulate.ts';

const areaOf = (a: Point2, b: Point2, c: Point2) => signedArea([a, b, c]);

/** If every triangle turns left, the areas add up and the boundary is kept, it is a triangulation. */
function check(outline: Loop, holes: Loop[], message: string) {
  const points = [outline, ...holes].flat();
  const triangles = triangulate(outline, holes);
  // A polygon of n corners with h holes has n + 2h − 2 triangles.
  expect(triangles.length / 3, message).toBe(points.length + 2 * holes.length - 2);
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const area = areaOf(points[triangles[t]], points[triangles[t + 1]], points[triangles[t + 2]]);
    expect(area, message).toBeGreaterThan(0);
    sum += area;
  }
  const expected =
    Math.abs(signedArea(outline)) - holes.reduce((total, hole) => total + Math.abs(signedArea(hole)), 0);
  expect(Math.abs(sum - expected), message).toBeLessThan(1e-9 * expected);
  return triangles;
}

describe('triangulate', () => {
  it('fills a square, a star and a comb', () => {
    check(rectangle(0, 0, 1, 1), [], 'square');
    check(
      circle({ segments: 24 }).map(([x, y], i) => (i % 2 ? [x / 4, y / 4] : [x, y])),
      [],
      'star',
    );
    const comb: Point2[] = [
      [0, 0],
      [20, 0],
    ];
    for (let i = 10; i > 0; i--) comb.push([2 * i, 9], [2 * i - 1, 1]);
    check([...comb, [0, 9]], [], 'comb');
  });

  it('keeps corners in the middle of straight sides', () => {
    const side = [0, 1, 2, 3].flatMap((i): Point2[] => [[i, 0]]);
    check(
      [...side, [4, 0], [4, 1], [4, 2], [4, 3], [4, 4], [2, 4], [0, 4], [0, 2]],
      [rectangle(1, 1, 2, 2)],
      'grid',
    );
  });

  it('takes loops in either direction', () => {
    check(
      [...rectangle(0, 0, 4, 4)].reverse(),
      [rectangle(1, 1, 2, 2), [...rectangle(3, 1, 3.5, 3)].reverse()],
      'both',
    );
  });

  it('handles rows of holes on a grid, where bridges run through corners', () => {
    const holes = [0, 1, 2, 3].flatMap(i =>
      [0, 1, 2].map(j => rectangle(2 * i + 1, 2 * j + 1, 2 * i + 2, 2 * j + 2)),
    );
    check(rectangle(0, 0, 9, 7), holes, 'sieve');
  });

  it('fills seeded polygons with seeded holes', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed);
      const corners = 3 + random.integer(40);
      const outline = circle({ segments: corners }).map(([x, y]): Point2 => {
        const r = random.between(3, 10);
        return [r * x, r * y];
      });
      const holes: Loop[] = [];
      // The disc around the middle that no side enters contains a grid of small holes.
      const free = Math.min(...outline.map((a, i) => distanceToLine(a, outline[(i + 1) % corners])));
      for (let k = 0; k < random.integer(5); k++) {
        const angle = k * 1.2;
        const center: Point2 = [0.6 * free * Math.cos(angle), 0.6 * free * Math.sin(angle)];
        holes.push(
          circle({ radius: 0.2 * free, segments: 3 + random.integer(9), center, phase: random.next() }),
        );
      }
      check(outline, holes, `seed ${seed}`);
    }
  });

  it('is Delaunay: a thin strip between circles has no triangle across it', () => {
    const [outer, inner] = [circle({ radius: 10, segments: 64 }), circle({ radius: 9, segments: 64 })];
    const triangles = check(outer, [inner], 'ring');
    const points = [...outer, ...inner];
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map(e => points[triangles[t + e]]);
      for (const [p, q] of [
        [a, b],
        [b, c],
        [c, a],
      ])
        expect(Math.hypot(p[0] - q[0], p[1] - q[1])).toBeLessThan(1.8);
    }
  });

  it('refuses loops that cross', () => {
    expect(() =>
      triangulate([
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
      ]),
    ).toThrow();
    expect(() => triangulate(rectangle(0, 0, 1, 1), [rectangle(3, 3, 4, 4)])).toThrow();
  });
});

function distanceToLine(a: Point2, b: Point2): number {
  return Math.abs(a[0] * b[1] - a[1] * b[0]) / Math.hypot(a[0] - b[0], a[1] - b[1]);
}

describe('hull', () => {
  it('wraps two circles in a belt', () => {
    const belt = hull([...circle({ radius: 2 }), ...circle({ radius: 1, center: [5, 0] })]);
    expect(signedArea(belt)).toBeGreaterThan(0);
    for (const [x, y] of [...circle({ radius: 1.9 }), ...circle({ radius: 0.9, center: [5, 0] })]) {
      belt.forEach((a, i) => {
        expect(signedArea([a, belt[(i + 1) % belt.length], [x, y]])).toBeGreaterThan(0);
      });
    }
  });
});

describe('createRandom', () => {
  it('repeats with its seed and differs with another', () => {
    const take = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 100 }, () => random.bits());
    };
    expect(take(7)).toEqual(take(7));
    expect(take(7)).not.toEqual(take(8));
    expect(new Set(take(7)).size).toBe(100);
  });

  it('spreads evenly', () => {
    const random = createRandom(1);
    const buckets = new Array<number>(16).fill(0);
    const n = 160000;
    for (let i = 0; i < n; i++) buckets[random.integer(16)]++;
    const chiSquared = buckets.reduce((sum, count) => sum + (count - n / 16) ** 2 / (n / 16), 0);
    expect(chiSquared).toBeLessThan(37.7); // 0.1 % of even generators exceed this with 15 degrees of freedom.
    for (let i = 0; i < 1000; i++) {
      const [x, y, z] = random.direction();
      expect(Math.abs(x * x + y * y + z * z - 1)).toBeLessThan(1e-12);
      expect(random.between(-2, 3)).toSatisfy((v: number) => v >= -2 && v < 3);
    }
  });
});

import { expect, test } from 'vitest';
import { randomIntegers } from '../../interferences/testing/brute-engine.ts';
import { orient2dSign, orient3dSign } from './orient.ts';
import { fromDoubles, orient3dRational } from './rational.ts';

// Orientation signs of points whose coordinates along one axis have very different sizes, against integers over a
// common denominator.

test('orientations of points with coordinates of mixed sizes agree with rational arithmetic', () => {
  const seen = new Map<number, number>();
  for (let seed = 1; seed <= 1500; seed++) {
    const random = randomIntegers(seed);
    const sizes = [0, -1070, -600, -300, 0, 300, 600, 1000].filter(() => random(2));
    const coordinate = (): number => {
      const exponent = sizes.length > 0 ? sizes[random(sizes.length)] : 0;
      return (random(7) - 3) * 2 ** exponent * (random(4) === 0 ? 1 + random(2 ** 20) * 2 ** -40 : 1);
    };
    const p = Array.from({ length: 12 }, coordinate);
    // In a third of the cases d lies in the plane of the others, but for rounding.
    if (random(3) === 0) for (let i = 0; i < 3; i++) p[9 + i] = p[i] + p[3 + i] - p[6 + i];
    if (!p.every(Number.isFinite)) continue;
    const [a, b, c, d] = [0, 3, 6, 9].map(i => fromDoubles(p[i], p[i + 1], p[i + 2]));
    const expected = orient3dRational(a, b, c, d);
    const sign = orient3dSign(...(p as Parameters<typeof orient3dSign>));
    expect(sign, `seed ${seed}`).toBe(expected);
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
    // The 2D orientation: as a 3D one with a point straight above.
    const flat = orient3dRational(
      fromDoubles(p[0], p[1], 0),
      fromDoubles(p[3], p[4], 0),
      fromDoubles(p[6], p[7], 0),
      { x: 0n, y: 0n, z: -1n, w: 0n },
    );
    expect(orient2dSign(p[0], p[1], p[3], p[4], p[6], p[7]), `seed ${seed}, flat`).toBe(flat);
  }
  for (const sign of [-1, 0, 1]) expect(seen.get(sign) ?? 0).toBeGreaterThan(40);
});

import { describe, expect, test } from 'vitest';
import {
  compareAlong,
  comparePoints,
  cross,
  direction,
  directionFromDoubles,
  dot,
  fromDoubles,
  fromTo,
  type Homogeneous,
  isZero,
  linePlane,
  mix,
  moved,
  negate,
  orient3dRational,
  planeThrough,
  ratioToDouble,
  reduced,
  samePoint,
  sideOf,
  toDoubles,
  turn,
} from './rational.ts';

const seed = 0x5eed;

/** mulberry32 */
function randomFrom(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Every sign, exponent and mantissa is equally likely, so half of the doubles are smaller than one. */
function anyDouble(random: () => number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, Math.floor(random() * 2 ** 32));
  view.setUint32(4, random() < 0.3 ? 0 : Math.floor(random() * 2 ** 32));
  const x = view.getFloat64(0);
  return Number.isFinite(x) ? x : 0;
}

const point = (x: bigint, y: bigint, z: bigint, w = 1n): Homogeneous => ({ x, y, z, w });

describe('doubles to integers and back', () => {
  test('known values', () => {
    expect(fromDoubles(0, -0, 1)).toEqual({ x: 0n, y: 0n, z: 1n, w: 1n });
    expect(fromDoubles(0.5, -0.75, 3)).toEqual({ x: 2n, y: -3n, z: 12n, w: 4n });
    expect(fromDoubles(5e-324, 0, 1).w).toBe(1n << 1074n);
    expect(fromDoubles(5e-324, 0, 1).x).toBe(1n);
    expect(fromDoubles(Number.MAX_VALUE, 0, 0).x).toBe(((1n << 53n) - 1n) << 971n);
    expect(fromDoubles(2 ** -1022, 0, 0)).toEqual({ x: 1n, y: 0n, z: 0n, w: 1n << 1022n });
    expect(directionFromDoubles(0.5, 0, -2)).toEqual({ x: 1n, y: 0n, z: -4n, w: 0n });
  });

  test(`every double survives the round trip (seed ${seed})`, () => {
    const random = randomFrom(seed);
    for (let i = 0; i < 20_000; i++) {
      const given = [anyDouble(random), anyDouble(random), anyDouble(random)];
      const back = toDoubles(fromDoubles(given[0], given[1], given[2]));
      for (let k = 0; k < 3; k++)
        if (back[k] !== given[k]) expect.fail(`${given[k]} became ${back[k]}, seed ${seed}`);
    }
  });

  test('ratios round to nearest, ties to even', () => {
    expect(ratioToDouble(1n, 3n)).toBe(1 / 3);
    expect(ratioToDouble(-2n, 3n)).toBe(-2 / 3);
    expect(ratioToDouble((1n << 53n) + 1n, 1n)).toBe(2 ** 53);
    expect(ratioToDouble((1n << 53n) + 3n, 1n)).toBe(2 ** 53 + 4);
    expect(ratioToDouble(1n, 1n << 1075n)).toBe(0);
    expect(ratioToDouble(3n, 1n << 1076n)).toBe(5e-324);
    expect(ratioToDouble(3n, 1n << 1075n)).toBe(1e-323);
    expect(ratioToDouble((1n << 54n) - 1n, 1n << (1022n + 54n))).toBe(2 ** -1022);
    expect(ratioToDouble(1n << 1024n, 1n)).toBe(Infinity);
    expect(ratioToDouble(-((1n << 54n) - 1n) << 970n, 1n)).toBe(-Infinity);
    expect(ratioToDouble(((1n << 54n) - 3n) << 970n, 1n)).toBe(Number.MAX_VALUE - 2 ** 971);
  });

  test(`quotients of doubles round as the processor rounds them (seed ${seed})`, () => {
    const random = randomFrom(seed + 1);
    for (let i = 0; i < 20_000; i++) {
      const n = anyDouble(random);
      const d = Math.abs(anyDouble(random)) || 1;
      const a = fromDoubles(n, d, 0);
      const got = ratioToDouble(a.x, a.y);
      if (got !== n / d) expect.fail(`${n} / ${d} gave ${got}, not ${n / d}, seed ${seed + 1}`);
    }
  });
});

describe('points, directions and planes', () => {
  const o = fromDoubles(0, 0, 0);
  const x = fromDoubles(1, 0, 0);
  const y = fromDoubles(0, 1, 0);

  test('sideOf is positive below the plane', () => {
    expect(orient3dRational(o, x, y, fromDoubles(0.25, 0.25, -1))).toBe(1);
    expect(orient3dRational(o, x, y, fromDoubles(0.25, 0.25, 1e-300))).toBe(-1);
    expect(orient3dRational(o, x, y, point(7n, -3n, 0n, 11n))).toBe(0);
    expect(sideOf(planeThrough(o, x, y), direction({ x: 0n, y: 0n, z: -1n }))).toBe(1);
    expect(turn(direction({ x: 0n, y: 0n, z: 1n }), o, x, y)).toBe(1);
    expect(turn(direction({ x: 0n, y: 0n, z: -1n }), o, x, y)).toBe(-1);
  });

  test('the plane’s value is the determinant, for any weights w', () => {
    const a = point(1n, 2n, 3n, 2n);
    const b = point(-4n, 1n, 0n, 3n);
    const c = point(2n, 2n, -7n, 5n);
    const plane = planeThrough(a, b, c);
    for (const on of [a, b, c, mix([a, b]), mix([a, b, c])]) expect(sideOf(plane, on)).toBe(0);
    const normal = cross(fromTo(a, b), fromTo(a, c));
    expect(sideOf(plane, moved(mix([a, b, c]), normal, 1n, 1000n))).toBe(-1);
    expect(sideOf(plane, moved(mix([a, b, c]), normal, -1n, 1000n))).toBe(1);
    expect(isZero(cross(normal, direction(plane)))).toBe(true);
    expect(dot(normal, direction(plane)) < 0n).toBe(true);
  });

  test('a line meets a plane', () => {
    const plane = planeThrough(fromDoubles(0, 0, 1), fromDoubles(1, 0, 1), fromDoubles(0, 1, 1));
    const hit = linePlane(o, fromDoubles(1, 2, 3), plane);
    expect(samePoint(hit, point(1n, 2n, 3n, 3n))).toBe(true);
    expect(samePoint(linePlane(fromDoubles(1, 2, 3), o, plane), hit)).toBe(true);
    expect(samePoint(linePlane(o, direction({ x: 1n, y: 2n, z: 3n }), plane), hit)).toBe(true);
    expect(reduced(hit)).toEqual({ x: 1n, y: 2n, z: 3n, w: 3n });
    expect(() => linePlane(o, x, plane)).toThrow(RangeError);
  });

  test('coplanar segments meet', () => {
    const up = direction({ x: 0n, y: 0n, z: 1n });
    const hit = linePlane(
      o,
      fromDoubles(2, 2, 0),
      planeThrough(fromDoubles(0, 1, 0), fromDoubles(3, 0, 0), up),
    );
    expect(samePoint(hit, point(3n, 3n, 0n, 4n))).toBe(true);
  });

  test('orders', () => {
    expect(comparePoints(point(1n, 0n, 0n, 2n), point(1n, 0n, 0n, 3n))).toBe(1);
    expect(comparePoints(point(1n, 2n, 0n), point(2n, 4n, 0n, 2n))).toBe(0);
    expect(comparePoints(point(1n, 2n, -1n), point(2n, 4n, 0n, 2n))).toBe(-1);
    expect(compareAlong(direction({ x: -1n, y: 0n, z: 0n }), o, x)).toBe(1);
    expect(compareAlong(negate(direction({ x: -1n, y: 0n, z: 0n })), o, x)).toBe(-1);
    expect(samePoint(fromDoubles(0.5, 0, 0), point(3n, 0n, 0n, 6n))).toBe(true);
  });
});

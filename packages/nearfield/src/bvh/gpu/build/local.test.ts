import { expect, test } from 'vitest';
import { createRandom } from '../../../shapes/index.ts';
import { frameHolds, localFrame } from './local.ts';

/** size ≤ 2^e, by division alone. */
function isBelowPower(size: number, e: number): boolean {
  let value = size;
  for (let i = 0; i < e; i++) value /= 2;
  for (let i = 0; i > e; i--) value *= 2;
  return value <= 1;
}

test('the exponent is the smallest that holds the box, for any size and place', () => {
  const sizes = [1, 2, 0.5, 1 - 2 ** -53, 1 + 2 ** -52, 3, 2 ** 100, 1e-200, 1e200, 2 ** -900];
  for (let seed = 1; seed <= 200; seed++) sizes.push(2 ** createRandom(seed).between(-900, 900));
  for (const size of sizes) {
    for (const shift of [0, 3, 1e3, -1e6]) {
      const low = (shift - 1) * size;
      const high = (shift + 1) * size;
      const box = Float64Array.of(low, low, low, high, high, high);
      const { origin, exponent } = localFrame(box);
      const reach = Math.max(high - origin[0], origin[0] - low);
      const context = `${size} at ${shift}`;
      expect(isBelowPower(reach, exponent), context).toBe(true);
      // Includes the margin of 2^-20, and no more.
      expect(isBelowPower(reach * (1 + 2 ** -19), exponent - 1), context).toBe(false);
      expect(frameHolds(localFrame(box), box), context).toBe(true);
      expect(frameHolds(localFrame(box, 20), box), context).toBe(false);
    }
  }
});

test('reaches are in single precision, and never too small', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    const size = 2 ** random.between(-50, 50);
    const middle = [0, 1, 2].map(() => size * random.between(-1, 1) * 10 ** random.integer(8));
    const box = Float64Array.from([...middle.map(c => c - size), ...middle.map(c => c + size)]);
    const { origin, exponent, originReach, reach } = localFrame(box);
    for (let axis = 0; axis < 3; axis++) {
      const unit = 2 ** -exponent;
      const farthest = Math.max(Math.abs(box[axis]), Math.abs(box[axis + 3]));
      expect(Math.fround(originReach[axis])).toBe(originReach[axis]);
      expect(Math.fround(reach[axis])).toBe(reach[axis]);
      expect(originReach[axis], `seed ${seed}`).toBeGreaterThanOrEqual(2 * Math.abs(origin[axis]) * unit);
      expect(reach[axis], `seed ${seed}`).toBeGreaterThanOrEqual((farthest + Math.abs(origin[axis])) * unit);
    }
  }
});

test('an empty box, a point and the whole range of doubles have frames', () => {
  const empty = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  const largest = Number.MAX_VALUE;
  for (const box of [
    empty,
    new Float64Array(6),
    new Float64Array(6).fill(5),
    new Float64Array(6).fill(5e-324),
    Float64Array.of(-largest, -largest, -largest, largest, largest, largest),
  ]) {
    const frame = localFrame(box);
    expect(Number.isInteger(frame.exponent), `${box}`).toBe(true);
    expect(frame.exponent).toBeLessThanOrEqual(1024);
    for (const value of [...frame.origin, ...frame.originReach, ...frame.reach]) {
      expect(Number.isFinite(value), `${box}`).toBe(true);
    }
  }
  expect(localFrame(empty)).toEqual(localFrame(new Float64Array(6)));
});

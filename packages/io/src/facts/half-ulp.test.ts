// Half the distance to the next number of a format, compared with that next number itself.

import { createRandom } from 'nearfield/shapes';
import { expect, it } from 'vitest';
import { halfDoubleUlp, halfSingleUlp } from './rounding.ts';

const seed = 24;

/** The next larger number of the same format. */
function after(value: number, single: boolean): number {
  if (single) {
    const bits = new Uint32Array(Float32Array.of(value).buffer);
    bits[0]++;
    return new Float32Array(bits.buffer)[0];
  }
  const bits = new BigUint64Array(Float64Array.of(value).buffer);
  bits[0]++;
  return new Float64Array(bits.buffer)[0];
}

it('is half the way to the next number', () => {
  const random = createRandom(seed);
  for (let exponent = -1022; exponent < 1023; exponent++) {
    const own = 1 + random.next();
    for (const mantissa of [1, own, 2 - 2 ** -52]) {
      const value = mantissa * 2 ** exponent;
      expect(halfDoubleUlp(-value), `${value}`).toBe((after(value, false) - value) * 0.5);
      const single = Math.fround(value);
      if (single < 2 ** -126 || single >= 2 ** 127) continue;
      expect(halfSingleUlp(single), `${value}`).toBe((after(single, true) - single) / 2);
    }
  }
  expect(halfSingleUlp(0)).toBe(0);
  for (const tiny of [2 ** -140, 2 ** -149]) expect(halfSingleUlp(tiny)).toBe(2 ** -150);
  for (const tiny of [2 ** -1060, 2 ** -1074]) expect(halfDoubleUlp(tiny)).toBe(2 ** -1022 * 2 ** -53);
});

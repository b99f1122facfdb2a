// Which boxes fit in doubles where a pose places them: ordinary ones at once, extreme ones as the CPU engine computes
// it.

import { expect, it } from 'vitest';
import { boxIsPlaced, emptyBox } from './box.ts';
import { identity } from './pose.ts';

const boxOf = (low: number, high: number) => Float64Array.of(low, low, low, high, high, high);
const scaled = (scale: number, shift = 0) => {
  const pose = identity();
  for (let k = 0; k < 3; k++) {
    pose[5 * k] = scale;
    pose[12 + k] = shift;
  }
  return pose;
};

it.each<[string, Float64Array, Float64Array, boolean]>([
  ['of ordinary size', scaled(3, -5), boxOf(-1, 2), true],
  ['below the limit of the short way', scaled(2 ** 500), boxOf(-(2 ** 498), 2 ** 498), true],
  ['beyond that limit', scaled(2 ** 500), boxOf(-(2 ** 510), 2 ** 510), true],
  ['near the largest double', scaled(1), boxOf(-(2 ** 1022), 2 ** 1022), true],
  ['that overflow', scaled(2 ** 512), boxOf(-(2 ** 512), 2 ** 512), false],
  ['that overflow by the translation', scaled(1, Number.MAX_VALUE), boxOf(0, 2 ** 1023), false],
  ['far away on one side', scaled(2 ** 600), boxOf(2 ** 600, 2 ** 600), false],
  ['without a number', scaled(Number.NaN), boxOf(-1, 1), false],
  ['of nothing', scaled(2 ** 1000), emptyBox(), true],
])('boxes %s', (_, pose, box, expected) => {
  expect(boxIsPlaced(pose, box)).toBe(expected);
});

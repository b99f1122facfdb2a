// Cosine and sine with twice the precision of doubles (wide.ts). They are needed for positions whose distance from the
// centre of a rotation is so large that the rounding of doubles would hide the gaps that have to be measured.

import { minus, negated, one, over, plus, productOf, times, type Wide } from '../exact/wide.ts';

/** π/2 as a sum of doubles, off by less than 2^-212. */
const quarters = [
  1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33, 4.320574262296449e-50,
] as const;

/** Larger angles are not reduced: the caller does without. */
export const mostAngle = 2 ** 30;

/**
 * Cosine and sine of an angle up to `mostAngle`, each off by less than 2^-98.
 *
 * With n the multiple of π/2 nearest to the angle, n·quarters[i] are exact products for the first three; the fourth is below 2^-133. Each
 * of the three subtractions is off by 2^-102 of its result, of which the first two are at most the last one and 2^-53·n·π: less
 * than 2^-102·(1 + 2^-20). Taylor's series at |y| ≤ 0.79 up to y^28 leave less than 2^-106. Each term is a product and a
 * quotient more than the one before; terms fall off faster than their errors grow, so all of them together are off by less than
 * 2^-99 of the first.
 */
export function wideUnitAt(angle: Wide): [cosine: Wide, sine: Wide] {
  const n = Math.round(angle[0] / quarters[0]);
  let y = angle;
  if (n !== 0) for (const part of quarters) y = minus(y, productOf(n, part));
  const square = times(y, y);
  let [cosine, sine]: [Wide, Wide] = [one, y];
  let [even, odd]: [Wide, Wide] = [one, y];
  for (let k = 1; k <= 14; k++) {
    even = negated(over(times(even, square), (2 * k - 1) * (2 * k)));
    odd = negated(over(times(odd, square), 2 * k * (2 * k + 1)));
    cosine = plus(cosine, even);
    sine = plus(sine, odd);
  }
  switch (((n % 4) + 4) % 4) {
    case 0:
      return [cosine, sine];
    case 1:
      return [negated(sine), cosine];
    case 2:
      return [negated(cosine), negated(sine)];
    default:
      return [sine, negated(cosine)];
  }
}

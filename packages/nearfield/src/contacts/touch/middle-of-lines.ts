// Where the middle of a contact is that has lines and points, but no area.

import { length, plus, type Vector } from '../../math/vector.ts';

/** The mean of some lines, weighted by their lengths; if all have length 0, the mean of their first points. */
export function middleOfLines(lines: readonly (readonly [Vector, Vector])[]): Vector {
  const [origin] = lines[0];
  let total = 0;
  let sum: Vector = [0, 0, 0];
  for (const [p, q] of lines) {
    const size = length(plus(q, p, -1));
    total += size;
    sum = plus(sum, plus(plus(p, origin, -1), plus(q, origin, -1)), size / 2);
  }
  if (total > 0) return plus(origin, sum, 1 / total);
  for (const [p] of lines) sum = plus(sum, plus(p, origin, -1));
  return plus(origin, sum, 1 / lines.length);
}

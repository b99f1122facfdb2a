// The curve of a jaw's teeth: a catenary, which dentists fit to dental arches. Its arc length from the middle is
// c·sinh(x/c), so a point on it is known from its arc length in closed form.

import { logarithm } from '../elementary.ts';

/** Millimetres: x to the left of the face, y to the front, z up. */
export interface Arch {
  /** The catenary's parameter: its radius of curvature in the middle. */
  readonly radius: number;
  /** y of its foremost point. */
  readonly front: number;
}

export const lowerArch: Arch = { radius: 11, front: 0 };
/** Around the lower one, about two millimetres outside: outer cusps of lower teeth meet the middle of upper ones. */
export const upperArch: Arch = { radius: 12.2, front: 2.3 };

/**
 * The point at arc length `along` from the middle of the arch and `out` of it, away from the tongue. Teeth drawn in
 * these two coordinates bend with the arch. Two teeth do not overlap if their ranges along the arch do not, as long
 * as `out` stays above the negative radius of curvature, which is smallest in the middle.
 */
export function placeOn({ radius, front }: Arch, along: number, out: number): [x: number, y: number] {
  const steepness = along / radius;
  const stretch = Math.sqrt(1 + steepness * steepness);
  // arsinh as a logarithm of a number above 1, so that both sides of the face are equal.
  const across = logarithm(Math.abs(steepness) + stretch);
  const x = radius * (steepness < 0 ? -across : across) + (out * steepness) / stretch;
  const y = front - radius * (stretch - 1) + out / stretch;
  return [x, y];
}

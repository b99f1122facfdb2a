// The line along which the teeth of a jaw stand: a catenary, which is what dentists fit to dental arches. Its length from the
// middle is c·sinh(x/c), so a place on it is known from its length in closed form.

import { logarithm } from '../elementary.ts';

/** Millimetres: x to the left of the face, y to the front, z up. */
export interface Arch {
  /** The catenary's parameter: its radius of curvature in the middle. */
  readonly radius: number;
  /** Where its foremost point is. */
  readonly front: number;
}

export const lowerArch: Arch = { radius: 11, front: 0 };
/** Around the lower one, about two millimetres outside: outer cusps of lower teeth meet the middle of upper ones. */
export const upperArch: Arch = { radius: 12.2, front: 2.3 };

/**
 * The point that lies `along` the arch from its middle and `out` of it, away from the tongue. Teeth drawn in these two
 * coordinates are bent with the arch, and no two of them overlap whose stretches along it do not, as long as `out` stays above
 * the negative radius of curvature, which is least in the middle.
 */
export function placeOn({ radius, front }: Arch, along: number, out: number): [x: number, y: number] {
  const steepness = along / radius;
  const stretch = Math.sqrt(1 + steepness * steepness);
  // arsinh as a logarithm, of a number above 1 so that both sides of the face are alike.
  const across = logarithm(Math.abs(steepness) + stretch);
  const x = radius * (steepness < 0 ? -across : across) + (out * steepness) / stretch;
  const y = front - radius * (stretch - 1) + out / stretch;
  return [x, y];
}

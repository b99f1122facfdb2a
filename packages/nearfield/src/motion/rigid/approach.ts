// How long do two triangles of bodies on their paths certainly stay apart? Triangles are convex, so a direction n bounds their gap: that
// of the corners along n. A corner's place along n at time t + h is n·x + h·n·v, up to half its acceleration times h². So
//
//   gap(t + h) ≥ min over corners a, b of  n·(x_b − x_a) + h·n·(v_b − v_a)  −  ½·h²·(acceleration of A and of B).
//
// A step goes to where this bound falls to the least gap that counts; there a new direction is taken. A contact is approached
// quadratically, and a path that grazes is passed in few steps.
//
// Rounding: positions are off by the slack of the placing, velocities by theirs. With |n| = 1 up to rounding, differences and
// products of up to six roundings are off by less than 2^-49 of the size of the two triangles and their gap together: 2^-47 of
// it is subtracted. For velocities it is 2^-47 of the largest difference of two.

import { separatingDirection } from './nearest-direction.ts';
import type { PairMotion } from './pair.ts';
import type { Placing } from './placing.ts';

/** More steps than these are not worth it: the time reached so far is returned. */
const mostSteps = 200;

const corners = new Float64Array(18);
const velocities = new Float64Array(18);
const direction = new Float64Array(3);

/** A time up to `end` until which the two triangles are certainly farther apart than the placing's least gap, from `start` on. */
export function apartUntil(
  { pathA, pathB }: PairMotion,
  placing: Placing,
  triangleA: number,
  triangleB: number,
  start: number,
  end: number,
): number {
  const acceleration = pathA.acceleration + pathB.acceleration;
  let t = start;
  for (let step = 0; step < mostSteps; step++) {
    placing.place(t, triangleA, triangleB, corners);
    if (!(separatingDirection(corners, direction) > 0)) return t;
    const [x, y, z] = direction;
    placing.velocities(t, triangleA, triangleB, velocities);
    const less = placing.slack + 2 ** -47 * extentOf(corners) + placing.leastGap;
    const slower = placing.velocitySlack + 2 ** -47 * extentOf(velocities);
    let least = Infinity;
    for (let i = 0; i < 9; i += 3) {
      for (let j = 9; j < 18; j += 3) {
        const gap =
          x * (corners[j] - corners[i]) +
          y * (corners[j + 1] - corners[i + 1]) +
          z * (corners[j + 2] - corners[i + 2]) -
          less;
        const speed =
          x * (velocities[j] - velocities[i]) +
          y * (velocities[j + 1] - velocities[i + 1]) +
          z * (velocities[j + 2] - velocities[i + 2]) -
          slower;
        least = Math.min(least, timeToClose(gap, speed, acceleration));
      }
    }
    const h = least * (1 - 2 ** -30) - 2 ** -52;
    if (!(h > 0) || t + h === t) return t;
    if (t + h >= end) return end;
    t += h;
  }
  return t;
}

/**
 * A lower bound of the distance of two triangles, at p[0] and p[9]: that along the direction from one to the other. 0 if there is
 * none, as far as doubles tell.
 */
export function apartAtLeast(p: Float64Array): number {
  const least = separatingDirection(p, direction);
  return Math.max(0, least - 2 ** -47 * extentOf(p));
}

/** The largest difference between a number of the first point and one of another. */
function extentOf(p: Float64Array): number {
  let size = 0;
  for (let i = 3; i < 18; i++) size = Math.max(size, Math.abs(p[i] - p[i % 3]));
  return size;
}

/** The first time h ≥ 0 at which gap + speed·h − ½·acceleration·h² is 0; Infinity if there is none. */
function timeToClose(gap: number, speed: number, acceleration: number): number {
  if (!(gap > 0)) return 0;
  if (acceleration === 0) return speed < 0 ? gap / -speed : Infinity;
  const root = Math.sqrt(speed * speed + 2 * acceleration * gap);
  return speed < 0 ? (2 * gap) / (root - speed) : (speed + root) / acceleration;
}

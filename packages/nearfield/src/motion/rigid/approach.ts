// How long do two triangles of bodies on their paths certainly stay apart? Triangles are convex, so a direction n bounds their gap: that
// of the corners along n. A corner's place along n at time t + h is n·x + h·n·v, up to half its acceleration times h². So
//
//   gap(t + h) ≥ min over corners a, b of  n·(x_b − x_a) + h·n·(v_b − v_a)  −  ½·h²·(acceleration of A and of B).
//
// A step goes to where this bound falls to the least gap that counts; there a new direction is taken. A contact is approached
// quadratically, and a path that grazes is passed in few steps.
//
// Rounding: positions are off by the slack of the paths, velocities by theirs. With |n| = 1 up to rounding, differences and
// products of up to six roundings are off by less than 2^-49 of the size of the two triangles and their gap together: 2^-47 of
// it is subtracted.

import { placeTriangle } from '../../math/pose.ts';
import { nearestDirection } from './nearest-direction.ts';
import type { PairMotion } from './pair.ts';

/** More steps than these are not worth it: the time reached so far is returned. */
const mostSteps = 200;

const corners = new Float64Array(18);
const velocities = new Float64Array(18);
const direction = new Float64Array(3);
const [poseA, poseB] = [new Float64Array(16), new Float64Array(16)];
const [derivativeA, derivativeB] = [new Float64Array(16), new Float64Array(16)];

/** A time up to `end` until which the two triangles are certainly farther apart than the pair's least gap, from `start` on. */
export function apartUntil(
  pair: PairMotion,
  triangleA: number,
  triangleB: number,
  start: number,
  end: number,
): number {
  const { a, b, pathA, pathB, slack } = pair;
  const acceleration = pathA.acceleration + pathB.acceleration;
  const velocitySlack = pathA.velocitySlack + pathB.velocitySlack;
  let t = start;
  for (let step = 0; step < mostSteps; step++) {
    pathA.poseAt(t, poseA);
    pathB.poseAt(t, poseB);
    placeTriangle(poseA, a.positions, a.mesh.indices, triangleA, corners, 0);
    placeTriangle(poseB, b.positions, b.mesh.indices, triangleB, corners, 9);
    nearestDirection(corners, direction);
    const length = Math.hypot(direction[0], direction[1], direction[2]);
    if (!(length > 0)) return t;
    const [x, y, z] = [direction[0] / length, direction[1] / length, direction[2] / length];
    pathA.derivativeAt(t, derivativeA);
    pathB.derivativeAt(t, derivativeB);
    placeTriangle(derivativeA, a.positions, a.mesh.indices, triangleA, velocities, 0);
    placeTriangle(derivativeB, b.positions, b.mesh.indices, triangleB, velocities, 9);
    let size = 0;
    for (let i = 3; i < 18; i++) size = Math.max(size, Math.abs(corners[i] - corners[i % 3]));
    const less = slack + 2 ** -47 * size + pair.leastGap;
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
          velocitySlack;
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

/** The first time h ≥ 0 at which gap + speed·h − ½·acceleration·h² is 0; Infinity if there is none. */
function timeToClose(gap: number, speed: number, acceleration: number): number {
  if (!(gap > 0)) return 0;
  if (acceleration === 0) return speed < 0 ? gap / -speed : Infinity;
  const root = Math.sqrt(speed * speed + 2 * acceleration * gap);
  return speed < 0 ? (2 * gap) / (root - speed) : (speed + root) / acceleration;
}

// What an impact does to a particle (Knott, section 3.3): it vanishes, bounces with restitution and Coulomb friction,
// or rests.
//
// n points to the side the particle came from, w = v − the collider's velocity there, a = −w·n ≥ 0 its speed of
// approach. The rebound has the speed e·a along n; the impulse (1 + e)·a along n lets friction take at most μ(1 + e)·a
// from the tangential part. If e = 1 and μ = 0, |w| stays the same up to 4·2^-53 of it, and on planes perpendicular to
// an axis the tangential coordinates stay exactly the same.

import type { CompiledResponse } from '../compiled.ts';

export const vanishes = 0;
export const bounces = 1;
export const rests = 2;

/**
 * Returns the outcome, and writes the particle's velocity after a bounce to `velocity` (three numbers). `bounce` is how
 * many impacts there were before.
 */
export function respond(
  response: CompiledResponse,
  bounce: number,
  velocity: Float64Array,
  ofCollider: Float64Array,
  normal: Float64Array,
): number {
  if (!response.bounces) return vanishes;
  const { restitution, friction, restSpeed, most } = response;
  const wx = velocity[0] - ofCollider[0];
  const wy = velocity[1] - ofCollider[1];
  const wz = velocity[2] - ofCollider[2];
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  const along = wx * nx + wy * ny + wz * nz;
  const approach = along < 0 ? -along : 0;
  const rebound = restitution * approach;
  if (rebound < restSpeed || bounce >= most) return rests;
  const tx = wx - along * nx;
  const ty = wy - along * ny;
  const tz = wz - along * nz;
  let kept = 1;
  if (friction > 0) {
    const slide = Math.sqrt(tx * tx + ty * ty + tz * tz);
    const loss = friction * (1 + restitution) * approach;
    kept = slide > loss ? 1 - loss / slide : 0;
  }
  velocity[0] = ofCollider[0] + (tx * kept + rebound * nx);
  velocity[1] = ofCollider[1] + (ty * kept + rebound * ny);
  velocity[2] = ofCollider[2] + (tz * kept + rebound * nz);
  return bounces;
}

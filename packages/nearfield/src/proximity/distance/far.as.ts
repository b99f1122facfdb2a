// Bodies far apart beside their size: single precision no longer tells distances of their parts apart. But seen from so far
// all distances run nearly along one direction, so what counts is how far along it each part reaches: a number a box or triangle,
// of the size of the bodies, in which single precision is as good as ever.
//
// Let u be the unit direction from A's centre to B's, in A's frame (frame.as.ts: B's point v lies at R·v + T). For points p of
// A and v of B the distance in A's frame is at least u·(R·v + T − p) = u·T + (Rᵀu)·v − u·p. With α the most u·p of a box or
// triangle of A and β the least (Rᵀu)·v of one of B, both kept as keys β − α, a pair is too far if β − α exceeds
//   best·unit − u·T + slack,   slack = unit·2·Σ(e_A + e_B) + 1.1·‖F‖·reach + 2^-24·16·(2 + |Rᵀu|₁) + 2^-50·|u·T|:
// the rounding of world positions, of the inverse, of keys and what they are made of (|p| ≤ 1, |v| ≤ 1), and of u·T.

import { mapDoubles } from '../../methods/hierarchy/frame.as';
import { bodyE, bodyF } from '../../methods/hierarchy/place.as';
import {
  distanceBest,
  distanceFar,
  distanceFrame,
  distanceLimitA,
  distanceUnitA,
  farAlong,
  farOffset,
  farSlack,
} from './distance-job.as';

/** From this many half lengths of A's box on. */
const farReach: f64 = 64;
const single: f64 = 5.9604644775390625e-8; // 2^-24

/** Decides whether the bodies are far apart, and if so finds the direction. */
export function startFar(job: usize, a: usize, b: usize, reach: f64): void {
  store<u32>(job, 0, distanceFar);
  const map = job + distanceFrame + mapDoubles;
  const x = load<f64>(map, 48);
  const y = load<f64>(map, 112);
  const z = load<f64>(map, 176);
  const length = sqrt(x * x + y * y + z * z);
  if (!(length > farReach && length < 1e30)) return;
  store<u32>(job, 1, distanceFar);
  store<f64>(job, x / length, farAlong);
  store<f64>(job, y / length, farAlong + 8);
  store<f64>(job, z / length, farAlong + 16);
  let sum: f64 = 0;
  let noise: f64 = 0;
  for (let column: usize = 0; column < 3; column++) {
    const at = map + (column << 4);
    const along = (load<f64>(at) * x + load<f64>(at, 64) * y + load<f64>(at, 128) * z) / length;
    store<f64>(job + (column << 3), along, farAlong + 24);
    sum += abs(along);
    noise += load<f64>(a + (column << 3), bodyE) + load<f64>(b + (column << 3), bodyE);
  }
  store<f64>(job, length, farOffset);
  const slack = load<f64>(job, distanceUnitA) * 2.0 * noise + 1.1 * load<f64>(a, bodyF) * reach;
  store<f64>(job, slack + single * 16.0 * (2.0 + sum) + 8.881784197001252e-16 * length, farSlack);
}

/** The limit of keys. */
export function limitFar(job: usize): void {
  const limit = load<f64>(job, distanceBest) * load<f64>(job, distanceUnitA) - load<f64>(job, farOffset);
  const slack = load<f64>(job, farSlack);
  store<f32>(job, <f32>(limit + slack + single * 2.0 * (abs(limit) + slack)), distanceLimitA);
}

/** How far the four boxes of a node reach: the most along u for A, the negative of the least along Rᵀu for B. */
export function reachBoxes(job: usize, node: usize, ofB: bool): v128 {
  const along = job + farAlong + (ofB ? 24 : 0);
  const x = f32x4.splat(<f32>load<f64>(along));
  const y = f32x4.splat(<f32>load<f64>(along, 8));
  const z = f32x4.splat(<f32>load<f64>(along, 16));
  const centre = dot(x, y, z, v128.load(node), v128.load(node, 16), v128.load(node, 32));
  const half = dot(
    f32x4.abs(x),
    f32x4.abs(y),
    f32x4.abs(z),
    v128.load(node, 48),
    v128.load(node, 64),
    v128.load(node, 80),
  );
  return f32x4.add(ofB ? f32x4.neg(centre) : centre, half);
}

/** The same of a leaf's triangles. */
export function reachTriangles(job: usize, leaf: usize, ofB: bool): v128 {
  const along = job + farAlong + (ofB ? 24 : 0);
  const sign: f32 = ofB ? -1 : 1;
  const x = f32x4.splat(sign * <f32>load<f64>(along));
  const y = f32x4.splat(sign * <f32>load<f64>(along, 8));
  const z = f32x4.splat(sign * <f32>load<f64>(along, 16));
  return f32x4.pmax(
    f32x4.pmax(
      dot(x, y, z, v128.load(leaf), v128.load(leaf, 16), v128.load(leaf, 32)),
      dot(x, y, z, v128.load(leaf, 48), v128.load(leaf, 64), v128.load(leaf, 80)),
    ),
    dot(x, y, z, v128.load(leaf, 96), v128.load(leaf, 112), v128.load(leaf, 128)),
  );
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

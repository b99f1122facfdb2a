// Places a ray in the frame of a body's tree, and tests it against the boxes of nodes.
//
// A ray o + s·d is taken into the tree's frame in double: o' = G(o − W)·shrink, d' = G·d·shrink, both then off by no
// more than
//   noise_i = (|G| (e + 2^-48·(|o| + |W|) + slack)·shrink)_i + 1.01·‖F‖·(‖o'‖∞ + noise)     and
//   turn    = (2^-48·max_i(|G|·|d|·shrink)_i + 1.01·‖F‖·‖d'‖∞) / ‖d'‖∞ + 2^-50   per unit of s once d' has ‖d'‖∞ = 1.
// The start is moved along the ray to at most 4 before the point nearest to the tree's centre. Boxes lie within √3·1.01
// of the centre, so no point of a box is lost, and points of the ray in a box have 0 ≤ s ≤ 8 from there. In that
// interval the computed ray is within
// E_i = noise_i + turn·(moved + 8) + 2^-48·(‖o'‖∞ + moved) + 2^-24·16·(‖start‖∞ + 10) of the true one, the last term
// for single precision. If the computed ray misses a box enlarged by E, the true ray misses the box.

import { Node } from '../build/layout.as';
import { powerAbove } from '../build/refit.as';
import { Body } from '../place/place.as';

/** A ray in the tree's frame, and E. */
@unmanaged
export class Ray {
  x: f32;
  y: f32;
  z: f32;
  directionX: f32;
  directionY: f32;
  directionZ: f32;
  /** 1 / direction. */
  inverseX: f32;
  inverseY: f32;
  inverseZ: f32;
  error: f32;
  /** The largest coordinate of the start, in magnitude. */
  start: f32;
  /** The point origin + t·direction of the world is the point with s = t·along − skipped here. */
  along: f64;
  skipped: f64;
}

/** Results of `placeRay`: the ray is placed, it misses everything, or single precision cannot place it. */
export const rayPlaced: i32 = 0;
export const rayMisses: i32 = 1;
export const rayUnplaced: i32 = 2;

const noiseFactor: f64 = 3.552713678800501e-15; // 2^-48
const single: f64 = 5.9604644775390625e-8; // 2^-24

/** Places the world ray of six doubles at `ray`, origin and direction, widened by `slack`. */
export function placeRay(body: Body, ray: usize, slack: f64, placed: Ray): i32 {
  const shrink = body.shrink;
  const f = body.f;
  const dw0 = load<f64>(ray, 24);
  const dw1 = load<f64>(ray, 32);
  const dw2 = load<f64>(ray, 40);
  const unit = 1.0 / powerAbove(max(abs(dw0), max(abs(dw1), abs(dw2))));
  let o0: f64 = 0;
  let o1: f64 = 0;
  let o2: f64 = 0;
  let d0: f64 = 0;
  let d1: f64 = 0;
  let d2: f64 = 0;
  let noise: f64 = 0;
  let spread: f64 = 0;
  for (let row: usize = 0; row < 3; row++) {
    let o: f64 = 0;
    let d: f64 = 0;
    let here: f64 = 0;
    let turned: f64 = 0;
    for (let axis: usize = 0; axis < 3; axis++) {
      const g = load<f64>(body.g + ((row + 3 * axis) << 3));
      const from = load<f64>(ray + (axis << 3));
      const w = load<f64>(body.w + (axis << 3));
      const e = load<f64>(body.e + (axis << 3));
      o += g * ((from - w) * shrink);
      here += abs(g) * ((e + noiseFactor * (abs(from) + abs(w)) + slack) * shrink);
      const direction = load<f64>(ray + (axis << 3), 24) * unit;
      d += g * direction;
      turned += abs(g * direction);
    }
    noise = max(noise, here);
    spread = max(spread, turned);
    if (row === 0) {
      o0 = o;
      d0 = d;
    } else if (row === 1) {
      o1 = o;
      d1 = d;
    } else {
      o2 = o;
      d2 = d;
    }
  }
  const length = max(abs(d0), max(abs(d1), abs(d2)));
  const size = max(abs(o0), max(abs(o1), abs(o2)));
  d0 /= length;
  d1 /= length;
  d2 /= length;
  noise = noise * 1.01 + 1.01 * f * (size + noise);
  const turn = (noiseFactor * spread + 1.01 * f * length) / length + 8.881784197001252e-16;
  const nearest = max<f64>(0, -(o0 * d0 + o1 * d1 + o2 * d2) / (d0 * d0 + d1 * d1 + d2 * d2));
  const skip = nearest - min<f64>(nearest, 4);
  o0 += skip * d0;
  o1 += skip * d1;
  o2 += skip * d2;
  const start = max(abs(o0), max(abs(o1), abs(o2)));
  const error = noise + turn * (skip + 8.0) + noiseFactor * (size + skip) + single * 16.0 * (start + 10.0);
  // Written so that NaN counts as too large: then the ray cannot be placed.
  if (!(error < 1e12)) return rayUnplaced;
  if (start - error > 16.0) return rayMisses;
  placed.x = <f32>o0;
  placed.y = <f32>o1;
  placed.z = <f32>o2;
  placed.directionX = <f32>d0;
  placed.directionY = <f32>d1;
  placed.directionZ = <f32>d2;
  placed.inverseX = inverseOf(d0);
  placed.inverseY = inverseOf(d1);
  placed.inverseZ = inverseOf(d2);
  placed.error = <f32>(error * 1.000001);
  placed.start = <f32>start;
  placed.skipped = skip;
  placed.along = (shrink * length) / unit;
  return rayPlaced;
}

/**
 * Which of a node's four boxes the ray may meet at an s of at most `limit`. Writes to `lanes` the least s of a point of the ray in each of
 * these boxes, or less.
 */
export function openRay(node: Node, ray: Ray, limit: f32, lanes: usize): u32 {
  const begins = enterBoxes(node, ray, limit);
  v128.store(lanes, begins);
  return ~i32x4.bitmask(f32x4.lt(begins, f32x4.splat(0))) & 15;
}

/**
 * The least s of a point of the ray in each of a node's four boxes, or less; −1 for those that it does not meet at an s of at most `limit`.
 *
 * A box is three slabs (Kay and Kajiya, Ray Tracing Complex Scenes, 1986). An end (centre − start)/direction ± half/|direction| takes five
 * roundings, each of at most 2^-24 of one of its terms, so it is the exact end for a box whose side is moved by less than
 * 2^-24·8·(‖start‖∞ + 2). E has room for that: rounding start and direction to single takes 2^-24·(‖start‖∞ + 8) of its last term.
 * Directions below 2^-40 are taken as 2^-40, which moves points by at most 8·2^-40.
 */
export function enterBoxes(node: Node, ray: Ray, limit: f32): v128 {
  const error = f32x4.splat(ray.error);
  const inverseX = f32x4.splat(ray.inverseX);
  const inverseY = f32x4.splat(ray.inverseY);
  const inverseZ = f32x4.splat(ray.inverseZ);
  const x = f32x4.mul(f32x4.sub(node.centreX, f32x4.splat(ray.x)), inverseX);
  const y = f32x4.mul(f32x4.sub(node.centreY, f32x4.splat(ray.y)), inverseY);
  const z = f32x4.mul(f32x4.sub(node.centreZ, f32x4.splat(ray.z)), inverseZ);
  const hx = f32x4.mul(f32x4.add(node.halfX, error), f32x4.abs(inverseX));
  const hy = f32x4.mul(f32x4.add(node.halfY, error), f32x4.abs(inverseY));
  const hz = f32x4.mul(f32x4.add(node.halfZ, error), f32x4.abs(inverseZ));
  const begin = f32x4.pmax(
    f32x4.pmax(f32x4.sub(x, hx), f32x4.sub(y, hy)),
    f32x4.pmax(f32x4.sub(z, hz), f32x4.splat(0)),
  );
  const end = f32x4.pmin(
    f32x4.pmin(f32x4.add(x, hx), f32x4.add(y, hy)),
    f32x4.pmin(f32x4.add(z, hz), f32x4.splat(limit)),
  );
  return v128.bitselect(f32x4.splat(-1), begin, f32x4.gt(begin, end));
}

/** 1 / direction, with directions too small for it taken as 2^-40. */
function inverseOf(direction: f64): f32 {
  const least: f64 = 9.094947017729282e-13;
  return <f32>(1.0 / (abs(direction) >= least ? direction : direction < 0 ? -least : least));
}

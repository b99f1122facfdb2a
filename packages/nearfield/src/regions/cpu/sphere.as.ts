// A world sphere and the tree of a placed body: which boxes of the tree lie beyond the sphere, and which lie within it.
//
// The centre in the tree's frame is q, off by no more than `noise` (distance/cpu/points/world-point.as.ts has the bound; fields and symbols: bvh/cpu/place/place.as.ts).
// Stored vertices are off by 2^-24, boxes hold them, and q is rounded to single: 2^-24·|q| per axis. A difference of centres, with a half extent subtracted
// or added, takes two roundings of at most |q| + 2. So the least and the greatest distance of a box along an axis are off by
//   noise + 2^-24·(1 + |q| + 2·(|q| + 2)),
// the distances by √3 times that, and their squares by a relative 4·2^-24 in addition: slack = 1.8·noise +
// 2^-24·8·(|q| + 3). A vector y in the frame is K·y in the world: |y| ≤ unit·|K·y| and |K·y| ≤ length·|y|. So a box
// is beyond the sphere if its least distance exceeds radius·unit + slack, and within if its greatest is at most
// radius/length − slack.

import { Leaf, Node } from '../../bvh/cpu/build/layout.as';
import { Body } from '../../bvh/cpu/place/place.as';
import { FramePoint, frameLength, frameUnit, placePoint } from '../../distance/cpu/points/world-point.as';
import { Near, pointTriangle } from '../../distance/cpu/triangles/point-triangle.as';
import { certainHit, certainMiss } from './box-triangle.as';

/** A sphere in the frame of a tree. */
@unmanaged
export class Sphere {
  x: f32;
  y: f32;
  z: f32;
  /**
   * Squared distances: boxes farther than the first are beyond the sphere, those that reach no farther than the
   * second are within.
   */
  beyond: f32;
  within: f32;

  /** The centre in double. */
  get centre(): FramePoint {
    return changetype<FramePoint>(changetype<usize>(this) + centreOffset);
  }
}

const centreOffset: usize = (offsetof<Sphere>() + 7) & ~(<usize>7);
export const sphereBytes: usize = centreOffset + offsetof<FramePoint>();

const single: f64 = 5.9604644775390625e-8; // 2^-24
const up: f64 = 1.0000009536743164; // 1 + 2^-20
const down: f64 = 0.9999990463256836; // 1 − 2^-20

/** The two factors, kept per body. */
@unmanaged
export class SphereFactors {
  unit: f64;
  length: f64;
}

/** Computes the factors of a body that has triangles. */
export function sphereFactors(body: Body, out: SphereFactors): void {
  out.unit = frameUnit(body);
  out.length = frameLength(body);
}

/** Places the sphere of four doubles at `world`, centre and radius. */
export function placeSphere(body: Body, world: usize, factors: SphereFactors, sphere: Sphere): void {
  const centre = sphere.centre;
  placePoint(body, load<f64>(world), load<f64>(world, 8), load<f64>(world, 16), centre);
  sphere.x = <f32>centre.x;
  sphere.y = <f32>centre.y;
  sphere.z = <f32>centre.z;
  const reach = max(abs(centre.x), max(abs(centre.y), abs(centre.z)));
  const noise = centre.noise;
  const slack = 1.8 * noise + single * 8.0 * (reach + 3.0);
  const radius = load<f64>(world, 24);
  const far = radius * factors.unit + slack;
  // If it does not fit or is NaN, no box is beyond.
  sphere.beyond = far * far * up < 1e38 ? <f32>(far * far * up) : <f32>Infinity;
  // Squares of smaller numbers may underflow. Nothing is within a sphere that cannot be placed.
  const near = (radius / factors.length) * down - slack;
  sphere.within = near > 1e-10 ? <f32>(min<f64>(near * near, 1e38) * down) : -1;
}

/** Which of a node's four boxes may meet the sphere, and from bit 4 on, which of them are certainly within it. */
export function openSphere(node: Node, sphere: Sphere): u32 {
  const zero = f32x4.splat(0);
  const x = f32x4.abs(f32x4.sub(f32x4.splat(sphere.x), node.centreX));
  const y = f32x4.abs(f32x4.sub(f32x4.splat(sphere.y), node.centreY));
  const z = f32x4.abs(f32x4.sub(f32x4.splat(sphere.z), node.centreZ));
  const least = squares(
    f32x4.pmax(zero, f32x4.sub(x, node.halfX)),
    f32x4.pmax(zero, f32x4.sub(y, node.halfY)),
    f32x4.pmax(zero, f32x4.sub(z, node.halfZ)),
  );
  const most = squares(f32x4.add(x, node.halfX), f32x4.add(y, node.halfY), f32x4.add(z, node.halfZ));
  const beyond = i32x4.bitmask(f32x4.gt(least, f32x4.splat(sphere.beyond)));
  const within = i32x4.bitmask(f32x4.le(most, f32x4.splat(sphere.within)));
  return (~beyond & 15) | (within << 4);
}

/** Which of a leaf's four triangles have a corner that certainly lies within the sphere: a box without extent in `openSphere`. */
export function cornersInSphere(leaf: Leaf, sphere: Sphere): u32 {
  const least = f32x4.pmin(
    fromCentre(sphere, leaf.x0, leaf.y0, leaf.z0),
    f32x4.pmin(fromCentre(sphere, leaf.x1, leaf.y1, leaf.z1), fromCentre(sphere, leaf.x2, leaf.y2, leaf.z2)),
  );
  return i32x4.bitmask(f32x4.le(least, f32x4.splat(sphere.within)));
}

/** Squared distances of four points from the centre. */
function fromCentre(sphere: Sphere, x: v128, y: v128, z: v128): v128 {
  return squares(
    f32x4.sub(f32x4.splat(sphere.x), x),
    f32x4.sub(f32x4.splat(sphere.y), y),
    f32x4.sub(f32x4.splat(sphere.z), z),
  );
}

function squares(x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
}

/**
 * Tests the sphere of four doubles at `sphere` against the triangle of nine doubles at `p`. Most triangles that a
 * sphere meets have a corner in it. The squared distance of a corner is three differences, three squares and two
 * sums: it is off by at most 6·2^-53 of itself, and by 2^-1073 where squares underflow, which is far less than 2^-48
 * of the square of the radius if that is not as small itself.
 */
export function testSphere(sphere: usize, p: usize, near: Near): i32 {
  const x = load<f64>(sphere);
  const y = load<f64>(sphere, 8);
  const z = load<f64>(sphere, 16);
  const radius = load<f64>(sphere, 24);
  const inner = radius * radius * 0.9999999999999964; // 1 − 2^-48
  if (inner > 1e-290 && inner < 1e290) {
    for (let corner: usize = 0; corner < 72; corner += 24) {
      const dx = load<f64>(p + corner) - x;
      const dy = load<f64>(p + corner, 8) - y;
      const dz = load<f64>(p + corner, 16) - z;
      if (dx * dx + dy * dy + dz * dz <= inner) return certainHit;
    }
  }
  pointTriangle(x, y, z, p, near);
  if (near.low > radius) return certainMiss;
  return near.high <= radius ? certainHit : 0;
}

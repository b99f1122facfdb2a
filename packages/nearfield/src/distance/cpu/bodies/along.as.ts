// How far apart are parts of two bodies along one direction? Whatever the direction, that is a lower bound of their
// distance. It costs one number per box or triangle, of the size of the bodies. Two uses:
//
// Beside the distances of boxes. Along the direction between the nearest points known so far, boxes that lie askew to
// each other are bounded as they are, each along its own axes, not by boxes around them. For boxes that overlap, the
// bound says which way leads to the gap.
//
// In place of the distances of boxes, if the bodies are far apart compared with their size. Single precision then no
// longer tells distances of their parts apart. But all distances run nearly along the direction between the bodies, and
// positions along it are as precise as ever.
//
// Let u be a unit direction in A's frame (frame.as.ts: B's point v lies at R·v + T). For points p of A and v of B the
// distance in A's frame is at least u·(R·v + T − p) = u·T + (Rᵀu)·v − u·p. Let α be the most u·p of a box or triangle
// of A, and β the least (Rᵀu)·v of one of B. Then β − α + u·T − slack bounds the distance, where
//   slack = unit·2·Σ(e_A + e_B) + 1.8·‖F‖·reach + 2^-24·16·(2 + |Rᵀu|₁) + 2^-50·|T|:
// the rounding of world positions, of the inverse, of α and β and their parts (|p| ≤ 1, |v| ≤ 1; five roundings and
// those of the stored corners), and of u·T. In single precision, adding u·T − slack takes two more roundings:
// 2^-22·|u·T| holds them.

import { Leaf, Node } from '../../../bvh/cpu/build/layout.as';
import { mapDoubles, mapUncertainty } from '../../../bvh/cpu/place/frame.as';
import { Body } from '../../../bvh/cpu/place/place.as';
import { DistanceJob } from './distance-job.as';

/** How a direction is used: not at all, beside the distances of boxes, or in place of them. */
export const alongNone: u32 = 0;
export const alongBeside: u32 = 1;
export const alongAlone: u32 = 2;

/** From a distance of this many half lengths of A's box on, bodies count as far apart. */
const farReach: f64 = 64;
const single: f64 = 5.9604644775390625e-8; // 2^-24

/** Decides whether the bodies are far apart. If so, the direction from A's middle to B's is taken and stays. */
export function startAlong(job: DistanceJob, a: Body, b: Body, reach: f64): void {
  job.along = alongNone;
  job.alongReach = reach;
  const map = job.frame + mapDoubles;
  const x = load<f64>(map, 48);
  const y = load<f64>(map, 112);
  const z = load<f64>(map, 176);
  const length = sqrt(x * x + y * y + z * z);
  if (!(length > farReach && length < 1e30)) return;
  choose(job, a, b, x / length, y / length, z / length);
  job.along = alongAlone;
}

/** Takes the world direction (x, y, z) from A to B, unless the bodies are far apart. */
export function turnAlong(job: DistanceJob, a: Body, b: Body, x: f64, y: f64, z: f64): void {
  if (job.along === alongAlone) return;
  if (!(load<f32>(job.frame, mapUncertainty) < 1)) return;
  const g = a.g;
  const ux = load<f64>(g) * x + load<f64>(g, 24) * y + load<f64>(g, 48) * z;
  const uy = load<f64>(g, 8) * x + load<f64>(g, 32) * y + load<f64>(g, 56) * z;
  const uz = load<f64>(g, 16) * x + load<f64>(g, 40) * y + load<f64>(g, 64) * z;
  const length = sqrt(ux * ux + uy * uy + uz * uz);
  if (!(length > 1e-150 && length < 1e150)) return;
  choose(job, a, b, ux / length, uy / length, uz / length);
  job.along = alongBeside;
}

/** Rows of u, of |u|, of Rᵀu and of |Rᵀu|, u·T and the slack. */
function choose(job: DistanceJob, a: Body, b: Body, x: f64, y: f64, z: f64): void {
  const map = job.frame + mapDoubles;
  put(job.alongRows, x);
  put(job.alongRows + 16, y);
  put(job.alongRows + 32, z);
  let sum: f64 = 0;
  let noise: f64 = 0;
  let size: f64 = 0;
  for (let column: usize = 0; column < 3; column++) {
    const at = map + (column << 4);
    const along = load<f64>(at) * x + load<f64>(at, 64) * y + load<f64>(at, 128) * z;
    put(job.alongRows + 96 + (column << 4), along);
    sum += abs(along);
    noise += load<f64>(a.e + (column << 3)) + load<f64>(b.e + (column << 3));
    size += abs(load<f64>(map + (column << 6), 48));
  }
  const offset = load<f64>(map, 48) * x + load<f64>(map, 112) * y + load<f64>(map, 176) * z;
  const slack =
    job.unitA * 2.0 * noise +
    1.8 * a.f * job.alongReach +
    single * 16.0 * (2.0 + sum) +
    8.881784197001252e-16 * size;
  job.alongOffset = offset;
  job.alongSlack = slack;
  job.alongLift = <f32>(offset - slack - 4.0 * single * abs(offset));
}

function put(at: usize, value: f64): void {
  v128.store(at, f32x4.splat(<f32>value));
  v128.store(at, f32x4.splat(abs(<f32>value)), 48);
}

/** The limit of β − α when no other bound is used. */
export function limitAlone(job: DistanceJob): void {
  const limit = job.best * job.unitA - job.alongOffset;
  const slack = job.alongSlack;
  job.limitA = <f32>(limit + slack + single * 2.0 * (abs(limit) + slack));
}

/** How far the four boxes of a node reach: for A the most along u, for B the negative of the least along Rᵀu. */
export function reachBoxes(job: DistanceJob, node: Node, ofB: bool): v128 {
  const rows = job.alongRows + (ofB ? 96 : 0);
  const centre = dot(rows, node.centreX, node.centreY, node.centreZ);
  const half = dot(rows + 48, node.halfX, node.halfY, node.halfZ);
  return ofB ? f32x4.sub(half, centre) : f32x4.add(half, centre);
}

/** The same for a leaf's triangles. */
export function reachTriangles(job: DistanceJob, leaf: Leaf, ofB: bool): v128 {
  const rows = job.alongRows + (ofB ? 96 : 0);
  const first = dot(rows, leaf.x0, leaf.y0, leaf.z0);
  const second = dot(rows, leaf.x1, leaf.y1, leaf.z1);
  const third = dot(rows, leaf.x2, leaf.y2, leaf.z2);
  return ofB
    ? f32x4.neg(f32x4.pmin(f32x4.pmin(first, second), third))
    : f32x4.pmax(f32x4.pmax(first, second), third);
}

/** β − α of the four boxes of a node against one box of the other tree, whose value is in its first lane. */
export function alongBoxes(job: DistanceJob, node: Node, box: usize, ofB: bool): v128 {
  const other = f32x4.splat(f32x4.extract_lane(reachBoxes(job, changetype<Node>(box), !ofB), 0));
  return f32x4.neg(f32x4.add(reachBoxes(job, node, ofB), other));
}

/** u·T − slack of the current direction. A reach along an earlier direction must not be combined with it. */
export function liftAlong(job: DistanceJob): v128 {
  return f32x4.splat(job.alongLift);
}

/** Squares of the distances in A's frame that β − α proves. */
export function provedSquares(keys: v128, lift: v128): v128 {
  const apart = f32x4.pmax(f32x4.splat(0), f32x4.add(keys, lift));
  return f32x4.mul(apart, apart);
}

function dot(rows: usize, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(rows), x), f32x4.mul(v128.load(rows, 16), y)),
    f32x4.mul(v128.load(rows, 32), z),
  );
}

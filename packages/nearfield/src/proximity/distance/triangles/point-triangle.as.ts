// How far is a point from a triangle, in double, between which bounds, and which feature of the triangle is nearest?
// The nearest point by Voronoi regions (Ericson, Real-Time Collision Detection, 5.1.5); the bounds from what that gave.
//
// Everything is relative to the point: a, b, c are the corners less the point, each coordinate one rounding off. Let S be the
// largest of their coordinates in magnitude and u = 2^-53. Whatever weights in [0, 1] the regions came to, the computed
// nearest point g is within 20·u·S of a point of the triangle (√3·u·S for the corners; the weights' sum, three products
// and two sums a coordinate), and its computed length within 4·u of its length, which is at most √3·S·(1 + 20u). So
//   distance ≤ |g| + 32·u·S.
// And whatever g is, the plane normal to it through the corner least far along it bounds the triangle:
//   distance ≥ min(g·a, g·b, g·c)/|g| − 32·u·S:
// three products and two sums, a root and a quotient, each at most √3·S in size, come to less than 16·u·S, the corners'
// own rounding to √3·u·S. 32·u = 2^-48. The second bound is as close to the first as g is to right: nothing is assumed
// of it. Where coordinates are so small that squares underflow, the length is off by at most 2^-536: `leastLength`.
//
// A feature is certain where every sign that chose it is. A sign is that of a sum of three products of differences; with
// s the sum of the products' magnitudes, it is certain where the sum exceeds 16·u·s (two roundings of each factor, one
// of the product, two of sums), or where a product of zeros makes it exactly 0. For the side of an edge, with the
// normal n in place of a difference, n is off by 6·u times the sum of its own products' magnitudes: `side`.

/** Where the answer is written: bounds of the distance, the nearest point less the point, the feature. */
export const nearLow: usize = 0;
export const nearHigh: usize = 8;
export const nearX: usize = 16;
export const nearY: usize = 24;
export const nearZ: usize = 32;
/** 0 the face, 1 to 3 the edges ab, bc, ca, 4 to 6 the corners. */
export const nearFeature: usize = 40;
/** 1 where the feature is certain. */
export const nearCertain: usize = 44;
/** Where on the feature: the share along an edge; of the face, the weights of b and of c. */
export const nearWeights: usize = 48;
export const nearBytes: usize = 64;

const roundings: f64 = 3.552713678800501e-15; // 2^-48
const signRoundings: f64 = 1.7763568394002505e-15; // 16 · 2^-53
/** Sums of products below this may owe too much to underflow. */
const leastProduct: f64 = 1e-280;
const leastLength: f64 = 4.450147717014403e-161; // > 2^-534

/** The triangle of nine doubles at `corners` and the point (x, y, z); what was found goes to `out`. */
export function pointTriangle(x: f64, y: f64, z: f64, corners: usize, out: usize): void {
  const ax = load<f64>(corners) - x;
  const ay = load<f64>(corners, 8) - y;
  const az = load<f64>(corners, 16) - z;
  const bx = load<f64>(corners, 24) - x;
  const by = load<f64>(corners, 32) - y;
  const bz = load<f64>(corners, 40) - z;
  const cx = load<f64>(corners, 48) - x;
  const cy = load<f64>(corners, 56) - y;
  const cz = load<f64>(corners, 64) - z;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  // How far the point lies along the edges from a, from b, from c: signs say which corner's region it is in.
  const d1 = -(ux * ax + uy * ay + uz * az);
  const d2 = -(vx * ax + vy * ay + vz * az);
  const d3 = -(ux * bx + uy * by + uz * bz);
  const d4 = -(vx * bx + vy * by + vz * bz);
  const d5 = -(ux * cx + uy * cy + uz * cz);
  const d6 = -(vx * cx + vy * cy + vz * cz);
  const sideAb = d1 * d4 - d3 * d2;
  const sideCa = d5 * d2 - d1 * d6;
  const sideBc = d3 * d6 - d5 * d4;
  const size = max(
    max(max(abs(ax), abs(ay)), max(abs(az), abs(bx))),
    max(max(max(abs(by), abs(bz)), abs(cx)), max(abs(cy), abs(cz))),
  );
  let feature: u32 = 0;
  let first: f64 = 0;
  let second: f64 = 0;
  let gx: f64;
  let gy: f64;
  let gz: f64;
  if (d1 <= 0 && d2 <= 0) {
    feature = 4;
    gx = ax;
    gy = ay;
    gz = az;
  } else if (d3 >= 0 && d4 <= d3) {
    feature = 5;
    gx = bx;
    gy = by;
    gz = bz;
  } else if (d6 >= 0 && d5 <= d6) {
    feature = 6;
    gx = cx;
    gy = cy;
    gz = cz;
  } else if (sideAb <= 0 && d1 >= 0 && d3 <= 0) {
    feature = 1;
    const t = weight(d1, d1 - d3);
    first = t;
    gx = ax + t * ux;
    gy = ay + t * uy;
    gz = az + t * uz;
  } else if (sideCa <= 0 && d2 >= 0 && d6 <= 0) {
    feature = 3;
    const t = weight(d2, d2 - d6);
    first = 1.0 - t;
    gx = ax + t * vx;
    gy = ay + t * vy;
    gz = az + t * vz;
  } else if (sideBc <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    feature = 2;
    const t = weight(d4 - d3, d4 - d3 + (d5 - d6));
    first = t;
    gx = bx + t * (cx - bx);
    gy = by + t * (cy - by);
    gz = bz + t * (cz - bz);
  } else {
    const sum = sideAb + sideBc + sideCa;
    const v = weight(sideCa, sum);
    const w = min(weight(sideAb, sum), 1.0 - v);
    first = v;
    second = w;
    gx = ax + v * ux + w * vx;
    gy = ay + v * uy + w * vy;
    gz = az + v * uz + w * vz;
  }
  const length = sqrt(gx * gx + gy * gy + gz * gz);
  const error = roundings * size + leastLength;
  store<f64>(out, length + error, nearHigh);
  let low: f64 = 0;
  if (length > leastLength) {
    const along = min(
      gx * ax + gy * ay + gz * az,
      min(gx * bx + gy * by + gz * bz, gx * cx + gy * cy + gz * cz),
    );
    low = max<f64>(0, along / length - error);
  }
  store<f64>(out, low, nearLow);
  store<f64>(out, gx, nearX);
  store<f64>(out, gy, nearY);
  store<f64>(out, gz, nearZ);
  store<u32>(out, feature, nearFeature);
  store<f64>(out, first, nearWeights);
  store<f64>(out, second, nearWeights + 8);
}

/** A quotient that is a share: within [0, 1] whatever rounding did, also of 0 by 0. */
function weight(part: f64, whole: f64): f64 {
  const share = part / whole;
  return share >= 0 ? min<f64>(share, 1) : 0;
}

/** After `pointTriangle`, of the same point and corners: writes whether its feature is certain. */
export function certify(x: f64, y: f64, z: f64, corners: usize, out: usize): void {
  const feature = load<u32>(out, nearFeature);
  let certain = false;
  if (feature >= 4) {
    // Before the corner on both edges from it.
    const at = <usize>(feature - 4) * 24;
    certain =
      notAhead(x, y, z, corners + at, corners + next(at)) &&
      notAhead(x, y, z, corners + at, corners + next(next(at)));
  } else if (feature >= 1) {
    const at = <usize>(feature - 1) * 24;
    const to = next(at);
    certain =
      ahead(x, y, z, corners + at, corners + to) &&
      ahead(x, y, z, corners + to, corners + at) &&
      side(x, y, z, corners + at, corners + to, corners + next(to)) < 0;
  } else {
    certain =
      side(x, y, z, corners, corners + 24, corners + 48) > 0 &&
      side(x, y, z, corners + 24, corners + 48, corners) > 0 &&
      side(x, y, z, corners + 48, corners, corners + 24) > 0;
  }
  store<u32>(out, certain ? 1 : 0, nearCertain);
}

function next(at: usize): usize {
  return at === 48 ? 0 : at + 24;
}

/** Certainly (p − from)·(to − from) ≤ 0. */
function notAhead(x: f64, y: f64, z: f64, from: usize, to: usize): bool {
  const px = (x - load<f64>(from)) * (load<f64>(to) - load<f64>(from));
  const py = (y - load<f64>(from, 8)) * (load<f64>(to, 8) - load<f64>(from, 8));
  const pz = (z - load<f64>(from, 16)) * (load<f64>(to, 16) - load<f64>(from, 16));
  const magnitude = abs(px) + abs(py) + abs(pz);
  // So small, products may have vanished: only where the point is the corner is it certain.
  if (magnitude < leastProduct)
    return x === load<f64>(from) && y === load<f64>(from, 8) && z === load<f64>(from, 16);
  return px + py + pz <= -signRoundings * magnitude;
}

/** Certainly (p − from)·(to − from) > 0. */
function ahead(x: f64, y: f64, z: f64, from: usize, to: usize): bool {
  const px = (x - load<f64>(from)) * (load<f64>(to) - load<f64>(from));
  const py = (y - load<f64>(from, 8)) * (load<f64>(to, 8) - load<f64>(from, 8));
  const pz = (z - load<f64>(from, 16)) * (load<f64>(to, 16) - load<f64>(from, 16));
  const magnitude = abs(px) + abs(py) + abs(pz);
  return magnitude > leastProduct && px + py + pz > signRoundings * magnitude;
}

/**
 * On which side of the edge the point lies, in the triangle's plane: certainly inward 1, certainly outward −1, else 0. The
 * sign of ((b − a) × (p − a))·n with n = (b − a) × (c − a): a product of two sums, each within 8·u of its magnitudes.
 */
function side(x: f64, y: f64, z: f64, a: usize, b: usize, c: usize): i32 {
  const ux = load<f64>(b) - load<f64>(a);
  const uy = load<f64>(b, 8) - load<f64>(a, 8);
  const uz = load<f64>(b, 16) - load<f64>(a, 16);
  const vx = load<f64>(c) - load<f64>(a);
  const vy = load<f64>(c, 8) - load<f64>(a, 8);
  const vz = load<f64>(c, 16) - load<f64>(a, 16);
  const px = x - load<f64>(a);
  const py = y - load<f64>(a, 8);
  const pz = z - load<f64>(a, 16);
  const sum =
    (uy * pz - uz * py) * (uy * vz - uz * vy) +
    (uz * px - ux * pz) * (uz * vx - ux * vz) +
    (ux * py - uy * px) * (ux * vy - uy * vx);
  const magnitude =
    (abs(uy * pz) + abs(uz * py)) * (abs(uy * vz) + abs(uz * vy)) +
    (abs(uz * px) + abs(ux * pz)) * (abs(uz * vx) + abs(ux * vz)) +
    (abs(ux * py) + abs(uy * px)) * (abs(ux * vy) + abs(uy * vx));
  const bound = 2.0 * signRoundings * magnitude;
  if (!(magnitude < Infinity) || !(magnitude > 1e-250)) return 0;
  return sum > bound ? 1 : sum < -bound ? -1 : 0;
}

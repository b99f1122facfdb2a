// How far is a point from a triangle, in double, between which bounds, and which feature of the triangle is nearest?
// The nearest point is found by Voronoi regions (Ericson, Real-Time Collision Detection, 5.1.5), the bounds from the
// result.
//
// Everything is relative to the point: a, b, c are the corners minus the point, each coordinate off by one rounding.
// Let S be the largest magnitude of their coordinates and u = 2^-53. Whatever weights in [0, 1] the regions gave, the
// computed nearest point g is within 20·u·S of a point of the triangle (√3·u·S for the corners; the weights' sum, three
// products and two sums per coordinate), and its computed length within 4·u of its length, which is at most √3·S·(1 +
// 20u). So
//   distance ≤ |g| + 32·u·S.
// And whatever g is, the plane normal to it through the corner least far along it bounds the triangle:
//   distance ≥ min(g·a, g·b, g·c)/|g| − 32·u·S:
// three products and two sums, a root and a quotient, each at most √3·S in size, sum to less than 16·u·S, the corners'
// own rounding to √3·u·S. 32·u = 2^-48. The second bound is as close to the first as g is to the true nearest point:
// nothing is assumed about it. If coordinates are so small that squares underflow, the length is off by at most 2^-536:
// `leastLength`.
//
// On slivers, sums of four factors each lose the sign that separates the regions, and the weights come out of any size:
// the point is then far from nearest, and the bounds show it. If they are more than 2^-20 of S apart, the feet on the
// three edges and the foot on the face, its weights from cross products, are tried as well; the nearest of them is
// taken. An edge's foot is as precise as a sum of three products: on a sliver it is no farther from the nearest point
// than the sliver is wide.

/** The output. */
@unmanaged
export class Near {
  /** Bounds of the distance. */
  low: f64;
  high: f64;
  /** The nearest point minus the point. */
  x: f64;
  y: f64;
  z: f64;
  /** 0 is the face, 1 to 3 the edges ab, bc, ca, 4 to 6 the corners. */
  feature: u32;
  /** 1 if the feature is certain (point-feature.as.ts). */
  certain: u32;
  /** The position on the feature: the share along an edge, or the weights of b and c on the face. */
  firstWeight: f64;
  secondWeight: f64;
}

export const nearBytes: usize = offsetof<Near>();

const roundings: f64 = 3.552713678800501e-15; // 2^-48
/** If the bounds are farther apart than this share of S, a second try is worthwhile. */
const apart: f64 = 9.5367431640625e-7; // 2^-20
const leastLength: f64 = 4.450147717014403e-161; // > 2^-534

/** Measures the point (x, y, z) against the triangle of nine doubles at `corners`. The result goes to `out`. */
export function pointTriangle(x: f64, y: f64, z: f64, corners: usize, out: Near): void {
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
  // How far the point lies along the edges from a, from b, from c. The signs say which corner's region it is in.
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
  out.feature = feature;
  out.firstWeight = first;
  out.secondWeight = second;
  writeBounds(ax, ay, az, bx, by, bz, cx, cy, cz, gx, gy, gz, size, out);
  if (!(out.high - out.low <= apart * size)) tryFeet(ax, ay, az, bx, by, bz, cx, cy, cz, size, out);
}

/** Writes g and the bounds that it gives. */
function writeBounds(
  ax: f64,
  ay: f64,
  az: f64,
  bx: f64,
  by: f64,
  bz: f64,
  cx: f64,
  cy: f64,
  cz: f64,
  gx: f64,
  gy: f64,
  gz: f64,
  size: f64,
  out: Near,
): void {
  const length = sqrt(gx * gx + gy * gy + gz * gz);
  const error = roundings * size + leastLength;
  out.high = length + error;
  let low: f64 = 0;
  if (length > leastLength) {
    const along = min(
      gx * ax + gy * ay + gz * az,
      min(gx * bx + gy * by + gz * bz, gx * cx + gy * cy + gz * cz),
    );
    low = max<f64>(0, along / length - error);
  }
  out.low = low;
  out.x = gx;
  out.y = gy;
  out.z = gz;
}

/** Tries the feet on all features in turn. A nearer one replaces the best so far, and the higher lower bound stays. */
function tryFeet(
  ax: f64,
  ay: f64,
  az: f64,
  bx: f64,
  by: f64,
  bz: f64,
  cx: f64,
  cy: f64,
  cz: f64,
  size: f64,
  out: Near,
): void {
  let low = out.low;
  for (let edge: u32 = 1; edge <= 3; edge++) {
    const px = edge === 1 ? ax : edge === 2 ? bx : cx;
    const py = edge === 1 ? ay : edge === 2 ? by : cy;
    const pz = edge === 1 ? az : edge === 2 ? bz : cz;
    const ex = (edge === 1 ? bx : edge === 2 ? cx : ax) - px;
    const ey = (edge === 1 ? by : edge === 2 ? cy : ay) - py;
    const ez = (edge === 1 ? bz : edge === 2 ? cz : az) - pz;
    const t = weight(-(px * ex + py * ey + pz * ez), ex * ex + ey * ey + ez * ez);
    const gx = px + t * ex;
    const gy = py + t * ey;
    const gz = pz + t * ez;
    const old = out.high;
    if (sqrt(gx * gx + gy * gy + gz * gz) + roundings * size + leastLength < old || !(old < Infinity)) {
      writeBounds(ax, ay, az, bx, by, bz, cx, cy, cz, gx, gy, gz, size, out);
      // At its ends, an edge's foot is a corner.
      const corner: u32 = t === 0 ? edge : t === 1 ? (edge === 3 ? 1 : edge + 1) : 0;
      out.feature = corner === 0 ? edge : corner + 3;
      out.firstWeight = t;
      out.secondWeight = 0;
      low = max(low, out.low);
    }
  }
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const area = nx * nx + ny * ny + nz * nz;
  // The weight of b comes from (p − a) × v along n, that of c from u × (p − a).
  const v = ((az * vy - ay * vz) * nx + (ax * vz - az * vx) * ny + (ay * vx - ax * vy) * nz) / area;
  const w = ((uz * ay - uy * az) * nx + (ux * az - uz * ax) * ny + (uy * ax - ux * ay) * nz) / area;
  if (v > 0 && w > 0 && v + w < 1) {
    const gx = ax + v * ux + w * vx;
    const gy = ay + v * uy + w * vy;
    const gz = az + v * uz + w * vz;
    if (sqrt(gx * gx + gy * gy + gz * gz) + roundings * size + leastLength < out.high) {
      writeBounds(ax, ay, az, bx, by, bz, cx, cy, cz, gx, gy, gz, size, out);
      out.feature = 0;
      out.firstWeight = v;
      out.secondWeight = w;
      low = max(low, out.low);
    }
  }
  out.low = low;
}

/** A quotient clamped to [0, 1], whatever the rounding, also for 0/0. */
function weight(part: f64, whole: f64): f64 {
  const share = part / whole;
  return share >= 0 ? min<f64>(share, 1) : 0;
}

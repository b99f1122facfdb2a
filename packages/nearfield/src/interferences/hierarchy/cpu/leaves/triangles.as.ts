// Do two triangles meet? Decided on their world doubles as far as double arithmetic can prove it. What it cannot prove
// (touching, coplanar, degenerate) is unsure and is decided by exact arithmetic elsewhere.
//
// All signs are of determinants det(U, V, W) = (U × V)·W of differences of coordinates. Error bound, u = 2^-53: every
// one of the six terms U_i V_j W_k passes three differences, two products, one difference and at most two sums, so it
// is off by at most ((1 + u)^8 − 1) < 8.01u of its size. If |U|, |V| ≤ A and |W| ≤ M per axis, the terms sum to at most
// 2P, P = A_y A_z M_x + A_z A_x M_y + A_x A_y M_z: the error is below 16.02u·P. P itself is computed from rounded
// maxima with five roundings per term: 17u·P as computed is enough. Underflow: a difference of doubles never underflows;
// each of the six products in U × V may be off by 2^-1075, which W multiplies, and each of the last three by 2^-1075.
// Adding 2^-1070·(M_x + M_y + M_z + 1) covers them all, and what P loses by underflow; the bounds have 2^-1000 there,
// because arithmetic on subnormal numbers is slow. Overflow leaves an infinite or NaN determinant or bound: `sign`
// takes neither for an answer.

export const separate: i32 = 0;
export const meeting: i32 = 1;
export const unsure: i32 = 2;

const determinantError: f64 = 1.8873791418627661e-15; // 17 · 2^-53
const pairError: f64 = 5.551115123125783e-15; // 50 · 2^-53
const projectionError: f64 = 6.661338147750939e-16; // 6 · 2^-53
const tiny: f64 = 9.332636185032189e-302; // 2^-1000

/** 1 or −1, or 0 if the sign is not certain. */
function sign(value: f64, bound: f64): i32 {
  if (value > bound && value < Infinity) return 1;
  if (value < -bound && value > -Infinity) return -1;
  return 0;
}

/** a and b: nine doubles each, three corners. */
export function trianglesMeet(a: usize, b: usize): i32 {
  const p0x = load<f64>(a);
  const p0y = load<f64>(a, 8);
  const p0z = load<f64>(a, 16);
  const q0x = load<f64>(b);
  const q0y = load<f64>(b, 8);
  const q0z = load<f64>(b, 16);
  // B's corners against A's plane.
  const ux = load<f64>(a, 24) - p0x;
  const uy = load<f64>(a, 32) - p0y;
  const uz = load<f64>(a, 40) - p0z;
  const vx = load<f64>(a, 48) - p0x;
  const vy = load<f64>(a, 56) - p0y;
  const vz = load<f64>(a, 64) - p0z;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const w0x = q0x - p0x;
  const w0y = q0y - p0y;
  const w0z = q0z - p0z;
  const w1x = load<f64>(b, 24) - p0x;
  const w1y = load<f64>(b, 32) - p0y;
  const w1z = load<f64>(b, 40) - p0z;
  const w2x = load<f64>(b, 48) - p0x;
  const w2y = load<f64>(b, 56) - p0y;
  const w2z = load<f64>(b, 64) - p0z;
  const ax = max(abs(ux), abs(vx));
  const ay = max(abs(uy), abs(vy));
  const az = max(abs(uz), abs(vz));
  let mx = max(max(abs(w0x), abs(w1x)), abs(w2x));
  let my = max(max(abs(w0y), abs(w1y)), abs(w2y));
  let mz = max(max(abs(w0z), abs(w1z)), abs(w2z));
  let bound = determinantError * (ay * az * mx + az * ax * my + ax * ay * mz) + tiny * (mx + my + mz + 1.0);
  const s0 = sign(nx * w0x + ny * w0y + nz * w0z, bound);
  const s1 = sign(nx * w1x + ny * w1y + nz * w1z, bound);
  const s2 = sign(nx * w2x + ny * w2y + nz * w2z, bound);
  const sumB = s0 + s1 + s2;
  if (sumB === 3 || sumB === -3) return separate;
  // A's corners against B's plane. A's first corner relative to B's first is exactly −w0.
  const cx = load<f64>(b, 24) - q0x;
  const cy = load<f64>(b, 32) - q0y;
  const cz = load<f64>(b, 40) - q0z;
  const dx = load<f64>(b, 48) - q0x;
  const dy = load<f64>(b, 56) - q0y;
  const dz = load<f64>(b, 64) - q0z;
  const kx = cy * dz - cz * dy;
  const ky = cz * dx - cx * dz;
  const kz = cx * dy - cy * dx;
  const e1x = load<f64>(a, 24) - q0x;
  const e1y = load<f64>(a, 32) - q0y;
  const e1z = load<f64>(a, 40) - q0z;
  const e2x = load<f64>(a, 48) - q0x;
  const e2y = load<f64>(a, 56) - q0y;
  const e2z = load<f64>(a, 64) - q0z;
  const bx = max(abs(cx), abs(dx));
  const by = max(abs(cy), abs(dy));
  const bz = max(abs(cz), abs(dz));
  mx = max(max(abs(w0x), abs(e1x)), abs(e2x));
  my = max(max(abs(w0y), abs(e1y)), abs(e2y));
  mz = max(max(abs(w0z), abs(e1z)), abs(e2z));
  bound = determinantError * (by * bz * mx + bz * bx * my + bx * by * mz) + tiny * (mx + my + mz + 1.0);
  const r0 = sign(-(kx * w0x + ky * w0y + kz * w0z), bound);
  const r1 = sign(kx * e1x + ky * e1y + kz * e1z, bound);
  const r2 = sign(kx * e2x + ky * e2y + kz * e2z, bound);
  const sumA = r0 + r1 + r2;
  if (sumA === 3 || sumA === -3) return separate;
  if (s0 * s1 * s2 * r0 * r1 * r2 === 0) return apart(a, b) ? separate : unsure;
  return intervalsMeet(a, b, r0, r1, r2, s0, s1, s2);
}

/**
 * Whether a corner of one triangle equals a corner of the other. They then meet, which no determinant would show. All nine
 * pairs are compared, since a branch per pair could not be predicted.
 */
export function shareCorner(a: usize, b: usize): bool {
  let any = false;
  for (const endA = a + 72; a < endA; a += 24) {
    for (let q = b; q < b + 72; q += 24) {
      const xy = f64x2.eq(v128.load(a), v128.load(q));
      const z = f64x2.eq(v128.load64_splat(a, 16), v128.load64_splat(q, 16));
      any = any | i64x2.all_true(v128.and(xy, z));
    }
  }
  return any;
}

/**
 * Both triangles properly cross the other's plane: they meet iff the intervals they cut from the planes' common
 * line do (Guigue & Devillers 2003, derived here for our signs).
 *
 * Turn the corners so that a0 is alone on its side of B's plane and b0 on its side of A's, and exchange the other two
 * corners of a triangle where needed so that both are on the positive side; n_A = (a1 − a0) × (a2 − a0). Let
 * D = n_A × n_B be the direction of the line, I, J the points of the edges a0a1, a0a2 on it, K, L those of b0b1, b0b2.
 * Seen against n_A with a0 on top, a1 is on the left, and D points left: A's interval is [J, I] along D. Seen against
 * n_B with b0 on top, b1 is on the left, and D points right: B's interval is [K, L]. They meet iff K ≤ I and J ≤ L.
 * With p = a0 − a1, q = b0 − b1 and K − I = κD: det(a1 − a0, b0 − a0, b1 − a0) is a positive multiple of κ·det(p, D,
 * q) = −κ·(n_A × n_B)·(p × q) = κ·(n_A·q)(n_B·p) (since n_A·p = n_B·q = 0), and n_A·q, n_B·p > 0: K ≤ I iff that
 * determinant is ≤ 0. In the same way J ≤ L iff det(a2 − a0, b0 − a0, b2 − a0) ≥ 0.
 */
function intervalsMeet(a: usize, b: usize, r0: i32, r1: i32, r2: i32, s0: i32, s1: i32, s2: i32): i32 {
  let a0 = a;
  let a1 = a + 24;
  let a2 = a + 48;
  let aloneA = r0;
  if (r0 === r1) {
    a0 = a + 48;
    a1 = a;
    a2 = a + 24;
    aloneA = r2;
  } else if (r0 === r2) {
    a0 = a + 24;
    a1 = a + 48;
    a2 = a;
    aloneA = r1;
  }
  let b0 = b;
  let b1 = b + 24;
  let b2 = b + 48;
  let aloneB = s0;
  if (s0 === s1) {
    b0 = b + 48;
    b1 = b;
    b2 = b + 24;
    aloneB = s2;
  } else if (s0 === s2) {
    b0 = b + 24;
    b1 = b + 48;
    b2 = b;
    aloneB = s1;
  }
  if (aloneA < 0) {
    const swap = b1;
    b1 = b2;
    b2 = swap;
  }
  if (aloneB < 0) {
    const swap = a1;
    a1 = a2;
    a2 = swap;
  }
  const first = edgesTurn(a0, a1, b0, b1);
  if (first > 0) return separate;
  const second = edgesTurn(a0, a2, b0, b2);
  if (second < 0) return separate;
  if (first < 0 && second > 0) return meeting;
  return apart(a, b) ? separate : unsure;
}

/**
 * Sign of det(p − o, q − o, r − o), 0 if uncertain. If every difference is at most X, Y, Z per axis, the six terms sum
 * to at most 6XYZ, and 8.01u of that is below 49u·XYZ. Underflow as above.
 */
function edgesTurn(o: usize, p: usize, q: usize, r: usize): i32 {
  const ox = load<f64>(o);
  const oy = load<f64>(o, 8);
  const oz = load<f64>(o, 16);
  const ux = load<f64>(p) - ox;
  const uy = load<f64>(p, 8) - oy;
  const uz = load<f64>(p, 16) - oz;
  const vx = load<f64>(q) - ox;
  const vy = load<f64>(q, 8) - oy;
  const vz = load<f64>(q, 16) - oz;
  const wx = load<f64>(r) - ox;
  const wy = load<f64>(r, 8) - oy;
  const wz = load<f64>(r, 16) - oz;
  const x = max(max(abs(ux), abs(vx)), abs(wx));
  const y = max(max(abs(uy), abs(vy)), abs(wy));
  const z = max(max(abs(uz), abs(vz)), abs(wz));
  const bound = pairError * (x * y * z) + tiny * (x + y + z + 1.0);
  return sign((uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz, bound);
}

/**
 * Whether two triangles of one mesh with one common position, at `apex`, share anything but the apex. a1, a2 and b1, b2
 * are the other corners in the order of the triangles.
 *
 * α_i = det(b1, b2, a_i) and β_i = det(a1, a2, b_i), all relative to the apex. If both α (or both β) have the same
 * sign, the triangle leaves the other's plane at the apex. Otherwise both cut rays from the apex on the planes' common
 * line D = n_A × n_B: from n_B × n_A = a1(n_B·a2) − a2(n_B·a1), A's ray runs along D if α1 > 0 > α2 and against it if
 * α1 < 0 < α2; B's against D if β1 > 0 > β2. They coincide iff α1 and β1 have different signs.
 */
export function vertexNeighboursMeet(apex: usize, a1: usize, a2: usize, b1: usize, b2: usize): i32 {
  const alpha1 = edgesTurn(apex, b1, b2, a1);
  const alpha2 = edgesTurn(apex, b1, b2, a2);
  if (alpha1 * alpha2 > 0) return separate;
  const beta1 = edgesTurn(apex, a1, a2, b1);
  const beta2 = edgesTurn(apex, a1, a2, b2);
  if (beta1 * beta2 > 0) return separate;
  if (alpha1 * alpha2 * beta1 * beta2 === 0) return unsure;
  return alpha1 !== beta1 ? meeting : separate;
}

/**
 * Two triangles with a common edge p q share no more than that edge if the fourth corner is off the plane of the first
 * triangle.
 */
export function edgeNeighboursMeet(p: usize, q: usize, a: usize, b: usize): i32 {
  return edgesTurn(p, q, a, b) !== 0 ? separate : unsure;
}

/**
 * Tries to prove that two triangles are apart, for pairs that the planes did not decide, which are mostly coplanar. It
 * compares world axes exactly, then uses the normals of the planes and of the edges within them. Trying more directions
 * costs more than deciding exactly. Any double vector d is a valid direction, however it was rounded. The products
 * d·(x − a0) are off by at most 5.01u·(|d|·|x − a0|) + 3·2^-1075, so a gap above twice that is real.
 */
function apart(a: usize, b: usize): bool {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const a0 = load<f64>(a + axis);
    const a1 = load<f64>(a + axis, 24);
    const a2 = load<f64>(a + axis, 48);
    const b0 = load<f64>(b + axis);
    const b1 = load<f64>(b + axis, 24);
    const b2 = load<f64>(b + axis, 48);
    if (max(max(a0, a1), a2) < min(min(b0, b1), b2)) return true;
    if (max(max(b0, b1), b2) < min(min(a0, a1), a2)) return true;
  }
  return normalsSeparate(a, a, b) || normalsSeparate(b, a, b);
}

/** Tries the normal of triangle t and the normals of its edges within its plane. */
function normalsSeparate(t: usize, a: usize, b: usize): bool {
  const ux = load<f64>(t, 24) - load<f64>(t);
  const uy = load<f64>(t, 32) - load<f64>(t, 8);
  const uz = load<f64>(t, 40) - load<f64>(t, 16);
  const vx = load<f64>(t, 48) - load<f64>(t);
  const vy = load<f64>(t, 56) - load<f64>(t, 8);
  const vz = load<f64>(t, 64) - load<f64>(t, 16);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  if (directionSeparates(nx, ny, nz, a, b)) return true;
  if (directionSeparates(ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux, a, b)) return true;
  if (directionSeparates(ny * vz - nz * vy, nz * vx - nx * vz, nx * vy - ny * vx, a, b)) return true;
  const ex = vx - ux;
  const ey = vy - uy;
  const ez = vz - uz;
  return directionSeparates(ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex, a, b);
}

function directionSeparates(dx: f64, dy: f64, dz: f64, a: usize, b: usize): bool {
  const ox = load<f64>(a);
  const oy = load<f64>(a, 8);
  const oz = load<f64>(a, 16);
  let lowA: f64 = 0;
  let highA: f64 = 0;
  let lowB: f64 = Infinity;
  let highB: f64 = -Infinity;
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  for (let i: usize = 0; i < 72; i += 24) {
    const ax = load<f64>(a + i) - ox;
    const ay = load<f64>(a + i, 8) - oy;
    const az = load<f64>(a + i, 16) - oz;
    const bx = load<f64>(b + i) - ox;
    const by = load<f64>(b + i, 8) - oy;
    const bz = load<f64>(b + i, 16) - oz;
    x = max(x, max(abs(ax), abs(bx)));
    y = max(y, max(abs(ay), abs(by)));
    z = max(z, max(abs(az), abs(bz)));
    const onA = dx * ax + dy * ay + dz * az;
    const onB = dx * bx + dy * by + dz * bz;
    lowA = min(lowA, onA);
    highA = max(highA, onA);
    lowB = min(lowB, onB);
    highB = max(highB, onB);
  }
  const bound = 2.1 * (projectionError * (abs(dx) * x + abs(dy) * y + abs(dz) * z) + tiny);
  const gap = max(lowB - highA, lowA - highB);
  return gap > bound && gap < Infinity;
}

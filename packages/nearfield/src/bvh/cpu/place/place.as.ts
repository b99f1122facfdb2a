// Places bodies. First it computes the world boxes of all bodies, which the broad phase compares. Then, for bodies in a
// candidate pair, it computes everything else that pairs need, once per pose.
//
// Symbols. A vertex x of the mesh has the world position w = fl(L·x + t): the pose is applied in the order of the
// contract, with every operation rounded. In the tree's frame (layout.as.ts) the same vertex is u = (x − centre)·scale.
// So with K = L/scale and W = L·centre + t, exactly computed, L·x + t = K·u + W.
//
//   K     the linear part from the tree's frame to the world (exact unless it over- or underflows, since scale is
//         a power of two)
//   W     the world position of the tree's centre, as computed
//   e     per world axis: a bound for all double rounding of w, of W and of products formed with them
//   G     an approximate inverse of K·shrink, shrink a power of two that brings the largest entry of K to [½, 1)
//   F     a bound for ‖G·K·shrink − I‖∞ (rows summed)
//   box   a world box that contains every w
//
// e: with S = |L|·reach + |t| (reach = largest |coordinate| of the mesh), w is off by at most 4.1·2^-53·S (three
// products and three sums, each term passing at most four roundings), W likewise (|centre| ≤ reach). The frame of a
// pair (frame.as.ts) forms W_B − W_A (one rounding), multiplies by G (a product and three sums) and multiplies
// K_B by G (a product and two sums, |K|·half ≤ |L|·reach): below 2^-53·(4.1 + 4.1 + 1 + 5 + 5) times the sum of the
// two bodies' S. 2^-48 = 32·2^-53 leaves a margin. Products that underflow are off by at most 2^-1075 each: 2^-1060
// covers more than ten thousand of them.

import { poseBytes } from '../../../cpu/poses.as';
import { Tree } from '../build/layout.as';

/** A placed body. */
@unmanaged
export class Body {
  tree: Tree;
  shrink: f64;
  // `placeBody` writes x and y at once, then z with the field behind it: W, e and F have to follow each other.
  wX: f64;
  wY: f64;
  wZ: f64;
  eX: f64;
  eY: f64;
  eZ: f64;
  f: f64;
  /** Half extents of the mesh in the tree's frame. */
  hX: f64;
  hY: f64;
  hZ: f64;

  /** The addresses of three doubles each. */
  get w(): usize {
    return changetype<usize>(this) + offsetof<Body>('wX');
  }

  get e(): usize {
    return changetype<usize>(this) + offsetof<Body>('eX');
  }

  get h(): usize {
    return changetype<usize>(this) + offsetof<Body>('hX');
  }

  /** 16 doubles, column-major, as given by the caller. */
  get pose(): usize {
    return changetype<usize>(this) + poseOffset;
  }

  /** Nine doubles each, column-major. */
  get k(): usize {
    return changetype<usize>(this) + kOffset;
  }

  get g(): usize {
    return changetype<usize>(this) + gOffset;
  }
}

// The matrices follow the fields.
const poseOffset: usize = offsetof<Body>();
const kOffset: usize = poseOffset + poseBytes;
const gOffset: usize = kOffset + 72;
export const bodyBytes: usize = (gOffset + 72 + 63) & ~(<usize>63);

/** The body at an index of a table. */
export function bodyAt(table: usize, index: u32): Body {
  return changetype<Body>(table + <usize>index * bodyBytes);
}

/** World boxes are stored apart from the bodies, so that the broad phase reads them sequentially. */
@unmanaged
export class WorldBox {
  lowX: f64;
  lowY: f64;
  lowZ: f64;
  highX: f64;
  highY: f64;
  highZ: f64;

  /** The addresses of its corners, three doubles each. */
  get low(): usize {
    return changetype<usize>(this);
  }

  get high(): usize {
    return changetype<usize>(this) + offsetof<WorldBox>('highX');
  }
}

export const worldBoxBytes: usize = offsetof<WorldBox>();

/** The box of a body of the table. */
export function worldBoxAt(boxes: usize, index: u32): WorldBox {
  return changetype<WorldBox>(boxes + <usize>index * worldBoxBytes);
}

export const noiseFactor: f64 = 3.552713678800501e-15; // 2^-48
const roundingFactor: f64 = 8.881784197001252e-16; // 2^-50

/**
 * Computes the world boxes of bodies [first, end) from their poses and trees. Returns the first that overflows, or end.
 * Works on two axes at a time: x and y, then z and the last row, whose result is ignored.
 */
export function boundBodies(poses: usize, trees: usize, boxes: usize, first: u32, end: u32): u32 {
  for (let i = first; i < end; i++) {
    const box = worldBoxAt(boxes, i);
    const tree = load<Tree>(trees + ((<usize>i) << 2));
    if (tree.triangleCount === 0) {
      for (let axis: usize = 0; axis < 24; axis += 8) {
        store<f64>(box.low + axis, Infinity);
        store<f64>(box.high + axis, -Infinity);
      }
      continue;
    }
    const pose = poses + <usize>i * poseBytes;
    const xy = placeAxes(pose, tree);
    const halfXy = halfAxes(pose, tree);
    const z = placeAxes(pose + 16, tree);
    const halfZ = halfAxes(pose + 16, tree);
    const lowXy = f64x2.sub(xy, halfXy);
    const highXy = f64x2.add(xy, halfXy);
    const lowZ = f64x2.sub(z, halfZ);
    const highZ = f64x2.add(z, halfZ);
    // The second half of a store that does not belong here is overwritten by the next store.
    v128.store(box.low, lowXy);
    v128.store(box.low, lowZ, offsetof<WorldBox>('lowZ'));
    v128.store(box.high, highXy);
    box.highZ = f64x2.extract_lane(highZ, 0);
    // If an end of the box is infinite or NaN, this sum of differences is NaN.
    const check = f64x2.add(
      f64x2.add(f64x2.sub(lowXy, lowXy), f64x2.sub(highXy, highXy)),
      f64x2.add(f64x2.sub(lowZ, lowZ), f64x2.sub(highZ, highZ)),
    );
    if (v128.any_true(f64x2.ne(check, check))) return i;
  }
  return end;
}

/** World coordinates of the tree's centre. */
function placeAxes(pose: usize, tree: Tree): v128 {
  return f64x2.add(
    f64x2.add(
      f64x2.add(
        f64x2.mul(v128.load(pose), v128.load64_splat(tree.centre)),
        f64x2.mul(v128.load(pose, 32), v128.load64_splat(tree.centre, 8)),
      ),
      f64x2.mul(v128.load(pose, 64), v128.load64_splat(tree.centre, 16)),
    ),
    v128.load(pose, 96),
  );
}

/** |L|·extent, without the translation. */
function spreadAxes(pose: usize, extent: usize): v128 {
  return f64x2.add(
    f64x2.add(
      f64x2.mul(f64x2.abs(v128.load(pose)), v128.load64_splat(extent)),
      f64x2.mul(f64x2.abs(v128.load(pose, 32)), v128.load64_splat(extent, 8)),
    ),
    f64x2.mul(f64x2.abs(v128.load(pose, 64)), v128.load64_splat(extent, 16)),
  );
}

/** e of two axes. */
function noiseAxes(pose: usize, tree: Tree): v128 {
  const size = f64x2.add(spreadAxes(pose, tree.reach), f64x2.abs(v128.load(pose, 96)));
  // 2^-1060 covers underflow.
  return f64x2.add(f64x2.mul(f64x2.splat(noiseFactor), size), f64x2.splat(reinterpret<f64>((<u64>1) << 14)));
}

/**
 * Half extents of the world box: |L|·half + e. The part of e that is proportional to |L| is combined with the half
 * extents (bound = half + 2^-48·reach). Rounding: three products and two sums of |L|·bound, bound's own
 * rounding, and the ends computed from it. That is less than 12·2^-53 of S, since half ≤ 2·reach; with w and W it is
 * 20.2 of e's 32.
 */
function halfAxes(pose: usize, tree: Tree): v128 {
  const moved = f64x2.mul(f64x2.splat(noiseFactor), f64x2.abs(v128.load(pose, 96)));
  return f64x2.add(
    f64x2.add(spreadAxes(pose, tree.bound), moved),
    f64x2.splat(reinterpret<f64>((<u64>1) << 14)),
  );
}

/**
 * Places the bodies of `count` pairs in a table of their own, in the order in which the pairs name them, and rewrites
 * the pairs as indices into that table. So the data that pairs need is close together, however many other bodies there
 * are. `slots` has one word for each of `rows` bodies.
 */
export function placePairs(
  table: usize,
  poses: usize,
  trees: usize,
  slots: usize,
  rows: u32,
  pairs: usize,
  count: u32,
  out: usize,
): void {
  memory.fill(slots, 0xff, (<usize>rows) << 2);
  const end = pairs + ((<usize>count) << 3);
  let next: u32 = 0;
  for (let at = pairs; at < end; at += 4, out += 4) {
    const i = <usize>load<u32>(at);
    let slot = load<u32>(slots + (i << 2));
    if (slot === 0xffffffff) {
      slot = next++;
      store<u32>(slots + (i << 2), slot);
      placeBody(bodyAt(table, slot), poses + i * poseBytes, load<Tree>(trees + (i << 2)));
    }
    store<u32>(out, slot);
  }
}

/** Computes everything of a body from its pose and tree. */
export function placeBody(body: Body, pose: usize, tree: Tree): void {
  body.tree = tree;
  for (let k: usize = 0; k < poseBytes; k += 16) v128.store(body.pose + k, v128.load(pose + k));
  if (tree.triangleCount === 0) return;
  const scale = tree.scale;
  body.hX = tree.halfX * scale;
  body.hY = tree.halfY * scale;
  body.hZ = tree.halfZ * scale;
  // The second half of the store for z is overwritten by the next store, or by `invertBody`.
  v128.store(body.w, placeAxes(pose, tree));
  v128.store(body.w, placeAxes(pose + 16, tree), 16);
  v128.store(body.e, noiseAxes(pose, tree));
  v128.store(body.e, noiseAxes(pose + 16, tree), 16);
  const unscale = f64x2.splat(tree.unscale);
  let largest = f64x2.splat(0);
  for (let column: usize = 0; column < 3; column++) {
    const xy = f64x2.mul(v128.load(pose + (column << 5)), unscale);
    const z = f64x2.mul(v128.load(pose + (column << 5), 16), unscale);
    v128.store(body.k + column * 24, xy);
    store<f64>(body.k + column * 24, f64x2.extract_lane(z, 0), 16);
    largest = f64x2.pmax(f64x2.pmax(largest, f64x2.abs(xy)), f64x2.abs(z));
  }
  invertBody(body, max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1)));
}

/** Computes G, shrink and F. If no useful inverse was found, F is infinite: pairs then do without that frame's axes. */
function invertBody(body: Body, largest: f64): void {
  const shrink = powerBelowInverse(largest);
  body.shrink = shrink;
  const k = body.k;
  const a = load<f64>(k) * shrink;
  const b = load<f64>(k, 24) * shrink;
  const c = load<f64>(k, 48) * shrink;
  const d = load<f64>(k, 8) * shrink;
  const e = load<f64>(k, 32) * shrink;
  const f = load<f64>(k, 56) * shrink;
  const g = load<f64>(k, 16) * shrink;
  const h = load<f64>(k, 40) * shrink;
  const i = load<f64>(k, 64) * shrink;
  const ca = e * i - f * h;
  const cb = f * g - d * i;
  const cc = d * h - e * g;
  const inverse = f64x2.splat(1.0 / (a * ca + b * cb + c * cc));
  // Two rows of G at a time. Rounding errors in them do not matter: the residual is computed from the rows as they are.
  const p = f64x2.mul(pair(ca, cb), inverse);
  const q = f64x2.mul(pair(c * h - b * i, a * i - c * g), inverse);
  const r = f64x2.mul(pair(b * f - c * e, c * d - a * f), inverse);
  const s = f64x2.mul(f64x2.splat(cc), inverse);
  const t = f64x2.mul(f64x2.splat(b * g - a * h), inverse);
  const u = f64x2.mul(f64x2.splat(a * e - b * d), inverse);
  const rows = body.g;
  v128.store(rows, p);
  store<f64>(rows, f64x2.extract_lane(s, 0), 16);
  v128.store(rows, q, 24);
  store<f64>(rows, f64x2.extract_lane(t, 0), 40);
  v128.store(rows, r, 48);
  store<f64>(rows, f64x2.extract_lane(u, 0), 64);
  const xy = f64x2.add(
    f64x2.add(residual(p, q, r, a, d, g, pair(1, 0)), residual(p, q, r, b, e, h, pair(0, 1))),
    residual(p, q, r, c, f, i, pair(0, 0)),
  );
  const z = f64x2.add(
    f64x2.add(residual(s, t, u, a, d, g, pair(0, 0)), residual(s, t, u, b, e, h, pair(0, 0))),
    residual(s, t, u, c, f, i, pair(1, 1)),
  );
  const worst = max(max(f64x2.extract_lane(xy, 0), f64x2.extract_lane(xy, 1)), f64x2.extract_lane(z, 0));
  // The comparison is also false for NaN.
  body.f = worst < 0.0009765625 ? worst : Infinity;
}

function pair(first: f64, second: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(first), 1, second);
}

/**
 * Bounds the magnitude of an entry of the residual G·K − 1, for two rows (p, q, r) of G and a column (k, l, m) of K. An entry
 * is a product and three sums, so 2^-50 of the sum of magnitudes covers the rounding. Shrinking K loses at most 2^-1074,
 * which is negligible beside its largest entry, ½.
 */
function residual(p: v128, q: v128, r: v128, k: f64, l: f64, m: f64, one: v128): v128 {
  const x = f64x2.mul(p, f64x2.splat(k));
  const y = f64x2.mul(q, f64x2.splat(l));
  const z = f64x2.mul(r, f64x2.splat(m));
  const size = f64x2.add(f64x2.splat(1), f64x2.abs(x));
  return f64x2.add(
    f64x2.abs(f64x2.add(f64x2.add(f64x2.sub(x, one), y), z)),
    f64x2.mul(f64x2.splat(roundingFactor), f64x2.add(f64x2.add(size, f64x2.abs(y)), f64x2.abs(z))),
  );
}

/** A power of two whose product with v lies in [½, 1), if there is such a double. */
export function powerBelowInverse(v: f64): f64 {
  const exponent = <i64>(reinterpret<u64>(v) >> 52);
  return reinterpret<f64>((<u64>max<i64>(1, min<i64>(2046, 2045 - exponent))) << 52);
}

/** Writes the world doubles of the triangle in `slot`. */
export function worldTriangle(body: Body, slot: u32, out: usize): void {
  const corners = body.tree.triangles + <usize>slot * 12;
  for (let corner: usize = 0; corner < 3; corner++)
    worldVertex(body, load<u32>(corners + (corner << 2)), out + corner * 24);
}

/** Writes the world doubles of a vertex, by the contract: ((m0·x + m4·y) + m8·z) + m12. */
export function worldVertex(body: Body, vertex: u32, to: usize): void {
  const tree = body.tree;
  const m = body.pose;
  let x: f64;
  let y: f64;
  let z: f64;
  if (tree.doubles) {
    const p = tree.positions + <usize>vertex * 24;
    x = load<f64>(p);
    y = load<f64>(p, 8);
    z = load<f64>(p, 16);
  } else {
    const p = tree.positions + <usize>vertex * 12;
    x = <f64>load<f32>(p);
    y = <f64>load<f32>(p, 4);
    z = <f64>load<f32>(p, 8);
  }
  store<f64>(to, load<f64>(m) * x + load<f64>(m, 32) * y + load<f64>(m, 64) * z + load<f64>(m, 96));
  store<f64>(to, load<f64>(m, 8) * x + load<f64>(m, 40) * y + load<f64>(m, 72) * z + load<f64>(m, 104), 8);
  store<f64>(to, load<f64>(m, 16) * x + load<f64>(m, 48) * y + load<f64>(m, 80) * z + load<f64>(m, 112), 16);
}

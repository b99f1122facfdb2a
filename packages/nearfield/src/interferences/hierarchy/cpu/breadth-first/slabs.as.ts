// Do the volumes of two nodes certainly share no point? Each volume is compared with the other one in its own frame, slab
// by slab: for boxes the six axes of "SAT lite" (Gress & Zachmann, CG-2004-2, appendix A; G3), for 18-DOPs eighteen (G6).
//
// A slab of the one frame is a direction d there, and e = dᵀR in the other, where R and T map the other frame into this
// one (frame.as.ts). If e = Σ w_j n_j for normals n_j of the other volume's slabs, then for every u of that volume
//   |e·u − Σ w_j c_j| ≤ Σ |w_j| h_j,
// since n_j·u is within h_j of c_j: whatever the weights, the slabs of the other volume bound its extent along d. For a box
// e is its own weights. For an 18-DOP three weights suffice, as in Zachmann's re-aligned DOPs (1998): with |e| sorted as
// a ≥ b ≥ c along axes p, q, r,
//   a ≥ b + c:  e = (a−b−c)·p + b·(p+q) + c·(p+r),
//   a < b + c:  e = ½(a+b−c)·(p+q) + ½(a+c−b)·(p+r) + ½(b+c−a)·(q+r),
// with the signs of e on p, q, r: the slabs nearest to e. So a frame is a matrix of weights, three rows wide for boxes
// and nine for 18-DOPs; its columns belong to the other volume's slabs.
//
// Boxes: the expressions are those of `moved` and `reach` (frame.as.ts), and so is the slack.
//
// 18-DOPs: let s_k be frame.as.ts's slack of axis k. It covers, for every vertex, the rounding of poses, of the map and of
// the stored vertex, so along d the sum of the one or two s_k does. What is computed here comes on top, u = 2^-24: a weight
// is rounded to single (u; the roundings of doubles before are far less), a product and at most three sums follow, t = d·T
// is rounded and added: 6u·(Σ |w_j| |c_j| + |t|) for the centre, 6u·Σ |w_j| h_j for the half width (sums with 0 are exact).
// The comparison |c_A − c_B| > h_A + h_B + slack has three roundings of sums of these. An interval within [−4, 4] (|n·u| ≤ 4,
// since |u| ≤ 2) has |c| + h ≤ 4, up to its rounding. So
//   slack = Σ s_k + 16u·(4.01·Σ |w_j| + |t| + 4.01)
// covers everything. If the frame is unusable, s_k is 10^30 and nothing is found to be apart.

import { mapBytes, mapDoubles, mapRows, mapSlack } from '../../../../bvh/cpu/place/frame.as';
import { boxSlabs, dopSlabs } from './volumes.as';

const single: f64 = 5.9604644775390625e-8; // 2^-24
const largest: f64 = 4.01;

/** Bytes of a column of weights: a row of four slabs for boxes, three of them for 18-DOPs. */
const boxColumn: usize = 16;
const dopColumn: usize = 48;
/** The columns of the other volume's slabs come first. Behind them is t, then the slack. */
const boxShift: usize = <usize>boxSlabs * boxColumn;
const boxSlack: usize = boxShift + boxColumn;
const dopShift: usize = <usize>dopSlabs * dopColumn;
const dopSlack: usize = dopShift + dopColumn;

/** Bytes of the weights of one direction. */
const boxBytes: usize = boxSlack + boxColumn;
const dopBytes: usize = dopSlack + dopColumn;

/** Bytes of both directions: B's slabs in A's frame, then A's in B's. */
export const mostWeightsBytes: usize = 2 * dopBytes;

/** Makes the weights of a pair from its frame. */
export function prepareWeights(frame: usize, slabCount: u32, out: usize): void {
  const bytes = slabCount === boxSlabs ? boxBytes : dopBytes;
  memory.fill(out, 0, 2 * bytes);
  for (let way: usize = 0; way < 2; way++) {
    const map = frame + way * mapBytes;
    const weights = out + way * bytes;
    if (slabCount === boxSlabs) boxWeights(map, weights);
    else dopWeights(map, weights);
  }
}

function boxWeights(map: usize, out: usize): void {
  for (let row: usize = 0; row < 3; row++) {
    const at = out + (row << 2);
    // The map's rows have four equal floats per entry, and so have its slacks.
    for (let column: usize = 0; column < 4; column++) {
      store<f32>(at + column * boxColumn, load<f32>(map + mapRows + (row << 6) + (column << 4)));
    }
    store<f32>(at, load<f32>(map + (row << 4), mapSlack), boxSlack);
  }
  // The lane without a slab separates nothing.
  store<f32>(out, 1, boxSlack + ((<usize>boxSlabs) << 2));
}

function dopWeights(map: usize, out: usize): void {
  for (let slab: u32 = 0; slab < dopSlabs; slab++) {
    const first = firstAxis(slab);
    const second = secondAxis(slab);
    // A slab of one axis has 0 for the second.
    const sign: f64 = slab < 3 ? 0 : slab & 1 ? 1 : -1;
    const at = out + ((<usize>slab) << 2);
    const x = entry(map, first, 0) + sign * entry(map, second, 0);
    const y = entry(map, first, 1) + sign * entry(map, second, 1);
    const z = entry(map, first, 2) + sign * entry(map, second, 2);
    const t = entry(map, first, 3) + sign * entry(map, second, 3);
    const total = decompose(x, y, z, at);
    const slack = slackOf(map, first) + abs(sign) * slackOf(map, second);
    const own = 16.0 * single * (largest * total + abs(t) + largest);
    store<f32>(at, <f32>t, dopShift);
    // Rounding to single may round down; the factor makes up for it.
    store<f32>(at, <f32>((slack + own) * 1.000001), dopSlack);
  }
  // Lanes without a slab separate nothing.
  for (let lane: usize = dopSlabs; lane < 12; lane++) store<f32>(out + (lane << 2), 1, dopSlack);
}

/** The axes of a slab's normal. */
function firstAxis(slab: u32): usize {
  return slab < 3 ? <usize>slab : slab < 7 ? 0 : 1;
}

function secondAxis(slab: u32): usize {
  return slab < 5 ? 1 : 2;
}

/** The slab whose normal lies along two axes, p < q: their sum, or their difference. */
function diagonal(p: u32, q: u32, same: bool): u32 {
  return (p === 1 ? 7 : q === 1 ? 3 : 5) + (same ? 0 : 1);
}

function entry(map: usize, row: usize, column: usize): f64 {
  return load<f64>(map + mapDoubles + (row << 6) + (column << 4));
}

function slackOf(map: usize, row: usize): f64 {
  return <f64>load<f32>(map + (row << 4), mapSlack);
}

/** Writes the weights of e into its row of the columns. Returns the sum of their magnitudes. */
function decompose(x: f64, y: f64, z: f64, out: usize): f64 {
  // Axes by falling magnitude.
  let p: u32 = 0;
  let q: u32 = 1;
  let r: u32 = 2;
  let a = x;
  let b = y;
  let c = z;
  if (abs(b) > abs(a)) {
    const v = a;
    a = b;
    b = v;
    p = 1;
    q = 0;
  }
  if (abs(c) > abs(b)) {
    const v = b;
    b = c;
    c = v;
    r = q;
    q = 2;
    if (abs(b) > abs(a)) {
      const w = a;
      a = b;
      b = w;
      q = p;
      p = 2;
    }
  }
  const rest = abs(a) - abs(b) - abs(c);
  if (rest >= 0) {
    put(out, p, a < 0 ? -rest : rest);
    putDiagonal(out, p, q, a, b, abs(b));
    putDiagonal(out, p, r, a, c, abs(c));
    return abs(a);
  }
  putDiagonal(out, p, q, a, b, 0.5 * (abs(a) + abs(b) - abs(c)));
  putDiagonal(out, p, r, a, c, 0.5 * (abs(a) + abs(c) - abs(b)));
  putDiagonal(out, q, r, b, c, -0.5 * rest);
  return 0.5 * (abs(a) + abs(b) + abs(c));
}

function put(out: usize, slab: u32, weight: f64): void {
  store<f32>(out + <usize>slab * dopColumn, <f32>weight);
}

/** Gives a weight to the normal along axes p and q whose signs are those of the two numbers. */
function putDiagonal(out: usize, p: u32, q: u32, onP: f64, onQ: f64, weight: f64): void {
  const same = onP < 0 === onQ < 0;
  const slab = diagonal(min(p, q), max(p, q), same);
  // The normal has a plus on its first axis.
  put(out, slab, (p < q ? onP : onQ) < 0 ? -weight : weight);
}

/** Whether two volumes certainly share no point. False for NaN. */
export function volumesApart(a: usize, b: usize, weights: usize, slabCount: u32): bool {
  return slabCount === boxSlabs ? boxesApart(a, b, weights) : dopsApart(a, b, weights);
}

function boxesApart(a: usize, b: usize, weights: usize): bool {
  return boxOutside(a, b, weights) || boxOutside(b, a, weights + boxBytes);
}

/** Whether a box, moved into the frame of `own`, lies outside of it along one of its axes. */
function boxOutside(own: usize, other: usize, weights: usize): bool {
  const x = v128.load(weights);
  const y = v128.load(weights, boxColumn);
  const z = v128.load(weights, 2 * boxColumn);
  const centre = f32x4.add(
    f32x4.add(
      f32x4.add(f32x4.mul(x, v128.load32_splat(other)), f32x4.mul(y, v128.load32_splat(other, 4))),
      f32x4.mul(z, v128.load32_splat(other, 8)),
    ),
    v128.load(weights, boxShift),
  );
  const half = f32x4.add(
    f32x4.add(
      f32x4.add(
        f32x4.mul(f32x4.abs(x), v128.load32_splat(other, 16)),
        f32x4.mul(f32x4.abs(y), v128.load32_splat(other, 20)),
      ),
      f32x4.mul(f32x4.abs(z), v128.load32_splat(other, 24)),
    ),
    v128.load(weights, boxSlack),
  );
  const gap = f32x4.abs(f32x4.sub(centre, v128.load(own)));
  return v128.any_true(f32x4.gt(gap, f32x4.add(half, v128.load(own, 16))));
}

/** The slabs that separate most come first. */
function dopsApart(a: usize, b: usize, weights: usize): bool {
  const other = weights + dopBytes;
  for (let row: usize = 0; row < dopColumn; row += 16) {
    if (dopOutside(a + row, b, weights + row)) return true;
    if (dopOutside(b + row, a, other + row)) return true;
  }
  return false;
}

/** The same for four slabs of an 18-DOP. */
function dopOutside(own: usize, other: usize, weights: usize): bool {
  let centre = v128.load(weights, dopShift);
  let half = v128.load(weights, dopSlack);
  for (let slab: usize = 0; slab < <usize>dopSlabs; slab++) {
    const weight = v128.load(weights + slab * dopColumn);
    centre = f32x4.add(centre, f32x4.mul(weight, v128.load32_splat(other + (slab << 2))));
    half = f32x4.add(half, f32x4.mul(f32x4.abs(weight), v128.load32_splat(other + (slab << 2), 48)));
  }
  const gap = f32x4.abs(f32x4.sub(centre, v128.load(own)));
  return v128.any_true(f32x4.gt(gap, f32x4.add(half, v128.load(own, 48))));
}

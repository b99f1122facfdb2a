// Fits a tree's boxes to its vertices: computes the bounds and the tree's frame, the leaves' triangles in that frame,
// then one reduction per level (layout.as.ts). A build uses it after the triangles are ordered. When a body deforms, it
// is used alone.

import { noiseFactor } from '../place/place.as';
import { leafBytes, nodeBytes, nodesOf, Tree, weldBytes } from './layout.as';

/** Bytes of scratch memory that fitting needs: every vertex as four floats in the tree's frame. */
export function fitScratchBytes(vertexCount: u32): f64 {
  return <f64>vertexCount * 16.0 + 64.0;
}

/**
 * Computes the bounds and the frame, and writes the vertices in that frame to `scratch`. Every vertex counts, used or
 * not.
 */
export function frameVertices(tree: Tree, scratch: usize): void {
  const count = tree.vertexCount;
  const positions = tree.positions;
  const doubles = tree.doubles;
  let x0: f64, y0: f64, z0: f64;
  let x1: f64, y1: f64, z1: f64;
  // The last load of a vertex ends with the next vertex's x, or with bytes of the section behind the positions.
  if (doubles) {
    const end = positions + <usize>count * 24;
    let lowXy = f64x2.splat(Infinity);
    let highXy = f64x2.splat(-Infinity);
    let lowZ = lowXy;
    let highZ = highXy;
    for (let p = positions; p < end; p += 24) {
      const xy = v128.load(p);
      const z = v128.load(p, 16);
      lowXy = f64x2.pmin(lowXy, xy);
      highXy = f64x2.pmax(highXy, xy);
      lowZ = f64x2.pmin(lowZ, z);
      highZ = f64x2.pmax(highZ, z);
    }
    x0 = f64x2.extract_lane(lowXy, 0);
    y0 = f64x2.extract_lane(lowXy, 1);
    z0 = f64x2.extract_lane(lowZ, 0);
    x1 = f64x2.extract_lane(highXy, 0);
    y1 = f64x2.extract_lane(highXy, 1);
    z1 = f64x2.extract_lane(highZ, 0);
  } else {
    const end = positions + <usize>count * 12;
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    for (let p = positions; p < end; p += 12) {
      const vertex = v128.load(p);
      low = f32x4.pmin(low, vertex);
      high = f32x4.pmax(high, vertex);
    }
    x0 = <f64>f32x4.extract_lane(low, 0);
    y0 = <f64>f32x4.extract_lane(low, 1);
    z0 = <f64>f32x4.extract_lane(low, 2);
    x1 = <f64>f32x4.extract_lane(high, 0);
    y1 = <f64>f32x4.extract_lane(high, 1);
    z1 = <f64>f32x4.extract_lane(high, 2);
  }
  // Halved before adding, so that the sum cannot overflow. The centre may be any point near the middle: it need not be
  // exact, but must be the same double for every vertex.
  const cx = x0 * 0.5 + x1 * 0.5;
  const cy = y0 * 0.5 + y1 * 0.5;
  const cz = z0 * 0.5 + z1 * 0.5;
  // Each difference has one rounding, relatively 2^-53. The factor makes the half extent no less than the exact one.
  const up: f64 = 1.0000000000000004; // 1 + 2^-51
  const hx = max(x1 - cx, cx - x0) * up;
  const hy = max(y1 - cy, cy - y0) * up;
  const hz = max(z1 - cz, cz - z0) * up;
  const unscale = powerAbove(max(hx, max(hy, hz)));
  const scale = 1.0 / unscale;
  tree.centreX = cx;
  tree.centreY = cy;
  tree.centreZ = cz;
  tree.halfX = hx;
  tree.halfY = hy;
  tree.halfZ = hz;
  tree.reachX = max(abs(x0), abs(x1));
  tree.reachY = max(abs(y0), abs(y1));
  tree.reachZ = max(abs(z0), abs(z1));
  for (let axis: usize = 0; axis < 24; axis += 8) {
    // The last term covers a product that underflows.
    const noise = noiseFactor * load<f64>(tree.reach + axis) + reinterpret<f64>((<u64>1) << 4);
    store<f64>(tree.bound + axis, load<f64>(tree.half + axis) + noise);
  }
  tree.scale = scale;
  tree.unscale = unscale;
  const centreXy = f64x2.replace_lane(f64x2.splat(cx), 1, cy);
  const scales = f64x2.splat(scale);
  let out = scratch;
  if (doubles) {
    const end = positions + <usize>count * 24;
    for (let p = positions; p < end; p += 24, out += 16) {
      const xy = f64x2.mul(f64x2.sub(v128.load(p), centreXy), scales);
      const z = (load<f64>(p, 16) - cz) * scale;
      v128.store(out, f32x4.replace_lane(f32x4.demote_f64x2_zero(xy), 2, <f32>z));
    }
  } else {
    const end = positions + <usize>count * 12;
    for (let p = positions; p < end; p += 12, out += 16) {
      const given = f64x2.promote_low_f32x4(v128.load64_zero(p));
      const xy = f64x2.mul(f64x2.sub(given, centreXy), scales);
      const z = (<f64>load<f32>(p, 8) - cz) * scale;
      v128.store(out, f32x4.replace_lane(f32x4.demote_f64x2_zero(xy), 2, <f32>z));
    }
  }
}

/** The least power of two that is not below h, clamped to 2^-1000 … 2^1023. */
export function powerAbove(h: f64): f64 {
  const least = reinterpret<f64>((<u64>(1023 - 1000)) << 52);
  const most = reinterpret<f64>((<u64>2046) << 52);
  if (!(h > least)) return least;
  if (h > most) return most;
  const bits = reinterpret<u64>(h);
  const exponent = bits >> 52;
  return reinterpret<f64>((bits & 0xfffffffffffff) === 0 ? bits : (exponent + 1) << 52);
}

/** Gathers the leaves' triangles from `scratch` and reduces the boxes level by level. */
export function fitBoxes(tree: Tree, scratch: usize): void {
  fitLevels(tree, fitLeaves(tree, scratch, 0, tree.leafCount, 0));
}

/** Gathers the triangles of leaves [begin, end) and bounds them. Returns `before` plus the sum of their half areas. */
export function fitLeaves(tree: Tree, scratch: usize, begin: u32, end: u32, before: f64): f64 {
  const triangleCount = tree.triangleCount;
  const triangles = tree.triangles;
  const lowest = nodesOf(tree, tree.levelCount - 1);
  let leaf = tree.leaves + <usize>begin * leafBytes;
  let areas = before;
  for (let i = begin; i < end; i++, leaf += leafBytes) {
    const first = i << 2;
    const last = min(first + 3, triangleCount - 1);
    const t0 = triangles + <usize>first * 12;
    const t1 = triangles + <usize>min(first + 1, last) * 12;
    const t2 = triangles + <usize>min(first + 2, last) * 12;
    const t3 = triangles + <usize>last * 12;
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    for (let corner: usize = 0; corner < 3; corner++) {
      const p0 = v128.load(scratch + ((<usize>load<u32>(t0 + (corner << 2))) << 4));
      const p1 = v128.load(scratch + ((<usize>load<u32>(t1 + (corner << 2))) << 4));
      const p2 = v128.load(scratch + ((<usize>load<u32>(t2 + (corner << 2))) << 4));
      const p3 = v128.load(scratch + ((<usize>load<u32>(t3 + (corner << 2))) << 4));
      low = f32x4.pmin(low, f32x4.pmin(f32x4.pmin(p0, p1), f32x4.pmin(p2, p3)));
      high = f32x4.pmax(high, f32x4.pmax(f32x4.pmax(p0, p1), f32x4.pmax(p2, p3)));
      const xy01 = v128.shuffle<f32>(p0, p1, 0, 4, 1, 5);
      const xy23 = v128.shuffle<f32>(p2, p3, 0, 4, 1, 5);
      const z01 = v128.shuffle<f32>(p0, p1, 2, 6, 2, 6);
      const z23 = v128.shuffle<f32>(p2, p3, 2, 6, 2, 6);
      const row = leaf + corner * 48;
      v128.store(row, v128.shuffle<f32>(xy01, xy23, 0, 1, 4, 5));
      v128.store(row, v128.shuffle<f32>(xy01, xy23, 2, 3, 6, 7), 16);
      v128.store(row, v128.shuffle<f32>(z01, z23, 0, 1, 4, 5), 32);
    }
    areas += halfArea(low, high);
    putBox(lowest, i, low, high);
  }
  return areas;
}

/** Reduces the leaves' boxes level by level up to the root's, and stores how loosely they fit (`spread`). */
export function fitLevels(tree: Tree, areas: f64): void {
  let count = tree.leafCount;
  let above = nodesOf(tree, tree.levelCount - 1);
  for (let level = tree.levelCount; level > 0; level--) {
    padLanes(above, count);
    let node = above;
    count = tree.levelNodes(level - 1);
    above = level === 1 ? changetype<usize>(tree.root) : nodesOf(tree, level - 2);
    for (let i: u32 = 0; i < count; i++, node += nodeBytes) {
      putBox(above, i, lowOf(node), highOf(node));
      centreNode(node);
    }
  }
  padLanes(above, 1);
  const whole = halfArea(lowOf(above), highOf(above));
  tree.spread = whole > 0 ? areas / whole : 0;
  centreNode(above);
}

/** Half the surface area of a box. */
export function halfArea(low: v128, high: v128): f64 {
  const extent = f32x4.sub(high, low);
  const x = f32x4.extract_lane(extent, 0);
  const y = f32x4.extract_lane(extent, 1);
  const z = f32x4.extract_lane(extent, 2);
  return <f64>(x * y + y * z + z * x);
}

/** During the reduction a node has minimum x, y, z and maximum x, y, z. Box i is in lane i & 3 of node i / 4. */
export function putBox(nodes: usize, index: u32, low: v128, high: v128): void {
  const at = nodes + <usize>(index >> 2) * nodeBytes + ((<usize>(index & 3)) << 2);
  store<f32>(at, f32x4.extract_lane(low, 0));
  store<f32>(at, f32x4.extract_lane(low, 1), 16);
  store<f32>(at, f32x4.extract_lane(low, 2), 32);
  store<f32>(at, f32x4.extract_lane(high, 0), 48);
  store<f32>(at, f32x4.extract_lane(high, 1), 64);
  store<f32>(at, f32x4.extract_lane(high, 2), 80);
}

/** Repeats the last box in those lanes of the last node that have no child, so that reductions need no mask. */
export function padLanes(nodes: usize, count: u32): void {
  const last = nodes + <usize>((count - 1) >> 2) * nodeBytes;
  const used = ((count - 1) & 3) + 1;
  for (let lane = used; lane < 4; lane++) {
    for (let row: usize = 0; row < 6; row++) {
      store<f32>(
        last + row * 16 + ((<usize>lane) << 2),
        load<f32>(last + row * 16 + ((<usize>(used - 1)) << 2)),
      );
    }
  }
}

/** The minimum of each of three rows of four floats, as x, y, z; the fourth lane is undefined. */
export function lowOf(node: usize): v128 {
  const x = v128.load(node);
  const y = v128.load(node, 16);
  const z = v128.load(node, 32);
  const xy = f32x4.pmin(v128.shuffle<f32>(x, y, 0, 4, 1, 5), v128.shuffle<f32>(x, y, 2, 6, 3, 7));
  const zz = f32x4.pmin(v128.shuffle<f32>(z, z, 0, 0, 1, 1), v128.shuffle<f32>(z, z, 2, 2, 3, 3));
  return f32x4.pmin(v128.shuffle<f32>(xy, zz, 0, 1, 4, 4), v128.shuffle<f32>(xy, zz, 2, 3, 6, 6));
}

export function highOf(node: usize): v128 {
  const x = v128.load(node, 48);
  const y = v128.load(node, 64);
  const z = v128.load(node, 80);
  const xy = f32x4.pmax(v128.shuffle<f32>(x, y, 0, 4, 1, 5), v128.shuffle<f32>(x, y, 2, 6, 3, 7));
  const zz = f32x4.pmax(v128.shuffle<f32>(z, z, 0, 0, 1, 1), v128.shuffle<f32>(z, z, 2, 2, 3, 3));
  return f32x4.pmax(v128.shuffle<f32>(xy, zz, 0, 1, 4, 4), v128.shuffle<f32>(xy, zz, 2, 3, 6, 6));
}

// Converts minimum and maximum to centre and half extent, rounded outward. The centre may be any float c. The exact
// half extent that covers the box is max(high − c, c − low). Each difference has one rounding (relatively 2^-24, none
// if the result is subnormal). So does the product with 1 + 2^-22, and (1 − 2^-24)²(1 + 2^-22) > 1.
const outward: f32 = 1.0000002384185791;

export function centreNode(node: usize): void {
  const half = f32x4.splat(0.5);
  const up = f32x4.splat(outward);
  for (let row = node; row < node + 48; row += 16) {
    const low = v128.load(row);
    const high = v128.load(row, 48);
    const centre = f32x4.mul(f32x4.add(low, high), half);
    const reach = f32x4.pmax(f32x4.sub(high, centre), f32x4.sub(centre, low));
    v128.store(row, centre);
    v128.store(row, f32x4.mul(reach, up), 48);
  }
}

/** Fits the tree to positions that have changed. */
export function refitTree(tree: Tree, scratch: usize): void {
  frameVertices(tree, scratch);
  fitBoxes(tree, scratch);
}

/** Writes the identity of every corner's position (one word per vertex at `identities`) into the leaves' weld rows. */
export function weldLeaves(tree: Tree, identities: usize): void {
  const triangles = tree.triangles;
  const last = tree.triangleCount - 1;
  const leafCount = tree.leafCount;
  let weld = tree.weld;
  for (let leaf: u32 = 0; leaf < leafCount; leaf++, weld += weldBytes) {
    for (let k: u32 = 0; k < 4; k++) {
      const corners = triangles + <usize>min((leaf << 2) + k, last) * 12;
      for (let corner: usize = 0; corner < 3; corner++) {
        const vertex = <usize>load<u32>(corners + (corner << 2));
        store<u32>(weld + (corner << 4) + ((<usize>k) << 2), load<u32>(identities + (vertex << 2)));
      }
    }
  }
}

// What a search for many points (search-together.as.ts) knows of a tree beside its boxes: boxes along the surface for the lowest levels, and for
// every child of every node one vertex of it. From a point far away, small patches of a smooth surface are seen along their normals, where a
// box with a side along the normal is thin and an axis-aligned one is not: on scanned models a fourth of the leaves are left. A vertex bounds
// the distance from above, so that a level of nodes can be decided before the next one is looked at.
//
// An oriented box is a matrix A and ends with low ≤ A·x ≤ high for every vertex x of the child, axis by axis, so for every point of its
// triangles. If ‖A‖₂ ≤ 1, then |x − q| ≥ |A·x − A·q|, and the distance of A·q from the box in A's coordinates
// is a lower bound of the distance. Nothing else is asked of A: its rows are the mean normal and two directions across it, and then it is
// divided by more than its norm, ‖A‖₂² ≤ max_i Σ_j |(AAᵀ)_ij|. In single precision, each entry of AAᵀ and of A is off by less than
// 8·2^-24: `shrink` leaves 2^-18.
//
// Vertices have |x|∞ ≤ 1.01 (twice that for meshes larger than half the range of doubles). A·x takes five roundings of at most
// 2^-24·1.8·2 each, the ends one more: `margin` = 2^-24·32 covers them.

import { Leaf, leafAt, leafBytes, nodeAt, Tree } from '../../../../bvh/cpu/build/layout.as';

/** The oriented boxes of four children. A lane without a child has infinite lower ends: it is infinitely far. */
@unmanaged
export class OrientedNode {
  normalX: v128;
  normalY: v128;
  normalZ: v128;
  firstX: v128;
  firstY: v128;
  firstZ: v128;
  secondX: v128;
  secondY: v128;
  secondZ: v128;
  low0: v128;
  low1: v128;
  low2: v128;
  high0: v128;
  high1: v128;
  high2: v128;
}

/** One vertex of each of four children. A lane without a child repeats another one. */
@unmanaged
export class Vertices {
  x: v128;
  y: v128;
  z: v128;
}

const orientedBytes: usize = offsetof<OrientedNode>();
const verticesBytes: usize = offsetof<Vertices>();
/** How many levels of nodes have oriented boxes: higher up, patches are not flat. */
const orientedLevels: u32 = 3;
const shrink: f32 = 0.9999961853027344; // 1 − 2^-18
const margin: f32 = 0.0000019073486328125; // 2^-24·32

/** The highest level whose nodes have oriented boxes. */
export function firstOriented(tree: Tree): u32 {
  const levels = tree.levelCount;
  return levels > orientedLevels ? levels - orientedLevels : 0;
}

/** Bytes of it all: a double, since it may exceed 32 bits. */
export function orientedSize(tree: Tree): f64 {
  const levels = tree.levelCount;
  const total = tree.levelBase(levels - 1) + tree.levelNodes(levels - 1);
  const oriented = total - tree.levelBase(firstOriented(tree));
  return <f64>total * <f64>verticesBytes + <f64>oriented * <f64>orientedBytes;
}

export function verticesAt(tree: Tree, at: usize, level: u32, index: u32): Vertices {
  return changetype<Vertices>(at + <usize>(tree.levelBase(level) + index) * verticesBytes);
}

/** The address of the oriented nodes of a level. */
export function orientedOf(tree: Tree, at: usize, level: u32): usize {
  const levels = tree.levelCount;
  const total = tree.levelBase(levels - 1) + tree.levelNodes(levels - 1);
  const place = tree.levelBase(level) - tree.levelBase(firstOriented(tree));
  return at + <usize>total * verticesBytes + <usize>place * orientedBytes;
}

export function orientedAt(nodes: usize, index: u32): OrientedNode {
  return changetype<OrientedNode>(nodes + <usize>index * orientedBytes);
}

/** Fills in nodes [first, end) of a level, after those of the level below. */
export function orientNodes(tree: Tree, at: usize, level: u32, first: u32, end: u32): void {
  const oriented = level >= firstOriented(tree) ? orientedOf(tree, at, level) : 0;
  const children = tree.levelNodes(level + 1);
  for (let index = first; index < end; index++) {
    const vertices = changetype<usize>(verticesAt(tree, at, level, index));
    for (let lane: u32 = 0; lane < 4; lane++) {
      const child = min((index << 2) + lane, children - 1);
      const to = vertices + ((<usize>lane) << 2);
      chooseVertex(tree, at, level, child, to);
      if (oriented === 0) continue;
      const box = changetype<usize>(orientedAt(oriented, index)) + ((<usize>lane) << 2);
      orientChild(tree, level, child, box);
      if ((index << 2) + lane < children) continue;
      for (let row: usize = 9; row < 12; row++) store<f32>(box + (row << 4), Infinity);
    }
  }
}

/** Writes the vertex nearest to the middle of a child's box, of its own (a leaf) or of those of its children. */
function chooseVertex(tree: Tree, at: usize, level: u32, child: u32, to: usize): void {
  const box = changetype<usize>(nodeAt(tree, level, child >> 2)) + ((<usize>(child & 3)) << 2);
  const x = load<f32>(box);
  const y = load<f32>(box, 16);
  const z = load<f32>(box, 32);
  const isLeaf = level + 1 === tree.levelCount;
  const from = isLeaf
    ? changetype<usize>(leafAt(tree, child))
    : changetype<usize>(verticesAt(tree, at, level + 1, child));
  const end = from + (isLeaf ? leafBytes : verticesBytes);
  let least = <f32>Infinity;
  let best = from;
  for (let corner = from; corner < end; corner += 48) {
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const dx = load<f32>(corner + lane) - x;
      const dy = load<f32>(corner + lane, 16) - y;
      const dz = load<f32>(corner + lane, 32) - z;
      const squared = dx * dx + dy * dy + dz * dz;
      if (!(squared < least)) continue;
      least = squared;
      best = corner + lane;
    }
  }
  store<f32>(to, load<f32>(best));
  store<f32>(to, load<f32>(best, 16), 16);
  store<f32>(to, load<f32>(best, 32), 32);
}

/** Writes the oriented box of one child to a lane. */
function orientChild(tree: Tree, level: u32, child: u32, to: usize): void {
  // A child at `depth` levels above the leaves has 4^depth of them.
  const depth = (tree.levelCount - 1 - level) << 1;
  const first = leafAt(tree, child << depth);
  const end = leafAt(tree, min((child + 1) << depth, tree.leafCount));
  let nx = f32x4.splat(0);
  let ny = nx;
  let nz = nx;
  for (let at = changetype<usize>(first); at < changetype<usize>(end); at += leafBytes) {
    const leaf = changetype<Leaf>(at);
    const ux = f32x4.sub(leaf.x1, leaf.x0);
    const uy = f32x4.sub(leaf.y1, leaf.y0);
    const uz = f32x4.sub(leaf.z1, leaf.z0);
    const vx = f32x4.sub(leaf.x2, leaf.x0);
    const vy = f32x4.sub(leaf.y2, leaf.y0);
    const vz = f32x4.sub(leaf.z2, leaf.z0);
    nx = f32x4.add(nx, f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy)));
    ny = f32x4.add(ny, f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz)));
    nz = f32x4.add(nz, f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx)));
  }
  writeAxes(sum(nx), sum(ny), sum(nz), first, to);
  for (let row: usize = 0; row < 3; row++) {
    const ax = v128.load32_splat(to + row * 48);
    const ay = v128.load32_splat(to + row * 48, 16);
    const az = v128.load32_splat(to + row * 48, 32);
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    for (let corner = changetype<usize>(first); corner < changetype<usize>(end); corner += 48) {
      const along = f32x4.add(
        f32x4.add(f32x4.mul(ax, v128.load(corner)), f32x4.mul(ay, v128.load(corner, 16))),
        f32x4.mul(az, v128.load(corner, 32)),
      );
      low = f32x4.pmin(low, along);
      high = f32x4.pmax(high, along);
    }
    store<f32>(to + (row << 4), lowest(low) - margin, 144);
    store<f32>(to + (row << 4), margin - lowest(f32x4.neg(high)), 192);
  }
}

function sum(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) +
    f32x4.extract_lane(v, 1) +
    (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

function lowest(v: v128): f32 {
  const two = f32x4.pmin(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmin(two, v128.shuffle<f32>(two, two, 1, 0, 3, 2)), 0);
}

/** Writes A: the normal, a direction across it along the first triangle's longest side, and one across both. */
function writeAxes(x: f32, y: f32, z: f32, leaf: Leaf, to: usize): void {
  // In double, so that the squares of small normals do not vanish.
  const length = sqrt(<f64>x * <f64>x + <f64>y * <f64>y + <f64>z * <f64>z);
  let nx = <f64>x / length;
  let ny = <f64>y / length;
  let nz = <f64>z / length;
  if (!(length > 0)) {
    nx = 0;
    ny = 0;
    nz = 1;
  }
  let ux: f64 = 0;
  let uy: f64 = 0;
  let uz: f64 = 0;
  let longest: f64 = 0;
  for (let corner: usize = 0; corner < 144; corner += 48) {
    const from = changetype<usize>(leaf) + corner;
    const next = changetype<usize>(leaf) + (corner === 96 ? 0 : corner + 48);
    const dx = <f64>load<f32>(next) - <f64>load<f32>(from);
    const dy = <f64>load<f32>(next, 16) - <f64>load<f32>(from, 16);
    const dz = <f64>load<f32>(next, 32) - <f64>load<f32>(from, 32);
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared <= longest) continue;
    longest = squared;
    ux = dx;
    uy = dy;
    uz = dz;
  }
  const along = ux * nx + uy * ny + uz * nz;
  ux -= along * nx;
  uy -= along * ny;
  uz -= along * nz;
  let across = sqrt(ux * ux + uy * uy + uz * uz);
  if (!(across > 1e-3 * sqrt(longest))) {
    // The axis that the normal is farthest from, less its part along the normal.
    const isX = abs(nx) <= abs(ny) && abs(nx) <= abs(nz);
    const isY = !isX && abs(ny) <= abs(nz);
    const part = isX ? nx : isY ? ny : nz;
    ux = (isX ? 1.0 : 0.0) - part * nx;
    uy = (isY ? 1.0 : 0.0) - part * ny;
    uz = (isX || isY ? 0.0 : 1.0) - part * nz;
    across = sqrt(ux * ux + uy * uy + uz * uz);
  }
  ux /= across;
  uy /= across;
  uz /= across;
  const vx = ny * uz - nz * uy;
  const vy = nz * ux - nx * uz;
  const vz = nx * uy - ny * ux;
  const nu = abs(nx * ux + ny * uy + nz * uz);
  const nv = abs(nx * vx + ny * vy + nz * vz);
  const uv = abs(ux * vx + uy * vy + uz * vz);
  const most = max(
    nx * nx + ny * ny + nz * nz + nu + nv,
    max(ux * ux + uy * uy + uz * uz + nu + uv, vx * vx + vy * vy + vz * vz + nv + uv),
  );
  const factor = <f64>shrink / sqrt(most);
  putRow(to, nx * factor, ny * factor, nz * factor);
  putRow(to + 48, ux * factor, uy * factor, uz * factor);
  putRow(to + 96, vx * factor, vy * factor, vz * factor);
}

function putRow(to: usize, x: f64, y: f64, z: f64): void {
  store<f32>(to, <f32>x);
  store<f32>(to, <f32>y, 16);
  store<f32>(to, <f32>z, 32);
}

/** Squared distances, or less, of a point from four oriented boxes. */
export function orientedDistances(node: OrientedNode, x: v128, y: v128, z: v128): v128 {
  const a = outside(dot(node.normalX, node.normalY, node.normalZ, x, y, z), node.low0, node.high0);
  const b = outside(dot(node.firstX, node.firstY, node.firstZ, x, y, z), node.low1, node.high1);
  const c = outside(dot(node.secondX, node.secondY, node.secondZ, x, y, z), node.low2, node.high2);
  return dot(a, b, c, a, b, c);
}

/** How far a coordinate lies outside an interval. */
function outside(x: v128, low: v128, high: v128): v128 {
  return f32x4.pmax(f32x4.splat(0), f32x4.pmax(f32x4.sub(low, x), f32x4.sub(x, high)));
}

/** Squared distances of a point from four vertices. */
export function vertexDistances(vertices: Vertices, x: v128, y: v128, z: v128): v128 {
  const dx = f32x4.sub(vertices.x, x);
  const dy = f32x4.sub(vertices.y, y);
  const dz = f32x4.sub(vertices.z, z);
  return dot(dx, dy, dz, dx, dy, dz);
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

// What a tree has besides its boxes for a search of many points (search-packet.as.ts): boxes along the surface for
// the lowest levels, a disc around every triangle, and one vertex of every child of every node. From a point far
// away, small patches of a smooth surface are seen along their normals, where a box with a side along the normal is
// thin and an axis-aligned one is not: on scanned models a fourth of the leaves are left. Discs drop a third of
// those. A vertex bounds the distance from above, so that a level of nodes can be decided before the next one is
// opened.
//
// An oriented box is a matrix A and ends with low ≤ A·x ≤ high for every vertex x of the child, axis by axis, so for
// every point of its triangles. If ‖A‖₂ ≤ 1, then |x − q| ≥ |A·x − A·q|, and the distance of A·q from the box in A's
// coordinates is a lower bound of the distance. A has no other condition to meet: its rows are the mean normal and
// two directions across it, and then it is divided by more than its norm, ‖A‖₂² ≤ max_i Σ_j |(AAᵀ)_ij|. In single
// precision, each entry of AAᵀ and of A is off by less than 8·2^-24: `shrink` leaves 2^-18.
//
// Vertices have |x|∞ ≤ 1.01 (twice that for meshes larger than half the range of doubles). A·x takes five roundings of at most
// 2^-24·1.8·2 each, the ends one more: `margin` = 2^-24·32 covers them.

import { Leaf, laneOf, leafAt, leafBytes, Node, nodeAt, Tree } from '../../../../bvh/cpu/build/layout.as';

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

/**
 * A disc around each of a leaf's four triangles: its centre c, a normal n, and how far the triangle's points x are
 * from c and from the disc's plane: |x − c| ≤ radius, |n·(x − c)| ≤ half.
 */
@unmanaged
export class Discs {
  x: v128;
  y: v128;
  z: v128;
  normalX: v128;
  normalY: v128;
  normalZ: v128;
  radius: v128;
  half: v128;
}

const discsBytes: usize = offsetof<Discs>();
const orientedBytes: usize = offsetof<OrientedNode>();
/** The corners of a leaf are three times as many vertices. */
const verticesBytes: usize = offsetof<Vertices>();
const rowBytes: usize = offsetof<Vertices>('y');
/** From one axis of an oriented node to the next. */
const axisBytes: usize = offsetof<OrientedNode>('firstX');
/** How many levels of nodes have oriented boxes: higher up, patches are not flat. */
const orientedLevels: u32 = 3;
const shrink: f32 = 0.9999961853027344; // 1 − 2^-18
const margin: f32 = 0.0000019073486328125; // 2^-24·32

/** The length of a disc's normal before it is rounded to single, which changes it by at most 2^-24 of itself. */
const unitNormal: f64 = 0.9999998807907104; // 1 − 2^-23
const across: f32 = 0.9999961853027344; // 1 − 2^-18

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
  return (
    <f64>total * <f64>verticesBytes +
    <f64>oriented * <f64>orientedBytes +
    <f64>tree.leafCount * <f64>discsBytes
  );
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

/** The address of the leaves' discs. */
export function discsOf(tree: Tree, at: usize): usize {
  const last = tree.levelCount - 1;
  return orientedOf(tree, at, last) + <usize>tree.levelNodes(last) * orientedBytes;
}

export function discsAt(discs: usize, leaf: u32): Discs {
  return changetype<Discs>(discs + <usize>leaf * discsBytes);
}

/** Fills in nodes [first, end) of a level, after those of the level below. */
export function orientNodes(tree: Tree, at: usize, level: u32, first: u32, end: u32): void {
  const oriented = level >= firstOriented(tree) ? orientedOf(tree, at, level) : 0;
  const children = tree.levelNodes(level + 1);
  for (let index = first; index < end; index++) {
    const vertices = verticesAt(tree, at, level, index);
    for (let lane: u32 = 0; lane < 4; lane++) {
      const child = min((index << 2) + lane, children - 1);
      if (level + 1 === tree.levelCount) drawDiscs(tree, discsOf(tree, at), child);
      chooseVertex(tree, at, level, child, laneOf(vertices, lane));
      if (oriented === 0) continue;
      const box = laneOf(orientedAt(oriented, index), lane);
      orientChild(tree, level, child, box);
      if ((index << 2) + lane < children) continue;
      store<f32>(box, Infinity, offsetof<OrientedNode>('low0'));
      store<f32>(box, Infinity, offsetof<OrientedNode>('low1'));
      store<f32>(box, Infinity, offsetof<OrientedNode>('low2'));
    }
  }
}

/** Writes the vertex nearest to the middle of a child's box, of its own (a leaf) or of those of its children. */
function chooseVertex(tree: Tree, at: usize, level: u32, child: u32, to: usize): void {
  const box = laneOf(nodeAt(tree, level, child >> 2), child & 3);
  const x = load<f32>(box, offsetof<Node>('centreX'));
  const y = load<f32>(box, offsetof<Node>('centreY'));
  const z = load<f32>(box, offsetof<Node>('centreZ'));
  const isLeaf = level + 1 === tree.levelCount;
  const from = isLeaf
    ? changetype<usize>(leafAt(tree, child))
    : changetype<usize>(verticesAt(tree, at, level + 1, child));
  const end = from + (isLeaf ? leafBytes : verticesBytes);
  let least = <f32>Infinity;
  let best = from;
  for (let corner = from; corner < end; corner += verticesBytes) {
    for (let lane: u32 = 0; lane < 4; lane++) {
      const vertex = laneOf(changetype<Vertices>(corner), lane);
      const dx = load<f32>(vertex, offsetof<Vertices>('x')) - x;
      const dy = load<f32>(vertex, offsetof<Vertices>('y')) - y;
      const dz = load<f32>(vertex, offsetof<Vertices>('z')) - z;
      const squared = dx * dx + dy * dy + dz * dz;
      if (!(squared < least)) continue;
      least = squared;
      best = vertex;
    }
  }
  store<f32>(to, load<f32>(best, offsetof<Vertices>('x')), offsetof<Vertices>('x'));
  store<f32>(to, load<f32>(best, offsetof<Vertices>('y')), offsetof<Vertices>('y'));
  store<f32>(to, load<f32>(best, offsetof<Vertices>('z')), offsetof<Vertices>('z'));
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
  for (let axis: usize = 0; axis < 3; axis++) {
    const from = to + axis * axisBytes;
    const ax = v128.load32_splat(from, offsetof<OrientedNode>('normalX'));
    const ay = v128.load32_splat(from, offsetof<OrientedNode>('normalY'));
    const az = v128.load32_splat(from, offsetof<OrientedNode>('normalZ'));
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    for (let at = changetype<usize>(first); at < changetype<usize>(end); at += verticesBytes) {
      const corners = changetype<Vertices>(at);
      const along = dot(ax, ay, az, corners.x, corners.y, corners.z);
      low = f32x4.pmin(low, along);
      high = f32x4.pmax(high, along);
    }
    const row = axis * rowBytes;
    store<f32>(to + row, lowest(low) - margin, offsetof<OrientedNode>('low0'));
    store<f32>(to + row, margin - lowest(f32x4.neg(high)), offsetof<OrientedNode>('high0'));
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
  for (let corner: usize = 0; corner < leafBytes; corner += verticesBytes) {
    const from = changetype<usize>(leaf) + corner;
    const next = changetype<usize>(leaf) + ((corner + verticesBytes) % leafBytes);
    const dx = xOf(next) - xOf(from);
    const dy = yOf(next) - yOf(from);
    const dz = zOf(next) - zOf(from);
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
  putVector(to, nx * factor, ny * factor, nz * factor);
  putVector(to + offsetof<OrientedNode>('firstX'), ux * factor, uy * factor, uz * factor);
  putVector(to + offsetof<OrientedNode>('secondX'), vx * factor, vy * factor, vz * factor);
}

/** Writes one lane of three rows. */
function putVector(to: usize, x: f64, y: f64, z: f64): void {
  store<f32>(to, <f32>x, offsetof<Vertices>('x'));
  store<f32>(to, <f32>y, offsetof<Vertices>('y'));
  store<f32>(to, <f32>z, offsetof<Vertices>('z'));
}

/** The lane of a vector's rows. */
function xOf(vector: usize): f64 {
  return <f64>load<f32>(vector, offsetof<Vertices>('x'));
}
function yOf(vector: usize): f64 {
  return <f64>load<f32>(vector, offsetof<Vertices>('y'));
}
function zOf(vector: usize): f64 {
  return <f64>load<f32>(vector, offsetof<Vertices>('z'));
}

/**
 * Writes the discs of a leaf. Their radii are measured in double, to less than 2^-40, from centres and normals that
 * are rounded already.
 */
function drawDiscs(tree: Tree, discs: usize, leaf: u32): void {
  const out = changetype<usize>(discsAt(discs, leaf));
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const corners = changetype<usize>(leafAt(tree, leaf)) + lane;
    const a = corners + offsetof<Leaf>('x0');
    const b = corners + offsetof<Leaf>('x1');
    const c = corners + offsetof<Leaf>('x2');
    const ax = xOf(a);
    const ay = yOf(a);
    const az = zOf(a);
    const bx = xOf(b);
    const by = yOf(b);
    const bz = zOf(b);
    const cx = xOf(c);
    const cy = yOf(c);
    const cz = zOf(c);
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const length = sqrt(nx * nx + ny * ny + nz * nz);
    // A disc without a normal is a ball.
    const factor = length > 1e-100 ? unitNormal / length : 0;
    const third = 1.0 / 3.0;
    const to = out + lane;
    const centre = to + offsetof<Discs>('x');
    const normal = to + offsetof<Discs>('normalX');
    putVector(centre, third * (ax + bx + cx), third * (ay + by + cy), third * (az + bz + cz));
    putVector(normal, factor * nx, factor * ny, factor * nz);
    let radius: f64 = 0;
    let half: f64 = 0;
    for (let corner = corners; corner < corners + leafBytes; corner += verticesBytes) {
      const x = xOf(corner) - xOf(centre);
      const y = yOf(corner) - yOf(centre);
      const z = zOf(corner) - zOf(centre);
      radius = max(radius, x * x + y * y + z * z);
      half = max(half, abs(x * xOf(normal) + y * yOf(normal) + z * zOf(normal)));
    }
    store<f32>(to, <f32>(sqrt(radius) * 1.000001 + 1e-12), offsetof<Discs>('radius'));
    store<f32>(to, <f32>(half * 1.000001 + 1e-12), offsetof<Discs>('half'));
  }
}

/**
 * Squared distances, or less, of a point q from four triangles, by their discs. With w = q − c, a triangle's point is
 * at least |n·w| − half away along n (|n| ≤ 1) and, with the unit vector m of n, at least √(|w|² − (m·w)²) − radius
 * across it. |n|² ≥ 1 − 2^-20, so (m·w)² ≤ (n·w)² + 2^-20·|w|²; |w|² and (n·w)² are computed to 24·2^-24·|w|²:
 * `across` leaves 2^-18. n·w is off by less than 2^-24·7·|w|, the root and differences by 2^-24·3·|w|. So the
 * distance is off by less than 2^-24·(18·|q| + 19), and by √3·(noise + 2^-24·(|q| + 1)) for the point and the
 * vertices. Where there is no normal, n = 0 and the bound is that of a ball.
 */
export function discDistances(discs: Discs, x: v128, y: v128, z: v128): v128 {
  const zero = f32x4.splat(0);
  const wx = f32x4.sub(x, discs.x);
  const wy = f32x4.sub(y, discs.y);
  const wz = f32x4.sub(z, discs.z);
  const along = dot(discs.normalX, discs.normalY, discs.normalZ, wx, wy, wz);
  const squared = dot(wx, wy, wz, wx, wy, wz);
  const wide = f32x4.sub(f32x4.mul(squared, f32x4.splat(across)), f32x4.mul(along, along));
  const a = f32x4.pmax(zero, f32x4.sub(f32x4.abs(along), discs.half));
  const b = f32x4.pmax(zero, f32x4.sub(f32x4.sqrt(f32x4.pmax(zero, wide)), discs.radius));
  return f32x4.add(f32x4.mul(a, a), f32x4.mul(b, b));
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

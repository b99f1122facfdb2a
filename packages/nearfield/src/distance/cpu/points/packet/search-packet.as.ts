// Which triangles of a tree may be the nearest to each of several points? Level by level: every point has a list of nodes that may hold its
// nearest triangle, and all lists of a level lie one after the other. One node is a few dozen operations on four children at a time, and none of
// them waits for the node before, as it does in a walk for one point (closest.as.ts).
//
// A point's limit is a squared distance in the tree's frame. A box or triangle whose computed squared distance
// exceeds it is farther than a vertex or triangle that was already measured. Let a be the computed distance of that
// one and b that of the box. Computed distances are off by at most slack = 1.8·noise + 2^-24·24·(|q| + 3) each
// (derived in closest.as.ts and leaf-distances.as.ts, for oriented boxes below, for discs in oriented.as.ts), and
// distances in the world are between kmin and kmax times distances in the frame. So the box is farther if
//   b − slack > (kmax/kmin)·(a + slack).
// The limit is ((kmax/kmin)·a + (1 + kmax/kmin)·slack)²·(1 + 2^-19); the last factor covers the roundings of this formula and the sums of
// squares, less than 12·2^-24 in all.
//
// Oriented boxes: a component of A·q takes five roundings and its difference from an end of the box takes one, of at
// most 2^-24·√3·(|q| + 1.8) each. So the distance is off by less than 2^-24·(21·|q| + 38), plus √3·(noise + 2^-24·(|q| + 1))
// for the point and the vertices.
//
// Triangles need an upper bound. Weights are clamped to the triangle, so the roundings of g move it by less than
// √3·2^-24·(4·|q| + 15) from a point of the triangle.

import {
  laneOf,
  leafAt,
  leafBytes,
  Node,
  nodeBytes,
  nodesOf,
  Tree,
} from '../../../../bvh/cpu/build/layout.as';
import { nearBoxes } from '../closest.as';
import { leafDistances } from '../leaf-distances.as';
import {
  discDistances,
  discsAt,
  discsOf,
  firstOriented,
  orientedAt,
  orientedDistances,
  orientedOf,
  Vertices,
  vertexDistances,
  verticesAt,
} from './oriented.as';

/** A point in the tree's frame. */
@unmanaged
export class PointTask {
  x: f32;
  y: f32;
  z: f32;
  /** The squared distance beyond which nothing is looked at. */
  limit: f32;
  /** (1 + kmax/kmin)·slack. */
  slack: f32;
  /** A bound for the error of its coordinates before they were rounded to single, and of the vertices'. */
  noise: f32;
  /** The least computed squared distance of a vertex or triangle. */
  least: f32;
  /** The slot at which to begin; −1 if there is none. */
  seed: i32;
  /** Its number, and its place in the world. */
  index: u32;
  worldX: f64;
  worldY: f64;
  worldZ: f64;
}

/** A node or leaf that may hold the triangle nearest to a point, or a triangle that may be the nearest. */
@unmanaged
export class NearEntry {
  /** A lower bound of its squared distance. */
  key: f32;
  /** Its index in its level; a triangle's slot. */
  index: u32;
  /** The address of its point, plus 1, 2 or 3 if that corner of the triangle is certainly its nearest point. */
  task: usize;
  /** The computed squared distance of a triangle. */
  squared: f32;

  get point(): PointTask {
    return changetype<PointTask>(this.task & ~(<usize>3));
  }

  get corner(): usize {
    return this.task & 3;
  }
}

export const packetSize: u32 = 32;
const entryShift: usize = 4;
export const entryBytes: usize = 1 << entryShift;
const taskBytes: usize = (offsetof<PointTask>() + 15) & ~(<usize>15);
/** Entries of a list. If a level may need more, its points are searched one by one. */
const capacity: usize = 8192;
const listBytes: usize = (capacity + 4) << entryShift;
const firstOffset: usize = <usize>packetSize * taskBytes;
const secondOffset: usize = firstOffset + listBytes;
const lanesOffset: usize = secondOffset + listBytes;
export const packetBytes: usize = lanesOffset + 48;

const up: f32 = 1.0000019073486328; // 1 + 2^-19

export function taskAt(at: usize, i: u32): PointTask {
  return changetype<PointTask>(at + <usize>i * taskBytes);
}

/** Lowers a point's limit to what the corners of its seed give. */
export function tryCorners(tree: Tree, point: PointTask, stretch: f32): void {
  const slot = point.seed;
  const leaf = leafAt(tree, slot >> 2);
  const x = point.x;
  const y = point.y;
  const z = point.z;
  for (let corner = laneOf(leaf, slot & 3); corner < changetype<usize>(leaf) + leafBytes; corner += 48) {
    const dx = load<f32>(corner) - x;
    const dy = load<f32>(corner, 16) - y;
    const dz = load<f32>(corner, 32) - z;
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared < point.least) point.least = squared;
  }
  lower(point, point.least, stretch);
}

function lower(point: PointTask, least: f32, stretch: f32): void {
  const root = sqrt(least) * stretch + point.slack;
  const limit = root * root * up;
  point.least = least;
  if (limit < point.limit) point.limit = limit;
}

/**
 * Searches for the first `count` points of `at`. Returns the address behind the entries found, which begin at `foundBy(…)` in the order of the
 * points, or 0 if there is no room. `stretch` is kmax/kmin, and `twist` is more than (kmax/kmin)² − 1.
 */
export function searchPacket(
  tree: Tree,
  boxes: usize,
  at: usize,
  count: u32,
  stretch: f32,
  twist: f32,
): usize {
  const levels = tree.levelCount;
  let from = at + firstOffset;
  let to = at + secondOffset;
  let end = from;
  for (let i: u32 = 0; i < count; i++) {
    const entry = changetype<NearEntry>(end);
    entry.key = 0;
    entry.index = 0;
    entry.task = changetype<usize>(taskAt(at, i));
    end += entryBytes;
  }
  for (let level: u32 = 0; level < levels; level++) {
    if (end - from > listBytes >> 2) return 0;
    const next = openLevel(tree, boxes, level, from, end, to, stretch);
    const other = from;
    from = to;
    to = other;
    end = next;
  }
  if (end - from > listBytes >> 2) return 0;
  end = keepNear(tree, boxes, from, end);
  return openLeaves(tree, from, end, to, stretch, twist, at + lanesOffset);
}

/** Where `searchPacket` left its entries. */
export function foundBy(tree: Tree, at: usize): usize {
  return at + (tree.levelCount & 1 ? firstOffset : secondOffset);
}

/** Opens the nodes of a level. Returns the address behind the entries written, for the level below. */
function openLevel(
  tree: Tree,
  boxes: usize,
  level: u32,
  from: usize,
  end: usize,
  to: usize,
  stretch: f32,
): usize {
  const oriented = level >= firstOriented(tree) ? orientedOf(tree, boxes, level) : 0;
  const nodes = nodesOf(tree, level);
  const vertices = changetype<usize>(verticesAt(tree, boxes, level, 0));
  const last = tree.levelNodes(level) - 1;
  const lastMask: u32 = (1 << (tree.levelNodes(level + 1) - (last << 2))) - 1;
  for (let at = from; at < end; at += entryBytes) {
    const entry = changetype<NearEntry>(at);
    const point = changetype<PointTask>(entry.task);
    if (entry.key > point.limit) continue;
    const index = <usize>entry.index;
    const x = f32x4.splat(point.x);
    const y = f32x4.splat(point.y);
    const z = f32x4.splat(point.z);
    const distances =
      oriented !== 0
        ? orientedDistances(orientedAt(oriented, entry.index), x, y, z)
        : nearBoxes(changetype<Node>(nodes + index * nodeBytes), x, y, z);
    // A seed is nearer than the vertices of large patches mostly are.
    if (oriented !== 0 || point.seed < 0) {
      const corners = changetype<Vertices>(vertices + index * offsetof<Vertices>());
      lowerLimit(point, vertexDistances(corners, x, y, z), stretch);
    }
    let open = i32x4.bitmask(f32x4.le(distances, f32x4.splat(point.limit)));
    if (entry.index === last) open &= lastMask;
    to = pushOpen(to, open, distances, entry.index << 2, point);
  }
  return to;
}

/** Lowers a point's limit if one of four is the nearest so far. */
function lowerLimit(point: PointTask, squared: v128, stretch: f32): void {
  if (i32x4.bitmask(f32x4.lt(squared, f32x4.splat(point.least))) === 0) return;
  const two = f32x4.pmin(squared, v128.shuffle<f32>(squared, squared, 2, 3, 0, 1));
  const one = f32x4.pmin(two, v128.shuffle<f32>(two, two, 1, 0, 3, 2));
  lower(point, f32x4.extract_lane(one, 0), stretch);
}

/** Appends the open ones of four children. All four are written; those that are not open are overwritten. No branch depends on a distance. */
function pushOpen(to: usize, open: usize, keys: v128, first: u32, point: PointTask): usize {
  const children = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  const tasks = i32x4.splat(changetype<usize>(point));
  const front01 = v128.shuffle<f32>(keys, children, 0, 4, 1, 5);
  const front23 = v128.shuffle<f32>(keys, children, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(front01, tasks, 0, 1, 4, 5));
  to += (open << 4) & 16;
  v128.store(to, v128.shuffle<f32>(front01, tasks, 2, 3, 6, 7));
  to += (open << 3) & 16;
  v128.store(to, v128.shuffle<f32>(front23, tasks, 0, 1, 4, 5));
  to += (open << 2) & 16;
  v128.store(to, v128.shuffle<f32>(front23, tasks, 2, 3, 6, 7));
  return to + ((open << 1) & 16);
}

/**
 * Keeps the leaves of which a triangle may be near enough by its disc: about two thirds. Returns the address behind
 * them. No branch depends on a distance.
 */
function keepNear(tree: Tree, boxes: usize, from: usize, end: usize): usize {
  const discs = discsOf(tree, boxes);
  let to = from;
  for (let at = from; at < end; at += entryBytes) {
    const entry = changetype<NearEntry>(at);
    const point = changetype<PointTask>(entry.task);
    const limit = f32x4.splat(point.limit);
    const distances = discDistances(
      discsAt(discs, entry.index),
      f32x4.splat(point.x),
      f32x4.splat(point.y),
      f32x4.splat(point.z),
    );
    v128.store(to, v128.load(at));
    to += v128.any_true(f32x4.le(distances, limit)) ? entryBytes : 0;
  }
  return to;
}

function openLeaves(
  tree: Tree,
  from: usize,
  end: usize,
  to: usize,
  stretch: f32,
  twist: f32,
  lanes: usize,
): usize {
  const zero = f32x4.splat(0);
  const lastLeaf = tree.leafCount - 1;
  const lastMask: u32 = (1 << (tree.triangleCount - (lastLeaf << 2))) - 1;
  for (let at = from; at < end; at += entryBytes) {
    const entry = changetype<NearEntry>(at);
    const point = changetype<PointTask>(entry.task);
    if (entry.key > point.limit) continue;
    const index = entry.index;
    const x = f32x4.splat(point.x);
    const y = f32x4.splat(point.y);
    const z = f32x4.splat(point.z);
    // Corners count as certain only within `reach` of the point, for which leafDistances derives the two bounds of the error.
    const reach = <f32>3 * sqrt(point.limit);
    const error = reach * (<f32>5.4 * point.noise + <f32>6.4e-7);
    const perLength = reach * (<f32>2.8e-7 + twist) + <f32>0.51 * point.slack;
    leafDistances(leafAt(tree, index), x, y, z, <f32>0.999 * reach, error, perLength, lanes);
    const squared = v128.load(lanes);
    const along = f32x4.pmax(zero, v128.load(lanes, 16));
    lowerLimit(point, squared, stretch);
    // 0/0 at the point itself: NaN, which counts as 0.
    const keys = f32x4.pmax(zero, f32x4.div(f32x4.mul(along, along), squared));
    const open =
      i32x4.bitmask(f32x4.le(keys, f32x4.splat(point.limit))) & (index === lastLeaf ? lastMask : 15);
    const tasks = i32x4.add(i32x4.splat(changetype<usize>(point)), v128.load(lanes, 32));
    to = pushTriangles(to, open, keys, squared, index << 2, tasks);
  }
  return to;
}

/** The same for triangles, with their squared distances and tasks. */
function pushTriangles(to: usize, open: usize, keys: v128, squared: v128, first: u32, tasks: v128): usize {
  const slots = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  const front01 = v128.shuffle<f32>(keys, slots, 0, 4, 1, 5);
  const front23 = v128.shuffle<f32>(keys, slots, 2, 6, 3, 7);
  const back01 = v128.shuffle<f32>(tasks, squared, 0, 4, 1, 5);
  const back23 = v128.shuffle<f32>(tasks, squared, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(front01, back01, 0, 1, 4, 5));
  to += (open << 4) & 16;
  v128.store(to, v128.shuffle<f32>(front01, back01, 2, 3, 6, 7));
  to += (open << 3) & 16;
  v128.store(to, v128.shuffle<f32>(front23, back23, 0, 1, 4, 5));
  to += (open << 2) & 16;
  v128.store(to, v128.shuffle<f32>(front23, back23, 2, 3, 6, 7));
  return to + ((open << 1) & 16);
}

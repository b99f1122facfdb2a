// The nearest triangles for several points at once: finds the triangles that may be the nearest
// (search-packet.as.ts) and answers one point after the other. Most points outside of a body are nearest to a
// vertex, and single precision can mostly prove that for all triangles at the vertex. Then nothing but its distance
// is left to measure. Otherwise one triangle is measured, and most others are settled by what they share with it.

import { Tree } from '../../../../bvh/cpu/build/layout.as';
import { Body, worldVertex } from '../../../../bvh/cpu/place/place.as';
import { copyDoubles } from '../../triangles/copy.as';
import { measureCorner } from '../../triangles/measure-feature.as';
import { answerPoint, closestPoint, samePosition } from '../answer-point.as';
import { far, slackOf, startClosest, tryTriangle } from '../closest.as';
import { noTriangle, PointsJob, pointOf, writeAnswer } from '../points-job.as';
import { FramePoint, placePoint } from '../world-point.as';
import {
  entryBytes,
  foundBy,
  NearEntry,
  PointTask,
  packetSize,
  searchPacket,
  taskAt,
  tryCorners,
} from './search-packet.as';
import { isBeyond, takeFeature, takeLowest } from './shared-feature.as';

/**
 * Points are taken in chunks of this many, a multiple of packetSize². A search begins at the triangle of the point before, but not across
 * chunks: so it does not depend on which thread has which chunk.
 */
export const chunk: u32 = 1024;

/**
 * Answers points [first, end), or as many as there is room for; then it returns false. Points that lie so far away that single precision
 * separates boxes poorly, and all of them if their lists have no room, are answered one by one.
 */
export function closestOfPacket(
  job: PointsJob,
  body: Body,
  tree: Tree,
  first: u32,
  end: u32,
  stretch: f64,
  unit: f64,
): bool {
  const twist = 1.001 * (stretch * stretch - 1.0) + 1e-12;
  const packet = job.packet;
  const placed = changetype<FramePoint>(job.closest.placed);
  const isFirst = first % chunk === 0;
  gather(job, first, end);
  for (let i = first; i < end; i++) {
    const task = taskAt(packet, i - first);
    placePoint(body, task.worldX, task.worldY, task.worldZ, placed);
    const reach = max(abs(placed.x), max(abs(placed.y), abs(placed.z)));
    const slack = (1.0 + stretch) * 1.000002 * slackOf(placed.noise, reach);
    const distance = job.upTo * unit + slack;
    task.x = <f32>placed.x;
    task.y = <f32>placed.y;
    task.z = <f32>placed.z;
    task.slack = <f32>slack;
    task.noise = <f32>(1.000001 * placed.noise);
    task.least = <f32>Infinity;
    // A limit below every key: no node is opened.
    task.limit = reach <= far ? <f32>min<f64>(distance * distance * 1.000002, Infinity) : -1;
    if (isFirst) task.seed = -1;
    else if (task.seed >= 0) tryCorners(tree, task, <f32>(stretch * 1.000001));
  }
  let at = foundBy(tree, packet);
  const behind = searchPacket(tree, job.boxes, packet, end - first, <f32>(stretch * 1.000001), <f32>twist);
  for (let i = first; i < end; i++) {
    const task = taskAt(packet, i - first);
    if (behind === 0 || task.limit < 0) {
      if (!closestPoint(job, body, tree, task.index, unit, -1)) return false;
    } else {
      const from = at;
      while (at < behind && changetype<NearEntry>(at).point === task) at += entryBytes;
      if (!closestAmong(job, body, tree, task, from, at)) return false;
    }
    task.seed = job.closest.slot;
    job.next = i + 1;
  }
  return true;
}

/**
 * The points of a whole chunk are divided into `packetSize` rows of neighbours, and one of each row is searched at a time. So each begins at
 * the triangle of its neighbour.
 */
function streamed(job: PointsJob, i: u32): u32 {
  const place = i % chunk;
  const first = i - place;
  return first + chunk > job.count
    ? i
    : first + (place % packetSize) * (chunk / packetSize) + place / packetSize;
}

/**
 * Loads the points [first, end) before they are used. They are scattered in memory, and so all loads are in flight
 * together.
 */
function gather(job: PointsJob, first: u32, end: u32): void {
  const packet = job.packet;
  for (let i = first; i < end; i++) {
    const index = pointOf(job, streamed(job, i));
    const point = job.points + <usize>index * 24;
    const task = taskAt(packet, i - first);
    task.index = index;
    task.worldX = load<f64>(point);
    task.worldY = load<f64>(point, 8);
    task.worldZ = load<f64>(point, 16);
  }
}

/** Answers one point whose nearest triangles are among the entries from `from` to `end`. Returns false if there was no room. */
function closestAmong(
  job: PointsJob,
  body: Body,
  tree: Tree,
  task: PointTask,
  from: usize,
  end: usize,
): bool {
  const i = task.index;
  const x = task.worldX;
  const y = task.worldY;
  const z = task.worldZ;
  const limit = task.limit;
  const scratch = job.closest;
  const list = job.candidates;
  const capacity = job.candidateCapacity;
  const upTo = job.upTo;
  if (atCorner(job, body, tree, i, x, y, z, from, end, limit)) return true;
  startClosest(scratch, upTo);
  // The one that seems nearest goes first: the others mostly have its nearest corner in common.
  let nearest: usize = 0;
  let least = <f32>Infinity;
  for (let at = from; at < end; at += entryBytes) {
    const squared = changetype<NearEntry>(at).squared;
    if (squared > least) continue;
    least = squared;
    nearest = at;
  }
  if (nearest !== 0) {
    const slot = changetype<NearEntry>(nearest).index;
    tryTriangle(body, slot, x, y, z, scratch, list, capacity);
    const isKnown = job.rounded === 0 && scratch.count === 1 && takeFeature(job, tree, x, y, z);
    for (let at = from; at < end; at += entryBytes) {
      const entry = changetype<NearEntry>(at);
      if (at === nearest || entry.key > limit) continue;
      if (!(isKnown && isBeyond(job, body, entry.index, x, y, z)))
        tryTriangle(body, entry.index, x, y, z, scratch, list, capacity);
    }
    if (isKnown) takeLowest(job, body);
  }
  return answerPoint(job, tree, i, x, y, z, upTo);
}

/**
 * Answers a point if one vertex is certainly the nearest point of all its entries: then they are equally near, and everything
 * else is farther. Returns false if there is no such vertex, or it is not certain.
 */
function atCorner(
  job: PointsJob,
  body: Body,
  tree: Tree,
  i: u32,
  x: f64,
  y: f64,
  z: f64,
  from: usize,
  end: usize,
  limit: f32,
): bool {
  if (job.rounded !== 0) return false;
  let vertex: u32 = noTriangle;
  let lowest: u32 = noTriangle;
  let corner: usize = 0;
  for (let at = from; at < end; at += entryBytes) {
    const entry = changetype<NearEntry>(at);
    if (entry.key > limit) continue;
    const which = entry.corner;
    if (which === 0) return false;
    const slot = <usize>entry.index;
    const own = load<u32>(tree.triangles + slot * 12 + ((which - 1) << 2));
    if (vertex !== noTriangle && own !== vertex && !sameVertex(tree, own, vertex)) return false;
    const triangle = load<u32>(tree.order + (slot << 2));
    if (triangle >= lowest) continue;
    lowest = triangle;
    vertex = own;
    corner = which;
  }
  if (corner === 0) return false;
  const world = job.closest.corners;
  const measured = job.measured;
  worldVertex(body, vertex, world);
  // The distance is off by less than 2^-52 of itself.
  if (!measureCorner(x, y, z, world, measured) || !(measured.distance < 0.9999999999999 * job.upTo))
    return false;
  const to = writeAnswer(job, i, measured.distance, lowest, 3 + <u32>corner);
  copyDoubles(to, measured.nearest, 24);
  // For the next point of its row.
  job.closest.slot = changetype<NearEntry>(from).index;
  return true;
}

/** Whether two vertices have equal positions. */
function sameVertex(tree: Tree, a: u32, b: u32): bool {
  const positions = tree.positions;
  if (tree.doubles) return samePosition(positions + <usize>a * 24, positions + <usize>b * 24);
  const p = positions + <usize>a * 12;
  const q = positions + <usize>b * 12;
  return (
    load<f32>(p) === load<f32>(q) &&
    load<f32>(p, 4) === load<f32>(q, 4) &&
    load<f32>(p, 8) === load<f32>(q, 8)
  );
}

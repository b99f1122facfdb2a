// The nearest triangle of a body for each of many world points. The walk (closest.as.ts) leaves the triangles that may
// be the nearest by their bounds in double. They are one answer if they all have the same nearest corner or edge (equal
// positions), decided exactly (point-feature.as.ts). Its distance is measured to 2^-52 of itself
// (measure-feature.as.ts). Different features are compared by their distances in double-double, with bounds. If these
// leave open which is nearest, as for most exact ties, or the distance is not certain to be that precise, all
// candidates are listed for the exact stage.
//
// A point starts with the bound that its predecessor's triangle gives: neighbours in an array are mostly neighbours in
// space.

import { Tree } from '../../../bvh/cpu/build/layout.as';
import { Body, invertBody, worldTriangle, worldVertex } from '../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import { copyDoubles } from '../triangles/copy.as';
import { exactSide, expansionBytes, unknownSign } from '../triangles/expansion.as';
import {
  compareMeasured,
  Measured,
  measureCorner,
  measuredBytes,
  measureFeature,
} from '../triangles/measure-feature.as';
import { ahead, decideFeature } from '../triangles/point-feature.as';
import { Near } from '../triangles/point-triangle.as';
import {
  Closest,
  candidateOf,
  closestBytes,
  far,
  NearTriangle,
  slackOf,
  startClosest,
  tryTriangle,
} from './closest.as';
import {
  entryBytes,
  foundBy,
  mostTogether,
  NearEntry,
  searchTogether,
  taskAt,
  togetherBytes,
  tryCorners,
} from './together.as';
import { FramePoint, frameStretch, frameUnit, placePoint, walkBody } from './world-point.as';

/** The question: one body, world points (three doubles each), how far to search, and where answers go. */
@unmanaged
export class PointsJob {
  body: Body;
  points: usize;
  count: u32;
  /** Address of the first point that no thread has taken. */
  taken: usize;
  /** The points that this thread has taken: the next to answer, and the one after the last. */
  next: u32;
  end: u32;
  /** The slot that the last point was nearest to; −1 at the first point of a chunk. */
  last: i32;
  upTo: f64;
  /** The order in which to answer the points (spatial-order.as.ts); 0 if it is that of the array. */
  order: usize;
  /** One array after the other, in the order of the points: distances, nearest points, triangles, features (a byte each). */
  answers: usize;
  /** Undecided points: (point, triangle) pairs of words. */
  unsure: usize;
  unsureCount: u32;
  unsureCapacity: u32;
  /** The room for the candidates of one point. */
  candidates: usize;
  candidateCapacity: u32;
  /** How many candidates the point had that did not fit. */
  candidateCount: u32;
  /** The known near triangles, two words per point: its first slot and the count. 0 if they are not known. */
  given: usize;
  slots: usize;
  /** 1 if points or positions were rounded on their way here: then the exact stage has to decide everything. */
  rounded: u32;
  /** 1 if distances are wanted in single precision: then the way to the nearest point is given in place of the point. */
  single: u32;
  /**
   * How far to search from each point, one double per point, in place of `upTo`; 0 if the limit is the same for all.
   */
  bounds: usize;
  /** The tree's oriented boxes and vertices (oriented.as.ts); 0 if points are to be searched one by one. */
  boxes: usize;

  get closest(): Closest {
    return changetype<Closest>(changetype<usize>(this) + closestOffset);
  }

  /** The nearest feature so far, and one to compare with it. */
  get measured(): Measured {
    return changetype<Measured>(changetype<usize>(this) + measuredOffset);
  }

  get compared(): Measured {
    return changetype<Measured>(changetype<usize>(this) + comparedOffset);
  }

  /** Memory for several points (together.as.ts). */
  get together(): usize {
    return changetype<usize>(this) + togetherOffset;
  }

  /** Memory for expansions. */
  get work(): usize {
    return changetype<usize>(this) + workOffset;
  }
}

const closestOffset: usize = offsetof<PointsJob>();
const measuredOffset: usize = closestOffset + closestBytes;
const comparedOffset: usize = measuredOffset + measuredBytes;
const workOffset: usize = comparedOffset + measuredBytes;
const togetherOffset: usize = (workOffset + expansionBytes + 15) & ~(<usize>15);
export const pointsBytes: usize = togetherOffset + togetherBytes;

/** Bytes of the answer for a point. */
export const answerBytes: usize = 8 + 24 + 4 + 1;

/** The triangle of an answer if nothing is within reach, or if the exact stage has to decide. */
export const noTriangle: u32 = 0xffffffff;
export const unsureTriangle: u32 = 0xfffffffe;
/** Frames that stretch by more are of little use: their points are answered one by one. */
const mostStretch: f64 = 1.2;
/** The slot count of a point whose near triangles are not known. */
const leftOpen: u32 = 0xffffffff;

/** Writes the answer for a point without the nearest point. Returns where that goes, three doubles. */
function writeAnswer(job: PointsJob, point: u32, distance: f64, triangle: u32, feature: u32): usize {
  const i = <usize>point;
  const count = <usize>job.count;
  const answers = job.answers;
  store<f64>(answers + (i << 3), distance);
  store<u32>(answers + (count << 5) + (i << 2), triangle);
  store<u8>(answers + count * 36 + i, <u8>feature);
  return answers + (count << 3) + i * 24;
}

/** Writes that nothing is within reach, or that the exact stage has to decide. */
function writeNoAnswer(job: PointsJob, point: u32, triangle: u32): void {
  memory.fill(writeAnswer(job, point, 0, triangle, 0), 0, 24);
}

/** The point to answer as number i. */
function pointOf(job: PointsJob, i: u32): u32 {
  const order = job.order;
  return order === 0 ? i : load<u32>(order + ((<usize>i) << 3));
}

/**
 * Points are taken in chunks of this many, a multiple of mostTogether². A search begins at the triangle of the point before, but not across
 * chunks: so it does not depend on which thread has which chunk.
 */
const chunk: u32 = 1024;

/**
 * Answers points until none is left, out of room or past `budget` points. Several threads may do so at once, each with a job,
 * after a first call without budget, which prepares the body.
 */
export function closestPoints(job: PointsJob, budget: i32): i32 {
  const body = job.body;
  const tree = body.tree;
  const count = job.count;
  const empty = tree.triangleCount === 0;
  if (!empty) invertBody(body);
  const unit = empty ? 0 : frameUnit(body);
  const boxes = job.boxes;
  const stretch = boxes === 0 || empty ? Infinity : frameStretch(body);
  while (true) {
    let i = job.next;
    if (budget <= 0) return jobPaused;
    if (i >= job.end) {
      i = atomic.add<u32>(job.taken, chunk);
      if (i >= count) return jobDone;
      job.next = i;
      job.end = min(count, i + chunk);
      job.last = -1;
    }
    if (stretch < mostStretch) {
      const end = min(job.end, i + mostTogether);
      budget -= end - i;
      if (!closestTogether(job, body, tree, i, end, stretch, unit)) return jobFull;
      continue;
    }
    budget--;
    if (empty) writeNoAnswer(job, i, noTriangle);
    else if (!closestPoint(job, body, tree, pointOf(job, i), unit, job.last)) return jobFull;
    else job.last = job.closest.slot;
    job.next = i + 1;
  }
}

/**
 * Answers points [first, end), or as many as there is room for; then it returns false. Points that lie so far away that single precision
 * separates boxes poorly, and all of them if their lists have no room, are answered one by one.
 */
function closestTogether(
  job: PointsJob,
  body: Body,
  tree: Tree,
  first: u32,
  end: u32,
  stretch: f64,
  unit: f64,
): bool {
  const twist = 4.001 * (stretch * stretch - 1.0) + 1e-12;
  const together = job.together;
  const placed = changetype<FramePoint>(job.closest.placed);
  const isFirst = first % chunk === 0;
  for (let i = first; i < end; i++) {
    const point = job.points + <usize>pointOf(job, streamed(job, i)) * 24;
    placePoint(body, load<f64>(point), load<f64>(point, 8), load<f64>(point, 16), placed);
    const reach = max(abs(placed.x), max(abs(placed.y), abs(placed.z)));
    const slack = (1.0 + stretch) * 1.000002 * slackOf(placed.noise, reach);
    const task = taskAt(together, i - first);
    const distance = job.upTo * unit + slack;
    task.x = <f32>placed.x;
    task.y = <f32>placed.y;
    task.z = <f32>placed.z;
    task.slack = <f32>slack;
    task.least = <f32>Infinity;
    // A limit below every key: no node is opened.
    task.limit = reach <= far ? <f32>min<f64>(distance * distance * 1.000002, Infinity) : -1;
    if (isFirst) task.seed = -1;
    else if (task.seed >= 0) tryCorners(tree, task, <f32>(stretch * 1.000001));
  }
  let at = foundBy(tree, together);
  const behind = searchTogether(
    tree,
    job.boxes,
    together,
    end - first,
    <f32>(stretch * 1.000001),
    <f32>twist,
  );
  for (let i = first; i < end; i++) {
    const task = taskAt(together, i - first);
    const point = pointOf(job, streamed(job, i));
    if (behind === 0 || task.limit < 0) {
      if (!closestPoint(job, body, tree, point, unit, -1)) return false;
    } else {
      const from = at;
      while (at < behind && changetype<NearEntry>(at).point === task) at += entryBytes;
      if (!closestAmong(job, body, tree, point, from, at, task.limit)) return false;
    }
    task.seed = job.closest.slot;
    job.next = i + 1;
  }
  return true;
}

/**
 * The points of a whole chunk are divided into `mostTogether` rows of neighbours, and one of each row is searched at a time. So each begins at
 * the triangle of its neighbour.
 */
function streamed(job: PointsJob, i: u32): u32 {
  const place = i % chunk;
  const first = i - place;
  return first + chunk > job.count
    ? i
    : first + (place % mostTogether) * (chunk / mostTogether) + place / mostTogether;
}

/** Answers one point whose nearest triangles are among the entries from `from` to `end`. Returns false if there was no room. */
function closestAmong(
  job: PointsJob,
  body: Body,
  tree: Tree,
  i: u32,
  from: usize,
  end: usize,
  limit: f32,
): bool {
  const point = job.points + <usize>i * 24;
  const x = load<f64>(point);
  const y = load<f64>(point, 8);
  const z = load<f64>(point, 16);
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
    tryTriangle(body, changetype<NearEntry>(nearest).index, x, y, z, scratch, list, capacity);
    for (let at = from; at < end; at += entryBytes) {
      const entry = changetype<NearEntry>(at);
      if (at === nearest || entry.key > limit) continue;
      if (!hasNearestCorner(job, body, entry.index, x, y, z))
        tryTriangle(body, entry.index, x, y, z, scratch, list, capacity);
    }
  }
  return answerPoint(job, tree, i, x, y, z, upTo);
}

/**
 * Answers a point if all its entries certainly have the same vertex as what is nearest of them: then they are equally near, and
 * everything else is farther. Returns false if that is not so, or not certain.
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

/**
 * Whether the nearest corner so far, of the same vertex, is also what is nearest of this triangle; decided exactly. Then it is listed as that.
 */
function hasNearestCorner(job: PointsJob, body: Body, slot: u32, x: f64, y: f64, z: f64): bool {
  const scratch = job.closest;
  const feature = scratch.feature;
  const count = scratch.count;
  if (feature < 4 || count === 0 || count >= job.candidateCapacity) return false;
  const triangles = body.tree.triangles;
  const vertex = load<u32>(triangles + <usize>scratch.slot * 12 + ((<usize>(feature - 4)) << 2));
  const corners = triangles + <usize>slot * 12;
  const a = load<u32>(corners);
  const b = load<u32>(corners, 4);
  const c = load<u32>(corners, 8);
  if (a !== vertex && b !== vertex && c !== vertex) return false;
  const corner: u32 = a === vertex ? 0 : b === vertex ? 1 : 2;
  const candidate = candidateOf(job.candidates, count);
  const world = candidate.corners;
  worldTriangle(body, slot, world);
  const at = world + <usize>corner * 24;
  const next = world + (corner === 2 ? 0 : <usize>(corner + 1) * 24);
  const last = world + (corner === 0 ? 48 : <usize>(corner - 1) * 24);
  const first = ahead(x, y, z, at, next, job.work);
  if (first > 0 || first === unknownSign) return false;
  const second = ahead(x, y, z, at, last, job.work);
  if (second > 0 || second === unknownSign) return false;
  candidate.low = scratch.low;
  candidate.slot = slot;
  candidate.near.feature = 4 + corner;
  candidate.near.certain = 1;
  scratch.count = count + 1;
  return true;
}

/** Answers one point. Returns false if its candidates or the list of undecided points had no room. */
function closestPoint(job: PointsJob, body: Body, tree: Tree, i: u32, unit: f64, last: i32): bool {
  const point = job.points + <usize>i * 24;
  const x = load<f64>(point);
  const y = load<f64>(point, 8);
  const z = load<f64>(point, 16);
  const scratch = job.closest;
  const list = job.candidates;
  const capacity = job.candidateCapacity;
  const bounds = job.bounds;
  const upTo = bounds === 0 ? job.upTo : load<f64>(bounds + ((<usize>i) << 3));
  startClosest(scratch, upTo);
  const given = job.given;
  const slots = given === 0 ? leftOpen : load<u32>(given + ((<usize>i) << 3), 4);
  if (slots !== leftOpen) {
    let at = job.slots + ((<usize>load<u32>(given + ((<usize>i) << 3))) << 2);
    for (let k: u32 = 0; k < slots; k++, at += 4)
      tryTriangle(body, load<u32>(at), x, y, z, scratch, list, capacity);
  } else if (last >= 0) {
    tryTriangle(body, <u32>last, x, y, z, scratch, list, capacity);
    scratch.high = min(scratch.high, upTo);
  }
  if (slots === leftOpen) walkBody(body, x, y, z, unit, scratch, list, capacity, last);
  return answerPoint(job, tree, i, x, y, z, upTo);
}

/** Answers a point from its candidates. Returns false if they or the list of undecided points had no room. */
function answerPoint(job: PointsJob, tree: Tree, i: u32, x: f64, y: f64, z: f64, upTo: f64): bool {
  const list = job.candidates;
  const found = job.closest.count;
  if (found > job.candidateCapacity) {
    job.candidateCount = found;
    return false;
  }
  if (found === 0) {
    writeNoAnswer(job, i, noTriangle);
    return true;
  }
  const order = tree.order;
  const chosen = oneAnswer(job, x, y, z, upTo, list, found, order);
  if (chosen === null) {
    const listed = job.unsureCount;
    if (listed + found > job.unsureCapacity) {
      job.candidateCount = found;
      return false;
    }
    let to = job.unsure + ((<usize>listed) << 3);
    for (let at: u32 = 0; at < found; at++, to += 8) {
      const candidate = candidateOf(list, at).slot;
      store<u32>(to, i);
      store<u32>(to, load<u32>(order + ((<usize>candidate) << 2)), 4);
    }
    job.unsureCount = listed + found;
    writeNoAnswer(job, i, unsureTriangle);
    return true;
  }
  const measured = job.measured;
  const triangle = load<u32>(order + ((<usize>chosen.slot) << 2));
  const to = writeAnswer(job, i, measured.distance, triangle, chosen.near.feature);
  copyDoubles(to, job.single !== 0 ? measured.way : measured.nearest, 24);
  return true;
}

/**
 * The candidate with the lowest of the nearest triangles, if that is certain. Its feature is then the right one, and it
 * is measured to `measured`. null if the exact stage has to decide.
 */
function oneAnswer(
  job: PointsJob,
  x: f64,
  y: f64,
  z: f64,
  upTo: f64,
  list: usize,
  count: u32,
  order: usize,
): NearTriangle | null {
  const measured = job.measured;
  const compared = job.compared;
  // One of the nearest, and the lowest triangle among those equally near.
  let nearest = candidateOf(list, 0);
  let chosen = nearest;
  let lowest: u32 = noTriangle;
  let isAlike = false;
  let isMeasured = false;
  // Not provably less than the bound: the exact stage decides.
  if (job.closest.high >= upTo) return null;
  if (job.rounded !== 0) return null;
  for (let i: u32 = 0; i < count; i++) {
    const candidate = candidateOf(list, i);
    const near = candidate.near;
    const corners = candidate.corners;
    const likely = near.feature;
    if (near.certain === 0) decideFeature(x, y, z, corners, near, job.work);
    if (near.certain === 0) return null;
    const feature = near.feature;
    if (i > 0 && !sameFeature(nearest, candidate)) {
      if (!isMeasured && !measureExactly(x, y, z, nearest, measured, job.work)) return null;
      isMeasured = true;
      if (!measureExactly(x, y, z, candidate, compared, job.work)) return null;
      const nearer = compareMeasured(measured, compared);
      if (nearer === unknownSign) return null;
      if (nearer < 0) continue;
      if (nearer > 0) {
        copyDoubles(changetype<usize>(measured), changetype<usize>(compared), measuredBytes);
        nearest = candidate;
        lowest = noTriangle;
      }
    }
    const triangle = load<u32>(order + ((<usize>candidate.slot) << 2));
    if (triangle >= lowest) continue;
    lowest = triangle;
    chosen = candidate;
    isAlike = likely === feature;
  }
  if (!isMeasured && isAlike && job.single !== 0 && inDouble(chosen, measured)) return chosen;
  return measureCandidate(x, y, z, chosen, measured) ? chosen : null;
}

function measureCandidate(x: f64, y: f64, z: f64, candidate: NearTriangle, out: Measured): bool {
  const feature = candidate.near.feature;
  return measureFeature(x, y, z, candidate.corners, feature, out);
}

/**
 * Measures for a comparison. If a point is neither inward nor outward of its nearest edge, it is as far from the
 * triangle's plane as from the edge, and the distance from many planes is exact.
 */
function measureExactly(x: f64, y: f64, z: f64, candidate: NearTriangle, out: Measured, work: usize): bool {
  const feature = candidate.near.feature;
  if (feature === 0 || feature >= 4) return measureCandidate(x, y, z, candidate, out);
  const corners = candidate.corners;
  const a = corners + <usize>(feature - 1) * 24;
  const b = corners + <usize>(feature % 3) * 24;
  const c = corners + <usize>((feature + 1) % 3) * 24;
  const isAbove = exactSide(x, y, z, a, b, c, work) === 0;
  return measureFeature(x, y, z, corners, isAbove ? 0 : feature, out);
}

/** Takes the double precision result if its bounds are within 2^-30 of each other; a single has 24 digits. */
function inDouble(candidate: NearTriangle, out: Measured): bool {
  const near = candidate.near;
  const low = near.low;
  const high = near.high;
  if (!(high - low <= 9.313225746154785e-10 * low)) return false;
  out.distance = 0.5 * (low + high);
  copyDoubles(out.way, changetype<usize>(near) + offsetof<Near>('x'), 24);
  return true;
}

/** Tells whether two candidates' features, both corners or both edges, have equal positions. */
function sameFeature(candidateA: NearTriangle, candidateB: NearTriangle): bool {
  const featureA = candidateA.near.feature;
  const featureB = candidateB.near.feature;
  const a = candidateA.corners;
  const b = candidateB.corners;
  if (featureA === 0 || featureB === 0 || featureA < 4 !== featureB < 4) return false;
  if (featureA >= 4) return samePosition(a + <usize>(featureA - 4) * 24, b + <usize>(featureB - 4) * 24);
  const a0 = a + <usize>(featureA - 1) * 24;
  const a1 = featureA === 3 ? a : a0 + 24;
  const b0 = b + <usize>(featureB - 1) * 24;
  const b1 = featureB === 3 ? b : b0 + 24;
  return (samePosition(a0, b0) && samePosition(a1, b1)) || (samePosition(a0, b1) && samePosition(a1, b0));
}

function samePosition(a: usize, b: usize): bool {
  return (
    load<f64>(a) === load<f64>(b) &&
    load<f64>(a, 8) === load<f64>(b, 8) &&
    load<f64>(a, 16) === load<f64>(b, 16)
  );
}

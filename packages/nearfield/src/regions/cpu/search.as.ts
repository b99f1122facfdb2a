// Which triangles of a body does each of many boxes or spheres meet? A walk down the tree. Boxes of the tree that a
// region certainly misses are dropped, and those that certainly lie within it are taken with all their triangles,
// both four at a time in single precision. So are triangles with a corner within it. Triangles that are left are tested in double (box-triangle.as.ts,
// distance/cpu/triangles/point-triangle.as.ts). What doubles leave open is listed for the exact stage.
//
// A subtree has consecutive slots, since the tree is balanced: the children of node i are 4i … 4i + 3.

import { GivenRange, givenAt } from '../../bvh/cpu/build/given.as';
import { childMask, Leaf, leafAt, Node, nodeAt, nodeBytes } from '../../bvh/cpu/build/layout.as';
import { frameBytes, mapBytes, moved, reach } from '../../bvh/cpu/place/frame.as';
import { Body, bodyBytes, worldTriangle } from '../../bvh/cpu/place/place.as';
import { indexOf, levelOf, nodeWord } from '../../bvh/cpu/walk/node-word.as';
import { leafAsNode, relateBox } from '../../bvh/cpu/walk/walk.as';
import { jobDone, jobFull, jobPaused } from '../../cpu/states.as';
import { Near, nearBytes } from '../../distance/cpu/triangles/point-triangle.as';
import { certainHit, certainMiss, testBox } from './box-triangle.as';
import { sortWords } from './sort-words.as';
import {
  cornersInSphere,
  openSphere,
  placeSphere,
  Sphere,
  SphereFactors,
  sphereBytes,
  sphereFactors,
  testSphere,
} from './sphere.as';

/** What is wanted of each region. */
export const wantList: u32 = 0;
export const wantCount: u32 = 1;
export const wantAny: u32 = 2;

/** The question: one body, boxes or spheres, and where the answer goes. */
@unmanaged
export class RegionsJob {
  body: Body;
  /** Boxes, six doubles each, not empty; or spheres, four doubles each. */
  regions: usize;
  spheres: u32;
  count: u32;
  next: u32;
  want: u32;
  /** 1 if coordinates were rounded on their way here: then the exact stage has to decide every triangle. */
  rounded: u32;
  /**
   * What another engine found: one `GivenRange` per region, and the words, slot · 2, plus 1 unless it is certainly met. 0 if no other
   * engine was asked.
   */
  given: usize;
  givenWords: usize;
  /** One `RegionRecord` per region. */
  records: usize;
  /** Words: triangle · 2, plus 1 if it is left to the exact stage. Those of a region follow each other in ascending order. */
  list: usize;
  listCount: u32;
  listCapacity: u32;
  /** Room for as many words again, and for the sort's counters. */
  other: usize;
  counters: usize;
  boxTests: f64;
  triangleTests: f64;
  unsure: f64;

  get sphere(): Sphere {
    return changetype<Sphere>(changetype<usize>(this) + sphereOffset);
  }

  get factors(): SphereFactors {
    return changetype<SphereFactors>(changetype<usize>(this) + factorsOffset);
  }

  get near(): Near {
    return changetype<Near>(changetype<usize>(this) + nearOffset);
  }

  get corners(): usize {
    return changetype<usize>(this) + cornersOffset;
  }

  /** A region that is a box: as a body, its frame, its box there, and three rows of its half extents rounded down. */
  get boxBody(): Body {
    return changetype<Body>(changetype<usize>(this) + bodyOffset);
  }

  get frame(): usize {
    return changetype<usize>(this) + frameOffset;
  }

  get rows(): usize {
    return changetype<usize>(this) + rowsOffset;
  }

  get inner(): usize {
    return changetype<usize>(this) + innerOffset;
  }

  get leaf(): Node {
    return changetype<Node>(changetype<usize>(this) + leafOffset);
  }

  get stack(): usize {
    return changetype<usize>(this) + stackOffset;
  }
}

const sphereOffset: usize = (offsetof<RegionsJob>() + 15) & ~(<usize>15);
const factorsOffset: usize = (sphereOffset + sphereBytes + 15) & ~(<usize>15);
const nearOffset: usize = factorsOffset + 16;
const cornersOffset: usize = (nearOffset + nearBytes + 15) & ~(<usize>15);
const bodyOffset: usize = (cornersOffset + 72 + 63) & ~(<usize>63);
const frameOffset: usize = bodyOffset + bodyBytes;
const rowsOffset: usize = frameOffset + frameBytes;
const innerOffset: usize = rowsOffset + nodeBytes;
const leafOffset: usize = innerOffset + 48;
const stackOffset: usize = leafOffset + nodeBytes;
export const regionsBytes: usize = stackOffset + 4 * 64;

/** What a region meets of the body. */
@unmanaged
export class RegionRecord {
  /** How many triangles it certainly meets; if only that one is met is wanted, 1 stands for any number. */
  certain: u32;
  /** The words of the region in the list. Those of certain triangles are there only if a list is wanted. */
  first: u32;
  words: u32;
}

/** Searches regions until done, out of room or past `budget` regions. */
export function searchRegions(job: RegionsJob, budget: i32): i32 {
  const count = job.count;
  const body = job.body;
  const isEmpty = body.tree.triangleCount === 0;
  if (!isEmpty && job.spheres !== 0) sphereFactors(body, job.factors);
  for (let i = job.next; i < count; i++) {
    job.next = i;
    if (--budget < 0) return jobPaused;
    const begun = job.listCount;
    const unsure = job.unsure;
    const record = changetype<RegionRecord>(job.records + <usize>i * offsetof<RegionRecord>());
    record.certain = 0;
    record.first = begun;
    if (!isEmpty && !searchRegion(job, i, record)) {
      job.listCount = begun;
      job.unsure = unsure;
      return jobFull;
    }
    // One triangle that is certainly met settles it.
    if (job.want === wantAny && record.certain !== 0) job.listCount = begun;
    record.words = job.listCount - begun;
    sortWords(job.list + ((<usize>begun) << 2), job.other, job.counters, record.words);
  }
  job.next = count;
  return jobDone;
}

/** Searches one region. Returns false if the list has no room for its words. */
function searchRegion(job: RegionsJob, index: u32, record: RegionRecord): bool {
  const body = job.body;
  const tree = body.tree;
  const count = tree.triangleCount;
  const levels = tree.levelCount;
  const isSphere = job.spheres !== 0;
  const region = job.regions + <usize>index * (isSphere ? 32 : 48);
  const given = job.given;
  if (given !== 0 && !givenAt(given, index).isLeftOpen)
    return takeGiven(job, record, region, givenAt(given, index));
  if (isSphere) placeSphere(body, region, job.factors, job.sphere);
  else placeBox(job, region);
  const bottom = job.stack;
  let top = bottom;
  store<u32>(top, 0);
  top += 4;
  while (top > bottom) {
    top -= 4;
    const entry = load<u32>(top);
    const level = levelOf(entry);
    const place = indexOf(entry);
    const isLeaf = level === levels;
    let node: Node;
    let mask: u32;
    if (isLeaf) {
      const left = count - (place << 2);
      mask = left < 4 ? (1 << left) - 1 : 15;
      node = job.leaf;
      leafAsNode(changetype<usize>(leafAt(tree, place)), changetype<usize>(node));
    } else {
      mask = childMask(tree, level, place);
      node = nodeAt(tree, level, place);
    }
    job.boxTests += <f64>popcnt(mask);
    const tested = isSphere ? openSphere(node, job.sphere) : openBox(node, job);
    let within = (tested >> 4) & mask;
    if (isLeaf && job.rounded === 0 && (tested & mask & ~within) !== 0) {
      const leaf = leafAt(tree, place);
      within |= (isSphere ? cornersInSphere(leaf, job.sphere) : cornersInBox(leaf, job)) & mask;
    }
    for (let rest = within; rest !== 0; rest &= rest - 1) {
      if (!takeAll(job, record, level + 1, (place << 2) + <u32>ctz(rest))) return false;
      if (job.want === wantAny) return true;
    }
    for (let rest = tested & mask & ~within; rest !== 0; rest &= rest - 1) {
      const child = (place << 2) + <u32>ctz(rest);
      if (isLeaf) {
        if (!tryTriangle(job, record, region, child)) return false;
        if (job.want === wantAny && record.certain !== 0) return true;
      } else {
        store<u32>(top, nodeWord(level + 1, child));
        top += 4;
      }
    }
  }
  return true;
}

/** Takes the triangles that another engine found, and tests those that it was not certain of. */
function takeGiven(job: RegionsJob, record: RegionRecord, region: usize, range: GivenRange): bool {
  const level = job.body.tree.levelCount + 1;
  let at = job.givenWords + ((<usize>range.first) << 2);
  const end = at + ((<usize>range.count) << 2);
  for (; at < end; at += 4) {
    const word = load<u32>(at);
    const slot = word >> 1;
    const isListed =
      (word & 1) === 0 ? takeAll(job, record, level, slot) : tryTriangle(job, record, region, slot);
    if (!isListed) return false;
    if (job.want === wantAny && record.certain !== 0) return true;
  }
  return true;
}

/** Takes all triangles below a node or leaf, or one triangle, by its level and place. */
function takeAll(job: RegionsJob, record: RegionRecord, level: u32, place: u32): bool {
  const tree = job.body.tree;
  const shift = (tree.levelCount + 1 - level) << 1;
  const first = place << shift;
  const end = min<u64>((<u64>place + 1) << shift, tree.triangleCount);
  const taken = <u32>end - first;
  record.certain += taken;
  if (job.want !== wantList) return true;
  const at = job.listCount;
  if (at + taken > job.listCapacity) return false;
  let to = job.list + ((<usize>at) << 2);
  const order = tree.order;
  for (let slot = first; slot < <u32>end; slot++, to += 4) {
    store<u32>(to, load<u32>(order + ((<usize>slot) << 2)) << 1);
  }
  job.listCount = at + taken;
  return true;
}

/** Tests one triangle in double. Lists it if it is met, or if doubles leave that open. */
function tryTriangle(job: RegionsJob, record: RegionRecord, region: usize, slot: u32): bool {
  const body = job.body;
  job.triangleTests += 1;
  let state: i32 = 0;
  if (job.spheres !== 0) {
    const corners = job.corners;
    worldTriangle(body, slot, corners);
    state = testSphere(region, corners, job.near);
  } else if (job.rounded === 0) {
    worldTriangle(body, slot, job.corners);
    state = testBox(region, job.corners);
  }
  if (state === certainMiss) return true;
  if (state === certainHit) {
    record.certain++;
    if (job.want !== wantList) return true;
  } else {
    job.unsure += 1;
  }
  const at = job.listCount;
  if (at === job.listCapacity) return false;
  const triangle = load<u32>(body.tree.order + ((<usize>slot) << 2));
  store<u32>(job.list + ((<usize>at) << 2), (triangle << 1) | (state === certainHit ? 0 : 1));
  job.listCount = at + 1;
  return true;
}

/**
 * Places a box as a second body (bvh/cpu/walk/walk.as.ts), and computes half extents that are certainly within it. The centre lies
 * between its ends, so the smaller of the two differences, rounded down, reaches no farther than either end.
 */
function placeBox(job: RegionsJob, box: usize): void {
  const other = job.boxBody;
  relateBox(job.body, box, other, job.rows, job.frame);
  for (let axis: usize = 0; axis < 3; axis++) {
    const centre = load<f64>(other.w + (axis << 3));
    const half = min(load<f64>(box + (axis << 3), 24) - centre, centre - load<f64>(box + (axis << 3)));
    // 2^-20 covers the rounding of the difference, to single precision, and of the sum that it is compared with.
    const inner = <f32>(half * other.shrink * 0.9999990463256836);
    v128.store(job.inner + (axis << 4), f32x4.splat(inner));
  }
}

/**
 * Which of a node's four boxes may meet the box, and from bit 4 on, which of them certainly lie within it. They are compared along
 * the axes of the tree's frame and of the world (open.as.ts); slacks of the frame cover all rounding (frame.as.ts).
 */
function openBox(node: Node, job: RegionsJob): u32 {
  const here = job.frame;
  const there = here + mapBytes;
  const rows = changetype<Node>(job.rows);
  const zero = f32x4.splat(0);
  const hx = rows.halfX;
  const hy = rows.halfY;
  const hz = rows.halfZ;
  const nx = node.centreX;
  const ny = node.centreY;
  const nz = node.centreZ;
  const gx = node.halfX;
  const gy = node.halfY;
  const gz = node.halfZ;
  let outside = f32x4.gt(
    f32x4.abs(f32x4.sub(moved(here, 0, zero, zero, zero), nx)),
    f32x4.add(reach(here, 0, hx, hy, hz), gx),
  );
  outside = v128.or(
    outside,
    f32x4.gt(
      f32x4.abs(f32x4.sub(moved(here, 1, zero, zero, zero), ny)),
      f32x4.add(reach(here, 1, hx, hy, hz), gy),
    ),
  );
  outside = v128.or(
    outside,
    f32x4.gt(
      f32x4.abs(f32x4.sub(moved(here, 2, zero, zero, zero), nz)),
      f32x4.add(reach(here, 2, hx, hy, hz), gz),
    ),
  );
  const x = f32x4.abs(moved(there, 0, nx, ny, nz));
  const y = f32x4.abs(moved(there, 1, nx, ny, nz));
  const z = f32x4.abs(moved(there, 2, nx, ny, nz));
  const rx = reach(there, 0, gx, gy, gz);
  const ry = reach(there, 1, gx, gy, gz);
  const rz = reach(there, 2, gx, gy, gz);
  outside = v128.or(outside, f32x4.gt(x, f32x4.add(rx, hx)));
  outside = v128.or(outside, f32x4.gt(y, f32x4.add(ry, hy)));
  outside = v128.or(outside, f32x4.gt(z, f32x4.add(rz, hz)));
  const inner = job.inner;
  const inside = v128.and(
    f32x4.le(f32x4.add(x, rx), v128.load(inner)),
    v128.and(
      f32x4.le(f32x4.add(y, ry), v128.load(inner, 16)),
      f32x4.le(f32x4.add(z, rz), v128.load(inner, 32)),
    ),
  );
  return (~i32x4.bitmask(outside) & 15) | (i32x4.bitmask(inside) << 4);
}

/** Which of a leaf's four triangles have a corner that certainly lies within the box: a box without extent in `openBox`. */
function cornersInBox(leaf: Leaf, job: RegionsJob): u32 {
  const there = job.frame + mapBytes;
  const inner = job.inner;
  return i32x4.bitmask(
    v128.or(
      isInBox(there, inner, leaf.x0, leaf.y0, leaf.z0),
      v128.or(
        isInBox(there, inner, leaf.x1, leaf.y1, leaf.z1),
        isInBox(there, inner, leaf.x2, leaf.y2, leaf.z2),
      ),
    ),
  );
}

function isInBox(there: usize, inner: usize, x: v128, y: v128, z: v128): v128 {
  return v128.and(
    isWithin(there, 0, inner, x, y, z),
    v128.and(isWithin(there, 1, inner + 16, x, y, z), isWithin(there, 2, inner + 32, x, y, z)),
  );
}

function isWithin(there: usize, row: usize, inner: usize, x: v128, y: v128, z: v128): v128 {
  const zero = f32x4.splat(0);
  const along = f32x4.abs(moved(there, row, x, y, z));
  return f32x4.le(f32x4.add(along, reach(there, row, zero, zero, zero)), v128.load(inner));
}

// Which triangles of a body does each of many rays meet? A walk down the tree, nearer boxes first. Boxes and triangles
// are tested four at a time in single precision, as far as that can rule them out. What is left is tested in double
// (ray-triangle.as.ts): a certain miss is dropped, a certain hit is listed with its time, and whatever doubles leave open
// is listed for the exact stage.
//
// If only first hits are wanted, a certain hit bounds how far the ray is followed, and nearer boxes are opened first.
// Several rays are cast as a packet: for their first hits (first-packet.as.ts) or for all of them (cast-packet.as.ts). The
// walk for one ray is left for those that a packet has no room for or cannot place.

import { GivenRange, givenAt } from '../../bvh/cpu/build/given.as';
import { childMask, leafAt, nodeAt } from '../../bvh/cpu/build/layout.as';
import { Body, worldTriangle } from '../../bvh/cpu/place/place.as';
import { NodeEntry, nodeEntryBytes, pushNode } from '../../bvh/cpu/walk/node-entry.as';
import { firstChild, indexOf, levelOf } from '../../bvh/cpu/walk/node-word.as';
import { openRay, placeRay, Ray, rayMisses, rayPlaced } from '../../bvh/cpu/walk/ray.as';
import { jobDone, jobFull, jobPaused } from '../../cpu/states.as';
import { castPacket, packetBytes, packetSize } from './cast-packet.as';
import { castFirst, firstBytes } from './first-packet.as';
import { certainHit, certainMiss, mayMeet, RayTest, testRay } from './ray-triangle.as';

/** The question, one per thread: one body, rays (six doubles each: origin, direction), and where hits go. */
@unmanaged
export class RaysJob {
  body: Body;
  rays: usize;
  /** Which rays to cast: one word each. */
  chosen: usize;
  count: u32;
  /** Address of the first ray that no thread has taken. */
  taken: usize;
  /** The rays that this thread has taken: the next to cast, and the one after the last. */
  next: u32;
  end: u32;
  /** One double per ray: hits that are certainly later are not wanted. First hits lower it. */
  bounds: usize;
  /** 1 if only first hits are wanted. */
  first: u32;
  /** 1 if numbers were rounded on their way here: then the exact stage has to decide everything. */
  rounded: u32;
  /**
   * What another engine found: one `GivenRange` per chosen ray, and the words, slot · 2 + 1. 0 if no other engine was asked.
   */
  given: usize;
  givenWords: usize;
  /** `HitRecord`s. */
  list: usize;
  listCount: u32;
  listCapacity: u32;

  get ray(): Ray {
    return changetype<Ray>(changetype<usize>(this) + rayOffset);
  }

  get test(): RayTest {
    return changetype<RayTest>(changetype<usize>(this) + testOffset);
  }

  get corners(): usize {
    return changetype<usize>(this) + cornersOffset;
  }

  /** Where the ray enters four boxes. */
  get lanes(): usize {
    return changetype<usize>(this) + lanesOffset;
  }

  get stack(): usize {
    return changetype<usize>(this) + stackOffset;
  }

  /** Memory for several rays (cast-packet.as.ts). */
  get packet(): usize {
    return changetype<usize>(this) + packetOffset;
  }
}

const rayOffset: usize = (offsetof<RaysJob>() + 15) & ~(<usize>15);
const testOffset: usize = rayOffset + ((offsetof<Ray>() + 15) & ~(<usize>15));
const cornersOffset: usize = testOffset + ((offsetof<RayTest>() + 15) & ~(<usize>15));
const lanesOffset: usize = (cornersOffset + 72 + 15) & ~(<usize>15);
const stackOffset: usize = lanesOffset + 16;
const packetOffset: usize = (stackOffset + nodeEntryBytes * 64 + 15) & ~(<usize>15);
export const raysBytes: usize = packetOffset + max(packetBytes, firstBytes);

/** A triangle that a ray meets or may meet. */
@unmanaged
export class HitRecord {
  /** The place of the hit along the ray, as a multiple of the direction, and the weights of the second and third corner. */
  time: f64;
  second: f64;
  third: f64;
  ray: u32;
  triangle: u32;
  /** 1 if the hit is certain. Otherwise only `ray` and `triangle` mean anything. */
  certain: u32;
  /** For a certain hit: 1 if the ray runs along the triangle's normal, −1 if against it. */
  crossing: i32;
}

const recordBytes: usize = offsetof<HitRecord>();
/** Times that are certain are off by less than this, relatively (ray-triangle.as.ts). */
const late: f64 = 1.0000000000009095; // 1 + 2^-40
const early: f64 = 0.9999999999990905; // 1 − 2^-40

/** How many rays a thread takes at once: whole packets. */
const chunk: u32 = 8 * packetSize;

/** Casts rays until none is left, out of room or past `budget` rays. Several threads may do so at once, each with a job. */
export function castRays(job: RaysJob, budget: i32): i32 {
  const count = job.count;
  const inPackets = job.given === 0 && job.body.tree.triangleCount > 0;
  while (true) {
    let i = job.next;
    if (budget <= 0) return jobPaused;
    if (i >= job.end) {
      i = atomic.add<u32>(job.taken, chunk);
      if (i >= count) return jobDone;
      job.next = i;
      job.end = min(count, i + chunk);
    }
    const end = inPackets ? min(job.end, i + packetSize) : i + 1;
    const begun = job.listCount;
    if (!castSome(job, i, end, inPackets)) {
      job.listCount = begun;
      return jobFull;
    }
    budget -= end - i;
    job.next = end;
  }
}

/** Casts a packet, or one ray. Returns false if the list has no room. */
function castSome(job: RaysJob, i: u32, end: u32, inPackets: bool): bool {
  if (inPackets) return job.first !== 0 ? castFirst(job, i, end) : castPacket(job, i, end);
  const index = load<u32>(job.chosen + ((<usize>i) << 2));
  const range = givenAt(job.given, i);
  const isGiven = job.given !== 0 && !range.isLeftOpen;
  return isGiven ? tryGiven(job, index, range) : castRay(job, index);
}

/** Tests the triangles that another engine found for a ray. Returns false if the list has no room. */
function tryGiven(job: RaysJob, index: u32, range: GivenRange): bool {
  const world = job.rays + <usize>index * 48;
  const begun = job.listCount;
  let at = job.givenWords + ((<usize>range.first) << 2);
  const end = at + ((<usize>range.count) << 2);
  for (; at < end; at += 4) if (!tryTriangle(job, index, world, load<u32>(at) >> 1, begun)) return false;
  return true;
}

/** Casts one ray. Returns false if the list has no room for its records. */
export function castRay(job: RaysJob, index: u32): bool {
  const body = job.body;
  const tree = body.tree;
  const count = tree.triangleCount;
  if (count === 0) return true;
  const world = job.rays + <usize>index * 48;
  const ray = job.ray;
  const placed = placeRay(body, world, 0, ray);
  if (placed === rayMisses) return true;
  const begun = job.listCount;
  if (placed !== rayPlaced) {
    for (let slot: u32 = 0; slot < count; slot++)
      if (!tryTriangle(job, index, world, slot, begun)) return false;
    return true;
  }
  const levels = tree.levelCount;
  const lanes = job.lanes;
  const bottom = job.stack;
  const bound = job.bounds + ((<usize>index) << 3);
  let best = load<f64>(bound);
  let limit = limitOf(ray, best);
  const anyOrder = job.first === 0;
  let top = bottom;
  let entry: u32 = 0;
  let walking = true;
  while (walking) {
    const level = levelOf(entry);
    const place = indexOf(entry);
    if (level === levels) {
      let open = mayMeet(leafAt(tree, place), ray);
      const left = count - (place << 2);
      if (left < 4) open &= (1 << left) - 1;
      for (; open !== 0; open &= open - 1) {
        if (!tryTriangle(job, index, world, (place << 2) + <u32>ctz(open), begun)) return false;
      }
      const now = load<f64>(bound);
      if (now < best) {
        best = now;
        limit = limitOf(ray, best);
      }
    } else {
      let open = openRay(nodeAt(tree, level, place), ray, limit, lanes) & childMask(tree, level, place);
      const first = firstChild(level, place);
      if (open !== 0) {
        // If all hits are wanted, any order will do.
        if (anyOrder) {
          for (let rest = open & (open - 1); rest !== 0; rest &= rest - 1)
            top = pushNode(top, first + <u32>ctz(rest), 0);
          entry = first + <u32>ctz(open);
          continue;
        }
        // Pushes the farthest first. The nearest is next.
        let rest = open & (open - 1);
        while (rest !== 0) {
          let lane = <u32>ctz(open);
          let most = load<f32>(lanes + ((<usize>lane) << 2));
          for (; rest !== 0; rest &= rest - 1) {
            const other = load<f32>(lanes + ((<usize>ctz(rest)) << 2));
            if (other > most) {
              most = other;
              lane = <u32>ctz(rest);
            }
          }
          open &= ~(1 << lane);
          top = pushNode(top, first + lane, most);
          rest = open & (open - 1);
        }
        entry = first + <u32>ctz(open);
        continue;
      }
    }
    // The next box that is near enough.
    let found = false;
    while (!found && top > bottom) {
      top -= nodeEntryBytes;
      found = !(changetype<NodeEntry>(top).key > limit);
    }
    walking = found;
    if (found) entry = changetype<NodeEntry>(top).node;
  }
  return true;
}

/**
 * The largest s of a point of the ray (ray.as.ts) whose time is at most `time`, rounded up. Computed, it is off by at most 2^-50 of
 * what was skipped and of itself.
 */
export function limitOf(ray: Ray, time: f64): f32 {
  if (!(time < Infinity)) return <f32>Infinity;
  return <f32>((time * ray.along - ray.skipped) * 1.000001 + 0.000001 + 4e-15 * ray.skipped);
}

/** Tests one triangle in double and lists it unless it is certainly missed or certainly too late. */
export function tryTriangle(job: RaysJob, index: u32, world: usize, slot: u32, begun: u32): bool {
  const test = job.test;
  const body = job.body;
  worldTriangle(body, slot, job.corners);
  const state = job.rounded !== 0 ? 0 : testRay(world, job.corners, test);
  if (state === certainMiss) return true;
  const bound = job.bounds + ((<usize>index) << 3);
  const isCertain = state === certainHit;
  if (isCertain && test.time * early > load<f64>(bound)) return true;
  if (job.first !== 0 && isCertain && test.time * late < load<f64>(bound)) {
    store<f64>(bound, test.time * late);
    dropLate(job, begun);
  }
  const at = job.listCount;
  if (at === job.listCapacity) return false;
  const record = changetype<HitRecord>(job.list + <usize>at * recordBytes);
  record.ray = index;
  record.triangle = load<u32>(body.tree.order + ((<usize>slot) << 2));
  record.certain = isCertain ? 1 : 0;
  record.crossing = test.crossing;
  record.time = test.time;
  record.second = test.second;
  record.third = test.third;
  job.listCount = at + 1;
  return true;
}

/** Drops the certain hits from record `begun` on that are certainly later than their rays' bounds. */
export function dropLate(job: RaysJob, begun: u32): void {
  const end = job.listCount;
  let kept = begun;
  for (let i = begun; i < end; i++) {
    const record = changetype<HitRecord>(job.list + <usize>i * recordBytes);
    const bound = load<f64>(job.bounds + ((<usize>record.ray) << 3));
    if (record.certain !== 0 && record.time * early > bound) continue;
    if (kept !== i) copyRecord(job.list + <usize>kept * recordBytes, changetype<usize>(record));
    kept++;
  }
  job.listCount = kept;
}

/** By doubles: memory.copy takes longer for so few bytes. */
function copyRecord(to: usize, from: usize): void {
  for (let k: usize = 0; k < recordBytes; k += 8) store<u64>(to + k, load<u64>(from + k));
}

// The state of a question about the triangles nearest to points (closest-points.as.ts), one per thread, and where its answers go.

import { Body } from '../../../bvh/cpu/place/place.as';
import { expansionBytes } from '../triangles/expansion.as';
import { Measured, measuredBytes } from '../triangles/measure-feature.as';
import { Closest, closestBytes } from './closest.as';
import { packetBytes } from './packet/search-packet.as';

/** The feature of a triangle that is nearest to a point (packet/answer-packet.as.ts). */
@unmanaged
export class SharedFeature {
  /** The vector to it, an upper bound of its distance, and how far beyond it others have to lie, per length. */
  x: f64;
  y: f64;
  z: f64;
  high: f64;
  margin: f64;
  /** The slot of the triangle, and that of the lowest triangle with the same feature. */
  slot: u32;
  lowest: u32;
  /** Its vertices: up to three, each of which has a bit, and all bits. */
  all: u32;
  first: u32;
  second: u32;
  third: u32;

  /** The bit of a vertex; 0 if the feature does not have it. */
  which(vertex: u32): u32 {
    return vertex === this.first ? 1 : vertex === this.second ? 2 : vertex === this.third ? 4 : 0;
  }

  setVertex(k: u32, vertex: u32): void {
    store<u32>(changetype<usize>(this) + ((<usize>k) << 2), vertex, offsetof<SharedFeature>('first'));
  }
}

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
  /** The order in which to answer the points, a word each (spatial-order.as.ts); 0 if it is that of the array. */
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
  /** What a GPU found, a word per point (`NearTriangles` in distance/request.ts); 0 if it was not asked. */
  given: usize;
  /** The lists that those words refer to. */
  triangles: usize;
  /** The slot of each triangle. */
  slotOf: usize;
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

  /** The feature of the nearest triangle so far, which others may share. */
  get shared(): SharedFeature {
    return changetype<SharedFeature>(changetype<usize>(this) + sharedOffset);
  }

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

  /** Memory for several points (packet/search-packet.as.ts). */
  get packet(): usize {
    return changetype<usize>(this) + packetOffset;
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
const sharedOffset: usize = (workOffset + expansionBytes + 15) & ~(<usize>15);
const packetOffset: usize = (sharedOffset + offsetof<SharedFeature>() + 15) & ~(<usize>15);
export const pointsBytes: usize = packetOffset + packetBytes;

/** Bytes of the answer for a point. */
export const answerBytes: usize = 8 + 24 + 4 + 1;

/** The triangle of an answer if nothing is within reach, or if the exact stage has to decide. */
export const noTriangle: u32 = 0xffffffff;
export const unsureTriangle: u32 = 0xfffffffe;

/** Writes the answer for a point without the nearest point. Returns where that goes, three doubles. */
export function writeAnswer(job: PointsJob, point: u32, distance: f64, triangle: u32, feature: u32): usize {
  const i = <usize>point;
  const count = <usize>job.count;
  const answers = job.answers;
  store<f64>(answers + (i << 3), distance);
  store<u32>(answers + (count << 5) + (i << 2), triangle);
  // The user does not learn which edge or corner it is (`feature` in closest-points.ts).
  const kind: u32 = job.single !== 0 || feature === 0 ? feature : feature < 4 ? 1 : 2;
  store<u8>(answers + count * 36 + i, <u8>kind);
  return answers + (count << 3) + i * 24;
}

/** Writes that nothing is within reach. */
export function writeNoAnswer(job: PointsJob, point: u32): void {
  writePoint(writeAnswer(job, point, Infinity, noTriangle, 0), NaN);
}

/** Writes that the exact stage has to decide. */
export function writeUnsure(job: PointsJob, point: u32): void {
  writePoint(writeAnswer(job, point, 0, unsureTriangle, 0), 0);
}

function writePoint(to: usize, value: f64): void {
  store<f64>(to, value);
  store<f64>(to, value, 8);
  store<f64>(to, value, 16);
}

/** The point to answer as number i. */
export function pointOf(job: PointsJob, i: u32): u32 {
  const order = job.order;
  return order === 0 ? i : load<u32>(order + ((<usize>i) << 2));
}

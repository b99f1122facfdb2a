// The nearest triangle of a body for each of many world points, to double precision: what fields and depths are made of.
// The walk is that of proximity/distance/closest.as.ts; here nothing has to be certain, so the first of triangles that are
// equally near as far as doubles can tell is kept, and no list is made. A point that follows another starts with the
// bound its predecessor's triangle gives.

import { treeOrder, treeTriangleCount } from '../../../bvh/layout.as';
import {
  closestBytes,
  closestFeature,
  closestSlot,
  startClosest,
  tryTriangle,
} from '../../../proximity/distance/points/closest.as';
import { frameUnit, walkBody } from '../../../proximity/distance/points/world-point.as';
import { nearX, nearY, nearZ } from '../../../proximity/distance/triangles/point-triangle.as';
import { bodyTree, invertBody } from '../../hierarchy/place.as';

/** Where the walk keeps what it knows. */
export const samplesScratchBytes: usize = closestBytes;

/** A record: distance, the way to the nearest point (four floats), triangle, feature (two words). */
export const sampleRecordBytes: usize = 24;

/**
 * Records of `count` points, three doubles each. Where nothing is nearer than `upTo`, or than the point's own bound of
 * those at `bounds` (doubles; 0 for none), the distance is infinite and the triangle 2^32 − 1.
 */
export function nearestSamples(
  body: usize,
  points: usize,
  count: u32,
  upTo: f64,
  bounds: usize,
  records: usize,
  scratch: usize,
): void {
  const tree = load<usize>(body, bodyTree);
  const empty = load<u32>(tree, treeTriangleCount) === 0;
  if (!empty) invertBody(body);
  const unit: f64 = empty ? 0 : frameUnit(body);
  const order = load<usize>(tree, treeOrder);
  let last: i32 = -1;
  for (let i: u32 = 0; i < count; i++) {
    const point = points + <usize>i * 24;
    const record = records + <usize>i * sampleRecordBytes;
    const x = load<f64>(point);
    const y = load<f64>(point, 8);
    const z = load<f64>(point, 16);
    let slot: i32 = -1;
    const bound = bounds === 0 ? upTo : load<f64>(bounds + ((<usize>i) << 3));
    if (!empty) {
      startClosest(scratch, bound);
      if (last >= 0) tryTriangle(tree, body, <u32>last, x, y, z, scratch, 0, 0);
      walkBody(body, x, y, z, unit, scratch, 0, 0);
      slot = load<i32>(scratch, closestSlot);
    }
    const gx = load<f64>(scratch, nearX);
    const gy = load<f64>(scratch, nearY);
    const gz = load<f64>(scratch, nearZ);
    const distance = sqrt(gx * gx + gy * gy + gz * gz);
    last = slot;
    // The last one's triangle may be the nearest known and still be too far.
    if (slot < 0 || !(distance < bound)) {
      store<f32>(record, Infinity);
      store<u32>(record, 0xffffffff, 16);
      store<u32>(record, 0, 20);
      continue;
    }
    store<f32>(record, <f32>distance);
    store<f32>(record, <f32>gx, 4);
    store<f32>(record, <f32>gy, 8);
    store<f32>(record, <f32>gz, 12);
    store<u32>(record, load<u32>(order + ((<usize>slot) << 2)), 16);
    store<u32>(record, load<u32>(scratch, closestFeature), 20);
  }
}

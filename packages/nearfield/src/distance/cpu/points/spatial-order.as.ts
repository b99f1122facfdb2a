// Orders many points so that each is near the one before it. The order follows Morton's curve (1966): a grid of 1024
// cells per axis over the points' box, with the bits of the three cell numbers interleaved.

import { counterBytes, sortEntries } from '../../../bvh/cpu/sort/sort.as';

/** Bytes of scratch memory for `count` points. A double, since it may exceed 32 bits. */
export function orderBytes(count: u32): f64 {
  return 16.0 * <f64>count + <f64>counterBytes;
}

/**
 * Orders `count` finite points of three doubles. Returns an address in `scratch`: a word per point, its number.
 */
export function orderPoints(points: usize, count: u32, scratch: usize): usize {
  const end = points + <usize>count * 24;
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  for (let at = points; at < end; at += 24) {
    const x = load<f64>(at);
    const y = load<f64>(at, 8);
    const z = load<f64>(at, 16);
    lowX = x < lowX ? x : lowX;
    lowY = y < lowY ? y : lowY;
    lowZ = z < lowZ ? z : lowZ;
    highX = x > highX ? x : highX;
    highY = y > highY ? y : highY;
    highZ = z > highZ ? z : highZ;
  }
  const size = max(highX - lowX, max(highY - lowY, highZ - lowZ));
  // If the box has no extent, or its size does not fit in a double, all cells are 0: any order will do.
  const isUsable = size > 0 && size < Infinity && 1023.999 / size < Infinity;
  const scale = isUsable ? 1023.999 / size : 0;
  const counters = scratch + <usize>count * 16;
  for (let at = points, to = scratch, i: u32 = 0; i < count; i++, at += 24, to += 8) {
    let key: u32 = 0;
    if (isUsable) {
      const x = spread(<i32>((load<f64>(at) - lowX) * scale));
      const y = spread(<i32>((load<f64>(at, 8) - lowY) * scale));
      const z = spread(<i32>((load<f64>(at, 16) - lowZ) * scale));
      key = x | (y << 1) | (z << 2);
    }
    store<u32>(to, i);
    store<u32>(to, key, 4);
  }
  const sorted = sortEntries(scratch, scratch + <usize>count * 8, counters, count, 4, 30);
  for (let i: usize = 0; i < count; i++) store<u32>(sorted + (i << 2), load<u32>(sorted + (i << 3)));
  return sorted;
}

/** Spreads ten bits: each is followed by two zeros. */
function spread(cell: u32): u32 {
  let bits = cell & 1023;
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
}

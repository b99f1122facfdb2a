// Orders many points so that each is near the one before it. The order follows Morton's curve (1966): a grid of 1024
// cells per axis over the points' box, with the bits of the three cell numbers interleaved.

/** The points' indices in that order. The points must be finite, three numbers per point, at most 2^23 of them. */
export function spatialOrder(points: Float64Array): Uint32Array {
  const count = points.length / 3;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0, axis = 0; i < points.length; i++, axis = axis === 2 ? 0 : axis + 1) {
    low[axis] = Math.min(low[axis], points[i]);
    high[axis] = Math.max(high[axis], points[i]);
  }
  const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  // If the box has no extent, or its size does not fit in a double, all cells are 0: any order will do.
  const scale = size > 0 && 1023.999 / size < Infinity ? 1023.999 / size : 0;
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const x = spread((points[3 * i] - low[0]) * scale);
    const y = spread((points[3 * i + 1] - low[1]) * scale);
    const z = spread((points[3 * i + 2] - low[2]) * scale);
    // 30 bits of cell, then 23 bits of the point's index. A double holds all 53, so the keys are sorted as doubles.
    keys[i] = (x | (y << 1) | (z << 2)) * 2 ** 23 + i;
  }
  keys.sort();
  return Uint32Array.from(keys, key => key % 2 ** 23);
}

/** Spreads ten bits: each is followed by two zeros. */
function spread(cell: number): number {
  let bits = cell & 1023;
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
}

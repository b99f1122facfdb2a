// Sort keys of points along Morton's curve (1966): their cell in a grid of 1024 per axis over their box, with the bits of
// the three cell numbers interleaved.

@group(0) @binding(0) var<uniform> layers: array<Cloud, 1>;
@group(0) @binding(1) var<storage, read> points: array<i32>;
/** The least and the largest coordinates (place-points.wgsl). */
@group(0) @binding(2) var<storage, read> extent: array<i32, 8>;
/** A key per point, and its number. */
@group(0) @binding(3) var<storage, read_write> turns: array<vec2u>;

const cellBits = 10u;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let low = vec3i(extent[0], extent[1], extent[2]);
  let size = vec3u(vec3i(extent[3], extent[4], extent[5]) - low);
  let most = max(max(size.x, size.y), size.z);
  let shift = u32(max(0, i32(firstLeadingBit(most | 1u)) + 1 - i32(cellBits)));
  for (var i = id.x; i < layers[0].pointCount; i += groups.x * 256u) {
    // A point that is too far away is in any cell.
    let cell = vec3u(vec3i(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]) - low) >> vec3u(shift);
    turns[i] = vec2u(spread(cell.x) | (spread(cell.y) << 1u) | (spread(cell.z) << 2u), i);
  }
}

/** Spreads ten bits: each is followed by two zeros. */
fn spread(cell: u32) -> u32 {
  var bits = cell & 1023u;
  bits = (bits | (bits << 16u)) & 0x030000ffu;
  bits = (bits | (bits << 8u)) & 0x0300f00fu;
  bits = (bits | (bits << 4u)) & 0x030c30c3u;
  return (bits | (bits << 2u)) & 0x09249249u;
}

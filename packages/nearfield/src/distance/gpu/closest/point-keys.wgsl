// Sort keys of points along Morton's curve (1966): their cell in a grid of 1024 per axis, with the bits of the three cell
// numbers interleaved.

@group(0) @binding(0) var<uniform> layers: array<Cloud, 1>;
@group(0) @binding(1) var<storage, read> points: array<i32>;
@group(0) @binding(2) var<storage, read_write> turns: array<vec2u>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < layers[0].pointCount; i += groups.x * 256u) {
    let place = vec3i(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);
    let cell = vec3u(place - layers[0].low.xyz) >> vec3u(u32(layers[0].low.w));
    turns[i] = vec2u(spread(cell.x) | (spread(cell.y) << 1u) | (spread(cell.z) << 2u), i);
  }
}

fn spread(cell: u32) -> u32 {
  var bits = cell & 1023u;
  bits = (bits | (bits << 16u)) & 0x030000ffu;
  bits = (bits | (bits << 8u)) & 0x0300f00fu;
  bits = (bits | (bits << 4u)) & 0x030c30c3u;
  return (bits | (bits << 2u)) & 0x09249249u;
}

// How deep the points of an intersection lie (Hoff et al., section 5.4): the nearest triangle of any of their window's layers.

@group(0) @binding(0) var<storage, read> layers: array<Layer>;
@group(0) @binding(1) var<storage, read> windows: array<Window>;
@group(0) @binding(2) var<storage, read> ticks: array<i32>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(6) var<storage, read> head: array<u32>;
/** A sample's number; then, in: its window; out: the bits of the distance in units, the direction, the owner. */
@group(0) @binding(7) var<storage, read_write> points: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = min(head[pointsAt], arrayLength(&points));
  for (var point = id.x; point < count; point += groups.x * 64u) { measure(point); }
}

fn measure(point: u32) {
  let cell = points[point].x;
  let window = windows[points[point].y];
  let column = cell / window.whole.z;
  let at = vec3u(column % window.whole.x, column / window.whole.x, cell % window.whole.z) - window.low.xyz;
  let x = ticks[window.low.w + at.x];
  let y = ticks[window.low.w + window.size.x + at.y];
  let z = ticks[window.low.w + window.size.x + window.size.y + at.z];
  var best = Nearest(0x1p80, vec3f(0.0), nothing, 0u);
  for (var layer = 0u; layer < window.layerCount; layer++) {
    best = nearestOnLayer(window.firstLayer + layer, vec3i(x, y, z), best);
  }
  let distance = sqrt(best.squared);
  points[point] = vec4u(cell, bitcast<u32>(distance), encodeDirection(best.toward, distance), best.owner);
}

/** An octahedron folded into a square, 16 bits a side: within 10^-4 of the direction. All zeros for none. */
fn encodeDirection(toward: vec3f, distance: f32) -> u32 {
  if (distance == 0.0) { return 0u; }
  let n = toward / (abs(toward.x) + abs(toward.y) + abs(toward.z));
  var square = n.xy;
  if (n.z < 0.0) { square = (1.0 - abs(n.yx)) * select(vec2f(-1.0), vec2f(1.0), n.xy >= vec2f(0.0)); }
  let steps = vec2u(clamp(round(square * 32767.0) + 32768.0, vec2f(1.0), vec2f(65535.0)));
  return steps.x | (steps.y << 16u);
}

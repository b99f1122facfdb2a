// The bound of every block of samples: no sample of the block is farther from the surface (meshes/blocks.ts), in cells.
// Each thread searches the tree for the triangle nearest to its block's middle.

@group(0) @binding(0) var<uniform> meshing: Meshing;
@group(0) @binding(1) var<storage, read> layers: array<Layer>;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> ticks: array<i32>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> blockBounds: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let along = vec3u(meshing.blocksAcross, meshing.blocksDown, (meshing.slices + blockSide - 1u) / blockSide);
  for (var block = id.x; block < along.x * along.y * along.z; block += groups.x * 64u) {
    boundBlock(block, along);
  }
}

fn boundBlock(block: u32, along: vec3u) {
  let size = windows[0].size.xyz;
  let low = blockSide * vec3u(block % along.x, (block / along.x) % along.y, block / (along.x * along.y))
    + vec3u(0u, 0u, meshing.skippedSlices);
  let high = min(low + blockSide, vec3u(size.xy, meshing.skippedSlices + meshing.slices)) - 1u;
  let first = windows[0].low.w;
  let start = vec3i(ticks[first + low.x], ticks[first + size.x + low.y], ticks[first + size.x + size.y + low.z]);
  let end = vec3i(ticks[first + high.x], ticks[first + size.x + high.y], ticks[first + size.x + size.y + high.z]);
  let radius = 0.5 * length(vec3f(end - start)) / windows[0].cell;
  let found = nearestOnLayer(0u, start + (end - start) / 2, Nearest(0x1p78, vec3f(0.0), nothing, 0u));
  // Distances are off by 2^-18 of the way to the farthest corner (foot-in-triangle.wgsl), or by a sliver's width; the
  // middle by a tick.
  let middle = sqrt(found.squared) / windows[0].cell;
  var bound = (middle + radius) * (1.0 + 0x1p-10) + meshing.slack;
  if (meshing.upTo > 0.0) {
    bound = select(min(bound, meshing.upTo), -1.0, middle * (1.0 - 0x1p-10) - radius - meshing.slack > meshing.upTo);
  }
  blockBounds[block] = select(bound, -1.0, found.owner == nothing);
}

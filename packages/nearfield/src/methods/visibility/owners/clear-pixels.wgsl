// Before a round: nothing has been seen in any pixel.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read_write> pixels: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = 3u * culling.views * culling.resolution * culling.resolution;
  for (var i = id.x; i < count; i += groups.x * 256u) { pixels[i] = 0xffffffffu; }
}

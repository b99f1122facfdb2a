// Writes the texels of an impact map that have changed: their indices, row by row, and four numbers per texel.

struct Scatter { count: u32, width: u32 }

@group(0) @binding(0) var<uniform> scatter: Scatter;
@group(0) @binding(1) var<storage, read> texels: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<vec4f>;
@group(0) @binding(3) var map: texture_storage_2d<rgba32float, write>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < scatter.count; i += groups.x * 64u) {
    let texel = texels[i];
    textureStore(map, vec2u(texel % scatter.width, texel / scatter.width), values[i]);
  }
}

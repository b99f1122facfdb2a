// Converts the corners of a body's leaves to units once, for many points: to do so for every point that measures a leaf took
// longer than to measure it.

@group(0) @binding(0) var<uniform> layers: array<Cloud, 1>;
@group(0) @binding(1) var<storage, read> leaves: array<vec4i>;
/** Three corners per leaf: the coordinates and the number. */
@group(0) @binding(2) var<storage, read_write> placed: array<vec4i>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < 3u * layers[0].leafCount; i += groups.x * 256u) {
    let stored = leaves[3u * layers[0].leafOffset + i];
    placed[i] = vec4i(vertexInUnits(0u, stored.xyz), stored.w);
  }
}

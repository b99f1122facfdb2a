// Adds the corrections that the exact stage found: pairs of a counter and ±1.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> corrections: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<i32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < sweep.corrections; i += groups.x * 64u) {
    atomicAdd(&counters[corrections[i].x], bitcast<i32>(corrections[i].y));
  }
}

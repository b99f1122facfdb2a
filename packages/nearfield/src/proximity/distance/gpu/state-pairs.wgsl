// What is known of every candidate in the end, added up: 1 certainly nearer than was asked for, 2 triangles meet or may,
// 8 left to the CPU.

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read_write> states: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = min(atomicLoad(&results[candidatesAt]), min(arrayLength(&frames), arrayLength(&states)));
  for (var candidate = id.x; candidate < count; candidate += groups.x * 64u) {
    let bound = boundOf(candidate);
    // The reach was rounded up by less than 2^-19, unless it is too small to tell.
    let reach = bitcast<f32>(frames[candidate].linear[0].w);
    let nearer = bound < reach * (1.0 - 0x1p-18) && reach > 0x1p-90;
    states[candidate] = select(0u, 1u, nearer && bound > 0.0) + select(0u, 2u, bound <= 0.0)
      + select(0u, 8u, frames[candidate].linear[1].w == 1);
  }
}

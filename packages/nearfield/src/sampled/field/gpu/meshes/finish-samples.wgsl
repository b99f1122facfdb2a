// Gives the drawn distances of a window their signs, and takes out those that are too far away or were not drawn.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> layers: array<Layer>;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> counters: array<i32>;
/** Two words per sample, rows padded: the bits of the distance, then owner and feature (the upper three bits). */
@group(0) @binding(4) var<storage, read_write> samples: array<u32>;

override signed: bool;

const none = 0x7f800000u;
const nothing = 0xffffffffu;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let size = windows[0].size.xyz;
  let plane = size.z * size.y * sweep.rowWords;
  for (var i = id.x; i < size.x * size.y * size.z; i += groups.x * 64u) {
    let at = vec3u(i % size.x, (i / size.x) % size.y, i / (size.x * size.y));
    let word = (at.z * size.y + at.y) * sweep.rowWords + at.x;
    let isFar = sweep.upTo > 0.0 && bitcast<f32>(samples[word]) >= sweep.upTo * sweep.unit;
    if (isFar || samples[plane + word] == nothing) {
      samples[word] = none;
      samples[plane + word] = nothing;
    }
    if (signed) {
      let column = layers[0].counters + at.y * size.x + at.x;
      if (counters[column + at.z * size.x * size.y] > 0) { samples[word] |= 0x80000000u; }
    }
  }
}

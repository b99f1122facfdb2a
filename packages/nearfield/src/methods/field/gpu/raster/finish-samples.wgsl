// What was drawn becomes what is answered: infinite where nothing was drawn, and signed by the sweep.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> layers: array<Layer>;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> counters: array<i32>;
@group(0) @binding(4) var<storage, read_write> samples: array<u32>;

override signed: bool;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let size = windows[0].size;
  let plane = size.z * size.y * sweep.rowWords;
  for (var i = id.x; i < size.x * size.y * size.z; i += groups.x * 64u) {
    let at = (i / size.x) * sweep.rowWords + i % size.x;
    var bits = samples[at];
    if (samples[plane + at] == 0xffffffffu) { bits = 0x7f800000u; }
    if (signed && counters[layers[0].counters + i] > 0) { bits |= 0x80000000u; }
    samples[at] = bits;
  }
}

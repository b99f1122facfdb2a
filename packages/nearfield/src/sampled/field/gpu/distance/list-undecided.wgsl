// Lists the samples that single precision leaves open, in any order, and counts them.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> windows: array<Window>;
@group(0) @binding(2) var<storage, read> samples: array<u32>;
/** The number of undecided samples, then the samples, up to the capacity. */
@group(0) @binding(3) var<storage, read_write> undecidedSamples: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let size = windows[0].size;
  let plane = size.z * size.y * sweep.rowWords;
  for (var i = id.x; i < size.x * size.y * size.z; i += groups.x * 64u) {
    let at = (i / size.x) * sweep.rowWords + i % size.x;
    if (samples[plane + at] != 0xfffffffeu) { continue; }
    let to = 1u + atomicAdd(&undecidedSamples[0], 1u);
    if (to < arrayLength(&undecidedSamples)) { atomicStore(&undecidedSamples[to], i); }
  }
}

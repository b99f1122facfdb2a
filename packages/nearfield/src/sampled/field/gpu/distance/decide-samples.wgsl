// Writes the samples that the CPU decided, three words each: the sample, the bits of its distance without sign, its
// owner and feature.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> windows: array<Window>;
@group(0) @binding(2) var<storage, read> decisions: array<u32>;
@group(0) @binding(3) var<storage, read_write> samples: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let size = windows[0].size;
  let plane = size.z * size.y * sweep.rowWords;
  // The first word is their number.
  for (var k = id.x; k < decisions[0]; k += groups.x * 64u) {
    let i = decisions[1u + 3u * k];
    let at = (i / size.x) * sweep.rowWords + i % size.x;
    samples[at] = (samples[at] & 0x80000000u) | decisions[2u + 3u * k];
    samples[plane + at] = decisions[3u + 3u * k];
  }
}

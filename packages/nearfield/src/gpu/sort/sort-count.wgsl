// Radix sort, first half of a pass: how often each of the 256 digits occurs in each block of keys.

struct SortPass { count: u32, perBlock: u32, blocks: u32, shift: u32 }

@group(0) @binding(0) var<uniform> sortPass: SortPass;
@group(0) @binding(1) var<storage, read> keysIn: array<u32>;
@group(0) @binding(2) var<storage, read_write> blockCounts: array<u32>;

var<workgroup> histogram: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3u) {
  let first = group.x * sortPass.perBlock;
  let end = min(first + sortPass.perBlock, sortPass.count);
  for (var i = first + thread; i < end; i += 256u) {
    atomicAdd(&histogram[(keysIn[i] >> sortPass.shift) & 255u], 1u);
  }
  workgroupBarrier();
  blockCounts[group.x * 256u + thread] = atomicLoad(&histogram[thread]);
}

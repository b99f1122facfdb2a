// Radix sort, first half of a pass: counts how often each of the 256 digits occurs in each block of keys, and in each
// row of blocks.

@group(0) @binding(0) var<uniform> sortPass: SortPass;
/** A key and its value. */
@group(0) @binding(1) var<storage, read> pairsIn: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> blockCounts: array<u32>;
/** Two tables by row, used by even and odd passes in turn. Each pass zeroes the table of the next one. */
@group(0) @binding(3) var<storage, read_write> rowCounts: array<atomic<u32>>;

var<workgroup> histogram: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3u) {
  let first = group.x * sortPass.perBlock;
  let end = min(first + sortPass.perBlock, sortPass.count);
  let turn = (sortPass.shift / 8u) % 2u;
  if (group.x * blocksPerRow < sortPass.blocks) {
    atomicStore(&rowCounts[((1u - turn) * mostRows + group.x) * 256u + thread], 0u);
  }
  for (var i = first + thread; i < end; i += 256u) {
    atomicAdd(&histogram[(pairsIn[i].x >> sortPass.shift) & 255u], 1u);
  }
  workgroupBarrier();
  let count = atomicLoad(&histogram[thread]);
  blockCounts[group.x * 256u + thread] = count;
  if (count > 0u) { atomicAdd(&rowCounts[(turn * mostRows + group.x / blocksPerRow) * 256u + thread], count); }
}

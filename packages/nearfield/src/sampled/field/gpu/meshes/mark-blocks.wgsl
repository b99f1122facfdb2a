// Lists the blocks that hold a point of the common volume: a workgroup looks at one block, a thread at one sample. The order
// of the list depends on the threads. It decides only which tile of the picture shows which block.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<uniform> meshing: Meshing;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> counters: array<i32>;
@group(0) @binding(4) var<storage, read_write> drawnBlocks: array<u32>;
@group(0) @binding(5) var<storage, read_write> meshHead: array<atomic<u32>>;

var<workgroup> hasPoint: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) n: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var block = group.x; block < meshing.blockCount; block += groups.x) { markBlock(n, block); }
}

fn markBlock(n: u32, block: u32) {
  if (n == 0u) { atomicStore(&hasPoint, 0u); }
  workgroupBarrier();
  let number = windowOfBrick(block);
  let size = windows[number].size.xyz;
  let at = sampleOf(cornerOf(number, block), n);
  if (all(at < size) && counters[windows[number].counters + (at.z * size.y + at.y) * size.x + at.x] > 0) {
    atomicStore(&hasPoint, 1u);
  }
  workgroupBarrier();
  if (n == 0u && atomicLoad(&hasPoint) == 1u) { drawnBlocks[atomicAdd(&meshHead[blocksDrawnAt], 1u)] = block; }
}

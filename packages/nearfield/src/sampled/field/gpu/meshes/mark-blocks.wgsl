// Which blocks are drawn: 1 for each that holds a point of the common volume, or for all.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<uniform> meshing: Meshing;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> counters: array<i32>;
@group(0) @binding(4) var<storage, read_write> blockStarts: array<u32>;

override whole: bool;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < meshing.blockCount; i += groups.x * 64u) {
    let block = meshing.firstBlock + i;
    blockStarts[i] = select(0u, 1u, whole || hasPoints(windowOfBrick(block), block));
  }
}

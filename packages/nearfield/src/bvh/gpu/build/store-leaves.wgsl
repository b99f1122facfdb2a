// Stores the triangles of shapes that get no tree: leaves in the mesh's own order, and one box per chunk of them. The
// box of a shape's only chunk is the shape's. There are no levels, no sort and no keys.

/** Threads per workgroup. */
override threads: u32;

@group(0) @binding(0) var<storage, read> treeBuilds: array<TreeBuild>;
@group(0) @binding(1) var<storage, read> vertices: array<vec4i>;
@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read_write> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> nodes: array<vec4f>;
/** Per chunk: the build, its first triangle, and the node that gets its box. */
@group(0) @binding(6) var<storage, read> chunks: array<vec4u>;

@compute @workgroup_size(threads)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var number = group.x; number < arrayLength(&chunks); number += groups.x) {
    let chunk = chunks[number];
    let build = treeBuilds[chunk.x];
    var low = vec3f(nothing);
    var high = vec3f(-nothing);
    let end = min(chunk.y + chunkTriangles, build.leafCount);
    for (var triangle = chunk.y + thread; triangle < end; triangle += threads) {
      order[build.leafOffset + triangle] = triangle;
      let box = storeLeaf(build.cornerOffset + 3u * triangle, build.firstVertex, build.leafOffset + triangle);
      low = min(low, box.low);
      high = max(high, box.high);
    }
    writeCommonBox(thread, low, high, chunk.z);
  }
}

// Writes every triangle of a batch to its leaf: its three vertices, and its box on the tree's lowest level. A build
// takes the order from the sort and keeps it. A refit uses the order kept.

override fromSort: bool;

@group(0) @binding(2) var<storage, read> vertices: array<vec4i>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read> sorted: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> order: array<u32>;
@group(0) @binding(6) var<storage, read_write> leaves: array<vec4i>;
@group(0) @binding(7) var<storage, read_write> nodes: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < batch.triangleCount; i += groups.x * 256u) {
    let build = treeBuilds[buildOfTriangle(i)];
    let leaf = i - build.first;
    var triangle = 0u;
    if (fromSort) {
      triangle = sorted[i].y - build.first;
      order[build.leafOffset + leaf] = triangle;
    } else {
      triangle = order[build.leafOffset + leaf];
    }
    gatherLeaf(build.cornerOffset + 3u * triangle, build.firstVertex, build.leafOffset + leaf, build.nodeOffset + (1u << build.depth) + leaf);
  }
}

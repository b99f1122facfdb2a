// Puts every triangle of a batch in its leaf: its three vertices, and its box on the tree's lowest level.
// A build takes the order from the sort and keeps it; a refit uses the order kept.

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
    let job = jobs[jobOfTriangle(i)];
    let leaf = i - job.first;
    var triangle = 0u;
    if (fromSort) {
      triangle = sorted[i].y - job.first;
      order[job.leafOffset + leaf] = triangle;
    } else {
      triangle = order[job.leafOffset + leaf];
    }
    let corner = job.cornerOffset + 3u * triangle;
    let a = vertices[job.firstVertex + corners[corner]];
    let b = vertices[job.firstVertex + corners[corner + 1u]];
    let c = vertices[job.firstVertex + corners[corner + 2u]];
    let at = 3u * (job.leafOffset + leaf);
    leaves[at] = a;
    leaves[at + 1u] = b;
    leaves[at + 2u] = c;
    // Conversion may round either way by a unit of the 24th bit: 2^−22 of the value covers it.
    let low = vec3f(min(min(a.xyz, b.xyz), c.xyz));
    let high = vec3f(max(max(a.xyz, b.xyz), c.xyz));
    let node = 2u * (job.nodeOffset + (1u << job.depth) + leaf);
    nodes[node] = vec4f((low - abs(low) * 0x1p-22) * 0x1p-29, 0.0);
    nodes[node + 1u] = vec4f((high + abs(high) * 0x1p-22) * 0x1p-29, 0.0);
  }
}

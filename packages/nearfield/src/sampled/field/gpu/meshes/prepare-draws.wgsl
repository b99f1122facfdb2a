// The indirect draw of every slice: its triangles in the list.

@group(0) @binding(0) var<uniform> meshing: Meshing;
@group(0) @binding(1) var<storage, read> meshStarts: array<u32>;
@group(0) @binding(2) var<storage, read> meshHead: array<u32>;
/** Four words per slice: vertices, instances, first vertex, first instance. */
@group(0) @binding(3) var<storage, read_write> meshDraws: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var slice = id.x; slice < meshing.slices; slice += groups.x * 64u) {
    let next = (slice + 1u) * meshing.siteCount;
    let start = meshStarts[slice * meshing.siteCount];
    let last = max(meshing.siteCount * meshing.slices, 1u) - 1u;
    let end = select(meshHead[totalAt], meshStarts[min(next, last)], slice + 1u < meshing.slices);
    // If the list was too short, nothing is drawn: the question is asked again.
    let whole = meshHead[totalAt] <= meshing.room && meshing.siteCount > 0u;
    meshDraws[slice] = vec4u(select(0u, 3u * (end - start), whole), 1u, 3u * start, 0u);
  }
}

// Turns poses, as the bits of their doubles, into the body table and the boxes of the broad phase.

@group(0) @binding(0) var<uniform> query: Query;
/** Sixteen doubles per body, by columns: the linear part, the world position of its local origin, the last row. */
@group(0) @binding(1) var<storage, read> poses: array<vec2u>;
@group(0) @binding(2) var<storage, read> shapeOfBody: array<u32>;
@group(0) @binding(3) var<storage, read> shapes: array<Shape>;
@group(0) @binding(4) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(6) var<storage, read_write> boxes: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> results: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (group.x == 0u && thread < resultHead) { beginResult(thread); }
  for (var first = group.x * 16u; first < query.bodyCount; first += groups.x * 16u) {
    let body = first + thread / 4u;
    placeBody(body, thread, body < query.bodyCount);
  }
}

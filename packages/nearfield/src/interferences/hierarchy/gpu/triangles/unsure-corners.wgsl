// Writes the corners of unsure triangles whose positions are only on the GPU, so that exact arithmetic can decide
// them: x, y, z of three corners, as given, for the triangle of a, then for that of b.

@group(0) @binding(0) var<storage, read> results: array<u32>;
@group(0) @binding(1) var<storage, read> unsurePairs: array<u32>;
@group(0) @binding(2) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read> shapeOfBody: array<u32>;
@group(0) @binding(4) var<storage, read> shapes: array<Shape>;
@group(0) @binding(5) var<storage, read> corners: array<u32>;
@group(0) @binding(6) var<storage, read> positions: array<u32>;
@group(0) @binding(7) var<storage, read_write> unsureCorners: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // If there are more unsure pairs than capacity, the query will be run again.
  let count = min(results[unsureAt], min(arrayLength(&unsurePairs) / 3u, arrayLength(&unsureCorners) / 18u));
  for (var i = id.x; i < 6u * count; i += groups.x * 64u) {
    let record = i / 6u;
    let corner = i % 6u;
    let side = corner / 3u;
    let shape = shapeOfBody[candidates[unsurePairs[3u * record]][side]];
    if (shapes[shape].onGpu == 0u) { continue; }
    let triangle = unsurePairs[3u * record + 1u + side];
    let vertex = corners[shapes[shape].cornerOffset + 3u * triangle + corner % 3u];
    let at = shapes[shape].wordOffset + vertex * shapes[shape].stride;
    for (var axis = 0u; axis < 3u; axis++) { unsureCorners[3u * i + axis] = positions[at + axis]; }
  }
}

// Writes a key for every triangle of a batch: its shape, then the place of its centre along a Hilbert curve. Triangles
// that follow one another in this order are near one another, which is all a balanced tree needs. The usual Morton
// order jumps at every power of two; the Hilbert curve never does. A tree that splits by number and not by place would
// pay for those jumps with boxes that span them.

@group(0) @binding(2) var<storage, read> vertices: array<vec4i>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
/** The triangle's key and its number. */
@group(0) @binding(4) var<storage, read_write> sorted: array<vec2u>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < batch.triangleCount; i += groups.x * 256u) {
    let number = buildOfTriangle(i);
    let build = treeBuilds[number];
    let corner = build.cornerOffset + 3u * (i - build.first);
    // The sum of three coordinates is below 2^31 in size.
    let centre = (vertices[build.firstVertex + corners[corner]].xyz
      + vertices[build.firstVertex + corners[corner + 1u]].xyz
      + vertices[build.firstVertex + corners[corner + 2u]].xyz) / 3;
    let cell = vec3u(clamp(centre + (1 << 29u), vec3i(0), vec3i((1 << 30u) - 1))) >> vec3u(30u - batch.cellBits);
    let place = hilbertKey(cell, batch.cellBits);
    sorted[i] = vec2u(place | shiftLeft(number, 3u * batch.cellBits), i);
  }
}

fn shiftLeft(value: u32, by: u32) -> u32 {
  return select(value << (by & 31u), 0u, by > 31u);
}

// CULLIDE's raster as it was before triangles were fattened: one fragment per pixel whose centre lies in the triangle,
// with the depth there. It does not see what lies between centres, so it may miss pairs.

struct Polygon {
  corner: vec3f,
  edges: array<vec3f, 2>,
}

fn inRow(triangle: ImageTriangle, row: i32) -> Polygon {
  let corner = triangle.points[0];
  return Polygon(corner, array<vec3f, 2>(triangle.points[1] - corner, triangle.points[2] - corner));
}

/** The first and last column: those of the whole triangle. */
fn columnsInRow(triangle: ImageTriangle, polygon: Polygon) -> vec2i {
  return vec2i(triangle.first.x, triangle.last.x);
}

fn depthsInPixel(triangle: ImageTriangle, plane: Polygon, column: i32, row: i32) -> vec2f {
  let u = plane.edges[0];
  let v = plane.edges[1];
  let p = vec2f(f32(column) + 0.5, f32(row) + 0.5) - plane.corner.xy;
  let area = u.x * v.y - u.y * v.x;
  let s = (p.x * v.y - p.y * v.x) / area;
  let t = (u.x * p.y - u.y * p.x) / area;
  let covered = area != 0.0 && s >= 0.0 && t >= 0.0 && s + t <= 1.0;
  let depth = plane.corner.z + s * u.z + t * v.z;
  return select(vec2f(0x1p120, -0x1p120), vec2f(depth), covered);
}

/** The triangle itself is used, without an offset. */
fn offsetRadius(p: f32, rounding: f32) -> f32 {
  return 0.0;
}

// A triangle around the centre line of a pixel, in the scene's unit, and where its two sides, moved outward by a
// radius, meet that line. Every number is widened by its error bound (proof.md section 4).

/** The triangle in coordinates in which the line is x = y = 0, and z starts at the triangle's first corner. */
struct Around {
  points: array<vec3f, 3>,
  /** The largest extents of the edges, across the line and along it. */
  across: f32,
  along: f32,
}

/** An empty range. */
const nothing = vec2f(0x1p120, -0x1p120);

fn aroundPixel(triangle: ImageTriangle, column: i32, row: i32) -> Around {
  var around: Around;
  let middle = vec3f(f32(column) + 0.5, f32(row) + 0.5, triangle.points[0].z);
  for (var i = 0u; i < 3u; i++) { around.points[i] = (triangle.points[i] - middle) * triangle.metric; }
  for (var i = 0u; i < 3u; i++) {
    let edge = around.points[(i + 1u) % 3u] - around.points[i];
    around.across = max(around.across, length(edge.xy));
    around.along = max(around.along, abs(edge.z));
  }
  return around;
}

fn joined(a: vec2f, b: vec2f) -> vec2f {
  return vec2f(min(a.x, b.x), max(a.y, b.y));
}

/**
 * The range of the line between the triangle's two sides moved by `radius` along its normal; empty if it meets neither.
 */
fn facesOnLine(around: Around, radius: f32) -> vec2f {
  let u = around.points[1] - around.points[0];
  let v = around.points[2] - around.points[0];
  let normal = cross(u, v);
  let area = abs(normal.z);
  // The triangle is seen edge-on, to within a hundredth of the radius. The offsets of its edges reach as far
  // (proof.md).
  if (area <= 0.01 * radius * around.across) { return nothing; }
  // The relative error of the area: two products and their difference.
  let off = 8.0 * unit * around.across * around.across / area;
  let whole = vec2f(min(0.0, min(u.z, v.z)) - radius, max(0.0, max(u.z, v.z)) + radius);
  if (off > 0.125) { return whole; }
  let size = length(normal);
  if (!(size > 0.0)) { return whole; }
  let moved = (radius / size) * normal;
  var range = nothing;
  for (var side = -1.0; side < 2.0; side += 2.0) {
    // The point of the triangle whose moved copy lies on the line.
    let foot = -side * moved.xy - around.points[0].xy;
    let s = (foot.x * v.y - foot.y * v.x) / normal.z;
    let t = (u.x * foot.y - u.y * foot.x) / normal.z;
    let tolerance = 0x1p-8 + 4.0 * off;
    if (s < -tolerance || t < -tolerance || s + t > 1.0 + tolerance) { continue; }
    let z = s * u.z + t * v.z + side * moved.z;
    let slack = 8.0 * off * around.along + 16.0 * unit * (around.along + radius);
    range = joined(range, vec2f(z - slack, z + slack));
  }
  return range;
}

/** Converts a range of the line to depths. */
fn depthsOf(triangle: ImageTriangle, range: vec2f) -> vec2f {
  if (range.x > range.y) { return nothing; }
  let away = range / triangle.metric.z;
  // The slack covers the conversion to the scene's unit and back.
  let slack = triangle.slack.z + 16.0 * unit * (max(abs(away.x), abs(away.y)) + abs(triangle.points[0].z));
  return triangle.points[0].z + away + vec2f(-slack, slack);
}

/** Empty: this raster does not cut rows, since it examines every pixel by itself. */
struct Polygon {
  row: i32,
}

fn inRow(triangle: ImageTriangle, row: i32) -> Polygon {
  return Polygon(row);
}

/** The first and last column: those of the whole triangle. */
fn columnsInRow(triangle: ImageTriangle, polygon: Polygon) -> vec2i {
  return vec2i(triangle.first.x, triangle.last.x);
}

/** The paper's radius √3·p/2, plus what is passed over and rounded (proof.md). */
fn offsetRadius(p: f32, rounding: f32) -> f32 {
  return 0.9 * p + 2.0 * rounding;
}

// The paper's exact offset (section 4.1): all points within the radius of the triangle. They form the triangle moved to
// either side of its plane, a cylinder around each edge and a ball around each corner.

fn depthsInPixel(triangle: ImageTriangle, polygon: Polygon, column: i32, row: i32) -> vec2f {
  let around = aroundPixel(triangle, column, row);
  let radius = triangle.radius;
  var range = facesOnLine(around, radius);
  for (var i = 0u; i < 3u; i++) {
    let a = around.points[i];
    range = joined(range, ballOnLine(a, radius));
    range = joined(range, cylinderOnLine(a, around.points[(i + 1u) % 3u] - a, radius));
  }
  return depthsOf(triangle, range);
}

fn ballOnLine(a: vec3f, radius: f32) -> vec2f {
  let room = radius * radius - dot(a.xy, a.xy);
  if (room < 0.0) { return nothing; }
  let reach = sqrt(room);
  return vec2f(a.z - reach, a.z + reach);
}

/**
 * The range in which the line runs through the cylinder around a + t·d, limited to the part between its ends. The caps
 * lie in the balls. With s = z − a.z, h = |d.xy|², e = a.xy·d.xy and c = a.xy × d.xy, s solves h·s² + 2·d.z·e·s +
 * (|a.xy|² − r²)·|d|² − e² = 0: s = (−d.z·e ± |d|·√(h·r² − c²))/h, and t = (s·d.z − e)/|d|².
 */
fn cylinderOnLine(a: vec3f, d: vec3f, radius: f32) -> vec2f {
  let h = dot(d.xy, d.xy);
  // The edge is seen end-on, to within a hundredth of the radius. The balls reach as far (proof.md).
  if (h <= 1e-4 * radius * radius) { return nothing; }
  let e = dot(a.xy, d.xy);
  let c = a.x * d.y - a.y * d.x;
  let room = h * radius * radius - c * c;
  if (room < 0.0) { return nothing; }
  let squared = h + d.z * d.z;
  let reach = sqrt(squared) * sqrt(room);
  let slack = 16.0 * unit * (abs(d.z * e) + reach) / h;
  var range = nothing;
  for (var side = -1.0; side < 2.0; side += 2.0) {
    let s = (side * reach - d.z * e) / h;
    let t = (s * d.z - e) / squared;
    if (t >= -0x1p-8 && t <= 1.0 + 0x1p-8) { range = joined(range, vec2f(a.z + s - slack, a.z + s + slack)); }
  }
  return range;
}

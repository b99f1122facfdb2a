// The paper's bounded exact offset (section 4.1): along each edge a box that holds all points within the radius of the
// edge, and between the boxes the triangle moved to either side of its plane.

fn depthsInPixel(triangle: ImageTriangle, polygon: Polygon, column: i32, row: i32) -> vec2f {
  let around = aroundPixel(triangle, column, row);
  let radius = triangle.radius;
  var range = facesOnLine(around, radius);
  let normal = cross(around.points[1] - around.points[0], around.points[2] - around.points[0]);
  for (var i = 0u; i < 3u; i++) {
    range = joined(range, boxOnLine(around.points[i], around.points[(i + 1u) % 3u], normal, radius));
  }
  return depthsOf(triangle, range);
}

/** The range in which the line runs through a box along an edge. Any normal at right angles to the edge will do. */
fn boxOnLine(a: vec3f, b: vec3f, normal: vec3f, radius: f32) -> vec2f {
  let size = length(b - a);
  let along = unitOf(b - a, vec3f(0.0, 0.0, 1.0));
  var side = cross(unitOf(normal, acrossOf(along)), along);
  if (dot(side, side) < 0.01) { side = acrossOf(along); }
  side = normalize(side - along * dot(side, along));
  let axes = array<vec3f, 3>(along, side, cross(along, side));
  let middle = 0.5 * (a + b);
  // Axes are unit vectors and orthogonal, both to 2^−20.
  let wide = radius + 0x1p-16 * size + 16.0 * unit * (length(a) + length(b));
  var range = vec2f(-0x1p100, 0x1p100);
  for (var axis = 0u; axis < 3u; axis++) {
    let half = wide + select(0.0, 0.5 * size, axis == 0u);
    let place = dot(axes[axis], middle);
    let slope = axes[axis].z;
    // The line is within the slab if |slope·z − place| ≤ half.
    if (abs(slope) < 0x1p-20) {
      // The line is almost parallel to the slab. Over the range that matters it moves by less than the slack, so it
      // lies on one side.
      if (abs(place) > half + 0x1p-19 * (size + radius + abs(middle.z))) { return nothing; }
      continue;
    }
    let ends = vec2f(place - half, place + half) / slope;
    let slack = 8.0 * unit * max(abs(ends.x), abs(ends.y));
    range = vec2f(max(range.x, min(ends.x, ends.y) - slack), min(range.y, max(ends.x, ends.y) + slack));
  }
  return range;
}

fn unitOf(v: vec3f, otherwise: vec3f) -> vec3f {
  let size = max(max(abs(v.x), abs(v.y)), abs(v.z));
  if (!(size > 0x1p-60)) { return otherwise; }
  return normalize(v / size);
}

/** A unit vector at right angles to v: the cross product with the coordinate axis that v is farthest from. */
fn acrossOf(v: vec3f) -> vec3f {
  let size = abs(v);
  var axis = vec3f(1.0, 0.0, 0.0);
  if (size.y <= size.x && size.y <= size.z) { axis = vec3f(0.0, 1.0, 0.0); }
  else if (size.z <= size.x && size.z <= size.y) { axis = vec3f(0.0, 0.0, 1.0); }
  return normalize(cross(v, axis));
}

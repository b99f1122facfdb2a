// The raster that the paper asks of future hardware (section 7): one fragment per pixel that a triangle touches, with
// the least and the greatest depth of the triangle's points in that pixel. The triangle is cut by the row's sides, and
// its edges by the column's sides. Whatever the slope, even seen edge-on, that only interpolates between known points.

struct Polygon {
  count: u32,
  points: array<vec3f, 5>,
}

/** The part of the triangle that lies in a row of pixels. */
fn inRow(triangle: ImageTriangle, row: i32) -> Polygon {
  var polygon: Polygon;
  polygon.count = 3u;
  for (var i = 0u; i < 3u; i++) { polygon.points[i] = triangle.points[i]; }
  if (triangle.first.y == triangle.last.y) { return polygon; }
  cut(&polygon, 1u, f32(row) - triangle.slack.y, 1.0);
  cut(&polygon, 1u, f32(row + 1) + triangle.slack.y, -1.0);
  return polygon;
}

/** The first and the last column in which `depthsInPixel` may find a part of it. */
fn columnsInRow(triangle: ImageTriangle, polygon: Polygon) -> vec2i {
  var low = 0x1p30;
  var high = -0x1p30;
  for (var i = 0u; i < polygon.count; i++) {
    low = min(low, polygon.points[i].x);
    high = max(high, polygon.points[i].x);
  }
  // The rounding of either side of the comparison in `depthsInPixel`, and of the sums below.
  let rounding = 8.0 * unit * (max(abs(low), abs(high)) + f32(culling.resolution));
  let around = triangle.slack.x + rounding;
  return vec2i(floor(clamp(vec2f(low - around, high + around), vec2f(-0x1p30), vec2f(0x1p30))));
}

/**
 * The least and the greatest depth of that part in a column; the first exceeds the second if it is empty. Depth is
 * linear between the polygon's edges, so both lie where an edge enters or leaves the column or ends in it.
 */
fn depthsInPixel(triangle: ImageTriangle, polygon: Polygon, column: i32, row: i32) -> vec2f {
  if (all(triangle.first == triangle.last)) {
    // The whole triangle lies in this pixel.
    return wholeDepths(triangle);
  }
  let left = f32(column) - triangle.slack.x;
  let right = f32(column + 1) + triangle.slack.x;
  var depths = vec2f(0x1p120, -0x1p120);
  if (polygon.count == 0u) { return depths; }
  var begin = polygon.points[polygon.count - 1u];
  for (var i = 0u; i < polygon.count; i++) {
    let end = polygon.points[i];
    if (max(begin.x, end.x) >= left && min(begin.x, end.x) <= right) {
      let ends = vec2f(depthAlong(begin, end, left, right), depthAlong(end, begin, left, right));
      depths = vec2f(min(depths.x, min(ends.x, ends.y)), max(depths.y, max(ends.x, ends.y)));
    }
    begin = end;
  }
  return depths + vec2f(-triangle.slack.z, triangle.slack.z);
}

/** The depth at which the edge enters the column, or at which it begins if it begins inside. */
fn depthAlong(begin: vec3f, end: vec3f, left: f32, right: f32) -> f32 {
  var depth = begin.z;
  if (begin.x < left) { depth += shareOf(left - begin.x, end.x - begin.x) * (end.z - begin.z); }
  if (begin.x > right) { depth += shareOf(right - begin.x, end.x - begin.x) * (end.z - begin.z); }
  return depth;
}

/** The ratio part/way. It is 0 if the way is hardly any: then the cut is where the way begins, which is outside. */
fn shareOf(part: f32, way: f32) -> f32 {
  return select(part / way, 0.0, abs(way) < 0x1p-100);
}

/** Keeps points p with side·p[axis] ≥ side·bound (Sutherland and Hodgman). A convex polygon gains at most one point. */
fn cut(polygon: ptr<function, Polygon>, axis: u32, bound: f32, side: f32) {
  if ((*polygon).count == 0u) { return; }
  var kept: Polygon;
  kept.count = 0u;
  var before = (*polygon).points[(*polygon).count - 1u];
  var beforeIn = side * before[axis] >= side * bound;
  for (var i = 0u; i < (*polygon).count; i++) {
    let point = (*polygon).points[i];
    let pointIn = side * point[axis] >= side * bound;
    if (pointIn != beforeIn) {
      let outer = select(point, before, pointIn);
      let inner = select(before, point, pointIn);
      kept.points[kept.count] = outer + shareOf(bound - outer[axis], inner[axis] - outer[axis]) * (inner - outer);
      kept.count++;
    }
    if (pointIn) {
      kept.points[kept.count] = point;
      kept.count++;
    }
    before = point;
    beforeIn = pointIn;
  }
  *polygon = kept;
}

/** The triangle itself is used, without an offset. */
fn offsetRadius(p: f32, rounding: f32) -> f32 {
  return 0.0;
}

// A triangle of a placed body as an image sees it. proof.md bounds the errors.

struct SceneTriangle {
  /** The corners, in coordinates in which the window is the unit cube. */
  corners: array<vec3f, 3>,
  /** How far a corner may be from the exact image of the true vertex. */
  error: vec3f,
  /**
   * `pixel`: a pixel's size along each axis, in the scene's unit. `p`: the longest of them plus the error on either
   * side.
   */
  pixel: vec3f,
  p: f32,
}

/** The triangle seen along one axis: columns and rows in pixels, then depth in its integer unit. */
struct ImageTriangle {
  points: array<vec3f, 3>,
  /** The amount by which pixels and depths are widened. */
  slack: vec3f,
  /** The first and last column and row. The last is less than the first if no pixel is touched. */
  first: vec2i,
  last: vec2i,
  /** The length of a pixel along columns and along rows, and of a step of depth, in the scene's unit. */
  metric: vec3f,
  /** The radius of the triangle's offset, in the scene's unit. */
  radius: f32,
}

/**
 * Whether a pixel is as long along every axis. The paper's offsets are as wide as the longest side of a pixel, so shorter
 * sides would only add fragments.
 */
override squarePixels: bool = false;

struct Window {
  low: vec3f,
  inverseSize: vec3f,
}

fn imageWindow() -> Window {
  var low: vec3f;
  var high: vec3f;
  for (var axis = 0u; axis < 3u; axis++) {
    low[axis] = -orderedFloat(atomicLoad(&imageState[windowAt + axis]));
    high[axis] = orderedFloat(atomicLoad(&imageState[windowAt + 3u + axis]));
  }
  // Coordinates are at most 2^61, so in this window, in steps of depth, they stay finite.
  let least = max(max(abs(low), abs(high)) * 0x1p-20, vec3f(0x1p-40));
  var size = max(high - low, least);
  if (squarePixels) { size = vec3f(max(max(size.x, size.y), size.z)); }
  return Window(low, 1.0 / size);
}

/** The corners in the scene's frame. */
fn sceneCorners(body: u32, leaf: u32) -> array<vec3f, 3> {
  let first = 3u * (placings[body].leafOffset + leaf);
  let x = placings[body].rows[0];
  let y = placings[body].rows[1];
  let z = placings[body].rows[2];
  var corners: array<vec3f, 3>;
  for (var i = 0u; i < 3u; i++) {
    let q = vec3f(leaves[first + i].xyz) * 0x1p-29;
    corners[i] = vec3f(dot(x.xyz, q) + x.w, dot(y.xyz, q) + y.w, dot(z.xyz, q) + z.w);
  }
  return corners;
}

fn inWindow(body: u32, corners: array<vec3f, 3>, window: Window) -> SceneTriangle {
  var triangle: SceneTriangle;
  for (var i = 0u; i < 3u; i++) { triangle.corners[i] = (corners[i] - window.low) * window.inverseSize; }
  triangle.error = 1.01 * window.inverseSize
    * (placings[body].error.xyz + 24.0 * unit * (placings[body].reach.xyz + abs(window.low)));
  triangle.pixel = 1.0 / (window.inverseSize * f32(culling.resolution));
  let sides = triangle.pixel + 2.0 * triangle.error / window.inverseSize;
  triangle.p = max(max(sides.x, sides.y), sides.z);
  return triangle;
}

fn seenAlong(triangle: SceneTriangle, view: u32) -> ImageTriangle {
  let size = f32(culling.resolution);
  let scale = vec3f(size, size, culling.depthSteps);
  let column = (view + 1u) % 3u;
  let row = (view + 2u) % 3u;
  var seen: ImageTriangle;
  var most = vec3f(1.0);
  var low = vec3f(0x1p120);
  var high = vec3f(-0x1p120);
  for (var i = 0u; i < 3u; i++) {
    let corner = triangle.corners[i];
    let point = vec3f(corner[column], corner[row], corner[view]) * scale;
    seen.points[i] = point;
    most = max(most, abs(point));
    low = min(low, point);
    high = max(high, point);
  }
  let error = vec3f(triangle.error[column], triangle.error[row], triangle.error[view]) * scale;
  // The slack has four parts: at most four cuts, each off by 20 units of the largest number cut; the rounding of the
  // pixels' bounds; and that of the window's edge.
  seen.slack = 1.01 * error + 80.0 * unit * most + vec3f(0x1p-10 + 8.0 * unit * size, 0x1p-10 + 8.0 * unit * size, 1.0);
  let pixel = vec3f(triangle.pixel[column], triangle.pixel[row], triangle.pixel[view]);
  let rounding = seen.slack.xy * pixel.xy;
  seen.radius = offsetRadius(triangle.p, max(rounding.x, rounding.y));
  seen.metric = vec3f(pixel.xy, pixel.z * (size / culling.depthSteps));
  let around = seen.slack.xy + seen.radius / pixel.xy;
  seen.first = vec2i(clamp(floor(low.xy - around), vec2f(0.0), vec2f(size - 1.0)));
  seen.last = vec2i(clamp(floor(high.xy + around), vec2f(0.0), vec2f(size - 1.0)));
  if (any(high.xy + around < vec2f(0.0)) || any(low.xy - around > vec2f(size))) {
    seen.last = seen.first - vec2i(1);
  }
  return seen;
}

/** The least and the greatest depth of the whole triangle, or of its offset. */
fn wholeDepths(triangle: ImageTriangle) -> vec2f {
  let z = vec3f(triangle.points[0].z, triangle.points[1].z, triangle.points[2].z);
  let around = triangle.slack.z + triangle.radius / triangle.metric.z;
  return vec2f(min(min(z.x, z.y), z.z) - around, max(max(z.x, z.y), z.z) + around);
}

/** Depths rounded down to integers and clamped to the window. */
fn depthNumbers(depths: vec2f) -> vec2u {
  return vec2u(floor(clamp(depths, vec2f(0.0), vec2f(culling.depthSteps))));
}

// The paper's bounding offset (section 4.1): one box per triangle, along its longest edge and its normal. The box is
// wider than the triangle by √3·p/2 on all sides, the radius of a sphere around a cube of side p. proof.md derives p.

/**
 * Writes the box: its middle and three half axes, in coordinates in which the window is the unit cube; then three vectors
 * whose products with a place, taken from the middle, are 1 and −1 on the faces. Their fourth components are how far the
 * box reaches from its middle along x, y and z.
 */
fn writeShape(instance: u32, body: u32, corners: array<vec3f, 3>, window: Window) {
  let edges = array<vec3f, 3>(corners[1] - corners[0], corners[2] - corners[1], corners[0] - corners[2]);
  let lengths = vec3f(dot(edges[0], edges[0]), dot(edges[1], edges[1]), dot(edges[2], edges[2]));
  let longest = max(max(lengths.x, lengths.y), lengths.z);
  let longestEdge = select(select(edges[2], edges[1], lengths.y == longest), edges[0], lengths.x == longest);
  let along = direction(longestEdge, vec3f(1.0, 0.0, 0.0));
  let normal = direction(cross(longestEdge, edges[select(0u, 1u, lengths.x == longest)]), across(along));
  var side = cross(normal, along);
  // A sliver's normal may be any vector. The box only needs axes at right angles.
  if (dot(side, side) < 0.01) { side = across(along); }
  side = normalize(side - along * dot(side, along));
  let axes = array<vec3f, 3>(along, side, cross(along, side));
  let size = 1.0 / window.inverseSize;
  // Corners lie at most farCorner images away, which bounds the rounding of clipping at the image's edge (proof.md).
  let clipping = 8.0 * unit * farCorner;
  let pixel = size * ((1.0 + 2.0 * snapping) / f32(culling.resolution) + 2.0 * clipping);
  let error = placings[body].error.xyz + 24.0 * unit * (placings[body].reach.xyz + abs(window.low));
  let p = max(max(pixel.x, pixel.y), pixel.z) + 2.0 * max(max(error.x, error.y), error.z);
  let offset = 0.8661 * p;
  // The axes have length 1 and are orthogonal, both to 2^−20. The box is the triangle's extent along them, plus the
  // error that this makes over the triangle's length.
  let reach = sqrt(longest) * (1.0 + 0x1p-18);
  var middle = corners[0];
  var halves: array<vec3f, 3>;
  var faces: array<vec3f, 3>;
  var extents = vec3f(0.0);
  for (var i = 0u; i < 3u; i++) {
    let places = vec3f(0.0, dot(axes[i], corners[1] - corners[0]), dot(axes[i], corners[2] - corners[0]));
    let low = min(min(places.x, places.y), places.z);
    let high = max(max(places.x, places.y), places.z);
    middle += axes[i] * (0.5 * (low + high));
    let half = 0.5 * (high - low) + 1.001 * offset + 0x1p-16 * reach;
    halves[i] = axes[i] * half * window.inverseSize;
    faces[i] = axes[i] * (size / half);
    extents += abs(halves[i]);
  }
  let at = shapeVectors * instance;
  drawnShapes[at] = vec4f((middle - window.low) * window.inverseSize, 0.0);
  for (var i = 0u; i < 3u; i++) {
    drawnShapes[at + 1u + i] = vec4f(halves[i], 0.0);
    drawnShapes[at + 4u + i] = vec4f(faces[i], extents[i]);
  }
}

/** The unit vector along v. If v is too short to have a direction, returns `otherwise`: any axes make a valid box. */
fn direction(v: vec3f, otherwise: vec3f) -> vec3f {
  let size = max(max(abs(v.x), abs(v.y)), abs(v.z));
  if (!(size > 0x1p-60)) { return otherwise; }
  return normalize(v / size);
}

/** A unit vector at right angles to v: the cross product with the coordinate axis that v is farthest from. */
fn across(v: vec3f) -> vec3f {
  let size = abs(v);
  var axis = vec3f(1.0, 0.0, 0.0);
  if (size.y <= size.x && size.y <= size.z) { axis = vec3f(0.0, 1.0, 0.0); }
  else if (size.z <= size.x && size.z <= size.y) { axis = vec3f(0.0, 0.0, 1.0); }
  return normalize(cross(v, axis));
}

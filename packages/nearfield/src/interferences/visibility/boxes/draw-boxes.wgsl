// Draws the boxes around triangles (boxes/box-triangles.wgsl). A fragment's depth is the box's least or greatest on the
// pixel's middle line (boxes/line-in-box.wgsl). It is an integer over 2^24, exact in the depth buffer.

struct BoxVertex {
  @builtin(position) @invariant position: vec4f,
  @location(0) @interpolate(flat, either) instance: u32,
}

/**
 * The box corner of each of the 36 vertices of a box's twelve triangles. Bit i of a corner says whether it is the upper
 * one along axis i. Triangles are counterclockwise seen from outside.
 */
fn cornerOf(vertex: u32) -> u32 {
  let face = vertex / 6u;
  let axis = face / 2u;
  let upper = face % 2u;
  let place = vertex % 6u;
  // The quad 00 10 11 01 as two triangles, in the opposite order on the lower side.
  let u = select(0u, 1u, place == 1u || place == 2u || place == 4u);
  let v = select(0u, 1u, place == 2u || place == 4u || place == 5u);
  let first = select(v, u, upper == 1u);
  let second = select(u, v, upper == 1u);
  return (upper << axis) | (first << ((axis + 1u) % 3u)) | (second << ((axis + 2u) % 3u));
}

@vertex
fn placeBox(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> BoxVertex {
  // By default the vertex lies outside the image.
  var result = BoxVertex(vec4f(2.0, 2.0, 0.5, 1.0), instance);
  if (!takesPart(instance) || (testing && hasPassed(instance))) { return result; }
  let corner = cornerOf(vertex);
  let at = boxVectors * instance;
  let centre = drawnShapes[at].xyz;
  var halves: array<vec3f, 3>;
  var extents = vec3f(0.0);
  for (var i = 0u; i < 3u; i++) {
    halves[i] = drawnShapes[at + 1u + i].xyz;
    extents += abs(halves[i]);
  }
  // A corner far outside would be clipped with an error as large. Then the axis-aligned box around it is drawn instead,
  // clamped to the image, so that none of it is clipped.
  let column = (drawing.view + 1u) % 3u;
  let row = (drawing.view + 2u) % 3u;
  let ends = abs(centre - 0.5) + extents;
  let far = !(max(ends[column], ends[row]) <= farCorner);
  var place = centre;
  for (var i = 0u; i < 3u; i++) {
    var half = halves[i];
    if (far) {
      half = vec3f(0.0);
      half[i] = extents[i];
    }
    place += select(-half, half, ((corner >> i) & 1u) == 1u);
  }
  if (far) { place = clamp(place, vec3f(0.0), vec3f(1.0)); }
  result.position = vec4f(2.0 * place[column] - 1.0, 1.0 - 2.0 * place[row], 0.5, 1.0);
  return result;
}

/** The depth of a box that others are tested against. The depth test keeps the nearest. */
@fragment
fn leastDepth(box: BoxVertex) -> @builtin(frag_depth) f32 {
  let depths = depthsOnLine(box.instance, box.position.xy);
  if (depths.x > depths.y) { discard; }
  return f32(depths.x) * 0x1p-24;
}

/** The depth of a box under test. It passes unless the box lies wholly in front of what was drawn. */
@fragment
fn greatestDepth(box: BoxVertex) -> @builtin(frag_depth) f32 {
  let depths = depthsOnLine(box.instance, box.position.xy);
  if (depths.x > depths.y) { discard; }
  return f32(depths.y) * 0x1p-24;
}

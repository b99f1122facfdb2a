// Draws the boxes around triangles (shapes/box-triangles.wgsl). A fragment's depth is the box's least or greatest on the
// pixel's middle line (shapes/line-in-box.wgsl). It is an integer over 2^24, exact in the depth buffer.

struct BoxVertex {
  @builtin(position) @invariant position: vec4f,
  @location(0) @interpolate(flat, either) instance: u32,
}

/** The vertices are the box's corners: bit i of a corner's number says whether it is the upper one along axis i. */
@vertex
fn placeBox(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> BoxVertex {
  // By default the vertex lies outside the image.
  var result = BoxVertex(vec4f(2.0, 2.0, 0.5, 1.0), instance);
  if (!isDrawn(instance)) { return result; }
  let at = shapeVectors * instance;
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
  let depths = depthsOnLine(seenShape(box.instance, drawing.view), box.position.xy);
  if (depths.x > depths.y) { discard; }
  return f32(depths.x) * 0x1p-24;
}

/** The depth of a box under test. It passes unless the box lies wholly in front of what was drawn. */
@fragment
fn greatestDepth(box: BoxVertex) -> @builtin(frag_depth) f32 {
  let depths = depthsOnLine(seenShape(box.instance, drawing.view), box.position.xy);
  if (depths.x > depths.y) { discard; }
  return f32(depths.y) * 0x1p-24;
}

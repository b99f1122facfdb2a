// Draws faces for counting. Front faces and back faces are told apart by the order of their corners.

struct FacePoint {
  @invariant @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) body: u32,
}

/** Per pixel: the body of the nearest edge plus 1; if names are wide, also the edge plus 1 and its depth. */
@group(1) @binding(0) var edgesSeen: texture_2d<u32>;

@vertex
fn placeFace(@builtin(vertex_index) number: u32, @builtin(instance_index) instance: u32) -> FacePoint {
  let drawn = faceVertexOf(number, instance);
  let body = drawn.body;
  let vertex = drawn.vertex;
  var corner = vertex % 3u;
  if (drawnBodies[body].flipped == 1u) { corner = (3u - corner) % 3u; }
  return FacePoint(toClip(placed(body, 3u * (drawnBodies[body].leafOffset + vertex / 3u) + corner)), body);
}

fn isOwn(point: FacePoint) -> bool {
  return textureLoad(edgesSeen, vec2u(point.position.xy), 0).x == point.body + 1u;
}

/** Keeps pixels whose edge is the body's own. */
@fragment
fn ownFaces(point: FacePoint) {
  if (!isOwn(point)) { discard; }
}

/** Keeps pixels whose edge is another body's. */
@fragment
fn facesOfOthers(point: FacePoint) {
  if (isOwn(point)) { discard; }
}

/**
 * The body encloses another's edge. Or it is left before the edge more often than entered, which cannot happen if it is
 * closed.
 */
@fragment
fn nameBody(point: FacePoint) -> @location(0) vec4u {
  return vec4u(point.body + 1u);
}

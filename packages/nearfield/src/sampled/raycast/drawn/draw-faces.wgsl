// Faces as they are counted: those towards the eye and those away from it, told apart by the order of their corners.

struct FacePoint {
  @invariant @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) body: u32,
}

/** By pixel, the body whose edge is the nearest there plus 1, its edge plus 1, its depth. */
@group(1) @binding(0) var edgesSeen: texture_2d<u32>;

@vertex
fn placeFace(@builtin(vertex_index) vertex: u32, @builtin(instance_index) body: u32) -> FacePoint {
  var corner = vertex % 3u;
  if (drawnBodies[body].flipped == 1u) { corner = (3u - corner) % 3u; }
  return FacePoint(toClip(placed(body, 3u * (drawnBodies[body].leafOffset + vertex / 3u) + corner)), body);
}

fn isOwn(point: FacePoint) -> bool {
  return textureLoad(edgesSeen, vec2u(point.position.xy), 0).x == point.body + 1u;
}

/** Where the edge is the body's own. */
@fragment
fn ownFaces(point: FacePoint) {
  if (!isOwn(point)) { discard; }
}

/** Where it is another's. */
@fragment
fn facesOfOthers(point: FacePoint) {
  if (isOwn(point)) { discard; }
}

/** The body encloses another's edge; or is left before it oftener than entered, which a closed one cannot be. */
@fragment
fn nameBody(point: FacePoint) -> @location(0) vec4u {
  return vec4u(point.body + 1u);
}

// Draws edges as lines, moved outward in the vertex stage (Knott, section 4.3.3). A line's samples lie beside its edge,
// and would otherwise lie inside the body itself half of the time.

struct EdgePoint {
  @invariant @builtin(position) position: vec4f,
  @location(0) depth: f32,
  @location(1) @interpolate(flat) body: u32,
  @location(2) @interpolate(flat) edge: u32,
}

/** A line shorter than this many pixels may have no sample at all, so it is lengthened to this. */
const leastLength = 1.5;

@vertex
fn placeEdge(@builtin(vertex_index) number: u32, @builtin(instance_index) instance: u32) -> EdgePoint {
  let drawn = edgeVertexOf(number, instance);
  let body = drawn.body;
  let vertex = drawn.vertex;
  let edge = vertex / 2u;
  let record = edgeRecords[drawnBodies[body].edgeOffset + edge];
  let leafOffset = drawnBodies[body].leafOffset;
  let leaf = leafOffset + leafOf[leafOffset + record.x / 3u];
  let side = record.x % 3u;
  let offset = offsetOf(body, leaf, record.y);
  let start = placed(body, 3u * leaf + side) + offset;
  let end = placed(body, 3u * leaf + (side + 1u) % 3u) + offset;
  let isEnd = vertex % 2u == 1u;
  var point = select(start, end, isEnd);
  let run = end.xy - start.xy;
  let length = max(abs(run.x), abs(run.y));
  if (length < leastLength) {
    let along = select(vec2f(1.0, 0.0), run / length, length > 0x1p-10);
    point = vec3f(0.5 * (start.xy + end.xy) + select(-0.5, 0.5, isEnd) * leastLength * along, point.z);
  }
  return EdgePoint(toClip(point), point.z, body, edge);
}

/**
 * Moves the edge so that both faces are `seen.offset` behind it: with n and m their normals, (n + m)/(1 + n·m) has the
 * component 1 along each. Sharp edges are moved by at most twice the offset.
 */
fn offsetOf(body: u32, leaf: u32, other: u32) -> vec3f {
  let normal = outward(body, leaf);
  var sum = normal;
  var size = 1.0;
  if (other != 0xffffffffu) {
    let leafOffset = drawnBodies[body].leafOffset;
    let second = outward(body, leafOffset + leafOf[leafOffset + other]);
    sum = normal + second;
    size = 1.0 + dot(normal, second);
  }
  let sumLength = length(sum);
  // Faces that lie back to back have no outside between them.
  if (sumLength < 0x1p-10) { return vec3f(0.0); }
  return sum / sumLength * (seen.offset * min(2.0, sumLength / max(size, 0x1p-20)));
}

@fragment
fn drawEdge(point: EdgePoint) -> @location(0) vec4u {
  if (point.depth < seen.least || point.depth > seen.most) { discard; }
  return vec4u(point.body + 1u, point.edge + 1u, bitcast<u32>(point.depth), 0u);
}

/** Names the body of an edge where the stencil test passes. */
@fragment
fn identify(point: EdgePoint) -> @location(0) vec4u {
  if (point.depth < seen.least || point.depth > seen.most) { discard; }
  return vec4u(point.body + 1u);
}

/** Draws the edge again where the stencil test passes. */
@fragment
fn drawAgain(point: EdgePoint) {
  if (point.depth < seen.least || point.depth > seen.most) { discard; }
}

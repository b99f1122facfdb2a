// CULLIDE: a triangle is in a pixel if it covers the pixel's centre, with its depth there. What lies between centres is
// not seen, so pairs may be missed.

/** A triangle as a view sees it: a corner, and the edges from it. Columns, rows and depths are in images. */
struct SeenShape {
  corner: vec3f,
  edges: array<vec3f, 2>,
}

fn seenShape(instance: u32, view: u32) -> SeenShape {
  let at = shapeVectors * instance;
  let corner = seenCorner(at, view);
  let edges = array<vec3f, 2>(seenCorner(at + 1u, view) - corner, seenCorner(at + 2u, view) - corner);
  return SeenShape(corner, edges);
}

/** The depth, twice, as an integer. The first exceeds the second if the triangle does not cover the centre. */
fn depthsOnLine(seen: SeenShape, position: vec2f) -> vec2u {
  let u = seen.edges[0];
  let v = seen.edges[1];
  let p = (floor(position) + 0.5) / f32(culling.resolution) - seen.corner.xy;
  let area = u.x * v.y - u.y * v.x;
  let s = (p.x * v.y - p.y * v.x) / area;
  let t = (u.x * p.y - u.y * p.x) / area;
  if (!(area != 0.0 && s >= 0.0 && t >= 0.0 && s + t <= 1.0)) { return vec2u(1u, 0u); }
  let depth = (seen.corner.z + s * u.z + t * v.z) * culling.depthSteps;
  return vec2u(u32(clamp(depth, 0.0, culling.depthSteps)));
}

fn reachInImage(instance: u32, view: u32) -> vec4f {
  let at = shapeVectors * instance;
  let a = seenCorner(at, view).xy;
  let b = seenCorner(at + 1u, view).xy;
  let c = seenCorner(at + 2u, view).xy;
  return vec4f(min(min(a, b), c), max(max(a, b), c));
}

/** A corner as the view sees it: column, row, depth. */
fn seenCorner(at: u32, view: u32) -> vec3f {
  let corner = drawnShapes[at].xyz;
  return vec3f(corner[(view + 1u) % 3u], corner[(view + 2u) % 3u], corner[view]);
}

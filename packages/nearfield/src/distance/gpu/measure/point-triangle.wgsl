// The shortest way from the origin to a triangle, in single precision: the shortest of those to its edges and its face.

fn nearestOfTriangle(a: vec3f, b: vec3f, c: vec3f) -> Gap {
  var best = toSegment(a, b - a);
  best = nearer(best, toSegment(b, c - b));
  best = nearer(best, toSegment(c, a - c));
  // `toFace` leads from the face to the point; it is reversed to lead from the point to the face.
  let face = toFace(-a, b - a, c - a);
  return nearer(best, Gap(-face.g, face.squared, face.shares));
}

/** The shortest way from the origin to the segment p + s·u. */
fn toSegment(p: vec3f, u: vec3f) -> Gap {
  let along = share(-dot(p, u), dot(u, u));
  let g = p + along * u;
  return Gap(g, dot(g, g), vec2f(along, 0.0));
}

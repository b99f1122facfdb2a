// Differences of points of convex sets. The shortest is searched for, and bounds the distance of the sets.

struct Bounds {
  least: f32,
  most: f32,
}

struct Gap {
  g: vec3f,
  squared: f32,
  /** The places on the two features where it begins and ends. */
  shares: vec2f,
}

const noGap = Gap(vec3f(0.0), unknownDistance, vec2f(0.0));

const unknownDistance = 0x1p100;

fn nearer(best: Gap, other: Gap) -> Gap {
  if (other.squared < best.squared) { return other; }
  return best;
}

/** From the interior of the face (0, u, v) to a point, if its foot lies there; otherwise no gap. */
fn toFace(point: vec3f, u: vec3f, v: vec3f) -> Gap {
  let n = cross(u, v);
  let area = dot(n, n);
  let s = dot(cross(point, v), n);
  let t = dot(cross(u, point), n);
  if (!(area > 0x1p-100) || s < 0.0 || t < 0.0 || s + t > area) { return noGap; }
  let shares = vec2f(share(s, area), share(t, area));
  let g = point - shares.x * u - shares.y * v;
  return Gap(g, dot(g, g), shares);
}

/** From the segment p + s·u to the segment q + t·v. */
fn segments(p: vec3f, u: vec3f, q: vec3f, v: vec3f) -> Gap {
  let r = p - q;
  let uu = dot(u, u);
  let vv = dot(v, v);
  let uv = dot(u, v);
  let ur = dot(u, r);
  let vr = dot(v, r);
  var s = share(uv * vr - ur * vv, uu * vv - uv * uv);
  let along = uv * s + vr;
  let t = share(along, vv);
  if (along < 0.0) { s = share(-ur, uu); }
  if (along > vv) { s = share(uv - ur, uu); }
  let g = t * v - s * u - r;
  return Gap(g, dot(g, g), vec2f(s, t));
}

/** A quotient clamped to [0, 1]; 0 if the divisor is not clearly positive. */
fn share(part: f32, whole: f32) -> f32 {
  if (!(whole > 0x1p-110)) { return 0.0; }
  return clamp(part / whole, 0.0, 1.0);
}

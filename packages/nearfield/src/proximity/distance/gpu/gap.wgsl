// Differences of points of convex sets, the shortest of which is looked for, and what they say of the sets' distance.

struct Bounds {
  least: f32,
  most: f32,
}

struct Gap {
  g: vec3f,
  squared: f32,
}

const unknownDistance = 0x1p100;

fn nearer(best: Gap, other: Gap) -> Gap {
  if (other.squared < best.squared) { return other; }
  return best;
}

/** From the inside of the face (0, u, v) to a point, where the foot lies there. */
fn toFace(point: vec3f, u: vec3f, v: vec3f) -> Gap {
  let n = cross(u, v);
  let area = dot(n, n);
  let s = dot(cross(point, v), n);
  let t = dot(cross(u, point), n);
  if (!(area > 0x1p-100) || s < 0.0 || t < 0.0 || s + t > area) { return Gap(vec3f(0.0), unknownDistance); }
  let g = point - share(s, area) * u - share(t, area) * v;
  return Gap(g, dot(g, g));
}

/** A quotient cut to [0, 1]; 0 where the divisor is none. */
fn share(part: f32, whole: f32) -> f32 {
  if (!(whole > 0x1p-110)) { return 0.0; }
  return clamp(part / whole, 0.0, 1.0);
}

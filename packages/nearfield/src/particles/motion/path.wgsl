// A segment's path in single precision: x + (v + a·σ/2)·σ, σ the time since the segment began, with bounds of how far
// each of the three may be from the reference's. gpu/filter.md has the bounds.

struct Path {
  x: vec3f,
  v: vec3f,
  a: vec3f,
  /** The errors of x, v and a, as lengths of vectors. */
  errorX: f32,
  errorV: f32,
  errorA: f32,
  /** Upper bounds of |x|, |v|, |a|. */
  size: f32,
  speed: f32,
  pull: f32,
}

fn pathOf(x: vec3f, v: vec3f, a: vec3f, errorX: f32, errorV: f32, errorA: f32) -> Path {
  return Path(x, v, a, errorX, errorV, errorA, 1.00001 * length(x), 1.00001 * length(v), 1.00001 * length(a));
}

fn placeAt(path: Path, time: f32) -> vec3f { return path.x + (path.v + 0.5 * path.a * time) * time; }
fn velocityAt(path: Path, time: f32) -> vec3f { return path.v + path.a * time; }

/** How far `placeAt` and `velocityAt` may be from the reference's. */
fn placeError(path: Path, time: f32) -> f32 {
  return 1.00001 * (path.errorX + 2.0 * unit * path.size
    + time * (path.errorV + 4.0 * unit * path.speed + time * (path.errorA + 3.0 * unit * path.pull)));
}
fn velocityError(path: Path, time: f32) -> f32 {
  return 1.00001 * (path.errorV + 2.0 * unit * path.speed + time * (path.errorA + 3.0 * unit * path.pull));
}

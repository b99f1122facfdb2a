// Do a corner and a triangle, or two edges, of two moving triangles ever touch? The conditions are those of
// ../contact.md and ../filter.ts, for the whole time at once: polynomials in Bernstein form, whose coefficients have
// one sign beyond a bound (culling.md).

/**
 * Whether the 15 pairs of features certainly never touch: corners of a with b, corners of b with a, edges with edges.
 */
fn noFeaturesTouch() -> bool {
  for (var corner = 0u; corner < 6u; corner++) {
    let face = select(0u, 3u, corner < 3u);
    if (!isCornerApart(corner, face)) { return false; }
  }
  for (var edge = 0u; edge < 9u; edge++) {
    let a = edge / 3u;
    let b = edge % 3u;
    if (!areEdgesApart(a, (a + 1u) % 3u, 3u + b, 3u + (b + 1u) % 3u)) { return false; }
  }
  return true;
}

/** A vector at time 0 and at time 1, the length of the longer one, and the largest error of a component. */
struct MovingVector {
  atStart: vec3f,
  atEnd: vec3f,
  length: f32,
  error: f32,
}

fn between(p: u32, q: u32) -> MovingVector {
  let atStart = toward(p, q, 0u);
  let atEnd = toward(p, q, 1u);
  let length = longer(atStart, atEnd);
  return MovingVector(atStart, atEnd, length, componentError(length));
}

fn isCornerApart(corner: u32, face: u32) -> bool {
  if (areBoxesApart(corner, corner, face, face + 1u, face + 2u)) { return true; }
  let a = between(corner, face);
  let b = between(corner, face + 1u);
  let c = between(corner, face + 2u);
  if (isNeverFlat(a, b, c)) { return true; }
  let bc = signsAcross(b, c);
  let ca = signsAcross(c, a);
  let ab = signsAcross(a, b);
  return areOpposite(min(min(bc, ca), ab), max(max(bc, ca), ab));
}

fn areEdgesApart(a0: u32, a1: u32, b0: u32, b1: u32) -> bool {
  if (areBoxesApart(a0, a1, b0, b1, b1)) { return true; }
  let r = between(a0, b0);
  let d = between(a0, a1);
  let e = between(b0, b1);
  if (isNeverFlat(r, d, e)) { return true; }
  let fromA = signsAcross(r, e);
  let toA = signsAcross(between(b0, a1), e);
  let fromB = signsAcross(r, d);
  let toB = signsAcross(d, between(a0, b1));
  return areOpposite(min(min(fromA, toA), min(fromB, toB)), max(max(fromA, toA), max(fromB, toB)));
}

/**
 * Whether an axis separates p and q from r, s and t at both times, in the same order: stored coordinates that differ
 * by two units do.
 */
fn areBoxesApart(p: u32, q: u32, r: u32, s: u32, t: u32) -> bool {
  var before = vec3<bool>(true);
  var after = vec3<bool>(true);
  for (var time = 0u; time < 12u; time += 6u) {
    let low = min(corners[time + p], corners[time + q]);
    let high = max(corners[time + p], corners[time + q]);
    let otherLow = min(min(corners[time + r], corners[time + s]), corners[time + t]);
    let otherHigh = max(max(corners[time + r], corners[time + s]), corners[time + t]);
    before = before & (otherLow - high >= vec3i(2));
    after = after & (low - otherHigh >= vec3i(2));
  }
  return any(before | after);
}

/** Whether det(u, v, w) certainly has one sign at all times. */
fn isNeverFlat(u: MovingVector, v: MovingVector, w: MovingVector) -> bool {
  let first = cross(v.atStart, w.atStart);
  let middle = cross(v.atStart, w.atEnd) + cross(v.atEnd, w.atStart);
  let last = cross(v.atEnd, w.atEnd);
  // The second and third coefficient are a third of these sums.
  let f0 = dot(u.atStart, first);
  let f1 = dot(u.atStart, middle) + dot(u.atEnd, first);
  let f2 = dot(u.atEnd, middle) + dot(u.atStart, last);
  let f3 = dot(u.atEnd, last);
  let lengths = vec3f(u.length, v.length, w.length);
  let error = determinantError(lengths, vec3f(u.error, v.error, w.error), lengths)
    + 13.0 * unit * (u.length * v.length * w.length);
  let least = min(min(f0, f3), min(f1, f2) * 0.333);
  let most = max(max(f0, f3), max(f1, f2) * 0.333);
  return least > error || most < -error;
}

/** The signs along the axes that p × q certainly has at all times; 0 if it may change. */
fn signsAcross(p: MovingVector, q: MovingVector) -> vec3i {
  let c0 = cross(p.atStart, q.atStart);
  let c1 = 0.5 * (cross(p.atStart, q.atEnd) + cross(p.atEnd, q.atStart));
  let c2 = cross(p.atEnd, q.atEnd);
  let moved = 1.4143 * (p.error * (q.length + 1.7321 * q.error) + q.error * (p.length + 1.7321 * p.error));
  let error = 1.001 * (moved + 8.0 * unit * (p.length * q.length)) + 0x1p-100;
  let low = min(min(c0, c1), c2);
  let high = max(max(c0, c1), c2);
  return select(vec3i(0), vec3i(1), low > vec3f(error)) - select(vec3i(0), vec3i(1), high < vec3f(-error));
}

/** Whether along some axis one sign is negative and another positive. */
fn areOpposite(least: vec3i, most: vec3i) -> bool {
  return any((least == vec3i(-1)) & (most == vec3i(1)));
}

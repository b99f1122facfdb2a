// The work for a pair of bodies that may be nearer than a clearance and have surviving triangles. Boxes are widened by
// the clearance: a row of the map into a local frame maps a displacement of that length to at most its own length times
// the row's.

@group(0) @binding(6) var<storage, read> bodyStates: array<u32>;
@group(0) @binding(7) var<storage, read> survivors: array<u32>;

/**
 * The number of threads that traverse for this pair. It is 0 only if the bodies, and solids within them, are farther
 * apart than the clearance.
 */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let flags = bodyStates[bodyStateWords * a + bodyFlagsAt] & bodyStates[bodyStateWords * b + bodyFlagsAt];
  let work = survivorWork(pair, pairCount, a, b);
  widen(pair, 0u, a, pairExponent(a, b));
  widen(pair, 1u, b, pairExponent(a, b));
  if ((flags & leftFlag) == 0u || bodiesApart(pair, a, b)) { return 0u; }
  return work;
}

fn widen(pair: u32, side: u32, body: u32, unitExponent: i32) {
  // Half the clearance, rounded up, is stored in the scene's unit. Points of bodies that are not far apart are less
  // than 2^10 units apart, so a longer clearance holds no more. An axis is shorter than 2^72, so slacks, which exceed
  // whatever is mapped, stay finite.
  let up = bitcast<i32>(query.originLow.w) - unitExponent;
  let clearance = min(2.0 * query.margin * powerOfTwo(clamp(up, -100, 60)), 0x1p10) + 0x1p-100;
  // If bodies lie far from each other, their offset does not fit the frame, and nothing can be said about them.
  let far = frames[pair].far == 1u || up > 60;
  let down = powerOfTwo(min(unitExponent - bodies[body].exponent, 41));
  for (var row = 0u; row < 3u; row++) {
    let axis = abs(bodies[body].inverse[row].xyz) * down;
    let slack = frames[pair].slack[side][row] + 1.001 * clearance * (axis.x + axis.y + axis.z);
    frames[pair].slack[side][row] = select(slack, 4.0, far);
    if (far) { frames[pair].into[3u * side + row] = vec4f(0.0); }
  }
  if (side == 1u) { frames[pair].far = 0u; }
}

// What there is to do for a pair of bodies that may be nearer than a clearance, of whose triangles some are left. Boxes are
// wider by the clearance: of a displacement as long, a row of the map into a local frame makes no more than its own length.

@group(0) @binding(6) var<storage, read> bodyStates: array<u32>;
@group(0) @binding(7) var<storage, read> survivors: array<u32>;

/** How many threads the walk gives the pair; 0 only where the bodies, and solids within, are farther apart than was asked. */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let flags = bodyStates[bodyStateWords * a + bodyFlagsAt] & bodyStates[bodyStateWords * b + bodyFlagsAt];
  let countA = survivors[a];
  let countB = survivors[b];
  let walkers = max(1u, min(countA, countB));
  let halvings = spreadWalk(pair, pairCount, a, b, select(1u, 0u, countA <= countB), walkers);
  widen(pair, 0u, a, pairExponent(a, b));
  widen(pair, 1u, b, pairExponent(a, b));
  if ((flags & leftFlag) == 0u || bodiesApart(pair, a, b)) { return 0u; }
  return walkers << halvings;
}

fn widen(pair: u32, side: u32, body: u32, unitExponent: i32) {
  // Half the clearance, rounded up, stands in the scene's unit. Of bodies that are not far no points are 2^10 units apart: a
  // longer clearance holds no more. An axis is shorter than 2^72, so that slacks, wider than whatever is mapped, are finite.
  let up = bitcast<i32>(query.originLow.w) - unitExponent;
  let clearance = min(2.0 * query.margin * powerOfTwo(clamp(up, -100, 60)), 0x1p10) + 0x1p-100;
  // Offsets of bodies that lie far from each other do not fit the frame, and nothing can be said of them.
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

// The frame of one candidate pair: relative place from doubles, maps between the local frames for the box tests (SAT
// lite, Greß and Zachmann, appendix A) and constants for the triangle tests. The frame's unit and what there is to do for
// the pair are said by the module that defines `pairExponent` and `pairWork`: of bodies that may meet, or of distances.
// The same one says by `firstWord` what word of the results a pair of so much work begins with.

/** Writes the frame; returns how many work items the pair has, 0 where there is nothing to do. */
fn framePair(pair: u32, pairCount: u32) -> u32 {
  let a = candidates[pair].x;
  let b = candidates[pair].y;
  let unitExponent = pairExponent(a, b);
  let downA = unitExponent - bodies[a].exponent;
  let downB = unitExponent - bodies[b].exponent;
  frames[pair].shiftA = u32(min(downA, 126));
  frames[pair].shiftB = u32(min(downB, 126));
  let scaleA = powerOfTwo(-downA);
  let scaleB = powerOfTwo(-downB);
  let errorA = min(bodies[a].error * scaleA, 0x1p60);
  let errorB = min(bodies[b].error * scaleB, 0x1p60);
  frames[pair].scaleA = scaleA;
  frames[pair].scaleB = scaleB;
  frames[pair].errorA = errorA;
  frames[pair].errorB = errorB;
  frames[pair].normA = longestRow(a) * scaleA;
  frames[pair].normB = longestRow(b) * scaleB;
  frames[pair].nodeOffsetA = bodies[a].nodeOffset;
  frames[pair].nodeOffsetB = bodies[b].nodeOffset;
  frames[pair].leafOffsetA = bodies[a].leafOffset;
  frames[pair].leafOffsetB = bodies[b].leafOffset;
  frames[pair].leafCountA = bodies[a].leafCount;
  frames[pair].leafCountB = bodies[b].leafCount;
  frames[pair].depthA = bodies[a].depth;
  frames[pair].depthB = bodies[b].depth;
  let hopeless = errorA > 0.5 || errorB > 0.5;
  frames[pair].hopeless = select(0u, 1u, hopeless);

  var offset = vec3f(0.0);
  var rest = vec3f(0.0);
  var far = false;
  for (var row = 0u; row < 3u; row++) {
    let difference = subtractDoubles(
      decodeDouble(vec2u(bodies[b].centreLow[row], bodies[b].centreHigh[row])),
      decodeDouble(vec2u(bodies[a].centreLow[row], bodies[a].centreHigh[row])),
    );
    // Vertices are less than 3 from their centre along an axis, and at most 1/2 off.
    far = far || wideExponent(difference) - unitExponent > 3;
    // 27 bits after the point in one word and 32 more in the other; what is cut off is below 2^−59.
    let bits = shiftWide(difference.high, difference.low, clamp(difference.exponent - unitExponent + 59, -64, 64));
    let whole = select(i32(bits.x), -i32(bits.x), difference.negative);
    let fraction = f32(bits.y) * 0x1p-59;
    rest[row] = select(fraction, -fraction, difference.negative);
    offset[row] = f32(whole) * 0x1p-27 + rest[row];
    frames[pair].linear[row] = bodies[a].linear[row];
    frames[pair].linear[3u + row] = vec4i(bodies[b].linear[row].xyz, whole);
  }
  frames[pair].rest = vec4f(rest, errorA + errorB);
  far = far && !hopeless;
  frames[pair].far = select(0u, 1u, far);

  // inverse(A)·(B·q + offset) into a's frame; inverse(B)·(A·q − offset) into b's.
  let errors = select(errorA + errorB, -1.0, hopeless);
  mapInto(pair, 0u, a, b, downA, scaleB, offset, errors);
  mapInto(pair, 1u, b, a, downB, scaleA, -offset, errors);

  return pairWork(pair, pairCount, a, b);
}

/**
 * Rows of the map from the other side's q into this side's local frame, and the slack of box tests there.
 * With n a row of `inverse` · 2^down (exact, whatever it is): n · (this side's vertex) is q[row] within w of
 * the row and n's error share; n · (the other's vertex) is the mapped q within rounding. filter.md adds it up.
 * Negative `errors`: nothing is certain of this pair.
 */
fn mapInto(
  pair: u32, side: u32, body: u32, other: u32, down: i32, otherScale: f32, offset: vec3f, errors: f32,
) {
  let factor = 0x1p-30 * otherScale;
  let columns = array<vec3f, 3>(
    vec3f(bodies[other].linear[0].xyz) * factor,
    vec3f(bodies[other].linear[1].xyz) * factor,
    vec3f(bodies[other].linear[2].xyz) * factor,
  );
  for (var row = 0u; row < 3u; row++) {
    let inverse = bodies[body].inverse[row];
    var axis = inverse.xyz * powerOfTwo(down);
    var slack = inverse.w;
    // A body this much smaller than the other is a point to it: its own axes separate nothing. Nor does
    // anything where nothing is certain.
    if (down > 40 || errors < 0.0) {
      axis = vec3f(0.0);
      slack = 4.0;
    }
    let map = axis.x * columns[0] + axis.y * columns[1] + axis.z * columns[2];
    frames[pair].into[3u * side + row] = vec4f(map, dot(axis, offset));
    let size = abs(axis);
    let reach = dot(size, vec3f(3.0 * otherScale) + abs(offset)) + 1.0;
    let off = (size.x + size.y + size.z) * max(errors, 0.0);
    frames[pair].slack[side][row] = 1.001 * (slack + off + 64.0 * unit * reach);
  }
}

fn longestRow(body: u32) -> f32 {
  let x = vec3f(bodies[body].linear[0].xyz);
  let y = vec3f(bodies[body].linear[1].xyz);
  let z = vec3f(bodies[body].linear[2].xyz);
  return 1.0001 * 0x1p-30 * longest(x, y, z);
}

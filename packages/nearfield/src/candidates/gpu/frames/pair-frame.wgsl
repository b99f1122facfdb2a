// Computes the frame of one candidate pair: the offset between the bodies from doubles, maps between the local frames
// for the box tests (SAT lite, Greß and Zachmann, appendix A), and constants for the triangle tests. The question's
// module defines the frame's unit (`pairExponent`), the amount of work for a pair (`pairWork`), and the initial value
// of the pair's word of the results (`firstWord`): one such module is for bodies that may meet, another for
// distances.
//
// Eight threads share a pair, four per side: one for each row of the map into that side's frame, and one for the
// rest. A single thread would run three times as many instructions one after the other, and a few pairs take as long
// as one.

/** By thread of the workgroup, which has up to 256: the offset along a row, its fraction, and 1 if it is far. */
var<workgroup> rowOffsets: array<vec3f, 256>;
var<workgroup> rowSlacks: array<f32, 256>;

/**
 * Writes the frame of a pair with eight neighbouring threads, if the pair `exists`. The first thread's number is a
 * multiple of eight. Returns to that thread the number of work items of the pair, 0 if there is nothing to do. Call
 * in uniform control flow.
 */
fn framePair(pair: u32, pairCount: u32, thread: u32, exists: bool) -> u32 {
  let row = thread % 4u;
  let side = (thread / 4u) % 2u;
  let ofSide = thread - row;
  let isRow = exists && row < 3u;
  var a = 0u;
  var b = 0u;
  var downA = 0;
  var downB = 0;
  var errorA = 0.0;
  var errorB = 0.0;
  if (exists) {
    a = candidates[pair].x;
    b = candidates[pair].y;
    let unitExponent = pairExponent(a, b);
    downA = unitExponent - bodies[a].exponent;
    downB = unitExponent - bodies[b].exponent;
    errorA = min(bodies[a].error * powerOfTwo(-downA), 0x1p60);
    errorB = min(bodies[b].error * powerOfTwo(-downB), 0x1p60);
    if (isRow) { rowOffsets[thread] = offsetAlong(pair, side, row, a, b, unitExponent); }
  }
  let scaleA = powerOfTwo(-downA);
  let scaleB = powerOfTwo(-downB);
  let hopeless = errorA > 0.5 || errorB > 0.5;
  workgroupBarrier();

  let alongX = rowOffsets[ofSide];
  let alongY = rowOffsets[ofSide + 1u];
  let alongZ = rowOffsets[ofSide + 2u];
  if (isRow) {
    // The maps are inverse(A)·(B·q + offset) into a's frame and inverse(B)·(A·q − offset) into b's.
    let errors = select(errorA + errorB, -1.0, hopeless);
    let offset = vec3f(alongX.x, alongY.x, alongZ.x);
    let body = select(a, b, side == 1u);
    let other = select(b, a, side == 1u);
    let down = select(downA, downB, side == 1u);
    let otherScale = select(scaleB, scaleA, side == 1u);
    rowSlacks[thread] =
      mapInto(pair, side, row, body, other, down, otherScale, select(offset, -offset, side == 1u), errors);
  } else if (exists && side == 0u) {
    frames[pair].shiftA = u32(min(downA, 126));
    frames[pair].shiftB = u32(min(downB, 126));
    frames[pair].scaleA = scaleA;
    frames[pair].scaleB = scaleB;
    frames[pair].errorA = errorA;
    frames[pair].errorB = errorB;
    frames[pair].normA = longestRow(a) * scaleA;
    frames[pair].normB = longestRow(b) * scaleB;
    frames[pair].hopeless = select(0u, 1u, hopeless);
  } else if (exists) {
    let far = alongX.z + alongY.z + alongZ.z > 0.0 && !hopeless;
    frames[pair].far = select(0u, 1u, far);
    frames[pair].rest = vec4f(alongX.y, alongY.y, alongZ.y, errorA + errorB);
    frames[pair].nodeOffsetA = bodies[a].nodeOffset;
    frames[pair].nodeOffsetB = bodies[b].nodeOffset;
    frames[pair].leafOffsetA = bodies[a].leafOffset;
    frames[pair].leafOffsetB = bodies[b].leafOffset;
    frames[pair].leafCountA = bodies[a].leafCount;
    frames[pair].leafCountB = bodies[b].leafCount;
    frames[pair].depthA = bodies[a].depth;
    frames[pair].depthB = bodies[b].depth;
  }
  workgroupBarrier();
  if (exists && row == 3u) {
    frames[pair].slack[side] = vec4f(rowSlacks[ofSide], rowSlacks[ofSide + 1u], rowSlacks[ofSide + 2u], 0.0);
  }
  storageBarrier();
  if (!exists || thread % 8u != 0u) { return 0u; }
  return pairWork(pair, pairCount, a, b);
}

/**
 * The offset from a's centre to b's along an axis: all of it, the fraction below the whole units, and 1 if they are
 * far apart.
 */
fn offsetAlong(pair: u32, side: u32, row: u32, a: u32, b: u32, unitExponent: i32) -> vec3f {
  let difference = subtractDoubles(
    decodeDouble(vec2u(bodies[b].centreLow[row], bodies[b].centreHigh[row])),
    decodeDouble(vec2u(bodies[a].centreLow[row], bodies[a].centreHigh[row])),
  );
  // Vertices are less than 3 from their centre along an axis, and at most 1/2 off.
  let far = wideExponent(difference) - unitExponent > 3;
  // 27 bits after the point go into one word and 32 more into the other; what is cut off is below 2^−59.
  let bits = shiftWide(difference.high, difference.low, clamp(difference.exponent - unitExponent + 59, -64, 64));
  let whole = select(i32(bits.x), -i32(bits.x), difference.negative);
  let fraction = f32(bits.y) * 0x1p-59;
  let rest = select(fraction, -fraction, difference.negative);
  if (side == 0u) { frames[pair].linear[row] = bodies[a].linear[row]; }
  else { frames[pair].linear[3u + row] = vec4i(bodies[b].linear[row].xyz, whole); }
  return vec3f(f32(whole) * 0x1p-27 + rest, rest, select(0.0, 1.0, far));
}

/**
 * Writes a row of the map from the other side's q into this side's local frame. Returns the slack of box tests there.
 * Let n be a row of `inverse` · 2^down; its values count as exact, whatever they are. n · (this side's vertex) is
 * q[row] within w of the row and n's share of the errors; n · (the other's vertex) is the mapped q within rounding.
 * filter.md adds this up. If `errors` is negative, nothing is certain about this pair.
 */
fn mapInto(
  pair: u32, side: u32, row: u32, body: u32, other: u32, down: i32, otherScale: f32, offset: vec3f, errors: f32,
) -> f32 {
  let factor = 0x1p-30 * otherScale;
  let inverse = bodies[body].inverse[row];
  var axis = inverse.xyz * powerOfTwo(down);
  var slack = inverse.w;
  // A body this much smaller than the other is a point to it: its own axes separate nothing. Nor does any axis if
  // nothing is certain.
  if (down > 40 || errors < 0.0) {
    axis = vec3f(0.0);
    slack = 4.0;
  }
  let map = axis.x * (vec3f(bodies[other].linear[0].xyz) * factor)
    + axis.y * (vec3f(bodies[other].linear[1].xyz) * factor)
    + axis.z * (vec3f(bodies[other].linear[2].xyz) * factor);
  frames[pair].into[3u * side + row] = vec4f(map, dot(axis, offset));
  let size = abs(axis);
  let reach = dot(size, vec3f(3.0 * otherScale) + abs(offset)) + 1.0;
  let off = (size.x + size.y + size.z) * max(errors, 0.0);
  return 1.001 * (slack + off + 64.0 * unit * reach);
}

fn longestRow(body: u32) -> f32 {
  let x = vec3f(bodies[body].linear[0].xyz);
  let y = vec3f(bodies[body].linear[1].xyz);
  let z = vec3f(bodies[body].linear[2].xyz);
  return 1.0001 * 0x1p-30 * longest(x, y, z);
}

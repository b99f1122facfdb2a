// The frame of one candidate pair: relative place from doubles, maps between the local frames for the box tests (SAT
// lite, Greß and Zachmann, appendix A) and constants for the triangle tests. The frame's unit and what there is to do for
// the pair are said by the module that defines `pairExponent` and `pairWork`: of bodies that may meet, or of distances.
// The same one says by `firstWord` what word of the results a pair of so much work begins with.

//
// Eight threads take a pair, four for either side: one for each row of the map into its frame, and one for what belongs to
// all. A single thread would go through three times as many instructions, and a few pairs take as long as one.

/** By thread of the workgroup, which has up to 256: the offset along a row, what is left of it, and 1 where it is far. */
var<workgroup> rowOffsets: array<vec3f, 256>;
var<workgroup> rowSlacks: array<f32, 256>;

/**
 * Writes a frame by eight neighbouring threads, the first one's number a multiple of eight, if the pair `exists`. Returns to
 * the first of them how many work items the pair has, 0 where there is nothing to do. Call in uniform control flow.
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
    // inverse(A)·(B·q + offset) into a's frame; inverse(B)·(A·q − offset) into b's.
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

/** From a's centre to b's along an axis: all of it, what whole units leave of it, and 1 where they are far apart. */
fn offsetAlong(pair: u32, side: u32, row: u32, a: u32, b: u32, unitExponent: i32) -> vec3f {
  let difference = subtractDoubles(
    decodeDouble(vec2u(bodies[b].centreLow[row], bodies[b].centreHigh[row])),
    decodeDouble(vec2u(bodies[a].centreLow[row], bodies[a].centreHigh[row])),
  );
  // Vertices are less than 3 from their centre along an axis, and at most 1/2 off.
  let far = wideExponent(difference) - unitExponent > 3;
  // 27 bits after the point in one word and 32 more in the other; what is cut off is below 2^−59.
  let bits = shiftWide(difference.high, difference.low, clamp(difference.exponent - unitExponent + 59, -64, 64));
  let whole = select(i32(bits.x), -i32(bits.x), difference.negative);
  let fraction = f32(bits.y) * 0x1p-59;
  let rest = select(fraction, -fraction, difference.negative);
  if (side == 0u) { frames[pair].linear[row] = bodies[a].linear[row]; }
  else { frames[pair].linear[3u + row] = vec4i(bodies[b].linear[row].xyz, whole); }
  return vec3f(f32(whole) * 0x1p-27 + rest, rest, select(0.0, 1.0, far));
}

/**
 * A row of the map from the other side's q into this side's local frame; returns the slack of box tests there.
 * With n a row of `inverse` · 2^down (exact, whatever it is): n · (this side's vertex) is q[row] within w of
 * the row and n's error share; n · (the other's vertex) is the mapped q within rounding. filter.md adds it up.
 * Negative `errors`: nothing is certain of this pair.
 */
fn mapInto(
  pair: u32, side: u32, row: u32, body: u32, other: u32, down: i32, otherScale: f32, offset: vec3f, errors: f32,
) -> f32 {
  let factor = 0x1p-30 * otherScale;
  let inverse = bodies[body].inverse[row];
  var axis = inverse.xyz * powerOfTwo(down);
  var slack = inverse.w;
  // A body this much smaller than the other is a point to it: its own axes separate nothing. Nor does
  // anything where nothing is certain.
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

// The frame of every candidate pair: relative place from doubles, maps between the local frames for the box
// tests (SAT lite, Greß and Zachmann, appendix A), constants for the triangle tests, and the walk's share of work.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> frames: array<Frame>;
@group(0) @binding(4) var<storage, read_write> workItems: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // More candidates than there is room for: the query will be run again.
  let count = min(results[candidatesAt], arrayLength(&candidates));
  for (var pair = id.x; pair < count; pair += groups.x * 64u) {
    results[resultHead + pair] = 0u;
    workItems[pair] = framePair(pair, count);
  }
}

/** Writes the frame; returns how many threads the walk gives the pair, 0 where the bodies are separate. */
fn framePair(pair: u32, pairCount: u32) -> u32 {
  let a = bodies[candidates[pair].x];
  let b = bodies[candidates[pair].y];
  let unitExponent = max(a.exponent, b.exponent);
  let downA = unitExponent - a.exponent;
  let downB = unitExponent - b.exponent;
  var frame: Frame;
  frame.shiftA = u32(min(downA, 126));
  frame.shiftB = u32(min(downB, 126));
  frame.scaleA = powerOfTwo(-downA);
  frame.scaleB = powerOfTwo(-downB);
  frame.errorA = min(a.error * frame.scaleA, 0x1p60);
  frame.errorB = min(b.error * frame.scaleB, 0x1p60);
  frame.normA = longestRow(a.linear) * frame.scaleA;
  frame.normB = longestRow(b.linear) * frame.scaleB;
  frame.nodeOffsetA = a.nodeOffset;
  frame.nodeOffsetB = b.nodeOffset;
  frame.leafOffsetA = a.leafOffset;
  frame.leafOffsetB = b.leafOffset;
  frame.leafCountA = a.leafCount;
  frame.leafCountB = b.leafCount;
  frame.depthA = a.depth;
  frame.depthB = b.depth;
  frame.hopeless = select(0u, 1u, frame.errorA > 0.5 || frame.errorB > 0.5);

  var offset = vec3f(0.0);
  var rest = vec3f(0.0);
  var far = false;
  for (var row = 0u; row < 3u; row++) {
    let difference = subtractDoubles(
      decodeDouble(vec2u(b.centreLow[row], b.centreHigh[row])),
      decodeDouble(vec2u(a.centreLow[row], a.centreHigh[row])),
    );
    // Vertices are less than 3 from their centre along an axis, and at most 1/2 off.
    far = far || wideExponent(difference) - unitExponent > 3;
    // 27 bits after the point in one word and 32 more in the other; what is cut off is below 2^−59.
    let bits = shiftWide(difference.high, difference.low, clamp(difference.exponent - unitExponent + 59, -64, 64));
    let whole = select(i32(bits.x), -i32(bits.x), difference.negative);
    let fraction = f32(bits.y) * 0x1p-59;
    rest[row] = select(fraction, -fraction, difference.negative);
    offset[row] = f32(whole) * 0x1p-27 + rest[row];
    frame.linear[row] = a.linear[row];
    frame.linear[3u + row] = vec4i(b.linear[row].xyz, whole);
  }
  frame.rest = vec4f(rest, frame.errorA + frame.errorB);
  if (frame.hopeless == 1u) { far = false; }
  frame.far = select(0u, 1u, far);

  // inverse(A)·(B·q + offset) into a's frame; inverse(B)·(A·q − offset) into b's.
  mapInto(&frame, 0u, a, b.linear, downA, frame.scaleB, offset);
  mapInto(&frame, 1u, b, a.linear, downB, frame.scaleA, -offset);

  let walker = select(1u, 0u, a.leafCount <= b.leafCount);
  let walkers = min(a.leafCount, b.leafCount);
  var halvings = 0u;
  let most = max(a.depth, b.depth);
  while (halvings < most && walkers * pairCount < (query.threads >> (halvings + 1u))) { halvings++; }
  frame.walker = walker;
  frame.halvings = select(halvings, 0u, query.selfTest == 1u);
  frames[pair] = frame;
  if (walkers == 0u) { return 0u; }
  if (query.bruteForce == 1u) { return a.leafCount * ((b.leafCount + bruteForceRun - 1u) / bruteForceRun); }
  if (far) { return 0u; }
  let boxA = boxBetween(a.low.xyz, a.high.xyz);
  let boxB = boxBetween(b.low.xyz, b.high.xyz);
  if (facesSeparate(boxA, boxB, frame.into[0], frame.into[1], frame.into[2], frame.slack[0].xyz)) { return 0u; }
  if (facesSeparate(boxB, boxA, frame.into[3], frame.into[4], frame.into[5], frame.slack[1].xyz)) { return 0u; }
  return walkers << frame.halvings;
}

/**
 * Rows of the map from the other side's q into this side's local frame, and the slack of box tests there.
 * With n a row of `inverse` · 2^down (exact, whatever it is): n · (this side's vertex) is q[row] within w of
 * the row and n's error share; n · (the other's vertex) is the mapped q within rounding. filter.md adds it up.
 */
fn mapInto(
  frame: ptr<function, Frame>, side: u32, body: Body, otherLinear: array<vec4i, 3>, down: i32, otherScale: f32,
  offset: vec3f,
) {
  let columns = array<vec3f, 3>(
    vec3f(otherLinear[0].xyz) * 0x1p-30 * otherScale,
    vec3f(otherLinear[1].xyz) * 0x1p-30 * otherScale,
    vec3f(otherLinear[2].xyz) * 0x1p-30 * otherScale,
  );
  let errors = (*frame).errorA + (*frame).errorB;
  for (var row = 0u; row < 3u; row++) {
    let inverse = body.inverse[row];
    var axis = inverse.xyz * powerOfTwo(down);
    var slack = inverse.w;
    // A body this much smaller than the other is a point to it: its own axes separate nothing.
    if (down > 40 || (*frame).hopeless == 1u) {
      axis = vec3f(0.0);
      slack = 4.0;
    }
    let map = axis.x * columns[0] + axis.y * columns[1] + axis.z * columns[2];
    (*frame).into[3u * side + row] = vec4f(map, dot(axis, offset));
    let size = abs(axis);
    let reach = dot(size, vec3f(3.0 * otherScale) + abs(offset)) + 1.0;
    (*frame).slack[side][row] = 1.001 * (slack + (size.x + size.y + size.z) * errors + 64.0 * unit * reach);
  }
}

fn longestRow(linear: array<vec4i, 3>) -> f32 {
  return 1.0001 * 0x1p-30 * longest(vec3f(linear[0].xyz), vec3f(linear[1].xyz), vec3f(linear[2].xyz));
}

// Measures pairs once more, if single precision leaves many of them within the bound, as between parallel surfaces.
// It uses integers made from the doubles of their corners (wide-corners.wgsl).
//
// Single precision says which features are nearest, and where on them: g = w + s·d₁ + t·d₂ leads from a point of a to
// a point of b. With g in 64-bit integers, the residuals g·d₁ and g·d₂, which vanish if g is shortest, are exact. So
// a correction of s and t in single precision doubles their correct digits; it is made twice. The bounds do not
// depend on how well that went. As long as s and t are in range, the points belong to the features, and
//   distance ≤ |g| + slack,   distance ≥ (min_j g·b_j − max_i g·a_i)/|g| − slack = |g| − V/|g| − slack,
// where V ≥ 0 is the amount by which g·g exceeds the difference. All these products are exact in 128 bits. slack =
// √3·(the errors of a and of b), and eight units for g, which is cut to whole ones.
//
// Distances are stored as how much less they are than the bound B with which the search ended: B − |g| = (B² −
// g·g)/(B + |g|), the difference exact, the quotient to 2^-19 of itself. The candidate's gain is the largest amount
// by which some pair is certainly less. The largest amount by which a pair may be less replaces the pair's bound,
// with the highest bit set.

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read> shapeOfBody: array<u32>;
@group(0) @binding(4) var<storage, read> shapes: array<Shape>;
@group(0) @binding(5) var<storage, read> positions: array<u32>;
@group(0) @binding(6) var<storage, read> poses: array<vec2u>;
@group(0) @binding(7) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(8) var<storage, read_write> listed: array<vec4u>;
@group(0) @binding(9) var<storage, read_write> results: array<atomic<u32>>;
/** Per candidate, the bits of a float; initially zeros. */
@group(0) @binding(10) var<storage, read_write> gains: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = min(atomicLoad(&results[listedAt]), arrayLength(&listed));
  for (var i = id.x; i < count; i += groups.x * 64u) {
    let record = listed[i];
    let bound = boundOf(record.x);
    if (bound > 0.0 && bitcast<f32>(record.w) <= bound) { refine(i, record, bound); }
  }
}

/** If the exponent of the distances is larger or smaller than this, products of doubles may underflow. */
const mostExponent = 900;
/** Factors below the least normal double have fewer digits, and their products would be shifted the other way. */
const leastFactor = -1000;

fn refine(at: u32, record: vec4u, bound: f32) {
  let candidate = record.x;
  if (frames[candidate].far == 1u || !(bound > 0x1p-20)) { return; }
  let bodyA = candidates[candidate].x;
  let bodyB = candidates[candidate].y;
  let shapeA = shapeOfBody[bodyA];
  let shapeB = shapeOfBody[bodyB];
  if (any(shapes[shapeA].originReach.xyz + shapes[shapeB].originReach.xyz > vec3f(0.0))) { return; }
  var linear = -100000;
  for (var k = 0u; k < 9u; k++) { linear = max(linear, wideExponent(poseEntry(bodyA, k / 3u, k % 3u))); }
  let exponent = linear + shapes[shapeA].exponent + i32(frames[candidate].shiftA);
  if (abs(exponent) > mostExponent || frames[candidate].shiftA > 30u || frames[candidate].shiftB > 30u) { return; }
  let other = exponent - i32(frames[candidate].shiftB) - shapes[shapeB].exponent;
  let least = min(min(linear, shapes[shapeA].exponent), min(other, shapes[shapeB].exponent));
  if (least < leastFactor) { return; }
  let none = WideVector(vec3u(0u), vec3u(0u));
  let way = wayBetween(bodyA, bodyB, exponent - unitBits);
  var a = wideCorners(bodyA, shapeA, frames[candidate].leafOffsetA + record.y, none, exponent);
  var b = wideCorners(bodyB, shapeB, frames[candidate].leafOffsetB + record.z, way, exponent);
  let origin = a.corners[0];
  for (var k = 0u; k < 3u; k++) {
    a.corners[k] = subtractVectors(a.corners[k], origin);
    b.corners[k] = subtractVectors(b.corners[k], origin);
  }
  let guess = guessFeatures(a.corners, b.corners);
  var s = floatToShare(guess.shares.x);
  var t = floatToShare(guess.shares.y);
  let first = vectorToFloats(guess.first) * 0x1p-26;
  let second = vectorToFloats(guess.second) * 0x1p-26;
  var g = addVectors(guess.way, addVectors(scaleVector(guess.first, s), scaleVector(guess.second, t)));
  for (var turn = 0u; turn < 2u; turn++) {
    let residual = vec2f(longToFloat(dotWide(g, guess.first), -116), longToFloat(dotWide(g, guess.second), -116));
    let step = correction(first, second, residual, guess.free);
    s = addShares(s, floatToShare(step.x));
    t = addShares(t, floatToShare(step.y));
    g = addVectors(guess.way, addVectors(scaleVector(guess.first, s), scaleVector(guess.second, t)));
  }

  let square = dotWide(g, g);
  var mostA = vec4u(0u);
  var leastB = dotWide(g, b.corners[0]);
  for (var k = 1u; k < 3u; k++) {
    mostA = negateLong(lesserLong(negateLong(mostA), negateLong(dotWide(g, a.corners[k]))));
    leastB = lesserLong(leastB, dotWide(g, b.corners[k]));
  }
  let size = sqrt(max(longToFloat(square, -116), 0.0));
  if (!(size > 0x1p-20)) { return; }
  let exceeded = max(longToFloat(subtractLong(addLong(square, mostA), leastB), -116), 0.0) / size;
  let boundShare = floatToShare(bound * 0x1p-4);
  let boundSquare = multiplyWide(boundShare.y, boundShare.x, boundShare.y, boundShare.x);
  let less = longToFloat(subtractLong(boundSquare, square), -116) / (bound + size);
  let slack = 1.001 * (1.7321 * (a.error + b.error) + 0x1p-53) + abs(less) * 0x1p-19;
  if (areInRange(s, t, guess.onFace) && less - slack > 0.0) {
    atomicMax(&gains[candidate], bitcast<u32>(less - slack));
  }
  // Below 0 the pair is farther than the bound, and stays in the list as such.
  let most = less + slack + exceeded * (1.0 + 0x1p-19);
  listed[at].w = select(0x7f000000u, bitcast<u32>(most) | 0x80000000u, most >= 0.0);
}

fn addShares(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

/** Whether the shares are from 0 to 1, and on a face also their sum. */
fn areInRange(s: vec2u, t: vec2u, onFace: bool) -> bool {
  let sum = addShares(s, t);
  let one = 0x40000000u;
  if (onFace) { return s.y < one && t.y < one && sum.y < one; }
  return (s.y < one || (s.y == one && s.x == 0u)) && (t.y < one || (t.y == one && t.x == 0u));
}

/** The changes of s and t that make the residuals vanish. A share that is not free, or not determined, stays. */
fn correction(d: vec3f, e: vec3f, residual: vec2f, free: vec2<bool>) -> vec2f {
  let dd = dot(d, d);
  let de = dot(d, e);
  let ee = dot(e, e);
  var step = vec2f(0.0);
  if (all(free)) {
    let determinant = dd * ee - de * de;
    if (determinant > 0x1p-16 * dd * ee) {
      step = vec2f(de * residual.y - ee * residual.x, de * residual.x - dd * residual.y) / determinant;
    }
  } else if (free.x && dd > 0.0) { step.x = -residual.x / dd; }
  else if (free.y && ee > 0.0) { step.y = -residual.y / ee; }
  // Single precision was either nearly right or of no use.
  return select(step, vec2f(0.0), abs(step) > vec2f(0x1p-4));
}

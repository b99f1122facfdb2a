// Places bodies: their poses and shapes become their records and their boxes for the broad phase. Four threads share a
// body: one per row of its linear part and one for the rest. They exchange results through workgroup memory. A single
// thread would run three times as many instructions one after the other, and a few bodies take as long as one.

/** A word of the head of the results, with its value at the start of a query. */
fn beginResult(word: u32) {
  var value = 0u;
  if (word == candidatesAt && query.givenCandidates != noneGiven) { value = query.givenCandidates; }
  if (word == serialAt) { value = query.serial; }
  // Holds the number of the last query in which a shape did not fit its frame.
  if (word != misfitAt) { atomicStore(&results[word], value); }
}

/** Results of each row, by thread of the workgroup, which has up to 256. */
var<workgroup> rowExponents: array<i32, 256>;
var<workgroup> rowReaches: array<f32, 256>;
var<workgroup> rowEntries: array<vec3f, 256>;
var<workgroup> rowExtents: array<vec2f, 256>;

/**
 * Places a body with four neighbouring threads, if it `exists`. The first thread's number is a multiple of four. Call
 * in uniform control flow. A body whose vertices did not fit their frame, or that may have no pose, gets no leaves, so
 * it meets nothing; the query reports the former, convert-poses.wgsl the latter.
 * All reads are issued together, and nothing written here is read again.
 */
fn placeBody(number: u32, thread: u32, exists: bool) {
  let axis = thread % 4u;
  let first = thread - axis;
  let isRow = exists && axis < 3u;
  let at = 16u * number;
  var entryX = Wide(false, 0u, 0u, 0);
  var entryY = entryX;
  var entryZ = entryX;
  var position = entryX;
  var nodeOffset = 0u;
  var leafCount = 0u;
  var shapeExponent = 0;
  var originReach = vec3f(0.0);
  // If a matrix may not be a pose, its last number is left 0, not 1 (convert-poses.wgsl).
  var isPose = true;
  // The root's box contains all stored vertices that a triangle uses, rounded outward.
  var low = vec3f(0.0);
  var high = vec3f(0.0);
  rowExponents[thread] = -100000;
  if (isRow) {
    entryX = decodeDouble(poses[at + axis]);
    entryY = decodeDouble(poses[at + 4u + axis]);
    entryZ = decodeDouble(poses[at + 8u + axis]);
    position = decodeDouble(poses[at + 12u + axis]);
    rowExponents[thread] = max(wideExponent(entryX), max(wideExponent(entryY), wideExponent(entryZ)));
  }
  if (exists) {
    isPose = poses[at + 15u].y == 0x3ff00000u;
    let shape = shapeOfBody[number];
    nodeOffset = shapes[shape].nodeOffset;
    leafCount = shapes[shape].leafCount;
    shapeExponent = shapes[shape].exponent;
    originReach = shapes[shape].originReach.xyz;
    if (leafCount > 0u) {
      let root = 2u * (nodeOffset + 1u);
      low = nodes[root].xyz;
      high = nodes[root + 1u].xyz;
    }
    if (axis == 3u) {
      bodies[number].nodeOffset = nodeOffset;
      bodies[number].leafOffset = shapes[shape].leafOffset;
      bodies[number].depth = shapes[shape].depth;
      bodies[number].low = vec4f(low, 0.0);
      bodies[number].high = vec4f(high, 0.0);
    }
  }
  let most = max(abs(low), abs(high));
  // `fitOf` checks the same numbers.
  let fits = all(most <= vec3f(1.0 + 0x1p-21));
  if (!fits || !isPose) { leafCount = 0u; }
  workgroupBarrier();

  let linearExponent = max(rowExponents[first], max(rowExponents[first + 1u], rowExponents[first + 2u]));
  let exponent = linearExponent + shapeExponent;
  // Entries divided by 2^linearExponent, in 2^−30.
  let up = 30 - linearExponent;
  let fixed = vec3i(fixedPoint(entryX, up), fixedPoint(entryY, up), fixedPoint(entryZ, up));
  let row = vec3f(fixed) * 0x1p-30;
  if (isRow) { bodies[number].linear[axis] = vec4i(fixed, 0); }
  rowEntries[thread] = row;
  // World positions are rounded doubles. A vertex is rounded 4 times by at most 2^−53 of Σ|m||x| + |t|, the world
  // position of the local origin 4 times by at most 2^−53 of Σ|m||c| + |t|, and |t| is at most that position plus
  // Σ|m||c|. Together this is below 12·2^−53 of reach and position. Products that underflow add less than 2^−1070.
  let shapeReach = (most + originReach) * (1.0 + 0x1p-20);
  rowReaches[thread] = dot(abs(row), shapeReach) + abs(wideToFloat(position, -exponent));
  workgroupBarrier();

  let reach = max(0.0, max(rowReaches[first], max(rowReaches[first + 1u], rowReaches[first + 2u])));
  // Stored positions are off by 2^−30 and so are the entries above: six such errors per coordinate.
  let underflow = select(0.0, powerOfTwo(-1070 - exponent), exponent < -940);
  let error = 0x1p-49 * reach + 6.01 * 0x1p-30 + underflow;
  // The box in the scene's frame, rounded outward, for the broad phase. A body may be far larger than the spread of the
  // scene's centres. Its box is then as large as tests require.
  let sceneExponent = bitcast<i32>(query.originLow.w);
  let power = exponent - sceneExponent;
  if (isRow) {
    bodies[number].inverse[axis] =
      inverseRow(axis, mat3x3f(rowEntries[first], rowEntries[first + 1u], rowEntries[first + 2u]));
    let scale = powerOfTwo(min(power, 40));
    let middle = 0.5 * (low + high);
    let half = 0.5 * (high - low);
    let origin = vec2u(query.originLow[axis], query.originHigh[axis]);
    rowExtents[thread] = boxAlong(position, origin, scale, row, middle, half, error);
  } else if (exists) {
    let x = poses[at + 12u];
    let y = poses[at + 13u];
    let z = poses[at + 14u];
    bodies[number].centreLow = vec4u(x.x, y.x, z.x, 0u);
    bodies[number].centreHigh = vec4u(x.y, y.y, z.y, 0u);
    bodies[number].exponent = exponent;
    bodies[number].error = error;
    bodies[number].leafCount = leafCount;
    if (!fits) { atomicStore(&results[misfitAt], query.serial); }
  }
  workgroupBarrier();

  // One thread for the lower corner and one for the upper.
  if (exists && axis < 2u) {
    var corner = vec3f(rowExtents[first][axis], rowExtents[first + 1u][axis], rowExtents[first + 2u][axis]);
    let outward = select(-1.0, 1.0, axis == 1u);
    if (power > 40 || error > 1.0) { corner = vec3f(0x1p61 * outward); }
    // A body without triangles meets nothing.
    if (leafCount == 0u) { corner = vec3f(-0x1p62 * outward); }
    boxes[2u * number + axis] = vec4f(corner, 0.0);
  }
}

/** An entry times 2^up, towards zero. */
fn fixedPoint(entry: Wide, up: i32) -> i32 {
  let bits = i32(shiftWide(entry.high, entry.low, clamp(entry.exponent + up, -64, 30)).y);
  return select(bits, -bits, entry.negative);
}

/**
 * Rows of the inverse, over the determinant, serve as separating axes. Any vector may serve as one: an inexact row only
 * makes the body's own box a little wider along it, by the error of row · linear from a unit vector, which is measured
 * here.
 */
fn inverseRow(axis: u32, rows: mat3x3f) -> vec4f {
  let cofactorsX = cross(rows[1], rows[2]);
  let cofactors = vec3f(cofactorsX[axis], cross(rows[2], rows[0])[axis], cross(rows[0], rows[1])[axis]);
  let determinant = dot(rows[0], cofactorsX);
  // Axes longer than 2^30 would be all rounding. A zero axis separates nothing, and w = 4 ensures that.
  if (!(largest(cofactors) < 0x1p30 * abs(determinant) && abs(determinant) > 0x1p-80)) {
    return vec4f(0.0, 0.0, 0.0, 4.0);
  }
  let unitVector = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(axis));
  let inverse = cofactors / determinant;
  let off = abs(inverse.x * rows[0] + inverse.y * rows[1] + inverse.z * rows[2] - unitVector);
  let rounding = 16.0 * unit * dot(abs(inverse), vec3f(3.0));
  return vec4f(inverse, off.x + off.y + off.z + rounding);
}

/** The minimum and maximum along an axis of the scene's frame. */
fn boxAlong(
  position: Wide, originBits: vec2u, scale: f32, row: vec3f, middle: vec3f, half: vec3f, error: f32,
) -> vec2f {
  let sceneExponent = bitcast<i32>(query.originLow.w);
  let difference = subtractDoubles(position, decodeDouble(originBits));
  let place = clamp(wideToFloat(difference, -sceneExponent), -0x1p60, 0x1p60);
  let centre = place + scale * dot(row, middle);
  let extent = scale * (dot(abs(row), half) + error);
  let outward = extent + 32.0 * unit * (abs(place) + 3.0 * scale) + 0x1p-100 + query.margin;
  return vec2f(centre - outward, centre + outward);
}

// One body placed: its pose and its shape become its record and its box of the broad phase.

/** A word of the results' head as a query finds it. */
fn beginResult(word: u32) {
  var value = 0u;
  if (word == candidatesAt && query.givenCandidates != noneGiven) { value = query.givenCandidates; }
  if (word == serialAt) { value = query.serial; }
  // Holds the number of the last query that had one.
  if (word != misfitAt) { atomicStore(&results[word], value); }
}

/**
 * A body whose vertices did not fit their frame is left without leaves, to meet nothing, and the query says so. What is read
 * is read at once, and nothing that was written is read again: a few bodies take as long as one has to wait.
 */
fn placeBody(number: u32) {
  let shape = shapeOfBody[number];
  let at = 16u * number;
  let xx = decodeDouble(poses[at]);
  let yx = decodeDouble(poses[at + 1u]);
  let zx = decodeDouble(poses[at + 2u]);
  let xy = decodeDouble(poses[at + 4u]);
  let yy = decodeDouble(poses[at + 5u]);
  let zy = decodeDouble(poses[at + 6u]);
  let xz = decodeDouble(poses[at + 8u]);
  let yz = decodeDouble(poses[at + 9u]);
  let zz = decodeDouble(poses[at + 10u]);
  let centreX = poses[at + 12u];
  let centreY = poses[at + 13u];
  let centreZ = poses[at + 14u];
  let nodeOffset = shapes[shape].nodeOffset;
  var leafCount = shapes[shape].leafCount;
  let ofX = max(wideExponent(xx), max(wideExponent(xy), wideExponent(xz)));
  let ofY = max(wideExponent(yx), max(wideExponent(yy), wideExponent(yz)));
  let ofZ = max(wideExponent(zx), max(wideExponent(zy), wideExponent(zz)));
  let linearExponent = max(ofX, max(ofY, ofZ));
  // Entries divided by 2^linearExponent, in 2^−30.
  let up = 30 - linearExponent;
  let fixedX = vec3i(fixedPoint(xx, up), fixedPoint(xy, up), fixedPoint(xz, up));
  let fixedY = vec3i(fixedPoint(yx, up), fixedPoint(yy, up), fixedPoint(yz, up));
  let fixedZ = vec3i(fixedPoint(zx, up), fixedPoint(zy, up), fixedPoint(zz, up));
  bodies[number].linear[0] = vec4i(fixedX, 0);
  bodies[number].linear[1] = vec4i(fixedY, 0);
  bodies[number].linear[2] = vec4i(fixedZ, 0);
  let x = vec3f(fixedX) * 0x1p-30;
  let y = vec3f(fixedY) * 0x1p-30;
  let z = vec3f(fixedZ) * 0x1p-30;
  let exponent = linearExponent + shapes[shape].exponent;
  bodies[number].exponent = exponent;

  // The root's box is that of all stored vertices a triangle uses, outward.
  var low = vec3f(0.0);
  var high = vec3f(0.0);
  if (leafCount > 0u) {
    let root = 2u * (nodeOffset + 1u);
    low = nodes[root].xyz;
    high = nodes[root + 1u].xyz;
  }
  let most = max(abs(low), abs(high));
  // `fitOf` looks at the same numbers.
  let fits = all(most <= vec3f(1.0 + 0x1p-21));
  if (!fits) {
    leafCount = 0u;
    atomicStore(&results[misfitAt], query.serial);
  }
  bodies[number].low = vec4f(low, 0.0);
  bodies[number].high = vec4f(high, 0.0);
  let shapeReach = (most + shapes[shape].originReach.xyz) * (1.0 + 0x1p-20);

  // World positions are rounded doubles. A vertex is 4 roundings of 2^−53 of Σ|m||x| + |t|, the local origin's
  // world position as many of Σ|m||c| + |t|, and |t| is at most that position and Σ|m||c|: together below
  // 12·2^−53 of reach and position. Products that underflow add less than 2^−1070.
  let positionX = decodeDouble(centreX);
  let positionY = decodeDouble(centreY);
  let positionZ = decodeDouble(centreZ);
  let reachX = dot(abs(x), shapeReach) + abs(wideToFloat(positionX, -exponent));
  let reachY = dot(abs(y), shapeReach) + abs(wideToFloat(positionY, -exponent));
  let reachZ = dot(abs(z), shapeReach) + abs(wideToFloat(positionZ, -exponent));
  let reach = max(0.0, max(reachX, max(reachY, reachZ)));
  bodies[number].centreLow = vec4u(centreX.x, centreY.x, centreZ.x, 0u);
  bodies[number].centreHigh = vec4u(centreX.y, centreY.y, centreZ.y, 0u);
  // Stored positions are off by 2^−30 and so are the entries above: six of them a coordinate.
  let underflow = select(0.0, powerOfTwo(-1070 - exponent), exponent < -940);
  let error = 0x1p-49 * reach + 6.01 * 0x1p-30 + underflow;
  bodies[number].error = error;

  // Rows of the inverse, over the determinant.
  let cofactorsX = cross(y, z);
  let cofactorsY = cross(z, x);
  let cofactorsZ = cross(x, y);
  let determinant = dot(x, cofactorsX);
  let rows = mat3x3f(x, y, z);
  bodies[number].inverse[0] =
    inverseRow(vec3f(cofactorsX.x, cofactorsY.x, cofactorsZ.x), determinant, rows, vec3f(1.0, 0.0, 0.0));
  bodies[number].inverse[1] =
    inverseRow(vec3f(cofactorsX.y, cofactorsY.y, cofactorsZ.y), determinant, rows, vec3f(0.0, 1.0, 0.0));
  bodies[number].inverse[2] =
    inverseRow(vec3f(cofactorsX.z, cofactorsY.z, cofactorsZ.z), determinant, rows, vec3f(0.0, 0.0, 1.0));
  bodies[number].nodeOffset = nodeOffset;
  bodies[number].leafOffset = shapes[shape].leafOffset;
  bodies[number].leafCount = leafCount;
  bodies[number].depth = shapes[shape].depth;

  // The box in the scene's frame, outward, for the broad phase. A body may be far larger than the scene's spread of centres;
  // boxes are then as large as need be tested.
  let sceneExponent = bitcast<i32>(query.originLow.w);
  let power = exponent - sceneExponent;
  let scale = powerOfTwo(min(power, 40));
  let middle = 0.5 * (low + high);
  let half = 0.5 * (high - low);
  let alongX = boxAlong(positionX, vec2u(query.originLow.x, query.originHigh.x), scale, x, middle, half, error);
  let alongY = boxAlong(positionY, vec2u(query.originLow.y, query.originHigh.y), scale, y, middle, half, error);
  let alongZ = boxAlong(positionZ, vec2u(query.originLow.z, query.originHigh.z), scale, z, middle, half, error);
  var boxLow = vec3f(alongX.x, alongY.x, alongZ.x);
  var boxHigh = vec3f(alongX.y, alongY.y, alongZ.y);
  if (power > 40 || error > 1.0) {
    boxLow = vec3f(-0x1p61);
    boxHigh = vec3f(0x1p61);
  }
  // A body without triangles meets nothing.
  if (leafCount == 0u) {
    boxLow = vec3f(0x1p62);
    boxHigh = vec3f(-0x1p62);
  }
  boxes[2u * number] = vec4f(boxLow, 0.0);
  boxes[2u * number + 1u] = vec4f(boxHigh, 0.0);
}

/** An entry times 2^up, towards zero. */
fn fixedPoint(entry: Wide, up: i32) -> i32 {
  let bits = i32(shiftWide(entry.high, entry.low, clamp(entry.exponent + up, -64, 30)).y);
  return select(bits, -bits, entry.negative);
}

/**
 * Rows of the inverse serve as separating axes. Any vector may: an inexact row only makes the body's own box a
 * little wider along it, by what row · linear is off from a unit vector, which is measured here.
 */
fn inverseRow(cofactors: vec3f, determinant: f32, rows: mat3x3f, unitVector: vec3f) -> vec4f {
  // Axes longer than 2^30 would be all rounding; a zero axis separates nothing, w = 4 makes sure of it.
  if (!(largest(cofactors) < 0x1p30 * abs(determinant) && abs(determinant) > 0x1p-80)) {
    return vec4f(0.0, 0.0, 0.0, 4.0);
  }
  let axis = cofactors / determinant;
  let off = abs(axis.x * rows[0] + axis.y * rows[1] + axis.z * rows[2] - unitVector);
  let rounding = 16.0 * unit * dot(abs(axis), vec3f(3.0));
  return vec4f(axis, off.x + off.y + off.z + rounding);
}

/** The least and the most along an axis of the scene's frame. */
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

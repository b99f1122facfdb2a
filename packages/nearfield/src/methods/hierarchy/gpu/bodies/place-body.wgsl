// One body placed: its pose and its shape become its record and its box of the broad phase.

/** A word of the results' head as a query finds it. */
fn beginResult(word: u32) {
  var value = 0u;
  if (word == candidatesAt && query.givenCandidates != noneGiven) { value = query.givenCandidates; }
  if (word == serialAt) { value = query.serial; }
  // Holds the number of the last query that had one.
  if (word != misfitAt) { atomicStore(&results[word], value); }
}

/** A body whose vertices did not fit their frame is left without leaves, to meet nothing, and the query says so. */
fn placeBody(number: u32) {
  let shape = shapeOfBody[number];
  var linearExponent = -100000;
  for (var i = 0u; i < 9u; i++) {
    linearExponent = max(linearExponent, wideExponent(decodeDouble(poses[16u * number + i + i / 3u])));
  }
  // Entries divided by 2^linearExponent, in 2^−30.
  var rows: array<vec3f, 3>;
  for (var row = 0u; row < 3u; row++) {
    var fixed = vec3i(0);
    for (var column = 0u; column < 3u; column++) {
      let entry = decodeDouble(poses[16u * number + 4u * column + row]);
      let bits = i32(shiftWide(entry.high, entry.low, clamp(entry.exponent + 30 - linearExponent, -64, 30)).y);
      fixed[column] = select(bits, -bits, entry.negative);
    }
    bodies[number].linear[row] = vec4i(fixed, 0);
    rows[row] = vec3f(fixed) * 0x1p-30;
  }
  let exponent = linearExponent + shapes[shape].exponent;
  bodies[number].exponent = exponent;

  // The root's box is that of all stored vertices a triangle uses, outward.
  var leafCount = shapes[shape].leafCount;
  var low = vec3f(0.0);
  var high = vec3f(0.0);
  if (leafCount > 0u) {
    let root = 2u * (shapes[shape].nodeOffset + 1u);
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
  var reach = 0.0;
  for (var row = 0u; row < 3u; row++) {
    let position = decodeDouble(poses[16u * number + 12u + row]);
    reach = max(reach, dot(abs(rows[row]), shapeReach) + abs(wideToFloat(position, -exponent)));
    bodies[number].centreLow[row] = poses[16u * number + 12u + row].x;
    bodies[number].centreHigh[row] = poses[16u * number + 12u + row].y;
  }
  // Stored positions are off by 2^−30 and so are the entries above: six of them a coordinate.
  let underflow = select(0.0, powerOfTwo(-1070 - exponent), exponent < -940);
  bodies[number].error = 0x1p-49 * reach + 6.01 * 0x1p-30 + underflow;

  writeInverse(number, rows[0], rows[1], rows[2]);
  bodies[number].nodeOffset = shapes[shape].nodeOffset;
  bodies[number].leafOffset = shapes[shape].leafOffset;
  bodies[number].leafCount = leafCount;
  bodies[number].depth = shapes[shape].depth;
  writeBox(number, rows[0], rows[1], rows[2]);
}

/**
 * Rows of the inverse serve as separating axes. Any vector may: an inexact row only makes the body's own box a
 * little wider along it, by what row · linear is off from a unit vector, which is measured here.
 */
fn writeInverse(number: u32, x: vec3f, y: vec3f, z: vec3f) {
  let columns = array<vec3f, 3>(cross(y, z), cross(z, x), cross(x, y));
  let determinant = dot(x, columns[0]);
  for (var row = 0u; row < 3u; row++) {
    // Axes longer than 2^30 would be all rounding; a zero axis separates nothing, w = 4 makes sure of it.
    var inverse = vec4f(0.0, 0.0, 0.0, 4.0);
    let cofactors = vec3f(columns[0][row], columns[1][row], columns[2][row]);
    if (largest(cofactors) < 0x1p30 * abs(determinant) && abs(determinant) > 0x1p-80) {
      let axis = cofactors / determinant;
      let product = axis.x * x + axis.y * y + axis.z * z;
      var off = abs(product);
      off[row] = abs(product[row] - 1.0);
      let rounding = 16.0 * unit * dot(abs(axis), vec3f(3.0));
      inverse = vec4f(axis, off.x + off.y + off.z + rounding);
    }
    bodies[number].inverse[row] = inverse;
  }
}

/** The box in the scene's frame, outward, for the broad phase. */
fn writeBox(number: u32, x: vec3f, y: vec3f, z: vec3f) {
  let sceneExponent = bitcast<i32>(query.originLow.w);
  let middle = 0.5 * (bodies[number].low.xyz + bodies[number].high.xyz);
  let half = 0.5 * (bodies[number].high.xyz - bodies[number].low.xyz);
  let rows = array<vec3f, 3>(x, y, z);
  // A body may be far larger than the scene's spread of centres; boxes are then as large as need be tested.
  let power = bodies[number].exponent - sceneExponent;
  let scale = powerOfTwo(min(power, 40));
  var low = vec3f(0.0);
  var high = vec3f(0.0);
  for (var row = 0u; row < 3u; row++) {
    let position = decodeDouble(vec2u(bodies[number].centreLow[row], bodies[number].centreHigh[row]));
    let origin = decodeDouble(vec2u(query.originLow[row], query.originHigh[row]));
    let place = clamp(wideToFloat(subtractDoubles(position, origin), -sceneExponent), -0x1p60, 0x1p60);
    let centre = place + scale * dot(rows[row], middle);
    let extent = scale * (dot(abs(rows[row]), half) + bodies[number].error);
    let outward = extent + 32.0 * unit * (abs(place) + 3.0 * scale) + 0x1p-100 + query.margin;
    low[row] = centre - outward;
    high[row] = centre + outward;
  }
  if (power > 40 || bodies[number].error > 1.0) {
    low = vec3f(-0x1p61);
    high = vec3f(0x1p61);
  }
  // A body without triangles meets nothing.
  if (bodies[number].leafCount == 0u) {
    low = vec3f(0x1p62);
    high = vec3f(-0x1p62);
  }
  boxes[2u * number] = vec4f(low, 0.0);
  boxes[2u * number + 1u] = vec4f(high, 0.0);
}

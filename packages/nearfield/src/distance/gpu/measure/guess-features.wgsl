// Guesses, in single precision, between which features two triangles are nearest, and where on them; the caller
// proves the result. It searches as triangle-distance.wgsl does, and keeps the feature. A corner over a face is
// preferred to edges that are equally near, because edges determine little if the triangles are parallel.

/** way + s·first + t·second leads from a point of a to a point of b. */
struct Guess {
  way: WideVector,
  first: WideVector,
  second: WideVector,
  /** s and t. */
  shares: vec2f,
  /** Whether s and t may change, because they are inside their range. */
  free: vec2<bool>,
  onFace: bool,
}

/** Edges must be nearer by this factor. */
const preferred = 1.0 - 0x1p-18;

/** Corners are in units of 2^-58 relative to a's first one. */
fn guessFeatures(a: array<WideVector, 3>, b: array<WideVector, 3>) -> Guess {
  var cornersA = a;
  var cornersB = b;
  var p: array<vec3f, 3>;
  var q: array<vec3f, 3>;
  for (var k = 0u; k < 3u; k++) {
    p[k] = vectorToFloats(cornersA[k]) * 0x1p-26;
    q[k] = vectorToFloats(cornersB[k]) * 0x1p-26;
  }
  var best = noGap;
  // 0 to 2: a corner of b over a; 3 to 5: a corner of a over b; 6: edges.
  var chosen = 6u;
  for (var k = 0u; k < 3u; k++) {
    let onA = toFace(q[k] - p[0], p[1] - p[0], p[2] - p[0]);
    if (onA.squared < best.squared) {
      best = onA;
      chosen = k;
    }
    let onB = toFace(p[k] - q[0], q[1] - q[0], q[2] - q[0]);
    if (onB.squared < best.squared) {
      best = onB;
      chosen = 3u + k;
    }
  }
  var edge = noGap;
  var edges = 0u;
  for (var k = 0u; k < 9u; k++) {
    let i = k / 3u;
    let j = k % 3u;
    let found = segments(p[i], p[(i + 1u) % 3u] - p[i], q[j], q[(j + 1u) % 3u] - q[j]);
    if (found.squared < edge.squared) {
      edge = found;
      edges = k;
    }
  }
  var guess: Guess;
  if (edge.squared < best.squared * preferred) {
    let i = edges / 3u;
    let j = edges % 3u;
    guess.way = subtractVectors(cornersB[j], cornersA[i]);
    guess.first = subtractVectors(cornersA[i], cornersA[(i + 1u) % 3u]);
    guess.second = subtractVectors(cornersB[(j + 1u) % 3u], cornersB[j]);
    guess.shares = edge.shares;
    guess.free = (edge.shares > vec2f(0.0)) & (edge.shares < vec2f(1.0));
    return guess;
  }
  guess.shares = best.shares;
  guess.free = vec2<bool>(true, true);
  guess.onFace = true;
  if (chosen < 3u) {
    guess.way = subtractVectors(cornersB[chosen], cornersA[0]);
    guess.first = subtractVectors(cornersA[0], cornersA[1]);
    guess.second = subtractVectors(cornersA[0], cornersA[2]);
  } else {
    guess.way = subtractVectors(cornersB[0], cornersA[chosen - 3u]);
    guess.first = subtractVectors(cornersB[1], cornersB[0]);
    guess.second = subtractVectors(cornersB[2], cornersB[0]);
  }
  return guess;
}

// Brings two leaves of a candidate pair into the pair's frame and tests their triangles. Another module defines
// `testNeighbours`, for triangles that may be neighbours in one mesh.

/** Not a verdict: the triangles have no vertex in common. */
const notNeighbours = 3u;

fn testLeaves(candidate: u32, leafA: u32, leafB: u32) -> u32 {
  if (frames[candidate].hopeless == 1u) { return unsure; }
  if (frames[candidate].far == 1u) { return separate; }
  let cornerA = 3u * (frames[candidate].leafOffsetA + leafA);
  let cornerB = 3u * (frames[candidate].leafOffsetB + leafB);
  let a0 = leaves[cornerA];
  let a1 = leaves[cornerA + 1u];
  let a2 = leaves[cornerA + 2u];
  let b0 = leaves[cornerB];
  let b1 = leaves[cornerB + 1u];
  let b2 = leaves[cornerB + 2u];
  let verdict = testNeighbours(candidate, array<vec4i, 3>(a0, a1, a2), array<vec4i, 3>(b0, b1, b2));
  if (verdict != notNeighbours) { return verdict; }
  return trianglesMeet(relativeTriangles(candidate, array<vec4i, 3>(a0, a1, a2), array<vec4i, 3>(b0, b1, b2)));
}

/** Two triangles of stored vertices, relative to the first vertex of the first one. */
fn relativeTriangles(candidate: u32, a: array<vec4i, 3>, b: array<vec4i, 3>) -> TrianglePair {
  var pair: TrianglePair;
  let scaleA = frames[candidate].scaleA;
  let scaleB = frames[candidate].scaleB;
  pair.a1 = edge(candidate, 0u, a[1].xyz - a[0].xyz) * scaleA;
  pair.a2 = edge(candidate, 0u, a[2].xyz - a[0].xyz) * scaleA;
  pair.b1 = edge(candidate, 3u, b[1].xyz - b[0].xyz) * scaleB;
  pair.b2 = edge(candidate, 3u, b[2].xyz - b[0].xyz) * scaleB;
  pair.offset = offsetBetween(candidate, a[0].xyz, b[0].xyz);
  pair.errorA = edgeError(longer(vec3f(a[1].xyz - a[0].xyz), vec3f(a[2].xyz - a[0].xyz)), frames[candidate].normA)
    + 2.0 * frames[candidate].errorA;
  pair.errorB = edgeError(longer(vec3f(b[1].xyz - b[0].xyz), vec3f(b[2].xyz - b[0].xyz)), frames[candidate].normB)
    + 2.0 * frames[candidate].errorB;
  pair.errorOffset = frames[candidate].rest.w + 0x1p-29 + 3.0 * unit * largest(pair.offset);
  return pair;
}

/**
 * The rounding error of a component of `edge`, from the length of a row and that of the difference, in stored units.
 */
fn edgeError(span: f32, norm: f32) -> f32 {
  return 6.0 * unit * (span * 0x1p-29 * norm);
}

/** linear · q for a difference of stored positions, before the side's scale. */
fn edge(candidate: u32, firstRow: u32, difference: vec3i) -> vec3f {
  let d = vec3f(difference) * 0x1p-29;
  return vec3f(
    dot(vec3f(frames[candidate].linear[firstRow].xyz), d),
    dot(vec3f(frames[candidate].linear[firstRow + 1u].xyz), d),
    dot(vec3f(frames[candidate].linear[firstRow + 2u].xyz), d),
  ) * 0x1p-30;
}

/**
 * b0 − a0 in the pair's frame: offset + B·b0 − A·a0. These three may be a thousand times larger than the difference,
 * so their large parts are integers in 2^−27 and cancel exactly; below 14·2^27 there is no overflow.
 */
fn offsetBetween(candidate: u32, a0: vec3i, b0: vec3i) -> vec3f {
  let shiftA = frames[candidate].shiftA;
  let shiftB = frames[candidate].shiftB;
  var result: vec3f;
  for (var row = 0u; row < 3u; row++) {
    let linearB = frames[candidate].linear[3u + row];
    let a = longProduct(frames[candidate].linear[row].xyz, a0, shiftA);
    let b = longProduct(linearB.xyz, b0, shiftB);
    let whole = linearB.w + b.whole - a.whole;
    result[row] = f32(whole) * 0x1p-27 + ((b.rest - a.rest) + frames[candidate].rest[row]);
  }
  return result;
}

struct LongProduct {
  /** In units of 2^−27. */
  whole: i32,
  rest: f32,
}

/**
 * row · q · 2^(−30 − 29 − shift). Factors are split into halves of 16 bits, the lower ones signed. Products of upper
 * halves are whole units and exact; all other products are below 2^−12 together and may be rounded.
 */
fn longProduct(row: vec3i, q: vec3i, shift: u32) -> LongProduct {
  let rowHigh = (row + 0x8000) >> vec3u(16u);
  let qHigh = (q + 0x8000) >> vec3u(16u);
  let rowLow = vec3f(row - (rowHigh << vec3u(16u)));
  let qLow = vec3f(q - (qHigh << vec3u(16u)));
  let whole = dot(rowHigh, qHigh);
  let middle = dot(vec3f(rowHigh), qLow) + dot(rowLow, vec3f(qHigh));
  var rest = middle * 0x1p-43 + dot(rowLow, qLow) * 0x1p-59;
  if (shift == 0u) { return LongProduct(whole, rest); }
  let scale = powerOfTwo(-i32(shift));
  rest *= scale;
  if (shift > 30u) { return LongProduct(0, rest + f32(whole) * 0x1p-27 * scale); }
  let kept = whole >> shift;
  let lost = whole - (kept << shift);
  return LongProduct(kept, rest + f32(lost) * 0x1p-27 * scale);
}

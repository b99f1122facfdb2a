// Vectors at the middles of a grid's cells, interpolated in the integers of motion/stepped/sampled-grid.ts. Rows: the middle of
// the first cell and the size of a cell; cells along the axes, and the word at which vectors begin; multiplier and shift
// for shares, and the steepest change per unit of place.

fn sampledAt(at: u32, x: vec3i) -> vec3i {
  let low = rows[at];
  let size = rows[at + 1u];
  let tuning = rows[at + 2u];
  let cell = i32(low.w);
  let way = x - vec3i(low.xyz);
  var first = 0u;
  var stride = 3u;
  var steps = vec3u(0u);
  var shares = vec3u(0u);
  for (var axis = 0u; axis < 3u; axis++) {
    let most = i32(size[axis]) - 1;
    let i = way[axis] / cell;
    let inside = way[axis] >= 0 && i < most;
    let product = multiplyWide(u32(way[axis] - i * cell), tuning.x);
    shares[axis] = select(0u, (product.y << (32u - tuning.y)) | (product.x >> tuning.y), inside);
    steps[axis] = select(0u, stride, inside);
    first += stride * u32(select(clamp(i, 0, most), 0, way[axis] < 0));
    stride *= size[axis];
  }
  // Loops, because compilers inline `between` wherever it is called.
  var sampled: vec3i;
  for (var z = 0u; z < 2u; z++) {
    var layer: vec3i;
    for (var y = 0u; y < 2u; y++) {
      let word = size.w + first + z * steps.z + y * steps.y;
      let row = between(vectorAt(word), vectorAt(word + steps.x), shares.x);
      if (y == 0u) { layer = row; } else { layer = between(layer, row, shares.y); }
    }
    if (z == 0u) { sampled = layer; } else { sampled = between(sampled, layer, shares.z); }
  }
  return sampled;
}

fn vectorAt(word: u32) -> vec3i {
  return vec3i(i32(wordAt(word)), i32(wordAt(word + 1u)), i32(wordAt(word + 2u)));
}

fn between(a: vec3i, b: vec3i, share: u32) -> vec3i {
  let way = b - a;
  return a + vec3i(nearestPartOf(way.x, share), nearestPartOf(way.y, share), nearestPartOf(way.z, share));
}

/** How far apart the vectors of two places may be, which are within `off` of each other along each axis. */
fn sampledOff(at: u32, off: f32) -> f32 { return 3.0 * off * bitcast<f32>(rows[at + 2u].z) + 8.0; }

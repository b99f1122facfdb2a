// Which columns of samples cross which triangles, and between which slices (Hoff et al., section 5.1.1)? Each crossing
// adds ±1 to the counter of the first sample above it. Crossings that single precision cannot decide are listed for the
// exact stage, and counted as they seem: mostly that is right, and nothing has to be corrected.
//
// Corners relative to a column are differences of integers, each off by at most ε = `noise`, then rounded to single
// (u = 2^-23). An edge function a.x·b.y − a.y·b.x is off by at most
//   ε·(|a.x| + |a.y| + |b.x| + |b.y|) + 2ε² + 6u·(|a.x·b.y| + |a.y·b.x|):
// `margin` takes the sums over all three edges, so it serves for each. With all three of one sign and |E| their sum,
// the crossing's height above the first corner, (e₁·d₁ + e₂·d₂)/E, is off by at most
//   4·margin·D/(|E| − 3·margin) + 16u·D + 2ε,  D = |d₁| + |d₂|,
// since |e₁·d₁ + e₂·d₂| ≤ |E|·D; and it lies between the lowest and the highest corner.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> layers: array<Layer>;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> ticks: array<i32>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<i32>>;
@group(0) @binding(7) var<storage, read_write> head: array<atomic<u32>>;
/** The layer, the column of its window, the triangle, and the assumption. */
@group(0) @binding(8) var<storage, read_write> unsureEntries: array<vec4u>;

const unit = 0x1p-23;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var item = id.x; item < sweep.triangles * sweep.lanes; item += groups.x * 64u) {
    crossTriangle(item / sweep.lanes, item % sweep.lanes);
  }
}

fn layerOf(number: u32) -> u32 {
  var low = 0u;
  var high = sweep.layerCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (layers[middle].first <= number) { low = middle; } else { high = middle; }
  }
  return low;
}

fn crossTriangle(number: u32, lane: u32) {
  let layer = layerOf(number);
  let leaf = layers[layer].leafOffset + number - layers[layer].first;
  let a = vertexInUnits(layer, leaves[3u * leaf].xyz);
  let b = vertexInUnits(layer, leaves[3u * leaf + 1u].xyz);
  let c = vertexInUnits(layer, leaves[3u * leaf + 2u].xyz);
  let window = windows[layers[layer].window];
  let noise = layers[layer].rest.w;
  let top = ticks[window.low.w + window.size.x + window.size.y + window.size.z - 1u];
  if (f32(min(min(a.z, b.z), c.z) - top) > 2.0 * noise + 1.0) { return; }
  // Sample i lies at (i + 1/2) cells from the grid's origin. Single precision is off by less than 1/50 of a cell, the
  // noise is below 1/16: a quarter is more than enough.
  let low = vec2f(min(min(a.xy, b.xy), c.xy)) / window.cell - 0.75 - vec2f(window.low.xy);
  let high = vec2f(max(max(a.xy, b.xy), c.xy)) / window.cell - 0.25 - vec2f(window.low.xy);
  let size = vec2f(window.size.xy);
  if (sweep.slabs == 1u && lane == 0u) { countSlabs(window, a, b, c); }
  let first = vec2u(clamp(ceil(low), vec2f(0.0), size));
  let end = vec2u(clamp(floor(high) + 1.0, vec2f(0.0), size));
  if (any(first >= end)) { return; }
  let span = end - first;
  for (var n = lane; n < span.x * span.y; n += sweep.lanes) {
    crossColumn(layer, window, first + vec2u(n % span.x, n / span.x), a, b, c, noise, order[leaf]);
  }
}

/** Counts the slabs that a triangle passes through, unless it lies beside all columns. */
fn countSlabs(window: Window, a: vec3i, b: vec3i, c: vec3i) {
  let size = vec3f(window.size.xyz);
  let low = vec3f(min(min(a, b), c)) / window.cell - 0.5 - vec3f(window.low.xyz);
  let high = vec3f(max(max(a, b), c)) / window.cell - 0.5 - vec3f(window.low.xyz);
  if (any(high.xy < vec2f(0.0)) || any(low.xy > size.xy - 1.0) || low.z > size.z - 1.0) { return; }
  let first = u32(max(ceil(low.z), 0.0));
  let last = u32(clamp(floor(high.z) + 1.0, f32(first), size.z - 1.0));
  atomicAdd(&head[slabsAt], last - first + 1u);
}

fn crossColumn(
  layer: u32,
  window: Window,
  column: vec2u,
  a: vec3i,
  b: vec3i,
  c: vec3i,
  noise: f32,
  triangle: u32,
) {
  let place = vec2i(ticks[window.low.w + column.x], ticks[window.low.w + window.size.x + column.y]);
  let fa = vec2f(a.xy - place);
  let fb = vec2f(b.xy - place);
  let fc = vec2f(c.xy - place);
  let left = vec3f(fb.x * fc.y, fc.x * fa.y, fa.x * fb.y);
  let right = vec3f(fb.y * fc.x, fc.y * fa.x, fa.y * fb.x);
  let edges = left - right;
  let sizes = abs(left) + abs(right);
  let reach = abs(fa) + abs(fb) + abs(fc);
  let margin = 1.01 * (noise * (reach.x + reach.y + 2.0 * noise) + 6.0 * unit * (sizes.x + sizes.y + sizes.z));
  let positive = edges > vec3f(margin);
  let negative = edges < vec3f(-margin);
  if (any(positive) && any(negative)) { return; }
  let decided = all(positive) || all(negative);
  if (!decided) {
    // A column clear of the triangle's box misses it, however steep the triangle is.
    let least = min(min(fa, fb), fc);
    let most = max(max(fa, fb), fc);
    let off = 1.01 * noise + 2.0 * unit * (abs(least) + abs(most));
    if (any(least > off) || any(most < -off)) { return; }
  }
  let number = column.y * window.size.x + column.x;
  // If it is undecided whether the column crosses, it is assumed to if it seems so.
  if (!decided && !all(edges > vec3f(0.0)) && !all(edges < vec3f(0.0))) {
    listUnsure(layer, number, triangle, passesBy);
    return;
  }
  let sum = edges.x + edges.y + edges.z;
  let certain = abs(sum) - 3.0 * margin;
  let d1 = f32(b.z - a.z);
  let d2 = f32(c.z - a.z);
  let extent = abs(d1) + abs(d2);
  let lowest = min(0.0, min(d1, d2));
  let highest = max(0.0, max(d1, d2));
  let rise = clamp((edges.y * d1 + edges.z * d2) / sum, lowest, highest);
  let count = i32(window.size.z);
  let ticksZ = window.low.w + window.size.x + window.size.y;
  let near = (f32(a.z) + rise) / window.cell + 0.5 - f32(window.low.z);
  var level = i32(clamp(floor(near), 0.0, f32(count)));
  if (level < count && f32(ticks[ticksZ + u32(level)] - a.z) < rise) { level++; }
  else if (level > 0 && f32(ticks[ticksZ + u32(level) - 1u] - a.z) > rise) { level--; }
  var sure = decided && certain > 3.0 * margin;
  if (sure) {
    // Clamping the height between the corners may have moved it by their error.
    let slack = 2.0 * noise + 4.0 * unit * extent;
    let error = 1.01 * (4.0 * margin * extent / certain + 16.0 * unit * extent + 2.0 * noise) + slack;
    let least = max(rise - error, lowest - slack);
    let most = min(rise + error, highest + slack);
    if (level > 0) {
      let below = f32(ticks[ticksZ + u32(level) - 1u] - a.z);
      sure = sure && below + 2.0 * unit * abs(below) + noise < least;
    }
    if (level < count) {
      let above = f32(ticks[ticksZ + u32(level)] - a.z);
      sure = sure && above - 2.0 * unit * abs(above) - noise > most;
    }
  }
  if (!sure) { listUnsure(layer, number, triangle, 2u * u32(level) + select(1u, 0u, sum > 0.0)); }
  if (level == count) { return; }
  let counter = (u32(level) * window.size.y + column.y) * window.size.x + column.x;
  atomicAdd(&counters[layers[layer].counters + counter], select(1, -1, sum > 0.0));
}

const passesBy = 0xffffffffu;

/**
 * Lists an undecided crossing with the assumption, which may be right: twice the slice above the crossing, plus 1 if
 * the winding number grows there.
 */
fn listUnsure(layer: u32, column: u32, triangle: u32, taken: u32) {
  let at = atomicAdd(&head[unsureAt], 1u);
  if (at < arrayLength(&unsureEntries)) { unsureEntries[at] = vec4u(layer, column, triangle, taken); }
}

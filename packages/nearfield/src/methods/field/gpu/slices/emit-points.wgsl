// Writes the samples that count, column by column and upwards: the order of the answer.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> windows: array<Window>;
@group(0) @binding(2) var<storage, read> layers: array<Layer>;
@group(0) @binding(3) var<storage, read> counters: array<i32>;
@group(0) @binding(4) var<storage, read> columnStarts: array<u32>;
@group(0) @binding(5) var<storage, read> scanValues: array<u32>;
/** The sample's number; where depths are wanted, its window follows, and room for two words more. */
@group(0) @binding(6) var<storage, read_write> points: array<u32>;

override pointWords: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var column = id.x; column < sweep.columns; column += groups.x * 64u) { emitColumn(column); }
}

fn emitColumn(column: u32) {
  let number = windowOf(column);
  let window = windows[number];
  let stride = window.size.x * window.size.y;
  let within = column - window.size.w;
  let first = layers[window.firstLayer].counters + within;
  let needed = neededLayers(window.rule);
  let i = window.low.x + within % window.size.x;
  let j = window.low.y + within / window.size.x;
  let base = (j * window.whole.x + i) * window.whole.z + window.low.z;
  var at = scanValues[column / 256u] + columnStarts[column];
  for (var low = 0u; low < window.size.z; low += 8u) {
    var totals: array<i32, 8>;
    for (var n = 0u; n < 8u; n++) { totals[n] = counters[first + min(low + n, window.size.z - 1u) * stride]; }
    for (var n = 0u; n < 8u; n++) {
      if (low + n >= window.size.z || totals[n] < needed) { continue; }
      if ((at + 1u) * pointWords <= arrayLength(&points)) {
        points[at * pointWords] = base + low + n;
        if (pointWords > 1u) { points[at * pointWords + 1u] = number; }
      }
      at++;
    }
  }
}

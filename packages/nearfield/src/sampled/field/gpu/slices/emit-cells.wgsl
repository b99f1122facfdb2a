// Writes the numbers of the samples that count, column by column and upwards: the order of the answer.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> windows: array<Window>;
/** The position, from 1 on, of a sample among those of its column that count; 0 if it does not count. */
@group(0) @binding(2) var<storage, read> counters: array<i32>;
@group(0) @binding(3) var<storage, read> columnStarts: array<u32>;
@group(0) @binding(4) var<storage, read> scanValues: array<u32>;
@group(0) @binding(5) var<storage, read_write> points: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var column = id.x; column < sweep.columns; column += groups.x * 64u) { emitColumn(column); }
}

fn emitColumn(column: u32) {
  let window = windows[windowOf(column)];
  let stride = window.size.x * window.size.y;
  let within = column - window.size.w;
  let first = window.counters + within;
  let i = window.low.x + within % window.size.x;
  let j = window.low.y + within / window.size.x;
  let base = (j * window.whole.x + i) * window.whole.z + window.low.z;
  let before = scanValues[column / 256u] + columnStarts[column];
  // Eight at a time, so that their loads do not wait for each other.
  for (var low = 0u; low < window.size.z; low += 8u) {
    var places: array<i32, 8>;
    for (var n = 0u; n < 8u; n++) { places[n] = counters[first + min(low + n, window.size.z - 1u) * stride]; }
    for (var n = 0u; n < 8u && low + n < window.size.z; n++) {
      let at = before + u32(places[n]) - 1u;
      if (places[n] > 0 && at < arrayLength(&points)) { points[at] = base + low + n; }
    }
  }
}

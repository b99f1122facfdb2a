// Sums the counters up each column into winding numbers, and counts in how many layers each sample lies. The samples of
// a column that count are numbered from 1 on. Their totals are summed over the workgroup's columns, so that every
// sample knows its place.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> windows: array<Window>;
/**
 * In: changes of winding numbers. Out, in a window's first layer: a sample's position among those that count, 0 for
 * others.
 */
@group(0) @binding(2) var<storage, read_write> counters: array<i32>;
/** Per column, the number of samples of the columns before it in its block of 256. */
@group(0) @binding(3) var<storage, read_write> columnStarts: array<u32>;
/** Per block, its number of samples. */
@group(0) @binding(4) var<storage, read_write> scanValues: array<u32>;
@group(0) @binding(5) var<storage, read_write> head: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3u) {
  let column = group.x * 256u + thread;
  var count = 0u;
  if (column < sweep.columns) { count = sumColumn(column); }
  let scanned = scanWorkgroup(thread, count);
  if (column < sweep.columns) { columnStarts[column] = scanned.before; }
  if (thread == 0u) { scanValues[group.x] = scanned.total; }
}

fn sumColumn(column: u32) -> u32 {
  let window = windows[windowOf(column)];
  let stride = window.size.x * window.size.y;
  let first = window.counters + column - window.size.w;
  let needed = neededLayers(window.rule);
  // In slabs, crossings flip a bit.
  let byParity = sweep.slabs == 1u && window.rule != 1u;
  var count = 0u;
  var isEven = false;
  for (var layer = 0u; layer < window.layerCount; layer++) {
    let own = first + layer * stride * window.size.z;
    let last = layer + 1u == window.layerCount;
    var winding = 0;
    // Eight at a time, so that their loads do not wait for each other.
    for (var low = 0u; low < window.size.z; low += 8u) {
      var steps: array<i32, 8>;
      var before: array<i32, 8>;
      for (var n = 0u; n < 8u; n++) {
        let k = min(low + n, window.size.z - 1u);
        steps[n] = counters[own + k * stride];
        before[n] = select(counters[first + k * stride], 0, layer == 0u);
      }
      for (var n = 0u; n < 8u; n++) {
        let k = low + n;
        if (k >= window.size.z) { break; }
        winding += steps[n];
        var within = select(winding != 0, abs(winding) >= 2, window.rule == 1u);
        if (byParity) {
          isEven = isEven || (within && (winding & 1) == 0);
          within = (winding & 1) == 1;
        }
        let total = before[n] + select(0, 1, within);
        let counts = total >= needed;
        if (last && counts) { count++; }
        counters[first + k * stride] = select(total, select(0, i32(count), counts), last);
      }
    }
  }
  if (isEven) { atomicStore(&head[evenAt], 1u); }
  return count;
}

// Exclusive prefix sums of a list of any length by one workgroup: up to 4,096 values per round, with the sum so far
// carried along. Lists here are short (one value per candidate); a second level of workgroups would cost two more
// dispatches.

override countAt: u32;
override totalAt: u32;

/** Word `countAt` holds the number of values. Word `totalAt` receives their sum. */
@group(0) @binding(0) var<storage, read_write> scanState: array<u32>;
@group(0) @binding(1) var<storage, read_write> scanValues: array<u32>;

var<workgroup> scanCount: u32;

const mostPerThread = 16u;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
  // The list may have overflowed its buffer; then the query is run again with a larger one.
  if (thread == 0u) { scanCount = min(scanState[countAt], arrayLength(&scanValues)); }
  let count = workgroupUniformLoad(&scanCount);
  // In a short list every thread takes four values, whose loads are waited for together.
  let perThread = select(mostPerThread, 4u, count <= 1024u);
  let rounds = (count + 256u * perThread - 1u) / (256u * perThread);
  var carried = 0u;
  for (var round = 0u; round < rounds; round++) {
    let first = (round * 256u + thread) * perThread;
    var sum = 0u;
    for (var i = first; i < first + perThread; i += 4u) {
      let values = fourFrom(i, count);
      sum += values.x + values.y + values.z + values.w;
    }
    let scanned = scanWorkgroup(thread, sum);
    var running = carried + scanned.before;
    for (var i = first; i < min(first + perThread, count); i += 4u) {
      let values = fourFrom(i, count);
      for (var k = 0u; k < 4u && i + k < count; k++) {
        scanValues[i + k] = running;
        running += values[k];
      }
    }
    carried += scanned.total;
  }
  if (thread == 0u) { scanState[totalAt] = carried; }
}

/** Four values from index `first` on, zeros past the end. */
fn fourFrom(first: u32, count: u32) -> vec4u {
  let last = max(count, 1u) - 1u;
  let values = vec4u(
    scanValues[min(first, last)], scanValues[min(first + 1u, last)],
    scanValues[min(first + 2u, last)], scanValues[min(first + 3u, last)],
  );
  return select(vec4u(0u), values, vec4u(first) + vec4u(0u, 1u, 2u, 3u) < vec4u(count));
}

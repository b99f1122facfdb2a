// Exclusive sums of a list of any length by one workgroup: up to 4,096 values a round, the sum so far carried along.
// Lists here are short (one value a candidate); a second level of workgroups would cost two more dispatches.

override countAt: u32;
override totalAt: u32;

/** Holds how many values there are, and takes their sum, at the words named above. */
@group(0) @binding(0) var<storage, read_write> scanState: array<u32>;
@group(0) @binding(1) var<storage, read_write> scanValues: array<u32>;

var<workgroup> scanCount: u32;

const mostPerThread = 16u;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
  // The list may be longer than its buffer; then the query is run again with a larger one.
  if (thread == 0u) { scanCount = min(scanState[countAt], arrayLength(&scanValues)); }
  let count = workgroupUniformLoad(&scanCount);
  // Of a short list every thread takes a few: each value is waited for.
  let perThread = clamp((count + 255u) / 256u, 1u, mostPerThread);
  let rounds = (count + 256u * perThread - 1u) / (256u * perThread);
  var carried = 0u;
  for (var round = 0u; round < rounds; round++) {
    let first = (round * 256u + thread) * perThread;
    let end = min(first + perThread, count);
    var sum = 0u;
    for (var i = first; i < end; i++) { sum += scanValues[i]; }
    let scanned = scanWorkgroup(thread, sum);
    var running = carried + scanned.before;
    for (var i = first; i < end; i++) {
      let value = scanValues[i];
      scanValues[i] = running;
      running += value;
    }
    carried += scanned.total;
  }
  if (thread == 0u) { scanState[totalAt] = carried; }
}

// Exclusive prefix sums over a workgroup of 256 (Hillis and Steele: eight rounds between two buffers, no tricks with
// memory banks).

var<workgroup> scanFront: array<u32, 256>;
var<workgroup> scanBack: array<u32, 256>;

struct Scanned {
  /** Sum of the values of all lower threads. */
  before: u32,
  /** Sum of all values. */
  total: u32,
}

/** Call in uniform control flow, with a workgroup of exactly 256. */
fn scanWorkgroup(thread: u32, value: u32) -> Scanned {
  workgroupBarrier();
  scanFront[thread] = value;
  workgroupBarrier();
  for (var reach = 1u; reach < 256u; reach *= 4u) {
    var sum = scanFront[thread];
    if (thread >= reach) { sum += scanFront[thread - reach]; }
    scanBack[thread] = sum;
    workgroupBarrier();
    sum = scanBack[thread];
    if (thread >= 2u * reach) { sum += scanBack[thread - 2u * reach]; }
    scanFront[thread] = sum;
    workgroupBarrier();
  }
  return Scanned(scanFront[thread] - value, scanFront[255]);
}

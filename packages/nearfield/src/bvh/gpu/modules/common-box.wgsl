// The box around the boxes of all threads of a workgroup. The kernel declares `nodes` and the override `threads`, a power
// of two of at most 256.

/** The bounds of a box that contains nothing. */
const nothing = 0x1p100;

var<workgroup> lows: array<vec3f, 256>;
var<workgroup> highs: array<vec3f, 256>;

/** Writes the box to a node. Call in uniform control flow. */
fn writeCommonBox(thread: u32, low: vec3f, high: vec3f, node: u32) {
  lows[thread] = low;
  highs[thread] = high;
  workgroupBarrier();
  for (var half = threads / 2u; half > 0u; half /= 2u) {
    if (thread < half) {
      lows[thread] = min(lows[thread], lows[thread + half]);
      highs[thread] = max(highs[thread], highs[thread + half]);
    }
    workgroupBarrier();
  }
  if (thread == 0u) {
    nodes[2u * node] = vec4f(lows[0], 0.0);
    nodes[2u * node + 1u] = vec4f(highs[0], 0.0);
  }
  workgroupBarrier();
}

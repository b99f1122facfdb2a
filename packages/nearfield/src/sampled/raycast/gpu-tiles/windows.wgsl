// The common part of a candidate's two boxes, from the kernel's var<storage, read> boxes, in the scene's unit.

struct Window {
  low: vec3f,
  high: vec3f,
}

/** The common box. It is rounded outward, because the boxes are. */
fn windowOf(pair: vec2u) -> Window {
  let low = max(boxes[2u * pair.x].xyz, boxes[2u * pair.y].xyz);
  let high = min(boxes[2u * pair.x + 1u].xyz, boxes[2u * pair.y + 1u].xyz);
  return Window(low, max(low, high));
}

/** The axes to view a window along, the thinnest extent first; among equal ones the last axis. */
fn axisOf(size: vec3f, view: u32) -> u32 {
  var first = 2u;
  if (size.y < size[first]) { first = 1u; }
  if (size.x < size[first]) { first = 0u; }
  if (view == 0u) { return first; }
  let one = select(2u, 1u, first == 2u);
  let other = select(0u, 1u, first == 0u);
  let second = select(one, other, size[other] < size[one]);
  return select(second, 3u - first - second, view == 2u);
}

fn joinedHighs(a: vec4f, b: vec4f) -> vec4f {
  return vec4f(max(a.xyz, b.xyz), a.w + b.w);
}

var<workgroup> lows: array<vec4f, 256>;
var<workgroup> highs: array<vec4f, 256>;

/** Joins the values of 256 threads. Afterwards the result is in lows[0] and highs[0] for all of them. */
fn joinInWorkgroup(thread: u32, low: vec4f, high: vec4f) {
  lows[thread] = low;
  highs[thread] = high;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (thread < half) {
      lows[thread] = min(lows[thread], lows[thread + half]);
      highs[thread] = joinedHighs(highs[thread], highs[thread + half]);
    }
    workgroupBarrier();
  }
}

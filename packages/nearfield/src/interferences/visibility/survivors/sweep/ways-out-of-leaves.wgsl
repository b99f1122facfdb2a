// Finds bodies that certainly contain no part of the other, as ways-out.wgsl does and for its reasons, but without trees: a
// workgroup goes through all leaves of both bodies. First it finds, for six rays along the axes of the other's frame, the
// corners that they start at, each as far out as any; then which rays miss all leaf boxes of the other.

@group(0) @binding(0) var<storage, read> frames: array<Frame>;
@group(0) @binding(1) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> results: array<atomic<u32>>;

const threads = 128u;
const rays = 6u;
const allRays = 63u;

/** Per ray and thread: a corner, and how far out it lies. */
var<workgroup> reaches: array<array<f32, threads>, rays>;
var<workgroup> corners: array<array<u32, threads>, rays>;
/** The box around what a ray may meet. */
var<workgroup> lows: array<vec3f, rays>;
var<workgroup> highs: array<vec3f, rays>;
/** One bit per ray that meets a leaf box. */
var<workgroup> stopped: atomic<u32>;
var<workgroup> groupWord: u32;

@compute @workgroup_size(threads)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  // If there are more candidates than capacity, the query will be run again.
  if (thread == 0u) { groupWord = min(atomicLoad(&results[candidatesAt]), arrayLength(&frames)); }
  let count = workgroupUniformLoad(&groupWord);
  for (var item = group.x; item < 2u * count; item += groups.x) {
    let candidate = item / 2u;
    if (thread == 0u) { groupWord = atomicLoad(&results[resultHead + candidate]); }
    let word = workgroupUniformLoad(&groupWord);
    // Skip the candidate if it is apart, or if something was found.
    if (word != 0u && (word & ~bothOutside) != outsideWord) { continue; }
    let side = item % 2u;
    if (comesThrough(thread, candidate, side)) {
      if (thread == 0u) { atomicOr(&results[resultHead + candidate], outsideWord | (firstOutside << side)); }
    }
  }
}

/** Whether a ray from a corner of one side misses all leaf boxes of the other. Call in uniform control flow. */
fn comesThrough(thread: u32, candidate: u32, side: u32) -> bool {
  findCorners(thread, candidate, side);
  workgroupBarrier();
  if (thread == 0u) { atomicStore(&stopped, 0u); }
  workgroupBarrier();
  if (thread < rays && startRay(thread, candidate, side)) { atomicOr(&stopped, 1u << thread); }
  workgroupBarrier();
  if (thread == 0u) { groupWord = atomicLoad(&stopped); }
  // A ray that misses the box around the whole body misses all leaves.
  if (workgroupUniformLoad(&groupWord) != allRays) { return true; }
  if (thread == 0u) { atomicStore(&stopped, 0u); }
  workgroupBarrier();
  stopRays(thread, candidate, 1u - side);
  workgroupBarrier();
  if (thread == 0u) { groupWord = atomicLoad(&stopped); }
  return workgroupUniformLoad(&groupWord) != allRays;
}

/** Finds, among the corners that this thread looks at, those that lie farthest along the rays. */
fn findCorners(thread: u32, candidate: u32, side: u32) {
  let other = 1u - side;
  let leafOffset = select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, side == 1u);
  let count = 3u * select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 1u);
  let x = frames[candidate].into[3u * other].xyz;
  let y = frames[candidate].into[3u * other + 1u].xyz;
  let z = frames[candidate].into[3u * other + 2u].xyz;
  var least = vec3f(0x1p100);
  var most = vec3f(-0x1p100);
  var leastAt = vec3u(3u * leafOffset);
  var mostAt = leastAt;
  for (var i = thread; i < count; i += threads) {
    let at = 3u * leafOffset + i;
    let corner = vec3f(leaves[at].xyz);
    let reach = vec3f(dot(x, corner), dot(y, corner), dot(z, corner));
    leastAt = select(leastAt, vec3u(at), reach < least);
    mostAt = select(mostAt, vec3u(at), reach > most);
    least = min(least, reach);
    most = max(most, reach);
  }
  for (var axis = 0u; axis < 3u; axis++) {
    reaches[2u * axis][thread] = -least[axis];
    corners[2u * axis][thread] = leastAt[axis];
    reaches[2u * axis + 1u][thread] = most[axis];
    corners[2u * axis + 1u][thread] = mostAt[axis];
  }
}

/** Starts a ray at the farthest corner. Returns whether it meets the box around the whole other body. */
fn startRay(ray: u32, candidate: u32, side: u32) -> bool {
  var best = 0u;
  for (var i = 1u; i < threads; i++) {
    if (reaches[ray][i] > reaches[ray][best]) { best = i; }
  }
  let p = vec3f(leaves[corners[ray][best]].xyz) * 0x1p-29;
  let other = 1u - side;
  let mx = frames[candidate].into[3u * other];
  let my = frames[candidate].into[3u * other + 1u];
  let mz = frames[candidate].into[3u * other + 2u];
  let start = vec3f(dot(mx.xyz, p) + mx.w, dot(my.xyz, p) + my.w, dot(mz.xyz, p) + mz.w);
  let slack = frames[candidate].slack[other].xyz;
  var low = start - slack;
  var high = start + slack;
  if (ray % 2u == 1u) { high[ray / 2u] = 0x1p100; } else { low[ray / 2u] = -0x1p100; }
  lows[ray] = low;
  highs[ray] = high;
  let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, other == 1u);
  let root = 2u * (nodeOffset + 1u);
  return all((low <= nodes[root + 1u].xyz) & (nodes[root].xyz <= high));
}

/** Notes the rays that meet a leaf box. */
fn stopRays(thread: u32, candidate: u32, other: u32) {
  let leafOffset = select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, other == 1u);
  let count = select(frames[candidate].leafCountA, frames[candidate].leafCountB, other == 1u);
  var met = 0u;
  for (var i = thread; i < count && met != allRays; i += threads) {
    let at = 3u * (leafOffset + i);
    let box = leafBounds(leaves[at].xyz, leaves[at + 1u].xyz, leaves[at + 2u].xyz);
    for (var ray = 0u; ray < rays; ray++) {
      met |= u32(all((lows[ray] <= box.high) & (box.low <= highs[ray]))) << ray;
    }
  }
  if (met != 0u) { atomicOr(&stopped, met); }
}

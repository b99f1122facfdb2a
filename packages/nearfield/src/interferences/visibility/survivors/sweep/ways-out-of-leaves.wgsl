// Finds bodies that certainly contain no part of the other, as ways-out.wgsl does and for its reasons, but without trees: for
// each ray, a workgroup goes through all leaves of one body for a corner far out, and then through those of the other.

@group(0) @binding(0) var<storage, read> frames: array<Frame>;
@group(0) @binding(1) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> results: array<atomic<u32>>;

const threads = 256u;
/** A thread reads this many corners at once, so that they are waited for together. */
const atOnce = 4u;
/** Six rays per body. */
const rays = 12u;

/** Per thread: a corner, and how far out it lies. */
var<workgroup> corners: array<u32, threads>;
var<workgroup> reaches: array<f32, threads>;
/** The box around what the ray may meet, the leaves it may meet, and whether it meets the box of one. */
var<workgroup> low: vec3f;
var<workgroup> high: vec3f;
var<workgroup> leafCount: u32;
var<workgroup> met: atomic<u32>;
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
  for (var item = group.x; item < rays * count; item += groups.x) {
    let candidate = item / rays;
    let ray = item % rays;
    let side = ray / 6u;
    if (thread == 0u) { groupWord = atomicLoad(&results[resultHead + candidate]); }
    let word = workgroupUniformLoad(&groupWord);
    // Skip the candidate if it is apart, if something was found, or if another ray has proved it.
    if (word != 0u && ((word & ~bothOutside) != outsideWord || (word & (firstOutside << side)) != 0u)) { continue; }
    findCorner(thread, candidate, side, ray % 6u);
    workgroupBarrier();
    for (var half = threads / 2u; half > 0u; half /= 2u) {
      if (thread < half && reaches[thread + half] > reaches[thread]) {
        reaches[thread] = reaches[thread + half];
        corners[thread] = corners[thread + half];
      }
      workgroupBarrier();
    }
    if (thread == 0u) { startRay(candidate, 1u - side, ray % 6u); }
    workgroupBarrier();
    let leafOffset = select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, side == 0u);
    for (var i = thread; i < leafCount && atomicLoad(&met) == 0u; i += threads) {
      let at = 3u * (leafOffset + i);
      let box = leafBounds(leaves[at].xyz, leaves[at + 1u].xyz, leaves[at + 2u].xyz);
      if (all((low <= box.high) & (box.low <= high))) { atomicStore(&met, 1u); }
    }
    workgroupBarrier();
    if (thread == 0u && atomicLoad(&met) == 0u) {
      atomicOr(&results[resultHead + candidate], outsideWord | (firstOutside << side));
    }
  }
}

/** Finds, among the corners that this thread looks at, the one that lies farthest along the ray. */
fn findCorner(thread: u32, candidate: u32, side: u32, ray: u32) {
  let direction = frames[candidate].into[3u * (1u - side) + ray / 2u].xyz * select(-1.0, 1.0, ray % 2u == 1u);
  let first = 3u * select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, side == 1u);
  let end = first + 3u * select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 1u);
  var corner = first;
  var reach = -0x1p100;
  for (var at = first + thread; at < end; at += atOnce * threads) {
    var places: array<vec3i, atOnce>;
    for (var i = 0u; i < atOnce; i++) { places[i] = leaves[min(at + i * threads, end - 1u)].xyz; }
    for (var i = 0u; i < atOnce; i++) {
      let own = dot(direction, vec3f(places[i]));
      if (own > reach) {
        reach = own;
        corner = min(at + i * threads, end - 1u);
      }
    }
  }
  corners[thread] = corner;
  reaches[thread] = reach;
}

/** Starts the ray at the farthest corner. */
fn startRay(candidate: u32, other: u32, ray: u32) {
  let p = vec3f(leaves[corners[0]].xyz) * 0x1p-29;
  let mx = frames[candidate].into[3u * other];
  let my = frames[candidate].into[3u * other + 1u];
  let mz = frames[candidate].into[3u * other + 2u];
  let start = vec3f(dot(mx.xyz, p) + mx.w, dot(my.xyz, p) + my.w, dot(mz.xyz, p) + mz.w);
  let slack = frames[candidate].slack[other].xyz;
  low = start - slack;
  high = start + slack;
  if (ray % 2u == 1u) { high[ray / 2u] = 0x1p100; } else { low[ray / 2u] = -0x1p100; }
  atomicStore(&met, 0u);
  // A ray that misses the box around the whole body misses all leaves.
  let root = 2u * (select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, other == 1u) + 1u);
  let meetsRoot = all((low <= nodes[root + 1u].xyz) & (nodes[root].xyz <= high));
  leafCount = select(0u, select(frames[candidate].leafCountA, frames[candidate].leafCountB, other == 1u), meetsRoot);
}

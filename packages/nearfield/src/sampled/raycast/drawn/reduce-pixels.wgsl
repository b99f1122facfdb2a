// Sums up the pixels on the GPU, so that only the sums are read back. `stage` 0 reads the counts of all faces, 1 only
// those of other bodies, 2 which body encloses whose edges.

@group(0) @binding(0) var<uniform> seen: DrawnView;
@group(0) @binding(1) var<storage, read> candidates: array<vec2u>;
/**
 * The state, one bit per body that penetrates, one bit per body that is not closed, one word of flags per candidate.
 */
@group(0) @binding(2) var<storage, read_write> drawnState: array<atomic<u32>>;
/** Points of edges: candidate, twice the edge plus 1 if it is the second body's, pixel, depth. */
@group(0) @binding(3) var<storage, read_write> hits: array<vec4u>;
@group(0) @binding(4) var edgesSeen: texture_2d<u32>;
@group(0) @binding(5) var counts: texture_2d<u32>;
@group(0) @binding(6) var named: texture_2d<u32>;

override stage: u32;

var<workgroup> sums: array<atomic<u32>, 8>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  if (id.x < seen.columns && id.y < seen.rows) { examine(id.xy); }
  workgroupBarrier();
  if (thread < drawnStateWords) {
    let sum = atomicLoad(&sums[thread]);
    if (sum > 0u && thread != hitsAt) { atomicAdd(&drawnState[thread], sum); }
  }
}

fn examine(pixel: vec2u) {
  let edge = textureLoad(edgesSeen, pixel, 0);
  if (edge.x == 0u) { return; }
  let body = edge.x - 1u;
  let count = textureLoad(counts, pixel, 0).x;
  if (stage == 0u) {
    atomicAdd(&sums[edgePixelsAt], 1u);
    if (count > stencilZero) { atomicAdd(&sums[enclosedAt], 1u); }
  } else if (stage == 1u) {
    if (count > stencilZero) {
      atomicAdd(&sums[byOthersAt], 1u);
      if (count > stencilZero + 1u) { atomicAdd(&sums[severalAt], 1u); }
      setBit(drawnStateWords, body);
    }
  } else {
    let names = textureLoad(named, pixel, 0);
    if (names.y != 0u && names.y != edge.x) { meet(edge, names.y - 1u, pixel); }
    if (names.x != 0u) { setBit(drawnStateWords + seen.bodyWords, names.x - 1u); }
  }
}

fn setBit(first: u32, body: u32) {
  atomicOr(&drawnState[first + (body >> 5u)], 1u << (body & 31u));
}

/** An edge of a body lies in another. Sets a bit of their candidate, if they are one, and lists a point of the edge. */
fn meet(edge: vec4u, other: u32, pixel: vec2u) {
  let body = edge.x - 1u;
  let wanted = vec2u(min(body, other), max(body, other));
  var low = 0u;
  var high = seen.candidateCount;
  while (low < high) {
    let middle = (low + high) / 2u;
    let at = candidates[middle];
    if (at.x < wanted.x || (at.x == wanted.x && at.y < wanted.y)) { low = middle + 1u; } else { high = middle; }
  }
  if (low == seen.candidateCount || any(candidates[low] != wanted)) { return; }
  let isSecond = select(0u, 1u, body > other);
  atomicOr(&drawnState[drawnStateWords + 2u * seen.bodyWords + low], 2u << isSecond);
  if (seen.hitRoom == 0u) { return; }
  let place = atomicAdd(&drawnState[hitsAt], 1u);
  if (place < seen.hitRoom) {
    hits[place] = vec4u(low, 2u * (edge.y - 1u) + isSecond, pixel.y * seen.columns + pixel.x, edge.z);
  }
}

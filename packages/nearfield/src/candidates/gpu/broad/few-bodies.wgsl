// Few bodies in one dispatch of one workgroup: they are placed, paired and framed, and their work is summed up. Four
// dispatches would each wait for the one before, which takes longer than they run.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> poses: array<vec2u>;
@group(0) @binding(2) var<storage, read> shapeOfBody: array<u32>;
@group(0) @binding(3) var<storage, read> shapes: array<Shape>;
@group(0) @binding(4) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(6) var<storage, read_write> boxes: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> candidates: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> frames: array<Frame>;
@group(0) @binding(9) var<storage, read_write> workItems: array<u32>;
@group(0) @binding(10) var<storage, read_write> results: array<atomic<u32>>;

var<workgroup> candidateCount: atomic<u32>;
var<workgroup> sharedCount: u32;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
  if (thread < resultHead) { beginResult(thread); }
  for (var first = 0u; first < query.bodyCount; first += 64u) {
    let body = first + thread / 4u;
    placeBody(body, thread, body < query.bodyCount);
  }
  storageBarrier();
  // All pairs of bodies in triangular order: body b with every body before it.
  if (query.givenCandidates == noneGiven) {
    for (var place = thread; place < query.bodyCount * query.bodyCount; place += 256u) {
      let a = place / query.bodyCount;
      let b = place % query.bodyCount;
      if (a < b && all(boxes[2u * a].xyz <= boxes[2u * b + 1u].xyz)
        && all(boxes[2u * b].xyz <= boxes[2u * a + 1u].xyz)) {
        let at = atomicAdd(&candidateCount, 1u);
        if (at < arrayLength(&candidates)) { candidates[at] = vec2u(a, b); }
      }
    }
  }
  storageBarrier();
  workgroupBarrier();
  if (thread == 0u) {
    var found = query.givenCandidates;
    if (found == noneGiven) {
      found = atomicLoad(&candidateCount);
      atomicStore(&results[candidatesAt], found);
    }
    // If there are more candidates than capacity, the query will be run again.
    sharedCount = min(found, min(arrayLength(&candidates), arrayLength(&frames)));
  }
  let count = workgroupUniformLoad(&sharedCount);
  var carried = 0u;
  for (var first = 0u; first < count; first += 32u) {
    let pair = first + thread / 8u;
    let items = framePair(pair, count, thread, pair < count);
    let scanned = scanWorkgroup(thread, items);
    if (pair < count && thread % 8u == 0u) {
      atomicStore(&results[resultHead + pair], firstWord(items));
      workItems[pair] = carried + scanned.before;
    }
    carried += scanned.total;
  }
  if (thread == 0u) { atomicStore(&results[workItemsAt], carried); }
}

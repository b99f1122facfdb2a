// Fragments of triangles that span some pixels: one thread per row. A workgroup reserves places for all its rows at
// once.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> placings: array<Placing>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> instances: array<Instance>;
@group(0) @binding(5) var<storage, read_write> fragments: array<vec4u>;
@group(0) @binding(6) var<storage, read> longRows: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> pixels: array<atomic<u32>>;

var<workgroup> sharedRows: u32;
var<workgroup> sharedFirst: u32;
var<workgroup> groupCount: atomic<u32>;
var<workgroup> idleCount: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let room = arrayLength(&longRows);
  if (thread == 0u) { sharedRows = min(atomicLoad(&imageState[counterAt(shortRowsAt)]), room); }
  let rows = workgroupUniformLoad(&sharedRows);
  for (var start = group.x * 256u; start < rows; start += groups.x * 256u) {
    var instance = 0u;
    var view = 0u;
    var row = 0;
    var owner = 0u;
    var seen: ImageTriangle;
    var polygon: Polygon;
    // The first and the last column. The row is empty if the last is less than the first.
    var columns = vec2i(0, -1);
    if (start + thread < rows) {
      let listed = longRows[room - 1u - start - thread];
      instance = listed.x;
      view = listed.y >> 28u;
      row = i32(listed.y & 0xfffffffu);
      owner = instances[instance].owner;
      let body = bodyOfOwner(owner);
      let corners = sceneCorners(body, instance - placings[body].firstInstance);
      seen = seenAlong(inWindow(body, corners, imageWindow()), view);
      polygon = inRow(seen, row);
      columns = clamp(columnsInRow(seen, polygon), vec2i(seen.first.x), vec2i(seen.last.x));
    }
    let count = u32(max(columns.y - columns.x + 1, 0));
    workgroupBarrier();
    if (thread == 0u) { atomicStore(&groupCount, 0u); }
    workgroupBarrier();
    var place = 0u;
    if (count > 0u) { place = atomicAdd(&groupCount, count); }
    workgroupBarrier();
    if (thread == 0u) {
      sharedFirst = tooMany;
      // The counter cannot wrap. Each of some thousand workgroups (culling-passes.ts) may add one more sum, of at
      // most 256 ·
      // 258. Together with the limit of 2^30 that is less than 2^32.
      if (atomicLoad(&imageState[counterAt(fragmentsAt)]) < culling.mostFragments) {
        sharedFirst = atomicAdd(&imageState[counterAt(fragmentsAt)], atomicLoad(&groupCount));
      }
    }
    place += workgroupUniformLoad(&sharedFirst);
    for (var column = columns.x; column <= columns.y; column++) {
      let depths = depthsInPixel(seen, polygon, column, row);
      if (depths.x <= depths.y) {
        writeFragment(place, pixelOf(view, column, row), depthNumbers(depths), instance, owner);
      } else {
        if (place < arrayLength(&fragments)) { fragments[place].x = nobody; }
        atomicAdd(&idleCount, 1u);
      }
      place++;
    }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&imageState[idlePlacesAt], atomicLoad(&idleCount)); }
}

// Fragments of triangles that span many pixels: one workgroup per row of tiles of 16 × 16 pixels, one thread per pixel.

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
var<workgroup> firstTile: atomic<i32>;
var<workgroup> lastTile: atomic<i32>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (thread == 0u) { sharedRows = min(atomicLoad(&imageState[counterAt(longRowsAt)]), arrayLength(&longRows)); }
  let rows = workgroupUniformLoad(&sharedRows);
  for (var i = group.x; i < rows; i += groups.x) {
    if (thread == 0u) { sharedFirst = atomicLoad(&imageState[counterAt(fragmentsAt)]); }
    if (workgroupUniformLoad(&sharedFirst) >= culling.mostFragments) { break; }
    let instance = longRows[i].x;
    let view = longRows[i].y >> 28u;
    let row = i32(longRows[i].y & 0xfffffffu) * tileSide + i32(thread) / tileSide;
    let owner = instances[instance].owner;
    let body = bodyOfOwner(owner);
    let corners = sceneCorners(body, instance - placings[body].firstInstance);
    let seen = seenAlong(inWindow(body, corners, imageWindow()), view);
    let polygon = inRow(seen, row);
    let rowTouched = row >= seen.first.y && row <= seen.last.y;
    // A slanted triangle reaches few tiles of a row: those from the first column to the last that it may touch in one
    // of the row's pixel rows.
    if (thread == 0u) {
      atomicStore(&firstTile, 0x7fff);
      atomicStore(&lastTile, 0);
    }
    workgroupBarrier();
    if (rowTouched) {
      let columns = clamp(columnsInRow(seen, polygon), vec2i(seen.first.x), vec2i(seen.last.x));
      atomicMin(&firstTile, columns.x / tileSide);
      atomicMax(&lastTile, columns.y / tileSide);
    }
    workgroupBarrier();
    if (thread == 0u) { sharedRows = u32(atomicLoad(&firstTile)) | (u32(atomicLoad(&lastTile)) << 16u); }
    let tiles = workgroupUniformLoad(&sharedRows);
    for (var tile = tiles & 0xffffu; tile <= (tiles >> 16u); tile++) {
      let column = i32(tile) * tileSide + i32(thread) % tileSide;
      var depths = vec2f(1.0, 0.0);
      if (rowTouched && column >= seen.first.x && column <= seen.last.x) {
        depths = depthsInPixel(seen, polygon, column, row);
      }
      let touched = depths.x <= depths.y;
      var place = 0u;
      if (touched) { place = atomicAdd(&groupCount, 1u); }
      workgroupBarrier();
      if (thread == 0u) {
        sharedFirst = tooMany;
        let count = atomicExchange(&groupCount, 0u);
        if (count > 0u && atomicLoad(&imageState[counterAt(fragmentsAt)]) < culling.mostFragments) {
          sharedFirst = atomicAdd(&imageState[counterAt(fragmentsAt)], count);
        }
      }
      place += workgroupUniformLoad(&sharedFirst);
      if (touched) { writeFragment(place, pixelOf(view, column, row), depthNumbers(depths), instance, owner); }
    }
  }
}

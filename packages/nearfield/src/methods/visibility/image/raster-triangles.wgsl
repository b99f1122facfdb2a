// Fragments of all triangles in all views: a thread takes a triangle. A workgroup reserves room for all pixels of its
// triangles' bounding rectangles at once. Triangles that span many pixels are left to raster-rows.wgsl.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> placings: array<Placing>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> instances: array<Instance>;
@group(0) @binding(6) var<storage, read_write> fragments: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> longRows: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> pixels: array<atomic<u32>>;

/** Pixels of a triangle's bounding rectangle above which a workgroup a row of tiles takes it. */
const mostPixels = 64u;

var<workgroup> sharedFirst: u32;
var<workgroup> groupCount: atomic<u32>;
var<workgroup> nearCount: atomic<u32>;
var<workgroup> idleCount: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var start = group.x * 256u; start < culling.instanceCount; start += groups.x * 256u) {
    let instance = start + thread;
    var count = 0u;
    var owner = 0u;
    var triangle: SceneTriangle;
    if (instance < culling.instanceCount) {
      let body = bodyOfInstance(instance);
      let leaf = instance - placings[body].firstInstance;
      owner = ownerOf(body, leaf);
      instances[instance].owner = owner;
      var flags = 0u;
      if ((atomicLoad(&bodyStates[bodyStateWords * body + bodyFlagsAt]) & askedFlag) != 0u) {
        let corners = sceneCorners(body, leaf);
        let keepAll = atomicLoad(&imageState[keepAllAt]) == 1u;
        if (keepAll || isNear(body, corners)) { flags = askedFlag; }
        if (!keepAll) {
          triangle = inWindow(body, corners, imageWindow());
          for (var view = 0u; view < culling.views; view++) {
            count += countPixels(instance, seenAlong(triangle, view), view);
          }
        }
      }
      atomicStore(&instances[instance].flags, flags);
      if (flags != 0u) { atomicAdd(&nearCount, 1u); }
    }
    // In any order: who comes first among the fragments makes no difference.
    workgroupBarrier();
    if (thread == 0u) { atomicStore(&groupCount, 0u); }
    workgroupBarrier();
    var place = 0u;
    if (count > 0u) { place = atomicAdd(&groupCount, count); }
    workgroupBarrier();
    if (thread == 0u) { sharedFirst = atomicAdd(&imageState[fragmentsAt], atomicLoad(&groupCount)); }
    place += workgroupUniformLoad(&sharedFirst);
    if (count > 0u) {
      for (var view = 0u; view < culling.views; view++) {
        place = writePixels(instance, owner, seenAlong(triangle, view), view, place);
      }
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicAdd(&imageState[nearTrianglesAt], atomicLoad(&nearCount));
    atomicAdd(&imageState[idlePlacesAt], atomicLoad(&idleCount));
  }
}

/** Pixels of a triangle's bounding rectangle. */
fn areaOf(seen: ImageTriangle) -> u32 {
  let size = vec2u(max(seen.last - seen.first + 1, vec2i(0)));
  return size.x * size.y;
}

/** How many places among the fragments a triangle takes in a view. Of a long one its rows of tiles are listed instead. */
fn countPixels(instance: u32, seen: ImageTriangle, view: u32) -> u32 {
  let area = areaOf(seen);
  if (area <= mostPixels) { return area; }
  let first = seen.first.y / tileSide;
  let rows = u32(seen.last.y / tileSide - first + 1);
  let place = atomicAdd(&imageState[longRowsAt], rows);
  for (var i = 0u; i < rows; i++) {
    if (place + i < arrayLength(&longRows)) {
      longRows[place + i] = vec2u(instance, (view << 28u) | (u32(first) + i));
    }
  }
  return 0u;
}

/** Writes them; returns the place after them. */
fn writePixels(instance: u32, owner: u32, seen: ImageTriangle, view: u32, first: u32) -> u32 {
  var place = first;
  let area = areaOf(seen);
  if (area == 0u || area > mostPixels) { return place; }
  for (var row = seen.first.y; row <= seen.last.y; row++) {
    let polygon = inRow(seen, row);
    for (var column = seen.first.x; column <= seen.last.x; column++) {
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
  return place;
}

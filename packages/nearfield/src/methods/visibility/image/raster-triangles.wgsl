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
    // By view. Written is what was counted: the same expressions need not give the same floats in two places of a shader.
    var rectangles: array<Rectangle, 3>;
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
            rectangles[view] = placesOf(instance, seenAlong(triangle, view), view);
            count += rectangles[view].size.x * rectangles[view].size.y;
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
    if (thread == 0u) {
      sharedFirst = tooMany;
      // Of each of at most 65,535 workgroups one sum is on its way, of at most 256 · 3 · 64: with the 2^30 that are the most,
      // less than 2^32. Where rectangles may be larger, triangles are few (sizes.ts).
      if (atomicLoad(&imageState[fragmentsAt]) < culling.mostFragments) {
        sharedFirst = atomicAdd(&imageState[fragmentsAt], atomicLoad(&groupCount));
      }
    }
    place += workgroupUniformLoad(&sharedFirst);
    if (count > 0u) {
      for (var view = 0u; view < culling.views; view++) {
        if (rectangles[view].size.x == 0u) { continue; }
        var seen = seenAlong(triangle, view);
        seen.first = rectangles[view].first;
        seen.last = seen.first + vec2i(rectangles[view].size) - 1;
        place = writePixels(instance, owner, seen, view, place);
      }
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicAdd(&imageState[nearTrianglesAt], atomicLoad(&nearCount));
    atomicAdd(&imageState[idlePlacesAt], atomicLoad(&idleCount));
  }
}

/** Pixels that a triangle takes places for among the fragments; none where its size is 0. */
struct Rectangle {
  first: vec2i,
  size: vec2u,
}

/** Those around a triangle in a view. Of a long one none, and its rows of tiles are listed. */
fn placesOf(instance: u32, seen: ImageTriangle, view: u32) -> Rectangle {
  let size = vec2u(max(seen.last - seen.first + 1, vec2i(0)));
  if (size.x == 0u || size.y == 0u) { return Rectangle(); }
  if (size.x * size.y <= culling.mostPixels) { return Rectangle(seen.first, size); }
  let first = seen.first.y / tileSide;
  let rows = u32(seen.last.y / tileSide - first + 1);
  let place = atomicAdd(&imageState[longRowsAt], rows);
  for (var i = 0u; i < rows; i++) {
    if (place + i < arrayLength(&longRows)) {
      longRows[place + i] = vec2u(instance, (view << 28u) | (u32(first) + i));
    }
  }
  return Rectangle();
}

/** Writes them, one after the other from the first place; returns the place after them. */
fn writePixels(instance: u32, owner: u32, seen: ImageTriangle, view: u32, first: u32) -> u32 {
  var place = first;
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

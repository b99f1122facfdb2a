// Fragments of triangles in all views: one thread per triangle. A workgroup reserves places for all pixels of its
// triangles' bounding rectangles at once. Larger triangles are listed instead: row by row for raster-short-rows.wgsl,
// or by rows of tiles for raster-rows.wgsl. A close look takes only the triangles that a glance kept.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> placings: array<Placing>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> instances: array<Instance>;
@group(0) @binding(6) var<storage, read_write> fragments: array<vec4u>;
/** Rows of tiles fill this list from the front, rows of pixels from the back. */
@group(0) @binding(7) var<storage, read_write> longRows: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> pixels: array<atomic<u32>>;

var<workgroup> sharedFirst: u32;
var<workgroup> sharedRow: u32;
var<workgroup> groupCount: atomic<u32>;
var<workgroup> groupRows: atomic<u32>;
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
    var rows = 0u;
    var owner = 0u;
    var triangle: SceneTriangle;
    // One rectangle per view. They are kept so that exactly the counted pixels are written: the same expressions need
    // not give the same floats in two places of a shader.
    var rectangles: array<Rectangle, 3>;
    if (instance < culling.instanceCount) {
      let first = firstLook(instance);
      owner = first.owner;
      if (first.wanted) {
        let body = bodyOfOwner(owner);
        triangle = inWindow(body, sceneCorners(body, instance - placings[body].firstInstance), imageWindow());
        for (var view = 0u; view < culling.views; view++) {
          let rectangle = placesOf(instance, seenAlong(triangle, view), view);
          rectangles[view] = rectangle;
          if (isSmall(rectangle)) { count += rectangle.size.x * rectangle.size.y; } else { rows += rectangle.size.y; }
        }
      }
    }
    // Threads take their places in any order. The order of fragments makes no difference.
    workgroupBarrier();
    if (thread == 0u) {
      atomicStore(&groupCount, 0u);
      atomicStore(&groupRows, 0u);
    }
    workgroupBarrier();
    var place = 0u;
    var rowPlace = 0u;
    if (count > 0u) { place = atomicAdd(&groupCount, count); }
    if (rows > 0u) { rowPlace = atomicAdd(&groupRows, rows); }
    workgroupBarrier();
    if (thread == 0u) {
      sharedFirst = tooMany;
      // The counter cannot wrap. Each of at most 65,535 workgroups may add one more sum, of at most 256 · 3 · 64.
      // Together with the limit of 2^30 that is less than 2^32. If rectangles may be larger, there are few triangles
      // (sizes.ts).
      if (atomicLoad(&imageState[counterAt(fragmentsAt)]) < culling.mostFragments) {
        sharedFirst = atomicAdd(&imageState[counterAt(fragmentsAt)], atomicLoad(&groupCount));
      }
      sharedRow = atomicAdd(&imageState[counterAt(shortRowsAt)], atomicLoad(&groupRows));
    }
    place += workgroupUniformLoad(&sharedFirst);
    rowPlace += workgroupUniformLoad(&sharedRow);
    if (count + rows > 0u) {
      for (var view = 0u; view < culling.views; view++) {
        let rectangle = rectangles[view];
        if (rectangle.size.x == 0u) { continue; }
        if (!isSmall(rectangle)) {
          rowPlace = listRows(instance, rectangle, view, rowPlace);
          continue;
        }
        var seen = seenAlong(triangle, view);
        seen.first = rectangle.first;
        seen.last = seen.first + vec2i(rectangle.size) - 1;
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

struct FirstLook {
  owner: u32,
  /** Whether this look takes the triangle. */
  wanted: bool,
}

/**
 * The triangle's owner, and whether this look takes it. The first look also records whether the triangle lies where its
 * body may meet others.
 */
fn firstLook(instance: u32) -> FirstLook {
  let keepAll = atomicLoad(&imageState[keepAllAt]) == 1u;
  if (look == closeLook) {
    let owner = instances[instance].owner;
    let flags = atomicLoad(&instances[instance].flags);
    if ((flags & askedFlag) == 0u || !sawOverlap(flags, 0u)) { return FirstLook(owner, false); }
    let bodyFlags = atomicLoad(&bodyStates[bodyStateWords * bodyOfOwner(owner) + bodyFlagsAt]);
    return FirstLook(owner, !keepAll && sawOverlap(bodyFlags, 0u));
  }
  let body = bodyOfInstance(instance);
  let leaf = instance - placings[body].firstInstance;
  let owner = ownerOf(body, leaf);
  let asked = (atomicLoad(&bodyStates[bodyStateWords * body + bodyFlagsAt]) & askedFlag) != 0u;
  let near = asked && (keepAll || isNear(body, sceneCorners(body, leaf)));
  instances[instance].owner = owner;
  atomicStore(&instances[instance].flags, select(0u, askedFlag, near));
  if (near) { atomicAdd(&nearCount, 1u); }
  return FirstLook(owner, !keepAll && select(asked, near, look == partsLook));
}

/**
 * Pixels around a triangle in a view: it takes a place per pixel among the fragments, or lists its rows. Empty if its
 * size is 0.
 */
struct Rectangle {
  first: vec2i,
  size: vec2u,
}

fn isSmall(rectangle: Rectangle) -> bool {
  return rectangle.size.x * rectangle.size.y <= culling.mostPixels;
}

/** The triangle's bounding rectangle. If it is too long, its rows of tiles are listed here and the result is empty. */
fn placesOf(instance: u32, seen: ImageTriangle, view: u32) -> Rectangle {
  let size = vec2u(max(seen.last - seen.first + 1, vec2i(0)));
  if (size.x == 0u || size.y == 0u) { return Rectangle(); }
  let rectangle = Rectangle(seen.first, size);
  if (isSmall(rectangle) || max(size.x, size.y) <= culling.shortSide) { return rectangle; }
  let first = seen.first.y / tileSide;
  let rows = u32(seen.last.y / tileSide - first + 1);
  let place = atomicAdd(&imageState[counterAt(longRowsAt)], rows);
  for (var i = 0u; i < rows; i++) {
    if (place + i < arrayLength(&longRows)) {
      longRows[place + i] = vec2u(instance, (view << 28u) | (u32(first) + i));
    }
  }
  return Rectangle();
}

/** Lists the rows in consecutive places from `first`. Returns the place after them. */
fn listRows(instance: u32, rectangle: Rectangle, view: u32, first: u32) -> u32 {
  let room = arrayLength(&longRows);
  for (var i = 0u; i < rectangle.size.y; i++) {
    if (first + i < room) {
      longRows[room - 1u - first - i] = vec2u(instance, (view << 28u) | (u32(rectangle.first.y) + i));
    }
  }
  return first + rectangle.size.y;
}

/** Writes the pixels in consecutive places from `first`. Returns the place after them. */
fn writePixels(instance: u32, owner: u32, seen: ImageTriangle, view: u32, first: u32) -> u32 {
  var place = first;
  if (look == glanceLook) {
    // A triangle in so few coarse pixels spans little depth. Cutting it at the pixels' sides would cost more than it
    // gains.
    let depths = depthNumbers(wholeDepths(seen));
    for (var row = seen.first.y; row <= seen.last.y; row++) {
      for (var column = seen.first.x; column <= seen.last.x; column++) {
        writeFragment(place, pixelOf(view, column, row), depths, instance, owner);
        place++;
      }
    }
    return place;
  }
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

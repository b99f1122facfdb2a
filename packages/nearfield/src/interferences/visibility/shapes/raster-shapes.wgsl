// The fragments of the shapes that one view of a round shows, without the rasteriser: first all shapes enter their
// pixels, then each is tested against the nearest depth of all other owners. A fragment that is not wholly in front sets
// the flag of its body, or of its triangle, as a sample that passes an occlusion query in one of the two orders does
// (proof.md section 1).
//
// A workgroup takes 32 triangles. Its threads share the pixels of their rectangles evenly: threads beside one another
// take pixels beside one another, whatever the triangles' sizes. The strips of large shapes follow, one per workgroup.

override testing: bool;

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<uniform> drawing: Drawing;
@group(0) @binding(2) var<storage, read> drawnShapes: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> instances: array<Instance>;
/** The strips of large shapes (each-triangle.wgsl). */
@group(0) @binding(6) var<storage, read> longRows: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> pixels: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> otherPixels: array<u32>;

const shapesPerGroup = 32u;
const threadsPerGroup = 128u;

/** Where a shape's rectangle begins, its width, and the number of pixels of the shapes before it and of its own. */
var<workgroup> rectangles: array<vec4u, shapesPerGroup>;
var<workgroup> pixelCounts: array<u32, shapesPerGroup>;
/** The triangle and its owner; and the shape in this view. */
var<workgroup> shapes: array<vec2u, shapesPerGroup>;
var<workgroup> seenShapes: array<SeenShape, shapesPerGroup>;
/** One over the width of a rectangle. */
var<workgroup> inverseWidths: array<f32, shapesPerGroup>;
var<workgroup> overlaps: array<atomic<u32>, shapesPerGroup>;
var<workgroup> fragmentCount: atomic<u32>;
var<workgroup> stripCount: u32;

@compute @workgroup_size(threadsPerGroup)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  clearOther(group.x * threadsPerGroup + thread, groups.x * threadsPerGroup);
  if (thread == 0u) {
    // If there is no room for all strips, or images are too fine, the question is asked again.
    stripCount = min(atomicLoad(&imageState[counterAt(longRowsAt)]), arrayLength(&longRows));
    let isEnough = atomicLoad(&imageState[counterAt(fragmentsAt)]) >= culling.mostFragments;
    if (isEnough || atomicLoad(&imageState[keepAllAt]) == 1u) { stripCount = nobody; }
  }
  let strips = workgroupUniformLoad(&stripCount);
  if (strips == nobody) { return; }
  let chunks = (culling.instanceCount + shapesPerGroup - 1u) / shapesPerGroup;
  for (var work = group.x; work < chunks + strips; work += groups.x) {
    if (thread < shapesPerGroup) {
      if (work < chunks) { chooseTriangle(thread, work * shapesPerGroup + thread); }
      else { chooseStrip(thread, work - chunks); }
    }
    workgroupBarrier();
    if (thread < shapesPerGroup) {
      var end = 0u;
      for (var i = 0u; i <= thread; i++) { end += pixelCounts[i]; }
      rectangles[thread].w = end;
    }
    workgroupBarrier();
    visitPixels(thread);
    workgroupBarrier();
    if (testing && thread < shapesPerGroup && atomicLoad(&overlaps[thread]) != 0u) { setFlag(shapes[thread]); }
  }
  // The first round of a look has all its fragments.
  if (!testing && thread == 0u && drawing.round == select(0u, 1u, look == partsLook)) {
    atomicAdd(&imageState[counterAt(fragmentsAt)], atomicLoad(&fragmentCount));
  }
}

fn chooseTriangle(place: u32, instance: u32) {
  var rectangle: Rectangle;
  if (instance < culling.instanceCount && isShown(instance)) {
    rectangle = rectangleOf(instance, drawing.view);
    if (isLarge(rectangle)) { rectangle = Rectangle(); }
  }
  choose(place, instance, rectangle);
}

/** The first thread takes the strip, the others nothing. */
fn chooseStrip(place: u32, strip: u32) {
  let listed = longRows[strip];
  var rectangle: Rectangle;
  if (place == 0u && (listed.y >> 28u) == drawing.view && isShown(listed.x)) {
    let whole = rectangleOf(listed.x, drawing.view);
    let begin = (listed.y & 0xfffffffu) * u32(tileSide);
    let first = max(begin, whole.first.y);
    let end = min(begin + u32(tileSide), whole.first.y + whole.size.y);
    if (first < end) { rectangle = Rectangle(vec2u(whole.first.x, first), vec2u(whole.size.x, end - first)); }
  }
  choose(place, listed.x, rectangle);
}

fn isShown(instance: u32) -> bool {
  let bodyFlags = atomicLoad(&bodyStates[bodyStateWords * instances[instance].owner + bodyFlagsAt]);
  let flags = atomicLoad(&instances[instance].flags);
  if (!takesPart(flags, bodyFlags)) { return false; }
  return !testing || (select(flags, bodyFlags, drawing.round == 0u) & passedFlag()) == 0u;
}

fn choose(place: u32, instance: u32, rectangle: Rectangle) {
  let count = rectangle.size.x * rectangle.size.y;
  rectangles[place] = vec4u(rectangle.first, rectangle.size.x, 0u);
  pixelCounts[place] = count;
  if (count > 0u) {
    shapes[place] = vec2u(instance, instances[instance].owner);
    seenShapes[place] = seenShape(instance, drawing.view);
    inverseWidths[place] = 1.0 / f32(rectangle.size.x);
  }
  atomicStore(&overlaps[place], 0u);
}

fn visitPixels(thread: u32) {
  let count = rectangles[shapesPerGroup - 1u].w;
  var entered = 0u;
  for (var k = thread; k < count; k += threadsPerGroup) {
    // The first shape that ends after k.
    var place = 0u;
    for (var step = shapesPerGroup / 2u; step > 0u; step /= 2u) {
      if (rectangles[place + step - 1u].w <= k) { place += step; }
    }
    if (testing && atomicLoad(&overlaps[place]) != 0u) { continue; }
    let rectangle = rectangles[place];
    let own = k - (rectangle.w - pixelCounts[place]);
    // The quotient is half a step from any integer, over the width. A rectangle has fewer than 2^20 pixels, so rounding
    // is less.
    let row = u32((f32(own) + 0.5) * inverseWidths[place]);
    let at = rectangle.xy + vec2u(own - row * rectangle.z, row);
    let depths = depthsOnLine(seenShapes[place], vec2f(at));
    if (depths.x > depths.y) { continue; }
    let owner = shapes[place].y;
    let pixel = (drawing.view * culling.resolution + at.y) * culling.resolution + at.x;
    if (testing) {
      if (depths.y >= nearestOther(pixel, owner)) { atomicStore(&overlaps[place], 1u); }
    } else {
      insert(pixel, depths.x, owner);
      entered++;
    }
  }
  if (entered > 0u) { atomicAdd(&fragmentCount, entered); }
}

/** Flags the body, or the triangle. */
fn setFlag(shape: vec2u) {
  if (drawing.round > 0u) {
    atomicOr(&instances[shape.x].flags, passedFlag());
    return;
  }
  let at = bodyStateWords * shape.y + bodyFlagsAt;
  if ((atomicLoad(&bodyStates[at]) & passedFlag()) == 0u) { atomicOr(&bodyStates[at], passedFlag()); }
}

/** Clears the view's pixels of the round before, which the next round uses. */
fn clearOther(thread: u32, threads: u32) {
  if (testing || drawing.round == 0u || drawing.round == lastRound) { return; }
  let words = pixelWords * culling.resolution * culling.resolution;
  for (var i = thread; i < words; i += threads) { otherPixels[drawing.view * words + i] = nobody; }
}

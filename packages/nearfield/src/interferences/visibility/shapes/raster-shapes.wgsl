// The fragments of the shapes that one view of a round shows, without the rasteriser: first all shapes enter their
// pixels, then each is tested against the nearest depth of all other owners. A fragment that is not wholly in front sets
// the flag of its body, or of its triangle, as a sample that passes an occlusion query in one of the two orders does
// (proof.md section 1).
//
// A team of 16 threads takes one shape at a time. Threads beside one another take pixels beside one another, and no
// thread waits for those of other teams. Large shapes follow, in parts: every visit to a pixel waits for memory, so a
// thread should have few pixels, even if that makes more items.

override testing: bool;

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<uniform> drawing: Drawing;
@group(0) @binding(2) var<storage, read> drawnShapes: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> instances: array<Instance>;
/** The parts of large shapes (each-triangle.wgsl). */
@group(0) @binding(6) var<storage, read> longRows: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> pixels: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> otherPixels: array<u32>;

const teamSize = 16u;
const teamsPerGroup = 8u;

var<workgroup> fragmentCount: atomic<u32>;

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  clearOther(group.x * teamSize * teamsPerGroup + thread, groups.x * teamSize * teamsPerGroup);
  // If there is no room for all parts, or images are too fine, the question is asked again.
  let isEnough = atomicLoad(&imageState[counterAt(fragmentsAt)]) >= culling.mostFragments;
  if (!isEnough && atomicLoad(&imageState[keepAllAt]) == 0u) {
    let parts = min(atomicLoad(&imageState[counterAt(longRowsAt)]), arrayLength(&longRows));
    let teams = groups.x * teamsPerGroup;
    var entered = 0u;
    for (var item = group.x * teamsPerGroup + thread / teamSize; item < culling.instanceCount + parts; item += teams) {
      entered += visit(item, thread % teamSize);
    }
    if (entered > 0u) { atomicAdd(&fragmentCount, entered); }
  }
  workgroupBarrier();
  // The first round of a look has all its fragments.
  if (!testing && thread == 0u && drawing.round == select(0u, 1u, look == partsLook)) {
    atomicAdd(&imageState[counterAt(fragmentsAt)], atomicLoad(&fragmentCount));
  }
}

/** Visits a thread's share of a shape, or of a part of a large one. Returns the number of fragments entered. */
fn visit(item: u32, thread: u32) -> u32 {
  let isPart = item >= culling.instanceCount;
  var instance = item;
  var part = 0u;
  if (isPart) {
    let listed = longRows[item - culling.instanceCount];
    if ((listed.y >> 28u) != drawing.view) { return 0u; }
    instance = listed.x;
    part = listed.y & 0xfffffffu;
  }
  let owner = instances[instance].owner;
  if (!isShown(instance, owner)) { return 0u; }
  var rectangle = rectangleOf(instance, drawing.view);
  // A large shape is visited in parts. Parts are also listed of shapes that turn out not to be large: skip those.
  if (isPart != isLarge(rectangle)) { return 0u; }
  if (isPart) { rectangle = partOf(rectangle, part); }
  let count = rectangle.size.x * rectangle.size.y;
  if (thread >= count) { return 0u; }
  let seen = seenShape(instance, drawing.view);
  let inverseWidth = 1.0 / f32(rectangle.size.x);
  var entered = 0u;
  for (var k = thread; k < count; k += teamSize) {
    // The quotient is half a step from any integer, over the width. A rectangle has fewer than 2^20 pixels, so rounding
    // is less.
    let row = u32((f32(k) + 0.5) * inverseWidth);
    let at = rectangle.first + vec2u(k - row * rectangle.size.x, row);
    let depths = depthsOnLine(seen, vec2f(at));
    if (depths.x > depths.y) { continue; }
    let pixel = (drawing.view * culling.resolution + at.y) * culling.resolution + at.x;
    if (!testing) {
      insert(pixel, depths.x, owner);
      entered++;
    } else if (depths.y >= nearestOther(pixel, owner)) {
      setFlag(instance, owner);
      break;
    }
  }
  return entered;
}

/** A part as listed, without the view. It is empty if the rectangle that was divided reached farther than this one. */
fn partOf(rectangle: Rectangle, part: u32) -> Rectangle {
  let parts = (part >> 25u) + 1u;
  let place = (part >> 22u) & 7u;
  let strip = part & 0x3fffffu;
  let first = max(strip * u32(tileSide), rectangle.first.y);
  let end = min((strip + 1u) * u32(tileSide), rectangle.first.y + rectangle.size.y);
  let left = place * rectangle.size.x / parts;
  let right = (place + 1u) * rectangle.size.x / parts;
  if (first >= end) { return Rectangle(); }
  return Rectangle(vec2u(rectangle.first.x + left, first), vec2u(right - left, end - first));
}

/** Whether the view shows the triangle; and, if shapes are tested, whether its flag is not set yet. */
fn isShown(instance: u32, owner: u32) -> bool {
  let bodyFlags = atomicLoad(&bodyStates[bodyStateWords * owner + bodyFlagsAt]);
  let flags = atomicLoad(&instances[instance].flags);
  if (!takesPart(flags, bodyFlags)) { return false; }
  return !testing || (select(flags, bodyFlags, drawing.round == 0u) & passedFlag()) == 0u;
}

/** Flags the body, or the triangle. */
fn setFlag(instance: u32, owner: u32) {
  if (drawing.round > 0u) {
    if ((atomicLoad(&instances[instance].flags) & passedFlag()) == 0u) {
      atomicOr(&instances[instance].flags, passedFlag());
    }
    return;
  }
  let at = bodyStateWords * owner + bodyFlagsAt;
  if ((atomicLoad(&bodyStates[at]) & passedFlag()) == 0u) { atomicOr(&bodyStates[at], passedFlag()); }
}

/** Clears the view's pixels of the round before, which the next round uses. */
fn clearOther(thread: u32, threads: u32) {
  if (testing || drawing.round == 0u || drawing.round == lastRound) { return; }
  let words = pixelWords * culling.resolution * culling.resolution;
  for (var i = thread; i < words; i += threads) { otherPixels[drawing.view * words + i] = nobody; }
}

// The fragments of a pixel, as every kernel after the raster reads them. They are unordered lists in the kernel's
//   var<storage, read> heads: array<u32>,  var<storage, read> fragments: array<vec4u>,
//   var<uniform> raster: RasterQuestion.
// Code that depends on their order sorts them (sort-lists.wgsl) by the key (depth, side, entering before leaving,
// leaf), so that the result does not depend on which thread came first. If rasterState[fragmentsAt] is more than raster.fragmentRoom or
// rasterState[stripsAt] more than raster.stripRoom, lists are incomplete: kernels return at once, and everything runs
// again with a larger capacity.

/** The end of a list. */
const noFragment = 0xffffffffu;

/** The first fragment of a pixel's list: the nearest if the list is sorted (sort-lists.wgsl), else any. */
fn firstOf(pixel: u32) -> u32 { return heads[pixel] - 1u; }

/** The one after it in the list. */
fn nextOf(fragment: u32) -> u32 { return fragments[fragment].x - 1u; }

fn depthOfFragment(fragment: u32) -> i32 { return bitcast<i32>(fragments[fragment].y); }

/** 1 if tiles have groups of bodies: a fragment's side is then its index among all sides. */
override isGrouped: u32 = 0u;

/** 0 for the tile's first body, 1 for its second; in a tile of a group, the index of the side. */
fn sideOfFragment(fragment: u32) -> u32 {
  if (isGrouped == 1u) { return fragments[fragment].w; }
  return (fragments[fragment].z >> 1u) & 1u;
}

/** The change of the winding number along the view's direction: 1 if the body is entered, −1 if it is left. */
fn stepOfFragment(fragment: u32) -> i32 { return 1 - 2 * i32(fragments[fragment].z & 1u); }

/** The index among all leaves; `order` maps it to its triangle. */
fn leafOfFragment(fragment: u32) -> u32 { return fragments[fragment].z >> 2u; }

/** Tells whether single precision could not decide what the pixel's line crosses: then its list must not be used. */
fn isUnsure(pixel: u32) -> bool {
  return ((heads[raster.pixelCount + (pixel >> 5u)] >> (pixel & 31u)) & 1u) == 1u;
}

/** The winding number of a body just before a depth: the sum over its fragments in front of it. */
fn windingBefore(pixel: u32, side: u32, depth: i32) -> i32 {
  var winding = 0;
  for (var at = firstOf(pixel); at != noFragment; at = nextOf(at)) {
    if (sideOfFragment(at) == side && depthOfFragment(at) < depth) { winding += stepOfFragment(at); }
  }
  return winding;
}

/** The rest of the key: side, entering before leaving, leaf. */
fn orderOf(fragment: vec4u) -> u32 { return ((fragment.z & 3u) << 30u) | (fragment.z >> 2u); }

fn comesBefore(a: vec4u, b: vec4u) -> bool {
  let depthA = bitcast<i32>(a.y);
  let depthB = bitcast<i32>(b.y);
  if (depthA != depthB) { return depthA < depthB; }
  // Bodies of one mesh have the same leaves.
  if (isGrouped == 1u && a.w != b.w) { return a.w < b.w; }
  return orderOf(a) < orderOf(b);
}

struct CommonStretch {
  /**
   * The longest stretch in which both bodies' winding numbers are nonzero; start and end are equal if there is none.
   */
  start: i32,
  end: i32,
  /** The total length of all such stretches, and how many there are. */
  total: u32,
  count: u32,
  /** Both bodies' winding numbers behind everything: nonzero if a body is not closed. */
  leftA: i32,
  leftB: i32,
}

/** The part of a pixel's line that lies in both bodies. The list must be sorted. */
fn commonStretch(pixel: u32) -> CommonStretch {
  var found = CommonStretch(0, 0, 0u, 0u, 0, 0);
  var winding = vec2i(0);
  var start = 0;
  for (var at = firstOf(pixel); at != noFragment; at = nextOf(at)) {
    let wasCommon = all(winding != vec2i(0));
    winding[sideOfFragment(at)] += stepOfFragment(at);
    let isCommon = all(winding != vec2i(0));
    let depth = depthOfFragment(at);
    if (isCommon && !wasCommon) { start = depth; }
    if (wasCommon && !isCommon && depth > start) {
      found.total += u32(depth - start);
      found.count += 1u;
      if (depth - start > found.end - found.start) {
        found.start = start;
        found.end = depth;
      }
    }
  }
  found.leftA = winding.x;
  found.leftB = winding.y;
  return found;
}

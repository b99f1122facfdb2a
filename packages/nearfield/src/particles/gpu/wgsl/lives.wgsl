// The stored state of every particle, and how kernels read and write it. Per particle: two ticks, between which its
// segment holds without an impact; a row of four words (collider | impacts so far << 16, generation, phase | leaf << 4,
// width of the next impact's time in ticks); and if particles bounce or are stepped, three rows of its segment.

@group(0) @binding(0) var<uniform> system: System;
@group(0) @binding(1) var<uniform> window: Window;
@group(0) @binding(3) var<storage, read_write> lives: array<vec4u>;
@group(0) @binding(4) var<storage, read> starts: array<vec4u>;

const noCollider = 0xffffu;

struct Segment {
  path: Path,
  /** The ticks since birth at which it begins, and the error of that in units of time. */
  since: u32,
  timeError: f32,
  /** The collider it left, and the leaf of its tree. */
  left: u32,
  leaf: u32,
  /** The side of that collider on which it is right after a bounce: 1 in front, −1 behind. Not stored. */
  side: i32,
}

/**
 * The segment of a life after `impacts` impacts. With stepped motion it is the stored one, whose path is made of its
 * integers.
 */
fn segmentOf(index: u32, generation: u32, impacts: u32) -> Segment {
  let start = startOf(index, generation);
  if ((impacts == 0u && system.stepTicks == 0u) || system.stride == 1u) {
    let path = pathOf(start.x, start.v, start.a, start.errorX, start.errorV, start.errorA);
    return Segment(path, 0u, 0.0, noCollider, noLeaf, 0);
  }
  let row = 4u * index;
  let place = lives[row + 1u];
  let velocity = lives[row + 2u];
  let errors = lives[row + 3u];
  let path = pathOf(bitcast<vec3f>(place.xyz), bitcast<vec3f>(velocity.xyz), start.a,
    bitcast<f32>(errors.x), bitcast<f32>(errors.y), start.errorA);
  return Segment(path, place.w, bitcast<f32>(errors.z), velocity.w & 0xffffu, errors.w & noLeaf, 0);
}

fn storeSegment(index: u32, segment: Segment) {
  let row = 4u * index;
  lives[row + 1u] = vec4u(bitcast<vec3u>(segment.path.x), segment.since);
  lives[row + 2u] = vec4u(bitcast<vec3u>(segment.path.v), segment.left);
  lives[row + 3u] = vec4u(bitcast<vec3u>(vec3f(segment.path.errorX, segment.path.errorV, segment.timeError)), segment.leaf);
}

// Converts points from the bits of doubles to whole numbers of units relative to the body's local origin (cloud.ts), and
// finds the box of those that are not too far away for that.

@group(0) @binding(0) var<uniform> layers: array<Cloud, 1>;
/** Three doubles per point, low words first. */
@group(0) @binding(1) var<storage, read> doubles: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> points: array<i32>;
/** The least and the largest coordinates, the number of points that are too far away, and of those that are not finite. */
@group(0) @binding(3) var<storage, read_write> extent: array<atomic<i32>, 8>;

/** Marks a point that is too far away, in place of its first coordinate. */
const tooFar = 0x7fffffff;

var<workgroup> groupExtent: array<atomic<i32>, 8>;

@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (thread < 8u) { atomicStore(&groupExtent[thread], select(select(0, -tooFar, thread < 6u), tooFar, thread < 3u)); }
  workgroupBarrier();
  for (var i = id.x; i < layers[0].pointCount; i += groups.x * 256u) { placePoint(i); }
  workgroupBarrier();
  if (thread < 8u) {
    let value = atomicLoad(&groupExtent[thread]);
    if (thread < 3u) { atomicMin(&extent[thread], value); }
    else if (thread < 6u) { atomicMax(&extent[thread], value); }
    else if (value > 0) { atomicAdd(&extent[thread], value); }
  }
}

fn placePoint(i: u32) {
  var place = vec3i(0);
  var isFinite = true;
  for (var axis = 0u; axis < 3u; axis++) {
    let bits = doubles[3u * i + axis];
    let centre = vec2u(layers[0].centreLow[axis], layers[0].centreHigh[axis]);
    if ((bits.y & 0x7ff00000u) == 0x7ff00000u) {
      isFinite = false;
    } else {
      place[axis] = rounded(subtractDoubles(decodeDouble(bits), decodeDouble(centre)), layers[0].scale);
    }
  }
  if (!isFinite) { atomicAdd(&groupExtent[7], 1); }
  if (any(abs(place) >= vec3i(tooLarge))) {
    atomicAdd(&groupExtent[6], 1);
    points[3u * i] = tooFar;
    return;
  }
  for (var axis = 0u; axis < 3u; axis++) {
    points[3u * i + axis] = place[axis];
    atomicMin(&groupExtent[axis], place[axis]);
    atomicMax(&groupExtent[3u + axis], place[axis]);
  }
}

// Lists leaf pairs that may be the nearest, each with a lower bound on its distance, and goes on lowering the bound.
// If triangles meet or may meet, no direction separates them, and the filter in
// math/triangles/triangle-triangle.wgsl, which tries more directions, does not find them apart either.

/** The candidate, the two leaves, the bits of the lower bound. */
@group(0) @binding(6) var<storage, read_write> listed: array<vec4u>;

var<private> triangleTests = 0u;

fn visitLeaves(candidate: u32, leafA: u32, leafB: u32, bound: f32) {
  triangleTests++;
  let distance = leafDistance(candidate, leafA, leafB, bound);
  if (distance.least > bound) { return; }
  if (distance.least <= 0.0) {
    let known = testLeaves(candidate, leafA, leafB);
    if (known == unsure) { lowerBound(candidate, 0.0); }
    if (known == meeting) { atomicMax(&results[resultHead + candidate], meetingWord); }
    if (known != separate) { return; }
  }
  if (distance.most < bound) { lowerBound(candidate, distance.most); }
  let place = atomicAdd(&results[listedAt], 1u);
  if (place < arrayLength(&listed)) {
    listed[place] = vec4u(candidate, leafA, leafB, bitcast<u32>(max(distance.least, 0.0)));
  }
}

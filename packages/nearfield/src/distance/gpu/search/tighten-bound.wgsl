// Every leaf pair that is visited lowers the bound.

var<private> triangleTests = 0u;

fn visitLeaves(candidate: u32, leafA: u32, leafB: u32, bound: f32) {
  triangleTests++;
  let distance = leafDistance(candidate, leafA, leafB, bound);
  if (distance.most < bound) { lowerBound(candidate, distance.most); }
}

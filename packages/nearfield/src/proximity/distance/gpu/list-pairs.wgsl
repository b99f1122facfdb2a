// Leaf pairs that may be the nearest go to the list. The bound is final, unless triangles meet or may: no direction
// separates them, and the filter of math/triangle-triangle.wgsl, which tries more, does not find them apart.

@group(0) @binding(6) var<storage, read> order: array<u32>;
@group(0) @binding(7) var<storage, read_write> nearPairs: array<u32>;

var<private> triangleTests = 0u;

fn visitLeaves(candidate: u32, leafA: u32, leafB: u32, bound: f32) {
  triangleTests++;
  let pair = leafPair(candidate, leafA, leafB);
  let least = triangleDistance(pair, bound).least;
  if (least > bound) { return; }
  if (least <= 0.0 && trianglesMeet(pair) != separate) {
    lowerBound(candidate, 0.0);
    return;
  }
  let place = atomicAdd(&results[certainAt], 1u);
  if (place < arrayLength(&nearPairs) / 3u) {
    nearPairs[3u * place] = candidate;
    nearPairs[3u * place + 1u] = order[frames[candidate].leafOffsetA + leafA];
    nearPairs[3u * place + 2u] = order[frames[candidate].leafOffsetB + leafB];
  }
}

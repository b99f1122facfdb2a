// The work for one mesh against itself, in two parts that are stored as two candidates. The first takes the surviving
// triangles through the whole tree. The second takes every triangle through its own patch, about which images say
// nothing.

@group(0) @binding(6) var<uniform> culling: Culling;
@group(0) @binding(7) var<storage, read> survivors: array<u32>;

fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  if (pair == 0u) {
    let walkers = survivors[a];
    return walkers << spreadWalk(pair, pairCount, a, b, 0u, max(1u, walkers));
  }
  // A leaf's part of the tree is its patch.
  frames[pair].walker = 0u;
  frames[pair].halvings = bodies[a].depth - min(bodies[a].depth, culling.patchHeight);
  return bodies[a].leafCount;
}

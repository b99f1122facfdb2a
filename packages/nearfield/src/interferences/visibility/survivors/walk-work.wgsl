// The work of a walk: the surviving triangles of the body that has fewer walk through the other's tree.

fn survivorWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let countA = survivors[a];
  let countB = survivors[b];
  let walkers = max(1u, min(countA, countB));
  return walkers << spreadWalk(pair, pairCount, a, b, select(1u, 0u, countA <= countB), walkers);
}

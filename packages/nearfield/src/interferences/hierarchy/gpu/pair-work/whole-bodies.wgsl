// What there is to do for a pair of bodies that may meet, all their triangles taken.

/** How many threads the walk gives the pair, 0 where the bodies are separate. */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let walker = select(1u, 0u, bodies[a].leafCount <= bodies[b].leafCount);
  let walkers = min(bodies[a].leafCount, bodies[b].leafCount);
  let halvings = spreadWalk(pair, pairCount, a, b, walker, walkers);
  if (walkers == 0u) { return 0u; }
  if (query.bruteForce == 1u) {
    return bodies[a].leafCount * ((bodies[b].leafCount + bruteForceRun - 1u) / bruteForceRun);
  }
  if (bodiesApart(pair, a, b)) { return 0u; }
  return walkers << halvings;
}

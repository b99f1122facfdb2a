// The work for a pair of bodies that may meet, if no triangles are left out.

/** The number of threads for the pair's walk, 0 if the bodies are apart. */
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

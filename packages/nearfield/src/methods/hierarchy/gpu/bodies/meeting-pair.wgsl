// What there is to do for a pair of bodies that may meet.

/** The pair's unit is the larger body's. */
fn pairExponent(a: u32, b: u32) -> i32 {
  return max(bodies[a].exponent, bodies[b].exponent);
}

/** How many threads the walk gives the pair, 0 where the bodies are separate. */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let walker = select(1u, 0u, bodies[a].leafCount <= bodies[b].leafCount);
  let walkers = min(bodies[a].leafCount, bodies[b].leafCount);
  var halvings = 0u;
  let most = max(bodies[a].depth, bodies[b].depth);
  // Against itself a body has half the pairs, and its walks are half as long.
  let threads = query.threads >> query.selfTest;
  while (halvings < most && walkers * pairCount < (threads >> (halvings + 1u))) { halvings++; }
  frames[pair].walker = walker;
  frames[pair].halvings = halvings;
  if (walkers == 0u) { return 0u; }
  if (query.bruteForce == 1u) {
    return bodies[a].leafCount * ((bodies[b].leafCount + bruteForceRun - 1u) / bruteForceRun);
  }
  if (frames[pair].far == 1u) { return 0u; }
  let boxA = boxBetween(bodies[a].low.xyz, bodies[a].high.xyz);
  let boxB = boxBetween(bodies[b].low.xyz, bodies[b].high.xyz);
  if (facesSeparate(boxA, boxB, frames[pair].into[0], frames[pair].into[1], frames[pair].into[2],
    frames[pair].slack[0].xyz)) { return 0u; }
  if (facesSeparate(boxB, boxA, frames[pair].into[3], frames[pair].into[4], frames[pair].into[5],
    frames[pair].slack[1].xyz)) { return 0u; }
  return walkers << halvings;
}

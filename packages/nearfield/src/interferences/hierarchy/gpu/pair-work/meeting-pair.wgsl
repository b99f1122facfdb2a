// Two bodies that may meet: their unit, whether their boxes are apart, and how many threads a walk is spread over. What
// there is to do for the pair is said by the module that defines `pairWork`.

/** The pair's unit is the larger body's. */
fn pairExponent(a: u32, b: u32) -> i32 {
  return max(bodies[a].exponent, bodies[b].exponent);
}

/** Whether a face direction of one body's box certainly separates the two. */
fn bodiesApart(pair: u32, a: u32, b: u32) -> bool {
  if (frames[pair].far == 1u) { return true; }
  let boxA = boxBetween(bodies[a].low.xyz, bodies[a].high.xyz);
  let boxB = boxBetween(bodies[b].low.xyz, bodies[b].high.xyz);
  return facesSeparate(boxA, boxB, frames[pair].into[0], frames[pair].into[1], frames[pair].into[2],
      frames[pair].slack[0].xyz)
    || facesSeparate(boxB, boxA, frames[pair].into[3], frames[pair].into[4], frames[pair].into[5],
      frames[pair].slack[1].xyz);
}

/** The word of the results that a candidate begins with. */
fn firstWord(items: u32) -> u32 {
  return select(0u, apartWord, items == 0u);
}

/** Which side walks, and over how many parts of the other's tree its leaves are spread: returns how many times withoutTwos. */
fn spreadWalk(pair: u32, pairCount: u32, a: u32, b: u32, walker: u32, walkers: u32) -> u32 {
  var halvings = 0u;
  let most = select(bodies[a].depth, bodies[b].depth, walker == 0u);
  // Against itself a body has half the pairs, and its walks are half as long.
  let threads = query.threads >> query.selfTest;
  while (halvings < most && walkers * pairCount < (threads >> (halvings + 1u))) { halvings++; }
  frames[pair].walker = walker;
  frames[pair].halvings = halvings;
  return halvings;
}

// What there is to do for a pair of bodies that may meet, of whose triangles some are left.

@group(0) @binding(6) var<storage, read> bodyStates: array<u32>;
@group(0) @binding(7) var<storage, read> survivors: array<u32>;

/**
 * How many threads the walk gives the pair; 0 only where the bodies have no point in common, not even solids within:
 * where both are left but none of their triangles, one may hold the other.
 */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let flags = bodyStates[bodyStateWords * a + bodyFlagsAt] & bodyStates[bodyStateWords * b + bodyFlagsAt];
  let countA = survivors[a];
  let countB = survivors[b];
  let walkers = max(1u, min(countA, countB));
  let halvings = spreadWalk(pair, pairCount, a, b, select(1u, 0u, countA <= countB), walkers);
  if ((flags & leftFlag) == 0u || bodiesApart(pair, a, b)) { return 0u; }
  return walkers << halvings;
}

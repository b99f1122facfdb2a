// The work for a pair of bodies that may meet and have surviving triangles.

@group(0) @binding(6) var<storage, read> bodyStates: array<u32>;
@group(0) @binding(7) var<storage, read> survivors: array<u32>;

/**
 * The number of threads that work for this pair. It is 0 only if the bodies have no common point, solids included.
 * If both bodies survive but none of their triangles does, one may contain the other, so the pair keeps a thread.
 */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let flags = bodyStates[bodyStateWords * a + bodyFlagsAt] & bodyStates[bodyStateWords * b + bodyFlagsAt];
  let work = survivorWork(pair, pairCount, a, b);
  if ((flags & leftFlag) == 0u || bodiesApart(pair, a, b)) { return 0u; }
  return work;
}

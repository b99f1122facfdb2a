// Which pairs of bodies are left, where triangles are not asked about.

@group(0) @binding(6) var<storage, read> bodyStates: array<u32>;

/** 1 where both are left, 0 where they are farther apart than was asked. */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  // Nothing walks; the frame is left as whole as any.
  spreadWalk(pair, pairCount, a, b, 0u, query.bodyCount);
  let flags = bodyStates[bodyStateWords * a + bodyFlagsAt] & bodyStates[bodyStateWords * b + bodyFlagsAt];
  return select(0u, 1u, (flags & leftFlag) != 0u);
}

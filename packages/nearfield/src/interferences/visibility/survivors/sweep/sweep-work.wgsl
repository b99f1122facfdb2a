// The work of a sweep over the surviving triangles of two bodies: one thread per triangle of either. If one of them has
// none, a thread is kept all the same, since one body may contain the other.

fn survivorWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  // A kernel binds what it names, and a sweep need not be spread over the query's threads.
  _ = query.threads;
  let countA = survivors[a];
  let countB = survivors[b];
  return select(countA + countB, 1u, min(countA, countB) == 0u);
}

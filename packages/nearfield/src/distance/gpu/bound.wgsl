// The distance a pair of bodies certainly does not exceed, shared by all threads and only ever lowered. A candidate's
// cell holds the complement of the bits of a float, so that 0, with which it begins, is no bound at all.

fn boundOf(candidate: u32) -> f32 {
  return boundWithin(candidate, bitcast<f32>(frames[candidate].linear[0].w));
}

/** The same, where it is known how far to look. */
fn boundWithin(candidate: u32, reach: f32) -> f32 {
  let bits = ~atomicLoad(&results[resultHead + candidate]);
  if (bits >= 0x7f000000u) { return reach; }
  return min(reach, bitcast<f32>(bits));
}

/** 0 says that triangles meet or may. */
fn lowerBound(candidate: u32, distance: f32) {
  atomicMax(&results[resultHead + candidate], ~bitcast<u32>(distance));
}

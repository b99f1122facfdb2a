// An upper bound on the distance of a pair of bodies, shared by all threads and only ever lowered. A candidate's word
// holds the complement of a float's bits, so that its initial 0 means no bound at all. If triangles certainly meet, these
// are the bits of 0; if they may meet, those of the next float, which counts as 0 too.

const meetingWord = 0xffffffffu;

fn boundOf(candidate: u32) -> f32 {
  return boundWithin(candidate, bitcast<f32>(frames[candidate].linear[0].w));
}

/** The same, if the farthest distance to search is known. */
fn boundWithin(candidate: u32, reach: f32) -> f32 {
  let bits = ~atomicLoad(&results[resultHead + candidate]);
  if (bits >= 0x7f000000u) { return reach; }
  if (bits <= 1u) { return 0.0; }
  return min(reach, bitcast<f32>(bits));
}

/** Lowers the bound. 0 means that triangles may meet. */
fn lowerBound(candidate: u32, distance: f32) {
  atomicMax(&results[resultHead + candidate], ~max(bitcast<u32>(distance), 1u));
}

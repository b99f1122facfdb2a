// Two surviving triangles whose boxes are no farther apart than the clearance: one such pair is enough. The candidate's
// word of the results records it.

fn keepLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  atomicStore(&results[resultHead + candidate], 1u);
  return false;
}

fn isSettled(candidate: u32) -> bool {
  return atomicLoad(&results[resultHead + candidate]) == 1u;
}

fn betweenWalks(thread: u32) {}

fn finishLeaves(thread: u32) {}

// Two triangles that are left, and whose boxes are no farther apart than was asked: one such pair is enough. The candidate's
// word of the results says so.

fn keepLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  atomicStore(&results[resultHead + candidate], 1u);
  return false;
}

fn isSettled(candidate: u32) -> bool {
  return atomicLoad(&results[resultHead + candidate]) == 1u;
}

fn betweenWalks(thread: u32) {}

fn finishLeaves(thread: u32) {}

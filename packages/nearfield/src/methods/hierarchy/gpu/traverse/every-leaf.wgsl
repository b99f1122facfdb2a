// Every leaf pair found is kept, and no candidate has enough before its walk ends.

fn visitLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  return keepLeaves(candidate, leafA, leafB);
}

fn isSettled(candidate: u32) -> bool {
  return false;
}

fn beginVisits(candidate: u32) {}

fn endVisits(candidate: u32) {}

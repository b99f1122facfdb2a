// Every leaf pair found is collected.

fn visitLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  return keepLeaves(candidate, leafA, leafB);
}

fn beginVisits(candidate: u32) {}

fn endVisits(candidate: u32) {}

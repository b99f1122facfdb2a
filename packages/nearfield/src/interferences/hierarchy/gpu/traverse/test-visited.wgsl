// For a walk that only asks whether bodies meet: leaf pairs are tested as they are found, none is listed, and all
// threads of a candidate stop once enough is known about it.

@group(0) @binding(6) var<storage, read> order: array<u32>;
@group(0) @binding(7) var<storage, read_write> certainPairs: array<u32>;
@group(0) @binding(8) var<storage, read_write> unsurePairs: array<u32>;

var<workgroup> groupTests: atomic<u32>;

var<private> testCount = 0u;

fn visitLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  if (isDone(candidate)) { return false; }
  testCount++;
  let verdict = testLeaves(candidate, leafA, leafB);
  record(candidate, leafA, leafB, verdict);
  return verdict != meeting;
}

fn beginVisits(candidate: u32) {}

fn endVisits(candidate: u32) {}

fn betweenWalks(thread: u32) {}

/** Adds up the tests. Call in uniform control flow, once. */
fn finishLeaves(thread: u32) {
  if (testCount > 0u) { atomicAdd(&groupTests, testCount); }
  workgroupBarrier();
  if (thread == 0u) {
    let tests = atomicLoad(&groupTests);
    if (tests > 0u) { atomicAdd(&results[triangleTestsAt], tests); }
  }
}

fn isSettled(candidate: u32) -> bool {
  return isDone(candidate);
}

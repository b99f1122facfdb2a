// Finds the candidate that a work item belongs to. For each candidate, `workItems` holds the sum of all before it.

fn candidateOfItem(item: u32, candidateCount: u32) -> u32 {
  var low = 0u;
  var high = candidateCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (workItems[middle] <= item) { low = middle; } else { high = middle; }
  }
  return low;
}

// Finds the shape of a batch that a triangle or a vertex belongs to.

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> jobs: array<Job>;

fn jobOfTriangle(triangle: u32) -> u32 {
  var low = 0u;
  var high = batch.jobCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (jobs[middle].first <= triangle) { low = middle; } else { high = middle; }
  }
  return low;
}

fn jobOfVertex(vertex: u32) -> u32 {
  var low = 0u;
  var high = batch.jobCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (jobs[middle].firstVertex <= vertex) { low = middle; } else { high = middle; }
  }
  return low;
}

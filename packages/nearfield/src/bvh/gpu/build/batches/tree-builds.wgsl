// Finds the shape of a batch that a triangle or a vertex belongs to.

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> treeBuilds: array<TreeBuild>;

fn buildOfTriangle(triangle: u32) -> u32 {
  var low = 0u;
  var high = batch.buildCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (treeBuilds[middle].first <= triangle) { low = middle; } else { high = middle; }
  }
  return low;
}

fn buildOfVertex(vertex: u32) -> u32 {
  var low = 0u;
  var high = batch.buildCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (treeBuilds[middle].firstVertex <= vertex) { low = middle; } else { high = middle; }
  }
  return low;
}

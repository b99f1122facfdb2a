// Windows of samples and their columns.

fn windowOf(column: u32) -> u32 {
  var low = 0u;
  var high = sweep.windowCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (windows[middle].size.w <= column) { low = middle; } else { high = middle; }
  }
  return low;
}

/** How many layers a sample must lie in to count. */
fn neededLayers(rule: u32) -> i32 {
  return select(1, 2, rule == 0u);
}

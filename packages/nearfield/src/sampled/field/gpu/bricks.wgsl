// The bricks of windows: cubes of samples.

fn windowOfBrick(brick: u32) -> u32 {
  var low = 0u;
  var high = sweep.windowCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (windows[middle].bricks.w <= brick) { low = middle; } else { high = middle; }
  }
  return low;
}

/** The first sample of a brick in its window. */
fn cornerOf(number: u32, brick: u32) -> vec3u {
  let along = windows[number].bricks;
  let within = brick - along.w;
  let row = within / along.x;
  return vec3u(within % along.x, row % along.y, row / along.y) << vec3u(sweep.brickBits);
}

/** Sample n of a brick. */
fn sampleOf(corner: vec3u, n: u32) -> vec3u {
  let mask = (1u << sweep.brickBits) - 1u;
  return corner + vec3u(n & mask, (n >> sweep.brickBits) & mask, n >> (2u * sweep.brickBits));
}

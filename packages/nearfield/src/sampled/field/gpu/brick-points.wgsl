// Whether a brick holds a point of the volume.

fn hasPoints(number: u32, brick: u32) -> bool {
  let size = windows[number].size;
  let first = windows[number].counters;
  let corner = cornerOf(number, brick);
  var has = false;
  for (var n = 0u; n < (1u << (3u * sweep.brickBits)); n++) {
    let at = min(sampleOf(corner, n), size.xyz - 1u);
    has = has || counters[first + (at.z * size.y + at.y) * size.x + at.x] > 0;
  }
  return has;
}

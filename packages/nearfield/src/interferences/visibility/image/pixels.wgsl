// The index of a pixel, and the fragment that is written for a pixel that a triangle touches.

fn pixelOf(view: u32, column: i32, row: i32) -> u32 {
  return (view * culling.resolution + u32(row)) * culling.resolution + u32(column);
}

/**
 * Writes the fragment, and enters it in its pixel for the first round. On overflow the list grows and the query runs
 * again.
 */
fn writeFragment(place: u32, pixel: u32, depths: vec2u, instance: u32, owner: u32) {
  if (place >= arrayLength(&fragments)) { return; }
  fragments[place] = vec4u(pixel, depths, instance);
  insert(pixel, depths.x, owner);
  if (culling.sides == 1u) { return; }
  // Seen from behind, depths are reversed.
  insert(pixel + culling.pixelCount / 2u, u32(culling.depthSteps) - depths.y, owner);
}

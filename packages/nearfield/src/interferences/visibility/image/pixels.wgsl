// Where a pixel's numbers lie, and what is written of a pixel that a triangle touches.

fn pixelOf(view: u32, column: i32, row: i32) -> u32 {
  return (view * culling.resolution + u32(row)) * culling.resolution + u32(column);
}

/** Lists the fragment; with it the pixel's nearest depth of the first round. Lists that are too short grow, and all is done again. */
fn writeFragment(place: u32, pixel: u32, depths: vec2u, instance: u32, owner: u32) {
  if (place >= arrayLength(&fragments)) { return; }
  fragments[place] = vec4u(pixel, depths, instance);
  atomicMin(&pixels[pixelWords * pixel], (depths.x << culling.ownerBits) | owner);
  if (culling.sides == 1u) { return; }
  // From behind, depths run the other way.
  let behind = pixel + culling.pixelCount / 2u;
  atomicMin(&pixels[pixelWords * behind], ((u32(culling.depthSteps) - depths.y) << culling.ownerBits) | owner);
}

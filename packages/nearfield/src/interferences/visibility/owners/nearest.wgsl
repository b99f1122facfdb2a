// First: the nearest depth of every pixel, and who has it: of several the lowest owner. The raster does it for the first round.

fn visitFragment(fragment: vec4u, owner: u32) {
  atomicMin(&pixels[pixelWords * fragment.x], (fragment.y << culling.ownerBits) | owner);
}

fn beginPass(thread: u32, threads: u32) {}

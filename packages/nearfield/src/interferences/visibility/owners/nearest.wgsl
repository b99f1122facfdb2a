// First pass: each pixel's nearest depth and its owner, the lowest if there are several. The raster does it for the
// first round.

fn visitFragment(fragment: vec4u, owner: u32) {
  atomicMin(&pixels[pixelWords * fragment.x], (fragment.y << culling.ownerBits) | owner);
}

fn beginPass(thread: u32, threads: u32) {}

// First pass of a round: every fragment enters its pixel. The raster does it for the first round of a look.

fn visitFragment(fragment: vec4u, owner: u32) {
  insert(fragment.x, fragment.y, owner);
}

fn beginPass(thread: u32, threads: u32) {}

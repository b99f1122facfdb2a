// First: the nearest depth of every pixel.

fn visitFragment(fragment: vec4u, body: u32) {
  atomicMin(&pixels[3u * fragment.x], fragment.y);
}

// Third: the nearest depth of anybody else.

fn visitFragment(fragment: vec4u, body: u32) {
  if (body != atomicLoad(&pixels[3u * fragment.x + 1u])) { atomicMin(&pixels[3u * fragment.x + 2u], fragment.y); }
}

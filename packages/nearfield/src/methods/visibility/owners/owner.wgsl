// Second: who has it, of several the lowest body.

fn visitFragment(fragment: vec4u, body: u32) {
  if (fragment.y == atomicLoad(&pixels[3u * fragment.x])) { atomicMin(&pixels[3u * fragment.x + 1u], body); }
}

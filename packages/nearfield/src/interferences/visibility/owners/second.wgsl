// Second pass: the nearest depth of any other owner. It also clears the previous round's pixels for the next round.

@group(0) @binding(6) var<storage, read_write> otherPixels: array<u32>;

fn visitFragment(fragment: vec4u, owner: u32) {
  let nearest = atomicLoad(&pixels[pixelWords * fragment.x]);
  if ((nearest & ((1u << culling.ownerBits) - 1u)) == owner) { return; }
  atomicMin(&pixels[pixelWords * fragment.x + 1u], fragment.y);
}

fn beginPass(thread: u32, threads: u32) {
  if (round == 0u || round == lastRound) { return; }
  for (var i = thread; i < pixelWords * culling.pixelCount; i += threads) { otherPixels[i] = nobody; }
}

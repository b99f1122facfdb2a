// Stateless random numbers: the same 32 bits as hash.ts.

fn mixBits(value: u32) -> u32 {
  var x = value;
  x = (x ^ (x >> 16u)) * 0x85ebca6bu;
  x = (x ^ (x >> 13u)) * 0xc2b2ae35u;
  return x ^ (x >> 16u);
}

fn hashOf(seed: u32, particle: u32, generation: u32, channel: u32) -> u32 {
  let seeded = mixBits(seed + (channel + 1u) * 0x9e3779b9u);
  return mixBits(generation * 0x9e3779b9u + mixBits(particle * 0x9e3779b9u + seeded));
}

/** A multiple of 2^−24 in [0, 1), exactly that of the CPU. */
fn uniformOf(seed: u32, particle: u32, generation: u32, channel: u32) -> f32 {
  return f32(hashOf(seed, particle, generation, channel) >> 8u) * 0x1p-24;
}

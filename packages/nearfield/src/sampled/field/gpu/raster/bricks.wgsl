// A few slices are drawn at a time, in bricks of 8 × 8 samples and those slices. With c the middle of a brick, ρ its
// half diagonal and d the distance, every sample p of it has d(p) ≤ d(c) + ρ, and a triangle that is nearest to p lies
// within d(p) + ρ of c. So only triangles within d(c) + 2ρ of c matter to the brick (Hoff et al., section 5.2: culling
// by site and by maximum distance). With a bound on distances, only those within it plus ρ matter.

const brickSide = 8u;

struct Brick {
  /** The first sample, and the one after the last. */
  low: vec2u,
  high: vec2u,
  centre: vec3i,
  radius: f32,
}

fn brickAt(number: u32) -> Brick {
  let size = windows[0].size;
  let low = brickSide * vec2u(number % bricks.across, number / bricks.across);
  let high = min(low + brickSide, size.xy);
  let first = windows[0].low.w;
  let z = first + size.x + size.y + bricks.firstSlice;
  let start = vec3i(ticks[first + low.x], ticks[first + size.x + low.y], ticks[z]);
  let end = vec3i(ticks[first + high.x - 1u], ticks[first + size.x + high.y - 1u], ticks[z + bricks.slices - 1u]);
  let half = 0.5 * vec3f(end - start) + 1.0;
  return Brick(low, high, start + (end - start) / 2, length(half) * (1.0 + 0x1p-18));
}

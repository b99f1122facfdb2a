// Distances of bodies that are far apart beside their size. Single precision does not tell those of their parts apart, but
// all run nearly along the way from body to body, and what they are more or less than that is of the bodies' size.
//
// In the unit of the larger body let T be the way from a's centre to b's, t = |T|, d = T/t. Points of a and of b whose places
// from the centres differ by Δ are |T + Δ| apart. Kept in place of that is the excess f(Δ) = |T + Δ| − t, and the shift, so
// that it is above 0:
//   f(Δ) = (2·d·Δ + |Δ|²/t) / (1 + |d + Δ/t|),
// in which nothing cancels. It is no less than d·Δ, which bounds boxes, and convex, so with w = (d + Δ₀/t)/|d + Δ₀/t|, its
// gradient at any Δ₀, f(Δ) ≥ f(Δ₀) + w·(Δ − Δ₀), which bounds triangles: tightly if Δ₀ is near the least.
//
// |Δ| ≤ reach = 3·(normA + normB). In single precision d and w are off by at most 8u, places by 5u of their part of the
// reach, f by 16u·reach with that, w·(Δ − Δ₀) by 28u·reach, and the shift, twice the reach, takes 6u·reach: in all less
// than slack = 64u·reach + √3·(errorA + errorB).
//
// The frame has it where the maps from body to body are else, which mean nothing from so far: into[0] is the row that takes
// a's local places to −d·place, and in w the shift less the slack; into[1] that of b, to d·place, and the slack;
// into[2] is d and t, into[3] the shift and the scales of a and of b.

/** The least that a row takes places of a box to. */
fn leastAlong(row: vec3f, box: Box) -> f32 {
  return dot(row, box.middle) - dot(abs(row), box.half);
}

/** No more than the shifted excess of two boxes, `own` on the given side. */
fn farBoxes(candidate: u32, side: u32, own: Box, other: Box) -> f32 {
  return frames[candidate].into[0].w + leastAlong(frames[candidate].into[side].xyz, own)
    + leastAlong(frames[candidate].into[1u - side].xyz, other);
}

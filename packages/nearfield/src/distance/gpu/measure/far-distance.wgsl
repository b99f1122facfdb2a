// Distances of bodies that are far apart compared with their size. Single precision cannot distinguish the distances
// of their parts. But all of them run nearly along the way from body to body, and their differences from that way are
// of the bodies' size.
//
// In the unit of the larger body, let T be the way from a's centre to b's, t = |T|, d = T/t. Points of a and of b
// whose positions relative to the centres differ by Δ are |T + Δ| apart. Instead of this distance the excess f(Δ) =
// |T + Δ| − t is used, plus a shift that makes it positive:
//   f(Δ) = (2·d·Δ + |Δ|²/t) / (1 + |d + Δ/t|),
// in which nothing cancels. f(Δ) is at least d·Δ, which bounds boxes. f is convex, so with w = (d + Δ₀/t)/|d + Δ₀/t|,
// its gradient at any Δ₀, f(Δ) ≥ f(Δ₀) + w·(Δ − Δ₀), which bounds triangles: tightly if Δ₀ is near the minimum.
//
// |Δ| ≤ reach = 3·(normA + normB). In single precision d and w are off by at most 8u, positions by 5u of their part
// of the reach, f by 16u·reach with that, w·(Δ − Δ₀) by 28u·reach, and the shift, twice the reach, adds 6u·reach: in
// all less than slack = 64u·reach + √3·(errorA + errorB).
//
// The frame stores this in place of the maps from body to body, which mean nothing over such distances. into[0] is
// the row that maps a's local positions to −d·position, with the shift less the slack in w. into[1] is that of b, to
// d·position, with the slack in w. into[2] is d and t. into[3] is the shift and the scales of a and of b.

/** The least value to which a row maps the points of a box. */
fn leastAlong(row: vec3f, box: Box) -> f32 {
  return dot(row, box.middle) - dot(abs(row), box.half);
}

/** A lower bound on the shifted excess of two boxes, `own` on the given side. */
fn farBoxes(candidate: u32, side: u32, own: Box, other: Box) -> f32 {
  return frames[candidate].into[0].w + leastAlong(frames[candidate].into[side].xyz, own)
    + leastAlong(frames[candidate].into[1u - side].xyz, other);
}

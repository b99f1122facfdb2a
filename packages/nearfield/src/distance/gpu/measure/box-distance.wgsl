// Lower bounds on the distance of two boxes of a pair of trees (walk-nearest.wgsl has the derivation).

/** The box of a block: a node `height` levels above the leaves. */
fn blockBox(nodeOffset: u32, depth: u32, height: u32, block: u32) -> Box {
  let at = 2u * (nodeOffset + (1u << (depth - height)) + block);
  return boxBetween(nodes[at].xyz, nodes[at + 1u].xyz);
}

/** Whether gaps in either frame exceed the bound. If the first do, the second are not computed. */
fn boxesApart(candidate: u32, side: u32, own: Box, other: Box, bound: f32) -> bool {
  if (frames[candidate].far == 1u) { return farBoxes(candidate, side, own, other) > bound; }
  return boxDistance(candidate, side, own, other) > bound || boxDistance(candidate, 1u - side, other, own) > bound;
}

/** A lower bound on the distance of two boxes, by gaps in the frame of `side`, whose box is `own`. */
fn boxDistance(candidate: u32, side: u32, own: Box, other: Box) -> f32 {
  let x = frames[candidate].into[3u * side];
  let y = frames[candidate].into[3u * side + 1u];
  let z = frames[candidate].into[3u * side + 2u];
  let slack = frames[candidate].slack[side];
  let place = vec3f(dot(x.xyz, other.middle), dot(y.xyz, other.middle), dot(z.xyz, other.middle))
    + (vec3f(x.w, y.w, z.w) - own.middle);
  let reach = vec3f(dot(abs(x.xyz), other.half), dot(abs(y.xyz), other.half), dot(abs(z.xyz), other.half));
  return length(max(abs(place) - (own.half + reach + slack.xyz), vec3f(0.0)) * slack.w);
}

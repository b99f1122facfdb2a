// The place of a point in the tree of a body (one of `layers`), and the test of which boxes are near enough to it.
//
// Boxes are in the tree's frame. The point's place q there is off by at most
//   noise' = 2^-20·max_row(|inverse|·|relative|) (eight roundings of 2^-23, the inverse's own included).
// A vector of the frame, measured in units, is no shorter than leastScale times its length. So a box at a distance d
// from q holds nothing nearer than leastScale·(d − √3·noise') − 2·noise units: it is skipped if d exceeds
//   best·mostShrink·(1 + 2^-18) + 1.8·noise' + 4·noise·mostShrink.

/** The place of a point in the tree's frame, and the slack that is added to distances there. */
struct PlaceInTree {
  q: vec3f,
  slack: f32,
}

fn placeInTree(layer: u32, place: vec3i) -> PlaceInTree {
  let relative = vec3f(place - layers[layer].offset.xyz) - layers[layer].rest.xyz;
  let x = layers[layer].inverse[0].xyz;
  let y = layers[layer].inverse[1].xyz;
  let z = layers[layer].inverse[2].xyz;
  let q = vec3f(dot(x, relative), dot(y, relative), dot(z, relative));
  let size = abs(relative);
  let blur = 0x1p-20 * max(max(dot(abs(x), size), dot(abs(y), size)), dot(abs(z), size));
  return PlaceInTree(q, 1.8 * blur + 4.0 * layers[layer].rest.w * layers[layer].mostShrink);
}

fn limitOf(squared: f32, shrink: f32, slack: f32) -> f32 {
  let reach = sqrt(squared) * shrink * (1.0 + 0x1p-18) + slack;
  return min(reach * reach, 0x1p99);
}

fn boxSquared(node: u32, q: vec3f) -> f32 {
  let away = max(max(nodes[2u * node].xyz - q, q - nodes[2u * node + 1u].xyz), vec3f(0.0));
  return dot(away, away);
}

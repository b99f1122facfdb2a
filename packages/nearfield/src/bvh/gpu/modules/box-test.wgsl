// SAT lite: two boxes of different local frames are apart if one of the six face directions separates them (Greß and
// Zachmann, appendix A; van den Bergen 1997). Boxes are in q, inflated by the frame's slack.

struct Box {
  middle: vec3f,
  half: vec3f,
}

fn boxBetween(low: vec3f, high: vec3f) -> Box {
  return Box(0.5 * (low + high), 0.5 * (high - low));
}

/** Whether a face direction of `own` separates it from `other`, which the three rows take into own's frame. */
fn facesSeparate(own: Box, other: Box, x: vec4f, y: vec4f, z: vec4f, slack: vec3f) -> bool {
  let distance = abs(
    vec3f(dot(x.xyz, other.middle), dot(y.xyz, other.middle), dot(z.xyz, other.middle))
      + (vec3f(x.w, y.w, z.w) - own.middle),
  );
  let reach = vec3f(dot(abs(x.xyz), other.half), dot(abs(y.xyz), other.half), dot(abs(z.xyz), other.half));
  return any(distance > own.half + reach + slack);
}

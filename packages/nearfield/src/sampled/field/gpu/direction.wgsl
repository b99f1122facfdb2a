// Directions in one word.

/** An octahedron folded into a square, 16 bits per side: within 10^-4 of the direction. All zeros for no direction. */
fn encodeDirection(toward: vec3f) -> u32 {
  let size = abs(toward.x) + abs(toward.y) + abs(toward.z);
  if (size == 0.0) { return 0u; }
  let n = toward / size;
  var square = n.xy;
  if (n.z < 0.0) { square = (1.0 - abs(n.yx)) * select(vec2f(-1.0), vec2f(1.0), n.xy >= vec2f(0.0)); }
  let steps = vec2u(clamp(round(square * 32767.0) + 32768.0, vec2f(1.0), vec2f(65535.0)));
  return steps.x | (steps.y << 16u);
}

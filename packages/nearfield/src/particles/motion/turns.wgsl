// Sine and cosine of shares of a turn, in single precision with a bound of their own: WGSL's may be off by 2^−11.

/** (cos, sin) of fraction·2^−32 turns, each to 4u: reduced to an eighth of a turn in integers, then Taylor's polynomials. */
fn turnOf(fraction: u32) -> vec2f {
  // Reduced to the nearest quarter; the rest is at most an eighth of a turn, 30 bits with sign.
  let quarter = (fraction + 0x20000000u) >> 30u;
  let rest = f32(i32(fraction - (quarter << 30u))) * 1.4629180792671596e-9;
  let square = rest * rest;
  let sine = rest * (1.0 + square * (-1.6666667e-1 + square * (8.3333333e-3 + square * (-1.984127e-4 + square * 2.7557319e-6))));
  let cosine = 1.0 + square * (-0.5 + square * (4.1666667e-2 + square * (-1.3888889e-3 + square * (2.4801587e-5 - square * 2.7557319e-7))));
  switch (quarter & 3u) {
    case 0u: { return vec2f(cosine, sine); }
    case 1u: { return vec2f(-sine, cosine); }
    case 2u: { return vec2f(-cosine, -sine); }
    default: { return vec2f(sine, -cosine); }
  }
}

/** v turned about a unit axis. */
fn turned(v: vec3f, axis: vec3f, turn: vec2f) -> vec3f {
  let along = dot(axis, v) * axis;
  return along + (v - along) * turn.x + cross(axis, v) * turn.y;
}

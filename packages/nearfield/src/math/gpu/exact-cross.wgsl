// The cross product of two integer vectors, exact before its one rounding: slivers have the normal of their corners.

/** In units of 2^32. Each component is off by at most 2^-22 of itself. The vectors' components are below 2^31. */
fn exactCross(a: vec3i, b: vec3i) -> vec3f {
  return vec3f(
    exactMinor(a.y, b.z, a.z, b.y),
    exactMinor(a.z, b.x, a.x, b.z),
    exactMinor(a.x, b.y, a.y, b.x),
  );
}

/** a·b − c·d, which is below 2^63. */
fn exactMinor(a: i32, b: i32, c: i32, d: i32) -> f32 {
  let left = signedProduct(a, b);
  let right = signedProduct(c, d);
  let low = left.x - right.x;
  let high = left.y - right.y - select(0u, 1u, left.x < right.x);
  let isNegative = (high >> 31u) == 1u;
  let size = select(vec2u(low, high), negative(vec2u(low, high)), isNegative);
  let value = f32(size.y) + f32(size.x) * 0x1p-32;
  return select(value, -value, isNegative);
}

/** The 64-bit product in two's complement, as (low word, high word). */
fn signedProduct(a: i32, b: i32) -> vec2u {
  let size = multiplyWords(u32(abs(a)), u32(abs(b)));
  return select(size, negative(size), (a < 0) != (b < 0));
}

fn negative(a: vec2u) -> vec2u {
  return vec2u(~a.x + 1u, ~a.y + select(0u, 1u, a.x == 0u));
}

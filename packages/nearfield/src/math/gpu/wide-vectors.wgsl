// Vectors of 64-bit integers in two's complement, with products in 128 bits. They measure exactly what single precision
// can only estimate. wide.wgsl decodes doubles.

struct WideVector {
  high: vec3u,
  low: vec3u,
}

fn addVectors(a: WideVector, b: WideVector) -> WideVector {
  let low = a.low + b.low;
  return WideVector(a.high + b.high + select(vec3u(0u), vec3u(1u), low < a.low), low);
}

fn subtractVectors(a: WideVector, b: WideVector) -> WideVector {
  return WideVector(a.high - b.high - select(vec3u(0u), vec3u(1u), a.low < b.low), a.low - b.low);
}

/** The vector in units of 2^32, with an error of single precision relative to its largest component. */
fn vectorToFloats(v: WideVector) -> vec3f {
  return vec3f(bitcast<vec3i>(v.high)) + vec3f(v.low) * 0x1p-32;
}

/** The 64-bit product as (low word, high word). */
fn multiplyWords(a: u32, b: u32) -> vec2u {
  let lowProduct = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a & 0xffffu) * (b >> 16u) + (lowProduct >> 16u);
  let other = (a >> 16u) * (b & 0xffffu) + (middle & 0xffffu);
  return vec2u((other << 16u) | (lowProduct & 0xffffu), (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

/** The unsigned 128-bit product, lowest word first. */
fn multiplyWide(aHigh: u32, aLow: u32, bHigh: u32, bLow: u32) -> vec4u {
  let p = multiplyWords(aLow, bLow);
  let q = multiplyWords(aLow, bHigh);
  let r = multiplyWords(aHigh, bLow);
  let s = multiplyWords(aHigh, bHigh);
  let second = p.y + q.x;
  let secondWhole = second + r.x;
  let carried = select(0u, 1u, second < p.y) + select(0u, 1u, secondWhole < second);
  let third = q.y + r.y;
  let thirdMore = third + s.x;
  let thirdWhole = thirdMore + carried;
  let last = s.y + select(0u, 1u, third < q.y) + select(0u, 1u, thirdMore < third)
    + select(0u, 1u, thirdWhole < thirdMore);
  return vec4u(p.x, secondWhole, thirdWhole, last);
}

fn addLong(a: vec4u, b: vec4u) -> vec4u {
  let x = a.x + b.x;
  let carryX = select(0u, 1u, x < a.x);
  let y = a.y + b.y;
  let yWhole = y + carryX;
  let carryY = select(0u, 1u, y < a.y) + select(0u, 1u, yWhole < y);
  let z = a.z + b.z;
  let zWhole = z + carryY;
  let carryZ = select(0u, 1u, z < a.z) + select(0u, 1u, zWhole < z);
  return vec4u(x, yWhole, zWhole, a.w + b.w + carryZ);
}

fn negateLong(a: vec4u) -> vec4u {
  return addLong(~a, vec4u(1u, 0u, 0u, 0u));
}

fn isNegative(a: vec4u) -> bool { return (a.w >> 31u) == 1u; }

/** a − b, which must fit. */
fn subtractLong(a: vec4u, b: vec4u) -> vec4u { return addLong(a, negateLong(b)); }

fn lesserLong(a: vec4u, b: vec4u) -> vec4u { return select(b, a, isNegative(subtractLong(a, b))); }

/** The signed product: the unsigned one, minus 2^64 times the other factor for each negative factor. */
fn multiplySigned(aHigh: u32, aLow: u32, bHigh: u32, bLow: u32) -> vec4u {
  var product = multiplyWide(aHigh, aLow, bHigh, bLow);
  if ((aHigh >> 31u) == 1u) { product = subtractLong(product, vec4u(0u, 0u, bLow, bHigh)); }
  if ((bHigh >> 31u) == 1u) { product = subtractLong(product, vec4u(0u, 0u, aLow, aHigh)); }
  return product;
}

/** The dot product. Exact if all components are below 2^62. */
fn dotWide(a: WideVector, b: WideVector) -> vec4u {
  var sum = vec4u(0u);
  for (var axis = 0u; axis < 3u; axis++) {
    sum = addLong(sum, multiplySigned(a.high[axis], a.low[axis], b.high[axis], b.low[axis]));
  }
  return sum;
}

/** The low 64 bits (low word first) of an unsigned number shifted right. */
fn shiftLong(a: vec4u, right: u32) -> vec2u {
  if (right >= 128u) { return vec2u(0u); }
  let word = right >> 5u;
  let bits = right & 31u;
  var words = array<u32, 7>(a.x, a.y, a.z, a.w, 0u, 0u, 0u);
  let low = words[word];
  let middle = words[word + 1u];
  let high = words[word + 2u];
  if (bits == 0u) { return vec2u(low, middle); }
  return vec2u((low >> bits) | (middle << (32u - bits)), (middle >> bits) | (high << (32u - bits)));
}

/** share·v for a signed share in units of 2^-62. Each component is truncated by less than one unit. */
fn scaleVector(v: WideVector, share: vec2u) -> WideVector {
  var result: WideVector;
  for (var axis = 0u; axis < 3u; axis++) {
    let product = multiplySigned(v.high[axis], v.low[axis], share.y, share.x);
    // This works as an arithmetic shift: the wanted 64 bits lie below those that are shifted in.
    let bits = shiftLong(product, 62u);
    result.low[axis] = bits.x;
    result.high[axis] = bits.y;
  }
  return result;
}

/** A signed number to a relative 2^-22, times 2^scale. */
fn longToFloat(a: vec4u, scale: i32) -> f32 {
  let negative = isNegative(a);
  let size = select(a, negateLong(a), negative);
  var top = vec2u(size.x, 0u);
  var lost = 0;
  if (size.w != 0u) { top = size.zw; lost = 64; }
  else if (size.z != 0u) { top = size.yz; lost = 32; }
  else { top = size.xy; }
  let value = wideToFloat(Wide(false, top.y, top.x, lost), scale);
  return select(value, -value, negative);
}

/** A number below 2 in magnitude, in units of 2^-62, low word first. Smaller bits are truncated. */
fn floatToShare(value: f32) -> vec2u {
  let parts = decodeSingle(bitcast<u32>(value));
  let bits = shiftWide(parts.high, parts.low, clamp(parts.exponent + 62, -64, 62));
  if (!parts.negative) { return vec2u(bits.y, bits.x); }
  let low = ~bits.y + 1u;
  return vec2u(low, ~bits.x + select(0u, 1u, low == 0u));
}

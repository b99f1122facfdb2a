// The world corners of listed triangles, computed from their doubles in 64-bit integers: relative to a's translation,
// in units of 2^(σ − 58), with σ the exponent of the pair's unit. Components are below 14 pair units, so 2^62 is not
// reached.
//
// This is only for shapes whose local origin is that of their mesh: then the given pose is the one the GPU has.
// Products of two doubles are cut to whole units: three per coordinate, and one for the translation. The world's own
// doubles are rounded four times, each by 2^-53 of Σ|m||x| + |t|; exponents, which overestimate products by less than
// 4, bound that to 2^-51 of their powers of two.

const unitBits = 58;

struct WideCorners {
  corners: array<WideVector, 3>,
  /** The largest error of a component relative to the world's double, in pair units. */
  error: f32,
}

fn wideCorners(body: u32, shape: u32, leaf: u32, translation: WideVector, exponent: i32) -> WideCorners {
  var result: WideCorners;
  for (var row = 0u; row < 3u; row++) {
    result.error = max(result.error, rounding(wideExponent(poseEntry(body, 3u, row)) - exponent));
  }
  var most = 0.0;
  for (var corner = 0u; corner < 3u; corner++) {
    let vertex = u32(leaves[3u * leaf + corner].w);
    let x = array<Wide, 3>(coordinate(shape, vertex, 0u), coordinate(shape, vertex, 1u), coordinate(shape, vertex, 2u));
    for (var row = 0u; row < 3u; row++) {
      var sum = vec2u(translation.low[row], translation.high[row]);
      var off = 0.0;
      for (var column = 0u; column < 3u; column++) {
        let entry = poseEntry(body, column, row);
        sum = addProduct(sum, entry, x[column], exponent - unitBits);
        off += rounding(wideExponent(entry) + wideExponent(x[column]) - exponent);
      }
      result.corners[corner].low[row] = sum.x;
      result.corners[corner].high[row] = sum.y;
      most = max(most, off);
    }
  }
  result.error += most + 4.0 * 0x1p-58;
  return result;
}

/** 2^-51·2^power. */
fn rounding(power: i32) -> f32 {
  return select(powerOfTwo(power - 51), 0.0, power < -1000);
}

fn poseEntry(body: u32, column: u32, row: u32) -> Wide {
  return decodeDouble(poses[16u * body + 4u * column + row]);
}

/** A coordinate of a vertex, stored as a single, or as a double with the low word first. */
fn coordinate(shape: u32, vertex: u32, axis: u32) -> Wide {
  let at = shapes[shape].wordOffset + vertex * shapes[shape].stride;
  if (shapes[shape].onGpu == 0u && shapes[shape].stride == 6u) {
    return decodeDouble(vec2u(positions[at + 2u * axis], positions[at + 2u * axis + 1u]));
  }
  return decodeSingle(positions[at + axis]);
}

/** Adds m·x in units of 2^unitExponent. */
fn addProduct(sum: vec2u, m: Wide, x: Wide, unitExponent: i32) -> vec2u {
  let product = multiplyWide(m.high, m.low, x.high, x.low);
  // Numbers below 14 pair units with 106 digits have all but 62 of them behind the point.
  let bits = shiftLong(product, u32(clamp(unitExponent - m.exponent - x.exponent, 0, 128)));
  if (m.negative != x.negative) {
    let low = sum.x - bits.x;
    return vec2u(low, sum.y - bits.y - select(0u, 1u, sum.x < bits.x));
  }
  let low = sum.x + bits.x;
  return vec2u(low, sum.y + bits.y + select(0u, 1u, low < sum.x));
}

/** The way from one body's translation to the other's, in the same units. */
fn wayBetween(a: u32, b: u32, unitExponent: i32) -> WideVector {
  var result: WideVector;
  for (var row = 0u; row < 3u; row++) {
    let way = subtractDoubles(poseEntry(b, 3u, row), poseEntry(a, 3u, row));
    let bits = shiftWide(way.high, way.low, clamp(way.exponent - unitExponent, -64, 64));
    result.low[row] = bits.y;
    result.high[row] = bits.x;
    if (way.negative) {
      result.low[row] = ~bits.y + 1u;
      result.high[row] = ~bits.x + select(0u, 1u, bits.y == 0u);
    }
  }
  return result;
}

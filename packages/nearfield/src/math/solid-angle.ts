// Half the signed solid angle Ω of a triangle seen from the origin (Van Oosterom and Strackee, The solid angle of a
// plane triangle, 1983): tan(Ω/2) = a·(b × c) / (|a||b||c| + a·b |c| + b·c |a| + c·a |b|). It is positive if a, b, c
// are counter-clockwise seen from outside.

/** Computes it from a·(b × c), the lengths of a, b, c and their dot products. */
export function halfSolidAngle(
  volume: number,
  lengthA: number,
  lengthB: number,
  lengthC: number,
  ab: number,
  bc: number,
  ca: number,
): number {
  return Math.atan2(volume, lengthA * lengthB * lengthC + ab * lengthC + bc * lengthA + ca * lengthB);
}

/**
 * The same for c straight up and infinitely far: `volume` is a_x b_y − a_y b_x, or only its sign if it is small. The
 * divisor is (|a| + a_z)(|b| + b_z) + a_x b_x + a_y b_y. It stays accurate for an end nearly straight below if
 * |a| + a_z is computed there as (a_x² + a_y²)/(|a| − a_z).
 */
export function halfSolidAngleToUp(
  volume: number,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
): number {
  return Math.atan2(volume, aboveEnd(ax, ay, az) * aboveEnd(bx, by, bz) + ax * bx + ay * by);
}

/** |a| + a_z. */
function aboveEnd(x: number, y: number, z: number): number {
  const flat = x * x + y * y;
  const length = Math.sqrt(flat + z * z);
  return z >= 0 ? length + z : flat / (length - z);
}

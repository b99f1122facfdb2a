// The point of a triangle nearest to a point, in double, by Voronoi regions (Ericson, Real-Time Collision Detection, 5.1.5).

/** The triangle of nine doubles at `corners`; the nearest point goes to `out`. */
export function nearestOfTriangle(
  x: number,
  y: number,
  z: number,
  corners: Float64Array,
  out: Float64Array,
): void {
  const ax = corners[0] - x;
  const ay = corners[1] - y;
  const az = corners[2] - z;
  const bx = corners[3] - x;
  const by = corners[4] - y;
  const bz = corners[5] - z;
  const cx = corners[6] - x;
  const cy = corners[7] - y;
  const cz = corners[8] - z;
  const [ux, uy, uz] = [bx - ax, by - ay, bz - az];
  const [vx, vy, vz] = [cx - ax, cy - ay, cz - az];
  const d1 = -(ux * ax + uy * ay + uz * az);
  const d2 = -(vx * ax + vy * ay + vz * az);
  const d3 = -(ux * bx + uy * by + uz * bz);
  const d4 = -(vx * bx + vy * by + vz * bz);
  const d5 = -(ux * cx + uy * cy + uz * cz);
  const d6 = -(vx * cx + vy * cy + vz * cz);
  const sideAb = d1 * d4 - d3 * d2;
  const sideCa = d5 * d2 - d1 * d6;
  const sideBc = d3 * d6 - d5 * d4;
  // Weights of the edges from the first corner.
  let v = 0;
  let w = 0;
  if (d1 <= 0 && d2 <= 0) v = 0;
  else if (d3 >= 0 && d4 <= d3) v = 1;
  else if (d6 >= 0 && d5 <= d6) w = 1;
  else if (sideAb <= 0 && d1 >= 0 && d3 <= 0) v = share(d1, d1 - d3);
  else if (sideCa <= 0 && d2 >= 0 && d6 <= 0) w = share(d2, d2 - d6);
  else if (sideBc <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    w = share(d4 - d3, d4 - d3 + (d5 - d6));
    v = 1 - w;
  } else {
    const sum = sideAb + sideBc + sideCa;
    v = share(sideCa, sum);
    w = Math.min(share(sideAb, sum), 1 - v);
  }
  out[0] = corners[0] + v * ux + w * vx;
  out[1] = corners[1] + v * uy + w * vy;
  out[2] = corners[2] + v * uz + w * vz;
}

/** Within [0, 1] whatever rounding did, also of 0 by 0. */
function share(part: number, whole: number): number {
  const quotient = part / whole;
  return quotient >= 0 ? Math.min(quotient, 1) : 0;
}

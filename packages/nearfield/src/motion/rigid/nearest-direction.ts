// The direction from one triangle to another, from nearest point to nearest point, in doubles. It need not be right: every
// direction gives a valid bound of the gap (approach.ts), a good one a good bound. If a triangle is very long compared with the gap,
// the way from point to point has lost the digits that would separate its far corners. Normals of faces and of pairs of edges
// keep them, so these are tried then.

/** Only what is shorter by more than this replaces what was found before: less may be rounding. */
const clearly = 1 - 2 ** -10;

const tried = new Float64Array(3);

/** Writes a direction of length 1 along which the triangle at p[9] is as far from that at p[0] as was found. Returns how far. */
export function separatingDirection(p: Float64Array, out: Float64Array): number {
  nearestDirection(p, tried);
  const length = Math.hypot(tried[0], tried[1], tried[2]);
  let best = -Infinity;
  const attempt = (): void => {
    const scale = 1 / Math.hypot(tried[0], tried[1], tried[2]);
    if (!(scale < Infinity)) return;
    for (let k = 0; k < 3; k++) tried[k] *= scale;
    const gap = gapAlong(p, tried);
    if (!(gap > best)) return;
    best = gap;
    for (let k = 0; k < 3; k++) out[k] = tried[k];
  };
  attempt();
  if (best >= 0.5 * length && length > 0) return best;
  const across = (a: number, b: number, c: number, d: number): void => {
    for (const sign of [1, -1]) {
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        tried[k] =
          sign *
          ((p[b + i] - p[a + i]) * (p[d + j] - p[c + j]) - (p[b + j] - p[a + j]) * (p[d + i] - p[c + i]));
      }
      attempt();
    }
  };
  across(0, 3, 0, 6);
  across(9, 12, 9, 15);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) across(3 * i, 3 * ((i + 1) % 3), 9 + 3 * j, 9 + 3 * ((j + 1) % 3));
  return best;
}

/** How far the second triangle is from the first along a direction: negative if they overlap. */
function gapAlong(p: Float64Array, n: Float64Array): number {
  let [most, least] = [-Infinity, Infinity];
  // Relative to a corner of the first: places far from the origin lose no digits.
  for (let i = 0; i < 18; i += 3) {
    const place = n[0] * (p[i] - p[0]) + n[1] * (p[i + 1] - p[1]) + n[2] * (p[i + 2] - p[2]);
    if (i < 9) most = Math.max(most, place);
    else least = Math.min(least, place);
  }
  return least - most;
}

/** Writes the direction from the triangle at p[0] to that at p[9], not scaled. Zero if they meet, as far as doubles tell. */
function nearestDirection(p: Float64Array, out: Float64Array): void {
  let best = Infinity;
  const take = (x: number, y: number, z: number): void => {
    const squared = x * x + y * y + z * z;
    if (!(squared < best * clearly)) return;
    best = squared;
    out[0] = x;
    out[1] = y;
    out[2] = z;
  };
  // Faces first: a normal keeps its digits however near the two are, the way from point to point does not.
  for (let i = 0; i < 3; i++) {
    fromFace(p, 0, 9 + 3 * i, 1, take);
    fromFace(p, 9, 3 * i, -1, take);
  }
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      betweenEdges(p, 3 * i, 3 * ((i + 1) % 3), 9 + 3 * j, 9 + 3 * ((j + 1) % 3), take);
}

type Take = (x: number, y: number, z: number) => void;

const clamp = (value: number): number => (value > 0 ? (value < 1 ? value : 1) : 0);

/**
 * Between the segments a–b and c–d (Lumelsky 1985): the unclamped solution, then each parameter clamped in turn. Within both
 * segments the direction is their common normal. Its digits do not get lost as the segments come near each other.
 */
function betweenEdges(p: Float64Array, a: number, b: number, c: number, d: number, take: Take): void {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[d] - p[c];
  const vy = p[d + 1] - p[c + 1];
  const vz = p[d + 2] - p[c + 2];
  const wx = p[c] - p[a];
  const wy = p[c + 1] - p[a + 1];
  const wz = p[c + 2] - p[a + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const determinant = uu * vv - uv * uv;
  let s = determinant > 0 ? clamp((uw * vv - uv * vw) / determinant) : 0;
  const t = vv > 0 ? clamp((s * uv - vw) / vv) : 0;
  s = uu > 0 ? clamp((t * uv + uw) / uu) : 0;
  if (s > 0 && s < 1 && t > 0 && t < 1) {
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const nn = nx * nx + ny * ny + nz * nz;
    const height = (wx * nx + wy * ny + wz * nz) / nn;
    if (nn > 2 ** -40 * uu * vv) {
      take(height * nx, height * ny, height * nz);
      return;
    }
  }
  take(wx + t * vx - s * ux, wy + t * vy - s * uy, wz + t * vz - s * uz);
}

/** From the face at f to the point at q, if the point projects into the face. The sign turns the direction. */
function fromFace(p: Float64Array, f: number, q: number, sign: number, take: Take): void {
  const ux = p[f + 3] - p[f];
  const uy = p[f + 4] - p[f + 1];
  const uz = p[f + 5] - p[f + 2];
  const vx = p[f + 6] - p[f];
  const vy = p[f + 7] - p[f + 1];
  const vz = p[f + 8] - p[f + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  if (!(nn > 0)) return;
  const wx = p[q] - p[f];
  const wy = p[q + 1] - p[f + 1];
  const wz = p[q + 2] - p[f + 2];
  // Barycentric coordinates of the projection, times nn.
  const s = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
  const t = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
  if (s < 0 || t < 0 || s + t > nn) return;
  const height = (sign * (wx * nx + wy * ny + wz * nz)) / nn;
  take(height * nx, height * ny, height * nz);
}

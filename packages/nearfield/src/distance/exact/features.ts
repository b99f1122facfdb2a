// Which features of two triangles are likely to be nearest? This is a guess in double; the caller proves it
// (triangle-distance.ts).

/**
 * The corners that span a feature of A and a feature of B: a corner of one with a corner, edge or face of the other, or
 * two edges.
 */
export type FeaturePair = readonly [readonly number[], readonly number[]];

const cornerSpans = [[0], [1], [2]];
const edgeSpans = [
  [0, 1],
  [1, 2],
  [2, 0],
];
const faceSpans = [[0, 1, 2]];

const pairsOf = (a: readonly number[][], b: readonly number[][]): FeaturePair[] =>
  a.flatMap(first => b.map(second => [first, second] as const));

/** All pairs of features, corners first. Among equal distances the first in this order is given. */
export const features: readonly FeaturePair[] = [
  ...pairsOf(cornerSpans, cornerSpans),
  ...pairsOf(cornerSpans, edgeSpans),
  ...pairsOf(edgeSpans, cornerSpans),
  ...pairsOf(edgeSpans, edgeSpans),
  ...pairsOf(cornerSpans, faceSpans),
  ...pairsOf(faceSpans, cornerSpans),
];

const values = new Float64Array(features.length);

/** Squared distances within this factor of the least count as guesses. */
const generous = 1 + 1e-9;

/**
 * The feature pairs whose nearest points seem to lie inside both features and to be the nearest, in the order of
 * `features`.
 */
export function guessFeatures(p: Float64Array): FeaturePair[] {
  let least = Infinity;
  for (let i = 0; i < features.length; i++) {
    values[i] = squareOf(p, features[i]);
    if (values[i] < least) least = values[i];
  }
  return features.filter((_, i) => values[i] <= least * generous);
}

/**
 * The approximate squared distance of two features; infinite if their nearest points seem to lie outside one of them.
 */
function squareOf(p: Float64Array, [a, b]: FeaturePair): number {
  if (a.length === 2 && b.length === 2) return edgeSquare(p, a, b);
  if (a.length === 1) return cornerSquare(p, 3 * a[0], b, 9);
  return cornerSquare(p, 9 + 3 * b[0], a, 0);
}

/** Enlarges a feature slightly, so that a point on its border is not lost to rounding. */
const border = 1e-9;

function cornerSquare(p: Float64Array, at: number, span: readonly number[], base: number): number {
  const f = base + 3 * span[0];
  const [wx, wy, wz] = [p[at] - p[f], p[at + 1] - p[f + 1], p[at + 2] - p[f + 2]];
  if (span.length === 1) return wx * wx + wy * wy + wz * wz;
  const g = base + 3 * span[1];
  const [ex, ey, ez] = [p[g] - p[f], p[g + 1] - p[f + 1], p[g + 2] - p[f + 2]];
  if (span.length === 2) {
    const length = ex * ex + ey * ey + ez * ez;
    const t = (wx * ex + wy * ey + wz * ez) / length;
    if (!(t > -border && t < 1 + border)) return Infinity;
    const [x, y, z] = [wx - t * ex, wy - t * ey, wz - t * ez];
    return x * x + y * y + z * z;
  }
  const h = base + 3 * span[2];
  const [fx, fy, fz] = [p[h] - p[f], p[h + 1] - p[f + 1], p[h + 2] - p[f + 2]];
  const [nx, ny, nz] = [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx];
  const area = nx * nx + ny * ny + nz * nz;
  const v = ((wy * fz - wz * fy) * nx + (wz * fx - wx * fz) * ny + (wx * fy - wy * fx) * nz) / area;
  const w = ((ey * wz - ez * wy) * nx + (ez * wx - ex * wz) * ny + (ex * wy - ey * wx) * nz) / area;
  if (!(v > -border && w > -border && v + w < 1 + border)) return Infinity;
  const height = wx * nx + wy * ny + wz * nz;
  return (height * height) / area;
}

function edgeSquare(p: Float64Array, a: readonly number[], b: readonly number[]): number {
  const [p0, p1, q0, q1] = [3 * a[0], 3 * a[1], 9 + 3 * b[0], 9 + 3 * b[1]];
  const [ux, uy, uz] = [p[p1] - p[p0], p[p1 + 1] - p[p0 + 1], p[p1 + 2] - p[p0 + 2]];
  const [vx, vy, vz] = [p[q1] - p[q0], p[q1 + 1] - p[q0 + 1], p[q1 + 2] - p[q0 + 2]];
  const [rx, ry, rz] = [p[p0] - p[q0], p[p0 + 1] - p[q0 + 1], p[p0 + 2] - p[q0 + 2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const area = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const ur = ux * rx + uy * ry + uz * rz;
  const vr = vx * rx + vy * ry + vz * rz;
  const s = (uv * vr - ur * vv) / area;
  const t = (uu * vr - uv * ur) / area;
  if (!(s > -border && s < 1 + border && t > -border && t < 1 + border)) return Infinity;
  const height = nx * rx + ny * ry + nz * rz;
  return (height * height) / area;
}

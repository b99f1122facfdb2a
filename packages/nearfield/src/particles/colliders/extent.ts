// Boxes around quadrics: of ellipsoids, and of others if constraints along an axis leave only a bounded part. If no box
// can be found this way, it is infinite, which is slower and equally right.

import type { Box } from '../../math/box.ts';
import { boundNumbers, type CompiledQuadric } from '../compiled.ts';

/** A factor slightly above 1, against rounding. */
const more = 1 + 2 ** -30;

/** The part of a box that remains inside balls and inside planes perpendicular to an axis. */
export function clipByBounds(box: Box, bounds: Float64Array): Box {
  const out = box.slice();
  const cut = (axis: number, low: number, high: number) => {
    out[axis] = Math.max(out[axis], low);
    out[axis + 3] = Math.min(out[axis + 3], high);
  };
  for (let at = 0; at < bounds.length; at += boundNumbers) {
    const [kind, x, y, z, w] = bounds.subarray(at, at + boundNumbers);
    const vector = [x, y, z];
    if (kind === 1) for (let axis = 0; axis < 3; axis++) cut(axis, vector[axis] - w, vector[axis] + w);
    if (kind !== 0) continue;
    const axis = vector.findIndex(value => Math.abs(value) === 1);
    if (axis < 0 || vector.some((value, i) => i !== axis && value !== 0)) continue;
    if (vector[axis] > 0) cut(axis, -Infinity, w);
    else cut(axis, -w, Infinity);
  }
  return out;
}

export function quadricBox(quadric: CompiledQuadric, bounds: Float64Array): Box {
  const everywhere = Float64Array.from([-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity]);
  const box = clipByBounds(ellipsoidBox(quadric) ?? everywhere, bounds);
  // A section perpendicular to an axis along which it is bounded may be an ellipse.
  for (let axis = 0; axis < 3; axis++) {
    if (!Number.isFinite(box[axis]) || !Number.isFinite(box[axis + 3])) continue;
    const [low, high] = [box[axis] - quadric.centre[axis], box[axis + 3] - quadric.centre[axis]];
    for (const other of [0, 1, 2].filter(each => each !== axis)) {
      const extent = sectionExtent(quadric.q, axis, other, low, high);
      if (extent === undefined) continue;
      const [from, to] = extent;
      box[other] = Math.max(box[other], quadric.centre[other] + from);
      box[other + 3] = Math.min(box[other + 3], quadric.centre[other] + to);
    }
  }
  // Constraints that leave nothing: a point, so that it is bounded; nothing is hit there.
  for (let axis = 0; axis < 3; axis++) if (box[axis] > box[axis + 3]) box[axis + 3] = box[axis];
  return box;
}

/** Entry (i, j) of the matrix. */
const entry = (q: Float64Array, i: number, j: number): number => {
  const at = [
    [0, 3, 4, 6],
    [3, 1, 5, 7],
    [4, 5, 2, 8],
    [6, 7, 8, 9],
  ];
  return q[at[i][j]];
};

/** For Q about its centre with a definite square part: |xᵢ| ≤ √(−J·(Q₃⁻¹)ᵢᵢ), if linear terms are 0 up to rounding. */
function ellipsoidBox({ q, centre }: CompiledQuadric): Box | undefined {
  const [A, B, C, D, E, F, , , , J] = q;
  const minors = [B * C - F * F, A * C - E * E, A * B - D * D];
  const determinant = A * minors[0] - D * (D * C - F * E) + E * (D * F - B * E);
  const size = Math.max(Math.abs(A), Math.abs(B), Math.abs(C));
  const definite = minors.every(minor => minor > 2 ** -20 * size * size) && A * determinant > 0;
  if (!definite || Math.abs(determinant) < 2 ** -20 * size ** 3) return undefined;
  const linear = Math.max(Math.abs(q[6]), Math.abs(q[7]), Math.abs(q[8]));
  const half = minors.map(minor => {
    const inverse = minor / determinant;
    const radius = Math.sqrt(Math.max(0, -J * inverse)) * more;
    // The centre is off by what rounding left of the linear terms.
    return radius + (4 * linear * size * size) / Math.abs(determinant);
  });
  return Float64Array.from([...centre.map((at, i) => at - half[i]), ...centre.map((at, i) => at + half[i])]);
}

/**
 * The extent along `other` of the part with `axis` between low and high. There the section is an ellipse in (other,
 * third): with coordinates u along the axis and (v, w) in the section, a·v² + 2m·vw + b·w² + 2(p·v + r·w) + s = 0, p, r
 * linear and s square in u. v = −(b·p − m·r)/δ ± √((b/δ)·((b·p² − 2m·p·r + a·r²)/δ − s)), δ = a·b − m².
 */
function sectionExtent(
  q: Float64Array,
  axis: number,
  other: number,
  low: number,
  high: number,
): [number, number] | undefined {
  const third = 3 - axis - other;
  const a = entry(q, other, other);
  const b = entry(q, third, third);
  const m = entry(q, other, third);
  const delta = a * b - m * m;
  if (!(delta > 2 ** -20 * Math.max(a * a, b * b))) return undefined;
  const p = [entry(q, other, 3), entry(q, other, axis)];
  const r = [entry(q, third, 3), entry(q, third, axis)];
  const s = [entry(q, 3, 3), 2 * entry(q, axis, 3), entry(q, axis, axis)];
  // The square of the half width as a polynomial in u; its greatest value is at an end or where its slope is 0.
  const width = [0, 1, 2].map(k => {
    const at = (x: number[], y: number[]) =>
      k === 0 ? x[0] * y[0] : k === 1 ? x[0] * y[1] + x[1] * y[0] : x[1] * y[1];
    return (b / delta) * ((b * at(p, p) - 2 * m * at(p, r) + a * at(r, r)) / delta - s[k]);
  });
  const ends = [low, high];
  const turn = -width[1] / (2 * width[2]);
  if (turn > low && turn < high) ends.push(turn);
  const widest = Math.max(0, ...ends.map(u => width[0] + (width[1] + width[2] * u) * u));
  const half = Math.sqrt(widest) * more;
  const middles = [low, high].map(u => -(b * (p[0] + p[1] * u) - m * (r[0] + r[1] * u)) / delta);
  const rounding = 2 ** -30 * Math.max(...middles.map(Math.abs));
  return [Math.min(...middles) - half - rounding, Math.max(...middles) + half + rounding];
}

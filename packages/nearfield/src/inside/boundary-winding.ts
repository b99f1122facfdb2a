// How often does a surface that need not be closed wind around a sample? The generalised winding number (Jacobson,
// Kavan and Sorkine-Hornung, Robust inside-outside segmentation, 2013) is the solid angle of all triangles over 4π. It
// is a whole number if the surface is closed, and close to one if it almost is.
//
// Strips from every boundary edge up to infinity close the surface. The column below a sample never meets them. So the
// crossings of that column (sampled/field/slices/columns.ts) count how often surface and strips together wind around
// the sample, and
//   w = crossings + (1/4π) Σ m·Ω(a − p, b − p, up)
// over the boundary edges a → b, where m is the number of triangles that run along a → b minus those that run against
// it. Ω is the signed solid angle of the spherical triangle. The strip itself is bounded by b → a, hence the sign. The
// work grows with the boundary, not with the mesh.
//
// When a sample passes above a boundary edge, Ω jumps by 4π and the crossings jump by 1. For a sample exactly above an
// edge, both are taken for the sample moved as in crossing.ts, so that they jump together.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { orient2dAt } from '../math/exact/orient.ts';
import { applyPose } from '../math/pose.ts';
import { halfSolidAngleToUp } from '../math/solid-angle.ts';

/** The boundary edges of a surface: two world positions (six numbers) and a multiplicity per edge. */
export interface BoundaryEdges {
  readonly ends: Float64Array;
  readonly times: Float64Array;
}

export function boundaryOf({ shape, pose }: Placed): BoundaryEdges {
  const { vertices, forward, backward, count } = shape.mesh.edges;
  const ends: number[] = [];
  const times: number[] = [];
  const p = new Float64Array(3);
  for (let edge = 0; edge < count; edge++) {
    const more = forward[edge] - backward[edge];
    if (more === 0) continue;
    for (const end of [0, 1]) {
      const at = 3 * vertices[2 * edge + end];
      applyPose(pose, shape.positions[at], shape.positions[at + 1], shape.positions[at + 2], p, 0);
      ends.push(p[0], p[1], p[2]);
    }
    times.push(more);
  }
  return { ends: Float64Array.from(ends), times: Float64Array.from(times) };
}

const three = new Float64Array(9);

/** What the boundary adds to the crossings below a point: (1/4π) Σ m·Ω. */
export function boundaryWinding({ ends, times }: BoundaryEdges, x: number, y: number, z: number): number {
  let sum = 0;
  for (let edge = 0, at = 0; edge < times.length; edge++, at += 6) {
    sum += times[edge] * halfAngle(ends, at, x, y, z);
  }
  return sum / (2 * Math.PI);
}

/**
 * Ω/2 of one edge (math/solid-angle.ts), with the sign that the moved sample sees.
 *
 * If one end lies straight below the sample, its direction is opposite to up. Ω is then twice the angle, seen from
 * above, from that end to the other one. The moved sample sees that end in the direction (−1, −ε).
 */
function halfAngle(ends: Float64Array, at: number, x: number, y: number, z: number): number {
  const ax = ends[at] - x;
  const ay = ends[at + 1] - y;
  const az = ends[at + 2] - z;
  const bx = ends[at + 3] - x;
  const by = ends[at + 4] - y;
  const bz = ends[at + 5] - z;
  const overA = ax === 0 && ay === 0;
  const overB = bx === 0 && by === 0;
  // An end straight above, or both straight below: the spherical triangle has no area.
  if ((overA && (overB || az >= 0)) || (overB && bz >= 0)) return 0;
  if (overA) return Math.atan2(by !== 0 ? -by : Math.sign(bx) * Number.MIN_VALUE, -bx);
  if (overB) return Math.atan2(ay !== 0 ? ay : -Math.sign(ax) * Number.MIN_VALUE, -ax);
  const left = ax * by;
  const right = ay * bx;
  let volume = left - right;
  if (Math.abs(volume) <= 2 ** -49 * (Math.abs(left) + Math.abs(right))) {
    volume = Number.MIN_VALUE * movedSide(ends, at, x, y);
  }
  return halfSolidAngleToUp(volume, ax, ay, az, bx, by, bz);
}

/** On which side of the edge the moved column lies, seen from above: 1 if it sees a → b counter-clockwise. */
function movedSide(ends: Float64Array, at: number, x: number, y: number): number {
  const p = three;
  p[0] = ends[at];
  p[1] = ends[at + 1];
  p[3] = ends[at + 3];
  p[4] = ends[at + 4];
  p[6] = x;
  p[7] = y;
  const sign = orient2dAt(p, 0, 3, 6, 0, 1);
  if (sign !== 0) return sign;
  if (p[4] !== p[1]) return p[4] > p[1] ? -1 : 1;
  return p[3] > p[0] ? 1 : p[3] < p[0] ? -1 : 0;
}

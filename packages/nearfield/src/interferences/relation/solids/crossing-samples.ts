// Sample points at which two crossing surfaces are likely to show all kinds of cells: on each of two triangles that
// cross, a little to either side of the other. The points are computed in plain doubles, since they are only guesses.
// What is decided at them is exact.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { properCrossing } from '../../../math/triangles/triangle-triangle.ts';
import { Facet } from './facet.ts';

/** A point of a triangle of either body, by its coordinates along the two axes after the facet's axis. */
export interface Sample {
  readonly facet: Facet;
  readonly u: number;
  readonly v: number;
}

/** How many crossing pairs are sampled before the full search. */
const pairLimit = 4;

const p = new Float64Array(18);

export function* crossingSamples(
  bodies: readonly [Placed, Placed],
  triangles: Uint32Array,
): Generator<Sample, void> {
  let found = 0;
  for (let i = 0; i < triangles.length && found < pairLimit; i += 2) {
    placeCorners(bodies[0], triangles[i], p, 0);
    placeCorners(bodies[1], triangles[i + 1], p, 9);
    if (!properCrossing(p)) continue;
    found++;
    const corners = p.slice();
    yield* samplesOn(corners, 0, 9);
    yield* samplesOn(corners, 9, 0);
  }
}

/** Points of the triangle at `own` on both sides of the one at `other`, near the middle of their common segment. */
function* samplesOn(corners: Float64Array, own: number, other: number): Generator<Sample, void> {
  const facet = new Facet(corners.slice(own, own + 9));
  const middle = middleOfCrossing(corners, own, other);
  if (!middle) return;
  const [u, v] = [(facet.axis + 1) % 3, (facet.axis + 2) % 3];
  const normal = normalOf(corners, other);
  // Take a small step from the middle toward each corner: the corners lie on both sides of the other triangle.
  const steps = [0, 1, 2].map(i => {
    const at = own + 3 * i;
    return {
      at,
      height:
        dot(normal, corners, at) - (normal[0] * middle[0] + normal[1] * middle[1] + normal[2] * middle[2]),
    };
  });
  steps.sort((a, b) => a.height - b.height);
  for (const { at } of [steps[0], steps[2]]) {
    const x = middle[u] + step * (corners[at + u] - middle[u]);
    const y = middle[v] + step * (corners[at + v] - middle[v]);
    if (Number.isFinite(x) && Number.isFinite(y) && facet.holdsProjection(x, y)) yield { facet, u: x, v: y };
  }
}

const step = 1 / 64;

function normalOf(p: Float64Array, at: number): [number, number, number] {
  const [ux, uy, uz] = [p[at + 3] - p[at], p[at + 4] - p[at + 1], p[at + 5] - p[at + 2]];
  const [vx, vy, vz] = [p[at + 6] - p[at], p[at + 7] - p[at + 1], p[at + 8] - p[at + 2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

const dot = (n: readonly number[], p: Float64Array, at: number): number =>
  n[0] * p[at] + n[1] * p[at + 1] + n[2] * p[at + 2];

/** Approximately the middle of the segment that two crossing triangles share. */
function middleOfCrossing(p: Float64Array, a: number, b: number): number[] | undefined {
  const points: number[][] = [];
  for (const [own, other] of [
    [a, b],
    [b, a],
  ]) {
    const normal = normalOf(p, other);
    const base = dot(normal, p, other);
    for (let i = 0; i < 3; i++) {
      const [from, to] = [own + 3 * i, own + 3 * ((i + 1) % 3)];
      const [h, k] = [dot(normal, p, from) - base, dot(normal, p, to) - base];
      if (h > 0 === k > 0) continue;
      const s = h / (h - k);
      points.push([0, 1, 2].map(axis => p[from + axis] + s * (p[to + axis] - p[from + axis])));
    }
  }
  if (points.length < 4) return undefined;
  // Each triangle covers an interval of the common line. The overlap lies between the two inner ends.
  const direction = cross(normalOf(p, a), normalOf(p, b));
  points.sort((x, y) => along(direction, x) - along(direction, y));
  return points[1].map((x, axis) => x + (points[2][axis] - x) / 2);
}

const along = (d: readonly number[], x: readonly number[]): number => d[0] * x[0] + d[1] * x[1] + d[2] * x[2];
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

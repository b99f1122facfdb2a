// Oracle: the nearest triangles of two bodies by measuring every pair, first in double to discard pairs that are
// clearly farther, then exactly. Among equal pairs, the lowest triangle of the first body, then the lowest of the
// second.

import { applyPose } from 'nearfield';
import type { Part } from '../../spec/scenes.ts';
import { compareFractions, type Fraction, squaredDistance } from './least-difference.ts';

/** World corners of every triangle, nine doubles per triangle. */
export function worldCorners({ mesh, pose }: Part): Float64Array {
  const { positions, indices } = mesh;
  const world = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const v = 3 * indices[i];
    applyPose(Float64Array.from(pose), positions[v], positions[v + 1], positions[v + 2], world, 3 * i);
  }
  return world;
}

export interface NearestTriangles {
  readonly squared: Fraction;
  readonly triangleA: number;
  readonly triangleB: number;
}

export function bruteDistance(a: Float64Array, b: Float64Array): NearestTriangles | undefined {
  const [countA, countB] = [a.length / 9, b.length / 9];
  const rough = new Float64Array(countA * countB);
  let least = Infinity;
  let reach = 0;
  for (const value of [...a, ...b]) reach = Math.max(reach, Math.abs(value));
  // If squares fit in doubles.
  const scale = reach > 1e-100 && reach < 1e100 ? 1 : 2 ** Math.min(1000, -Math.round(Math.log2(reach)));
  const [nearA, nearB] = [a.map(value => value * scale), b.map(value => value * scale)];
  reach *= scale;
  for (let i = 0; i < countA; i++) {
    for (let j = 0; j < countB; j++) {
      const d = roughDistance(nearA.subarray(9 * i, 9 * i + 9), nearB.subarray(9 * j, 9 * j + 9));
      rough[i * countB + j] = d;
      least = Math.min(least, d);
    }
  }
  // Alternating projections converge slowly if triangles meet: a thousandth of the bodies' size covers that.
  const extent = Math.max(extentOf(nearA), extentOf(nearB));
  const margin = 1e-3 * extent + 1e-9 * reach;
  const p = new Float64Array(18);
  let best: NearestTriangles | undefined;
  for (let i = 0; i < countA; i++) {
    for (let j = 0; j < countB; j++) {
      if (rough[i * countB + j] > least + margin) continue;
      p.set(a.subarray(9 * i, 9 * i + 9));
      p.set(b.subarray(9 * j, 9 * j + 9), 9);
      const squared = squaredDistance(p);
      if (best && compareFractions(squared, best.squared) >= 0) continue;
      best = { squared, triangleA: i, triangleB: j };
    }
  }
  return best;
}

function extentOf(coordinates: Float64Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (let axis = 0; axis < 3; axis++) {
    for (let i = axis; i < coordinates.length; i += 3) {
      low = Math.min(low, coordinates[i] - coordinates[axis]);
      high = Math.max(high, coordinates[i] - coordinates[axis]);
    }
  }
  return high - low;
}

/**
 * The distance of two triangles to about a thousandth of their size, never less than the true one: alternating
 * projections onto the two convex sets, from every corner. Triangles that meet come out near 0 as well.
 */
function roughDistance(a: Float64Array, b: Float64Array): number {
  let least = Infinity;
  const point = [0, 0, 0];
  for (let corner = 0; corner < 9; corner += 3) {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ]) {
      let [x, y, z] = [from[corner], from[corner + 1], from[corner + 2]];
      let [here, there] = [from, to];
      let last = Infinity;
      for (let turn = 0; turn < 400; turn++) {
        nearestOnTriangle(there, x, y, z, point);
        const d = Math.hypot(point[0] - x, point[1] - y, point[2] - z);
        [x, y, z] = point;
        [here, there] = [there, here];
        if (last - d <= 1e-10 * d) {
          last = d;
          break;
        }
        last = d;
      }
      least = Math.min(least, last);
    }
  }
  return least;
}

/** The nearest point of a triangle, by trying the face and the three edges. */
export function nearestOnTriangle(t: Float64Array, x: number, y: number, z: number, out: number[]): void {
  let least = Infinity;
  const offer = (px: number, py: number, pz: number) => {
    const d = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2;
    if (d < least) {
      least = d;
      out[0] = px;
      out[1] = py;
      out[2] = pz;
    }
  };
  for (let i = 0; i < 9; i += 3) {
    const j = (i + 3) % 9;
    const e = [t[j] - t[i], t[j + 1] - t[i + 1], t[j + 2] - t[i + 2]];
    const length = e[0] ** 2 + e[1] ** 2 + e[2] ** 2;
    const along = (x - t[i]) * e[0] + (y - t[i + 1]) * e[1] + (z - t[i + 2]) * e[2];
    const s = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0;
    offer(t[i] + s * e[0], t[i + 1] + s * e[1], t[i + 2] + s * e[2]);
  }
  const u = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const v = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const area = n[0] ** 2 + n[1] ** 2 + n[2] ** 2;
  if (!(area > 0)) return;
  const h = ((x - t[0]) * n[0] + (y - t[1]) * n[1] + (z - t[2]) * n[2]) / area;
  const f = [x - h * n[0], y - h * n[1], z - h * n[2]];
  for (let i = 0; i < 9; i += 3) {
    const j = (i + 3) % 9;
    const e = [t[j] - t[i], t[j + 1] - t[i + 1], t[j + 2] - t[i + 2]];
    const w = [f[0] - t[i], f[1] - t[i + 1], f[2] - t[i + 2]];
    const c = [e[1] * w[2] - e[2] * w[1], e[2] * w[0] - e[0] * w[2], e[0] * w[1] - e[1] * w[0]];
    if (c[0] * n[0] + c[1] * n[1] + c[2] * n[2] < 0) return;
  }
  offer(f[0], f[1], f[2]);
}
